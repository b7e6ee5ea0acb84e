// The chat: the transcript and the box to write in.

import { syncActs } from './acts.js';
import { asked, watch } from './arrive.js';
import * as attend from './attend.js';
import { goes } from './drafts.js';
import { lastSeq, must, note, page } from './page.js';
/** @import { Delta, Entry, Frame } from './page.js' */
import { composes } from './keys.js';
import { post, uuid } from './post.js';
import * as preferences from './preferences.js';
import * as inspector from './panel.js';
import * as share from './share.js';
import * as sidebar from './sidebar.js';
import { quiet, say, toast } from './status.js';
import { word } from './words.js';

const log = /** @type {HTMLOListElement} */ (must('limn-transcript'));
const view = /** @type {HTMLElement | null} */ (log.closest('[role="log"]')) ?? log; // what scrolls and is read out
const form = /** @type {HTMLFormElement} */ (must('limn-message'));
const box = /** @type {HTMLTextAreaElement} */ (must('limn-text'));
const button = /** @type {HTMLButtonElement | null} */ (form.querySelector('button'));
const stop = document.getElementById('limn-cancel'); // shown while a model runs
const keptAs = `limn:message:${page.conversation}`; // the text in the box
const triedAs = `limn:tried:${page.conversation}`; // a message that may have been taken
const sentAs = `limn:sent:${page.conversation}`; // messages taken and not answered yet

/** @type {Set<string>} */
const shown = new Set(); // seq:role:index of every entry on the page
/** @type {Map<string, HTMLLIElement>} */
const drafts = new Map(); // by event: what a running model has said so far
let working = false; // a message was taken, its frame has not come
let over = false; // the conversation has ended

/** Takes over the form and learns what the server rendered. */
export function start() {
  watch();
  preferences.start();
  share.start();
  sidebar.start();
  inspector.start();
  attend.start();
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const item of /** @type {NodeListOf<HTMLLIElement>} */ (log.querySelectorAll('li[data-seq]'))) {
    const role = item.classList.contains('limn-user') ? 'user' : 'assistant';
    shown.add(key(Number(item.dataset.seq), role, counts));
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || composes(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void send();
  });
  document.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' && /** @type {HTMLDetailsElement | null} */ (document.querySelector('#limn-header > details[open]'));
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  box.addEventListener('input', () => {
    grow();
    keep(box.value);
  });
  document.getElementById('limn-welcome')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = (/** @type {HTMLButtonElement | null} */ ((/** @type {SubmitEvent} */ (event)).submitter))?.value;
    if (text) void send(text);
  });
  works(false);
  restore();
  again();
  stop?.addEventListener('submit', (event) => {
    event.preventDefault();
    void post(`${page.api}/cancel`, {}).then((answer) => answer.ok || say(answer.message, 'error'));
  });
  wasTaken();
  box.value ||= kept();
  grow();
  toEnd();
}

/**
 * Shows what a frame or snapshot says.
 * @param {Frame} frame
 * @param {boolean} fresh
 */
export function apply(frame, fresh) {
  for (const [event, draft] of drafts) {
    if (!fresh && event !== frame.event) continue;
    draft.remove();
    drafts.delete(event);
  }
  const stays = atEnd();
  if (fresh) {
    log.querySelectorAll('li[data-seq]').forEach((item) => item.remove());
    shown.clear();
  }
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const entry of frame.transcript ?? []) {
    const id = key(entry.seq, entry.role, counts);
    if (shown.has(id)) continue;
    shown.add(id);
    if (entry.role === 'user') {
      answered(entry);
      sidebar.said();
    }
    document.getElementById('limn-welcome')?.remove();
    add(entry);
  }
  wasTaken();
  if (frame.failed || frame.kind === 'snapshot') offer(frame.failed ?? []);
  if (frame.operator !== undefined || frame.kind === 'snapshot') attended(frame.operator ?? '');
  for (const text of frame.toasts ?? []) toast(text);
  if (frame.preferences || frame.kind === 'snapshot') void preferences.refresh();
  if (working && (frame.transcript?.length || frame.outcome?.kind)) {
    if (!drafts.size && !log.querySelector('li.limn-user.limn-pending')) {
      works(false);
      quiet();
    }
    const { kind, message } = frame.outcome ?? {};
    if (kind && kind !== 'done' && message && !says(frame, message)) say(message, kind === 'asked' ? 'info' : 'error');
  }
  again();
  if (stays) toEnd();
}

