// The page on which an owner shares the conversation, in a dialog: its forms are sent from
// there, and the answer takes the place of what it showed.

import { note } from './page.js';
import { problemOf, send } from './post.js';
import { say } from './status.js';
import { word } from './words.js';

const dialog = document.createElement('dialog');
dialog.className = 'limn-dialog';

/** Lets the link to that page open the dialog. */
export function start() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.getElementById('limn-share'));
  link?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a tab of its own
    event.preventDefault();
    void show(link.href);
  });
  dialog.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const data = new FormData(form, (/** @type {SubmitEvent} */ (event)).submitter);
    void show(form.action, new URLSearchParams([...data].map(([name, value]) => [name, String(value)])));
  });
  dialog.addEventListener('click', (event) => {
    const at = /** @type {Element} */ (event.target);
    const copy = /** @type {HTMLElement | null} */ (at.closest('[data-copy]'));
    if (copy) void copied(copy);
    if (!at.closest('[data-close]')) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('close', () => dialog.replaceChildren());
}

let busy = false;

/**
 * Asks for the page, with the fields of a form if there are any, and shows it.
 * @param {string} url
 * @param {URLSearchParams} [body]
 */
async function show(url, body) {
  if (busy) return;
  busy = true;
  try {
    const answer = await (body ? fetch : send)(url, { method: body ? 'POST' : 'GET', body, credentials: 'same-origin' }); // a link is not made twice
    if (!answer.ok) throw await problemOf(answer);
    const main = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    if (main) fill(main);
  } catch (error) {
    const { message, code } = /** @type {{ message: string; code?: string }} */ (error);
    note({ code: code ?? 'OFFLINE', message });
    const text = code ? message : word('offline');
    if (dialog.open) alerted(text);
    else say(text, 'error');
  } finally {
    busy = false;
  }
}

/** Says what went wrong in the dialog, which covers the status of the page. @param {string} text */
function alerted(text) {
  dialog.querySelector('[role="alert"]')?.remove();
  const line = document.createElement('p');
  line.setAttribute('role', 'alert');
  line.textContent = text;
  dialog.prepend(line);
}

/** @param {HTMLElement} main */
function fill(main) {
  const shown = document.createElement('div');
  shown.id = main.id;
  shown.className = main.className;
  shown.append(...main.childNodes);
  const title = shown.querySelector('h1');
  if (title) {
    title.id = 'limn-dialog-title';
    dialog.setAttribute('aria-labelledby', title.id);
  }
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (shown.querySelectorAll('[data-copy]'))) button.hidden = !navigator.clipboard;
  dialog.replaceChildren(shown);
  if (!dialog.isConnected) document.body.append(dialog);
  if (!dialog.open) dialog.showModal();
  const link = /** @type {HTMLInputElement | null} */ (shown.querySelector('input[readonly]'));
  link?.focus();
  link?.select();
}

/** @param {HTMLElement} button */
async function copied(button) {
  const from = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ''));
  try {
    await navigator.clipboard.writeText(from.value);
  } catch { // not allowed here: the user copies what is selected
    from.focus();
    from.select();
    return;
  }
  button.textContent = button.dataset.copied ?? '';
}
