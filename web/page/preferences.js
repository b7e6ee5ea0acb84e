// The panel of the user's preferences: its forms are sent without leaving the
// page, and it is fetched again when the server says that something changed.

import { note, page } from './page.js';
import { post, uuid } from './post.js';
import { word } from './words.js';

const address = `${page.at}/preferences?draw=${encodeURIComponent(page.draw)}`;
/** @type {Record<string, string>} */
const done = { // keys of words: what a button did
  rule: 'rule.added', enable: 'rule.on', disable: 'rule.off', delete: 'rule.deleted',
};

/** Takes over the forms of the panel. */
export function start() {
  document.getElementById('limn-preferences')?.addEventListener('submit', (event) => {
    if (/** @type {HTMLFormElement} */ (event.target).id === 'limn-language') return; // the whole page changes
    event.preventDefault();
    void send(/** @type {HTMLFormElement} */ (event.target), /** @type {HTMLButtonElement | null} */ ((/** @type {SubmitEvent} */ (event)).submitter));
  });
}

/** Nothing can be changed any more. */
export function lock() {
  for (const control of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('#limn-preferences :is(button, input, select)'))) control.disabled = true;
}

/** @type {WeakSet<HTMLFormElement>} */
const sending = new WeakSet();

/** @type {{ body: string; key: string } | undefined} */
let tried; // the same change after a failure keeps its key

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} submitter
 */
async function send(form, submitter) {
  if (sending.has(form)) return;
  sending.add(form);
  const fields = new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]));
  fields.delete('limn_key'); // of the form as it was drawn; that of the request counts
  if (tried?.body !== fields.toString()) tried = { body: fields.toString(), key: uuid() };
  say(word('saving'));
  const answer = await post(address, fields, { 'Idempotency-Key': tried.key });
  sending.delete(form);
  if (answer.status !== 0 && answer.status < 500) tried = undefined;
  if (!answer.ok) {
    note(answer);
    say(answer.message, 'error');
    return;
  }
  if (form.id === 'limn-rule-new') form.reset();
  for (const option of form.querySelectorAll('option')) option.defaultSelected = option.selected; // saved: the panel may show it again
  await refresh();
  say(word(done[submitter?.value ?? ''] ?? 'saved'));
}

let asked = 0; // the newest answer counts
let newest = Promise.resolve(); // it is shown

/** Fetches and shows what the server knows; what is chosen and not saved stays. Ends when the newest answer is shown. */
export function refresh() {
  newest = load(++asked);
  return newest;
}

/**
 * @param {number} turn
 * @returns {Promise<void>}
 */
async function load(turn) {
  const now = document.getElementById('limn-preferences-now');
  if (!now) return;
  /** @type {string} */
  let text;
  try {
    const response = await fetch(address, { credentials: 'same-origin' });
    if (!response.ok) return;
    text = await response.text();
  } catch {
    return; // the next frame or the next visit shows it
  }
  if (turn !== asked) return newest;
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  if (!fresh.getElementById('limn-preferences-now')) return; // a page of a sign-in
  const focused = now.contains(document.activeElement) ? (document.activeElement?.id ?? '') : '';
  const unsaved = [...now.querySelectorAll('select')].filter(changed);
  for (const id of ['limn-preferences-now', 'limn-preferences-note']) {
    document.getElementById(id)?.replaceChildren(...(fresh.getElementById(id)?.childNodes ?? []));
  }
  for (const old of unsaved) {
    const select = document.getElementById(old.id);
    if (select instanceof HTMLSelectElement) select.value = old.value;
  }
  if (focused) (document.getElementById(focused) ?? document.getElementById('limn-rules-title'))?.focus();
}

/**
 * Whether the user has chosen something else than the server drew.
 * @param {HTMLSelectElement} select
 * @returns {boolean}
 */
function changed(select) {
  const drawn = [...select.options].findIndex((o) => o.defaultSelected);
  return select.selectedIndex !== Math.max(drawn, 0);
}

/**
 * @param {string} text
 * @param {'info' | 'error'} [tone]
 */
function say(text, tone = 'info') {
  const line = document.getElementById('limn-preferences-status');
  if (!line) return;
  line.textContent = text;
  line.dataset.tone = tone;
}