/**
 * Whether the conversation says a message, so that nothing else need say it.
 * @param {Frame} frame
 * @param {string} message
 */
export function says(frame, message) {
  return Boolean(frame.transcript?.some((entry) => entry.role === 'assistant' && entry.text.endsWith(message)));
}

/**
 * Lists what could not be shown, each with a button that renders it again.
 * @param {{ surface: string; title: string }[]} failed
 */
function offer(failed) {
  const list = document.getElementById('limn-failed');
  list?.replaceChildren(...failed.map(({ surface, title }) => {
    const li = document.createElement('li');
    const again = document.createElement('button');
    again.type = 'button';
    again.textContent = `${list.dataset.label}: ${title}`;
    again.addEventListener('click', () => {
      again.disabled = true;
      asked();
      void post(`${page.api}/surfaces/${encodeURIComponent(surface)}/regenerate`, {}).then((answer) => {
        again.disabled = false;
        if (!answer.ok) say(answer.message, 'error');
      });
    });
    li.append(again);
    return li;
  }));
}

/**
 * Shows what a running model is saying; the frame of that event replaces it.
 * @param {Delta} value
 */
export function delta({ event, at, text }) {
  let draft = drafts.get(event);
  if (!draft) {
    draft = item('assistant', '');
    draft.classList.add('limn-pending');
    draft.setAttribute('aria-hidden', 'true'); // the finished text is read, not every piece
    drafts.set(event, draft);
    log.append(draft);
  }
  if (!working && !over) { // another tab asked, or this one before it was reloaded
    works(true);
    say(word('working'), 'busy');
  }
  const stays = atEnd();
  if (at === 0) draft.textContent = '';
  draft.append(text);
  if (stays) toEnd();
}

/**
 * Says who answers in place of the model; '' is nobody.
 * @param {string} name
 */
function attended(name) {
  if (document.getElementById('limn-operator')) void attend.refresh();
  const bar = document.getElementById('limn-attended');
  const text = bar?.querySelector('span');
  if (!bar || !text) return;
  bar.hidden = !name;
  text.textContent = name && word('here', { label: name });
}

/** Says that nothing can be sent any more. What was typed stays, to be copied. */
export function ended() {
  over = true;
  works(false);
  quiet();
  preferences.lock();
  document.getElementById('limn-welcome')?.remove();
  const notice = must('limn-ended');
  notice.className = 'limn-notice';
  notice.textContent = notice.dataset.words ?? '';
  const focused = form.contains(document.activeElement);
  box.readOnly = true;
  if (box.value) button?.remove();
  else form.remove();
  if (focused && !form.contains(document.activeElement)) {
    notice.tabIndex = -1;
    notice.focus();
  }
}

/** @param {Entry} entry */
function add(entry) {
  const li = item(entry.role, entry.text);
  if (entry.html && entry.role === 'assistant') {
    const parsed = document.createElement('template');
    parsed.innerHTML = entry.html;
    li.classList.add('limn-markdown');
    li.replaceChildren(parsed.content);
  }
  if (entry.by) {
    const by = document.createElement('strong');
    by.className = 'limn-by';
    by.textContent = entry.by;
    li.prepend(by);
  }
  li.dataset.seq = String(entry.seq);
  const pending = log.querySelector('li.limn-pending');
  log.insertBefore(li, pending);
}

/**
 * @param {Entry['role']} role
 * @param {string} text
 * @returns {HTMLLIElement}
 */
function item(role, text) {
  const li = document.createElement('li');
  li.className = role === 'user' ? 'limn-user' : 'limn-assistant';
  li.textContent = text;
  return li;
}

/**
 * Takes the echo of a sent message away when the server's own entry is there.
 * @param {Entry} entry
 */
function answered(entry) {
  const echoes = [.../** @type {NodeListOf<HTMLLIElement>} */ (log.querySelectorAll('li.limn-user.limn-pending'))];
  (echoes.find((li) => li.textContent?.trim() === entry.text.trim()) ?? echoes[0])?.remove();
  const list = sent();
  const i = list.findIndex((one) => isOf(entry, one));
  if (i >= 0) remember(list.toSpliced(i, 1));
}

/**
 * Whether an entry of the user says a message that was sent after the entry seq.
 * @param {{ text: string; seq: number }} entry
 * @param {{ text: string; seq: number }} message
 */
const isOf = (entry, message) => entry.seq > message.seq && entry.text.trim() === message.text.trim();

/**
 * Whether the message that may have been taken is in the conversation: then it was. Its
 * key goes, since the same words are another message now, its text in the box, and the
 * word of its failure.
 */
function wasTaken() {
  const one = attempt;
  if (sending || !one || !isThere(one)) return;
  tries(undefined);
  empty(one.text);
  takeBack();
}

/**
 * Whether a message is in the conversation, and not only others with the same words.
 * @param {Attempt} one
 */
const isThere = (one) => said().filter((entry) => isOf(entry, one)).length > one.others;

/**
 * Empties the box, if it still holds a message that was taken.
 * @param {string} text
 */
function empty(text) {
  if (kept() === text) keep('');
  if (box.value !== text) return;
  box.value = '';
  grow();
}

/**
 * @typedef {object} Sent
 * @property {string} text
 * @property {number} seq of the last entry when it was taken
 * @property {number} at ms
 */

const answerTime = 600_000; // ms; longer than any answer takes

/** @returns {Sent[]} */
function sent() {
  try {
    const list = /** @type {Sent[]} */ (JSON.parse(sessionStorage.getItem(sentAs) ?? '[]'));
    return list.filter((one) => Date.now() - one.at < answerTime);
  } catch {
    return [];
  }
}

/** @param {Sent[]} list */
function remember(list) {
  try {
    if (list.length) sessionStorage.setItem(sentAs, JSON.stringify(list));
    else sessionStorage.removeItem(sentAs);
  } catch {
    // storage is a comfort, never a need
  }
}

/** Shows again what was taken before the page was loaded anew and is not answered. */
function restore() {
  const there = said();
  const list = sent().filter((one) => {
    const i = there.findIndex((entry) => isOf(entry, one));
    return i < 0 || !there.splice(i, 1);
  });
  remember(list);
  for (const one of list) echo(one.text);
  if (list.length) {
    works(true);
    say(word('working'), 'busy');
  }
}

/** The messages of the user. */
const said = () => [.../** @type {NodeListOf<HTMLLIElement>} */ (log.querySelectorAll('li.limn-user[data-seq]'))]
  .map((li) => ({ seq: Number(li.dataset.seq), text: li.textContent ?? '' }));

/** @returns {number} */
function newest() {
  return Math.max(0, ...[.../** @type {NodeListOf<HTMLLIElement>} */ (log.querySelectorAll('li[data-seq]'))].map((li) => Number(li.dataset.seq)));
}

/**
 * Shows a message whose own entry has not come yet.
 * @param {string} text
 * @returns {HTMLLIElement}
 */
function echo(text) {
  const li = item('user', text);
  li.classList.add('limn-pending');
  log.append(li);
  return li;
}

let sending = false;
/**
 * @typedef {object} Attempt
 * @property {string} text
 * @property {string} key
 * @property {number} seq of the last entry before
 * @property {number} others with the same words, taken before and not answered
 * @property {string} [brought] what went along when it was first sent from this page; the server keeps that alone
 */

/** @type {Attempt | undefined} */
let attempt = tried(); // the same text after a failure, or after the page was loaded anew, keeps its key

let takeBack = () => {}; // what the page says of its failure

/** @returns {typeof attempt} */
function tried() {
  try {
    return JSON.parse(sessionStorage.getItem(triedAs) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {typeof attempt} next */
function tries(next) {
  attempt = next;
  try {
    if (next) sessionStorage.setItem(triedAs, JSON.stringify({ ...next, brought: '' }));
    else sessionStorage.removeItem(triedAs);
  } catch {
    // storage is a comfort, never a need
  }
}

/** Sends a message; what is in the box stays until it was taken. */
async function send(text = box.value) {
  if (sending || over || !text.trim()) return;
  if (attempt?.text !== text) tries(first(text));
  await deliver(/** @type {Attempt} */ (attempt));
  void next();
}

/**
 * A message that was not sent yet.
 * @param {string} text
 * @returns {Attempt}
 */
function first(text) {
  return { text, key: uuid(), seq: newest(), others: sent().filter((one) => one.text.trim() === text.trim()).length };
}

/**
 * Sends a message once. False says that it may not have been taken: sent again, it is the same one.
 * @param {Attempt} one
 */
async function deliver(one) {
  sending = true;
  asked();
  const { models, taken } = goes();
  const brings = JSON.stringify(models);
  one.brought ??= brings;
  busy(true);
  say(word('sending'), 'busy');
  const shownAs = echo(one.text);
  toEnd();
  const answer = await post(`${page.api}/messages`, { text: one.text, ...models }, { 'Idempotency-Key': one.key });
  sending = false;
  busy(false);
  if (document.hasFocus() && document.activeElement === document.body) box.focus(); // a suggestion that was clicked is gone
  const refused = !answer.ok && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  const own = one === attempt;
  if (own && refused) tries(undefined); // another try is another message
  if (!answer.ok && (refused || !isThere(one))) {
    shownAs.remove();
    note(answer);
    takeBack = say(answer.message, 'error');
    return refused;
  }
  if (own) {
    tries(undefined);
    empty(one.text);
  }
  if (brings === one.brought) taken();
  document.getElementById('limn-welcome')?.remove();
  if (answer.ok && answer.status === 200 && Number(answer.body.seq) <= lastSeq()) shownAs.remove(); // it was answered before
  if (shownAs.isConnected) {
    remember([...sent(), { text: one.text, seq: newest(), at: Date.now() }]);
    works(true);
    say(word('working'), 'busy');
  } else {
    quiet(); // its frame is here already
  }
  return true;
}

/** @type {string[]} */
const later = []; // what the page around says, until it was taken or refused
/** @type {Attempt | undefined} */
let head; // the first of them, once it was sent
const pause = 5000; // ms before it is sent again
let pauses = false;

/**
 * Sends a message after those before it.
 * @param {string} text
 */
export function sendNext(text) {
  if (text.trim()) later.push(text);
  void next();
}

async function next() {
  if (sending || over || pauses || !later.length) return;
  head ??= first(later[0]);
  if (await deliver(head)) {
    head = undefined;
    later.shift();
  } else {
    pauses = true;
    await new Promise((done) => setTimeout(done, pause));
    pauses = false;
  }
  void next();
}

/** @param {boolean} on */
function works(on) {
  working = on;
  if (stop) stop.hidden = !on;
  again();
}

/** @param {boolean} on */
function busy(on) {
  form.setAttribute('aria-busy', String(on));
  box.readOnly = on || over;
  button?.setAttribute('aria-disabled', String(on));
}

/**
 * @param {number} seq
 * @param {string} role
 * @param {Map<string, number>} counts
 * @returns {string}
 */
function key(seq, role, counts) {
  const base = `${seq}:${role}`;
  const n = counts.get(base) ?? 0;
  counts.set(base, n + 1);
  return `${base}:${n}`;
}

/** The box is as high as its text; most browsers do it by themselves. */
function grow() {
  if (CSS.supports('field-sizing', 'content')) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight + 2}px`;
}

/** Offers what can be done with the messages. */
function again() {
  syncActs(over || working || form.hidden ? undefined : { edit, again: (text) => void send(text) });
}

/**
 * Puts a message back into the box.
 * @param {string} text
 */
function edit(text) {
  box.value = text;
  keep(text);
  grow();
  box.focus();
  box.setSelectionRange(text.length, text.length);
}

// The log is a column from its end: 0 is the newest message, and what is above is less.
const atEnd = () => view.scrollTop > -80;

function toEnd() {
  view.scrollTop = 0;
}

/** @param {string} text */
function keep(text) {
  try {
    if (text) sessionStorage.setItem(keptAs, text);
    else sessionStorage.removeItem(keptAs);
  } catch {
    // storage is a comfort, never a need
  }
}

/** @returns {string} */
function kept() {
  try {
    return sessionStorage.getItem(keptAs) ?? '';
  } catch {
    return '';
  }
}
