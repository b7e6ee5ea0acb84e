// The page of the HTML drawing: the server renders, and this script applies what
// changed. Without it the forms work by POST and redirect.

import { dropCards, settleCards } from './cards.js';
import * as chat from './chat.js';
import * as drafts from './drafts.js';
/** @import { Leaf } from './drafts.js' */
import { listenHost, tellOutcome } from './embedded.js';
import { focusInvalid, jump, output, pictured, syncErrors } from './fields.js';
import { listenCells, paste } from './grid.js';
import { shares, startLive, withLive } from './live.js';
import { isAwayFrom, lastSeq, must, note } from './page.js';
/** @import { Frame } from './page.js' */
import { problemOf, send, staleCode, uuid } from './post.js';
import { changed, startProcess, syncProcess } from './map.js';
import { offline, stales, wait } from './queue.js';
import { keepShared, renderInto, renderStreams } from './render.js';
import { away, claims, jumped, paged, settled, startTables, syncTables } from './rows.js';
import { quiet, say } from './status.js';
import { follow } from './stream.js';
import { listenTabs, syncTabs } from './tabs.js';
import { startUploads, syncUploads, uploading } from './uploads.js';
import { word } from './words.js';
import { answerWith, listenWorkspace, syncWorkspace } from './workspace.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */

const place = must('limn-surfaces');
const all = must('limn'); // surfaces are in their place, and as cards in the conversation

settleCards();
chat.start();
listenTabs(all);
listenWorkspace();
all.addEventListener('click', (event) => jumped(event) || pictured(event) || jump(event));
all.addEventListener('click', (event) => void copied(event.target));
place.addEventListener('input', output);
listenCells(place);
place.addEventListener('paste', (event) => void paste(event).then((left) => left && say(word('paste', { n: left }), 'error')));
startUploads(place, { render: showAnswer, say, problem: (code) => note({ code, message: 'upload' }) });
startTables(all, {
  note: noteTyped, drawn, say,
  uploading, typed: (row) => [.../** @type {NodeListOf<Control>} */ (row.querySelectorAll('input, textarea, select'))].some(isTyped),
  send: async (form, component) => void await submit(form, buttonOf(component)),
  idle: () => new Promise((done) => (composing ? document.addEventListener('compositionend', () => setTimeout(done), { once: true }) : done())),
  asked: () => submitted !== undefined,
});
startProcess(place, async (form, component) => void await submit(form, buttonOf(component)));
/** What follows every render. */
function settle() {
  settleCards();
  syncWorkspace();
  syncErrors(place);
  syncTabs(all);
  syncTables();
  syncUploads(); // it knows by then which rows are elsewhere
  syncProcess();
  tidy();
}

/** What follows a render of rows alone. */
function drawn() {
  restore();
  syncErrors(place);
  syncUploads();
  changed();
}

// --- the stream -----------------------------------------------------------

let fresh = false; // a reset was announced: the next snapshot replaces everything
let composing = false; // an input method is at work in a surface: moving its input would break it
/** @type {Frame[]} */
const held = [];
let shown = 0; // the frame that the answer to a submit has drawn already: once more would take the focus away

document.addEventListener('compositionstart', (event) => { composing = place.contains(/** @type {Node} */ (event.target)); });
document.addEventListener('compositionend', () => {
  composing = false;
  setTimeout(() => {
    for (let frame = held[0]; frame && !composing; frame = held[0]) {
      held.shift();
      apply(frame);
    }
  });
});

startLive((script, lent) => script.shareForm({ ...lent, typed: typedNow }, place, (/** @type {Element} */ control) => surfaceOf(control)?.id,
  (/** @type {Control} */ control) => {
    knows(control, valueOf(control));
    changed();
  }));

keepShared((wrapper) => shares(surfaceOf(wrapper)?.id ?? '') && [.../** @type {NodeListOf<Control>} */ (wrapper.querySelectorAll('input, textarea, select'))]
  .every((c) => c.name.startsWith('/draft/') && !['password', 'file'].includes(c.type)));

shareOpen({});

follow({
  watch: (event) => withLive((live) => live.watch(event)),
  frame: (frame) => (composing || held.length ? held.push(frame) : apply(frame)),
  delta: chat.delta,
  ended: chat.ended,
  reset() {
    held.length = 0;
    composing = false; // its input goes, and not every browser says that it ended
    noteTyped();
    place.replaceChildren();
    dropCards();
    fresh = true;
  },
});

/** @param {Frame} frame */
function apply(frame) {
  chat.apply(frame, fresh);
  const html = (frame.messages ?? []).filter((m) => typeof m === 'string').join('');
  if (frame.kind === 'snapshot') {
    noteTyped();
    dropCards();
    renderInto(place, html);
    restore();
  } else if (html && frame.seq !== shown) {
    if (paged()) noteTyped();
    renderStreams(html, claims);
    if (paged()) restore();
  }
  fresh = false;
  settle();
  shareOpen(frame);
  if (submitted && frame.outcome?.kind) tell(frame);
  tellOutcome(frame);
}

/**
 * Shares the drafts of the surfaces that are open, and takes what a frame has of them.
 * @param {Partial<Frame>} frame
 */
function shareOpen(frame) {
  const open = [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('turbo-frame'))].filter((one) => openControls(one).length).map((one) => one.id);
  withLive((live) => {
    live.names(frame.actors ?? {});
    live.surfaces(open);
    for (const m of frame.messages ?? []) if (m && typeof m === 'object') live.receive(m);
  });
}

// --- submitting -------------------------------------------------------------

/** @type {HTMLElement | undefined} */
let submitted; // the surface the user has just submitted; its answer moves the focus

all.addEventListener('submit', (event) => {
  if (!surfaceOf(/** @type {Element} */ (event.target))) return;
  event.preventDefault();
  void pressed(/** @type {HTMLFormElement} */ (event.target), event.submitter);
});

/** @type {WeakMap<Control, { value: Leaf; base: Leaf }>} */
const told = new WeakMap(); // what the server knows of controls that still show what it rendered before

/**
 * The server knows a value of a control.
 * @param {Control} control
 * @param {Leaf} value
 */
const knows = (control, value) => told.set(control, { value, base: baseOf(control) });

/**
 * What the server knows of a control.
 * @param {Control} control
 * @returns {Leaf}
 */
function knownOf(control) {
  const base = baseOf(control), last = told.get(control);
  return last && drafts.same(last.base, base) ? last.value : base;
}

/**
 * Whether a control holds what the server does not know.
 * @param {Control} control
 */
const isTyped = (control) => leafOf(control) !== undefined && !drafts.same(valueOf(control), knownOf(control));

/**
 * A button for a component that is not on the page.
 * @param {string} component
 */
function buttonOf(component) {
  const button = document.createElement('button');
  button.name = 'limn_component';
  button.value = component;
  return button;
}

/**
 * Sends a form by a button of it. A button of a row waits for a connection where there is none, and for the
 * rows that others have changed.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function pressed(form, submitter) {
  const component = /** @type {HTMLButtonElement | null} */ (submitter)?.value ?? '';
  const row = /!(add|remove|up|down|restore):/.test(component);
  if ('pending' in form.dataset) return;
  let body = row && !offline() ? bodyOf(form, submitter) : undefined; // it may reach the server though its answer does not
  let key = row ? uuid() : ''; // others may press the same: that counts, too
  const first = row && offline() ? 'lost' : await submit(form, submitter, key);
  if (!row || first === 'done') return;
  if (first === 'stale') body = undefined; // it was not carried out
  const id = surfaceOf(form)?.id ?? '';
  let tries = stales;
  wait(async () => {
    const now = /** @type {HTMLFormElement | null | undefined} */ (document.getElementById(id)?.querySelector('form'));
    if (!now) return fresh ? 'lost' : 'done'; // a surface that is gone has no rows; between a reset and its snapshot there is none
    if (!body) {
      const hidden = [.../** @type {NodeListOf<HTMLInputElement>} */ (now.querySelectorAll('input[type=hidden][name^="limn_"]'))]; // inputs may be older than what others wrote
      body = new URLSearchParams([...hidden.map(({ name, value }) => [name, value]), ['limn_component', component]]);
      key = uuid();
    }
    const response = await send(now.action, request(body, key)).catch(() => undefined);
    if (!response) return 'lost'; // the same is sent again, which counts once
    body = undefined;
    const stale = isStale(response) && tries-- > 0;
    await answer(response); // it has the form as it is now
    return stale ? 'stale' : 'done';
  }, first);
}

/**
 * @param {FormData | URLSearchParams} body
 * @param {string} key
 * @returns {RequestInit}
 */
const request = (body, key) => ({
  method: 'POST', body, credentials: 'same-origin',
  headers: { Accept: 'text/vnd.turbo-stream.html, text/html', ...(key && { 'Idempotency-Key': key }) },
});

/** @param {Response} response */
const isStale = (response) => response.headers.get('Limn-Code') === staleCode;

/**
 * Sends the form of a surface, one submission at a time.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 * @param {string} [key] of a button that the caller presses again, if it is refused as stale
 * @returns {Promise<'done' | 'lost' | 'stale'>} lost: the server was not reached
 */
async function submit(form, submitter, key = '') {
  if ('pending' in form.dataset) return 'lost';
  form.dataset.pending = '';
  withLive((live) => live.flush());
  noteTyped();
  const surface = surfaceOf(form);
  const apart = submitter?.isConnected === false; // no button of the user's: what is typed is sent, and they look elsewhere
  if (surface) {
    drafts.sent(surface.id);
    if (!apart) submitted = surface;
    surface.setAttribute('aria-busy', 'true');
  }
  submitter?.setAttribute('aria-disabled', 'true'); // a disabled button would lose the focus
  say(word('working'), 'busy');
  try {
    const values = [.../** @type {Iterable<Control>} */ (form.elements)].filter((c) => c.matches('input, textarea, select')).map((c) => /** @type {const} */ ([c, valueOf(c)]));
    const response = await send(form.action, request(bodyOf(form, submitter), key));
    const outcome = await answer(response);
    if (key && isStale(response)) {
      submitted = undefined;
      return 'stale';
    }
    if (outcome === 'done' || outcome === 'asked') for (const [control, value] of values) knows(control, value);
    if (!apart) await settled();
    if (!surface || submitted !== surface) return 'done';
    const now = document.getElementById(surface.id);
    if (now && !isAwayFrom(now)) {
      const looked = outcome !== 'done' && focusInvalid(now); // a button that did its work keeps the focus
      if (!looked && !openControls(now).length) arrive(now);
    }
    setTimeout(() => { if (submitted === surface) submitted = undefined; }, 2000); // its frame may tell more
    return 'done';
  } catch (error) {
    submitted = undefined;
    note({ code: 'OFFLINE', message: String(error) });
    say(word('offline'), 'error');
    return 'lost';
  } finally {
    delete form.dataset.pending;
    submitter?.removeAttribute('aria-disabled');
    surface?.removeAttribute('aria-busy');
  }
}

/**
 * The fields of a form as its enctype says: files need multipart.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 * @returns {FormData | URLSearchParams}
 */
function bodyOf(form, submitter) {
  const data = new FormData(form, submitter?.isConnected ? submitter : null);
  if (submitter instanceof HTMLButtonElement && !submitter.isConnected) data.append(submitter.name, submitter.value);
  if (form.enctype === 'multipart/form-data') return data;
  return new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
}

/**
 * Renders the answer to a submit as a frame of the stream is; one the stream
 * already showed is left out. Returns how the turn ended.
 * @param {Response} response
 */
async function answer(response) {
  if (/turbo-stream/.test(response.headers.get('Content-Type') ?? '')) {
    const html = await response.text();
    quiet(); // before: the answer may write the status line
    showAnswer(html, Number(response.headers.get('Limn-Seq') ?? Infinity));
    answerWith(response.headers.get('Limn-Opened') ?? '');
  } else if (response.ok && response.redirected) {
    location.assign(response.url);
  } else {
    const problem = await problemOf(response);
    note(problem);
    say(problem.message, 'error');
    submitted = undefined;
  }
  return response.headers.get('Limn-Outcome');
}

/**
 * Renders the streams of an answer, unless the page's stream was faster.
 * @param {string} html
 * @param {number} seq
 */
function showAnswer(html, seq) {
  if (fresh) return; // the snapshot has it, too
  if (seq > lastSeq()) {
    if (seq === lastSeq() + 1 && !held.length) shown = seq;
    if (paged()) noteTyped();
    renderStreams(html, claims);
    if (paged()) restore();
  }
  settle();
}

/**
 * The frame of the user's own submit: say what became of it, unless the conversation says so.
 * @param {Frame} frame
 */
function tell(frame) {
  const { kind, message } = frame.outcome ?? {};
  if (!message) return;
  if (chat.says(frame, message)) say('');
  else say(message, kind === 'refused' || kind === 'failed' ? 'error' : 'info');
}

/**
 * The form is answered and its button gone: the focus goes to the surface.
 * @param {HTMLElement} surface
 */
function arrive(surface) {
  surface.tabIndex = -1;
  surface.focus();
}

// --- unsent text --------------------------------------------------------------

const typed = later(noteTyped, 250);
place.addEventListener('input', typed);
place.addEventListener('change', typed);
addEventListener('pagehide', noteTyped);
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && noteTyped());
addEventListener('error', (event) => note({ code: 'SCRIPT_ERROR', message: event.message }));
addEventListener('unhandledrejection', (event) => note({ code: 'SCRIPT_ERROR', message: String(event.reason) }));

/**
 * The key of a control's text: its name, and the id of the permanent element
 * around it, which ends in the counter of the server's writes to that leaf.
 * @param {Control} control
 * @returns {string | undefined}
 */
function leafOf(control) {
  if (!control.name || control.matches(':disabled') || ['hidden', 'file', 'password', 'submit', 'button'].includes(control.type)) return undefined;
  const wrapper = control.closest('[data-turbo-permanent]');
  const option = control.type === 'checkbox' || control.type === 'radio' ? `=${control.value}` : '';
  return `${control.name}${option}@${wrapper?.id ?? ''}`;
}

/**
 * @param {Control} control
 * @returns {Leaf}
 */
function valueOf(control) {
  if (control instanceof HTMLSelectElement && control.multiple) return [...control.selectedOptions].map((o) => o.value);
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) return control.checked;
  return control.value;
}

/**
 * What the server rendered into it.
 * @param {Control} control
 * @returns {Leaf}
 */
function baseOf(control) {
  if (control instanceof HTMLSelectElement) {
    const chosen = [...control.options].filter((o) => o.defaultSelected).map((o) => o.value);
    return control.multiple ? chosen : (chosen[0] ?? control.options[0]?.value ?? '');
  }
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) return control.defaultChecked;
  return control.defaultValue;
}

/**
 * @param {Control} control
 * @param {Leaf} value
 */
function show(control, value) {
  if (control instanceof HTMLSelectElement && Array.isArray(value)) {
    for (const option of control.options) option.selected = value.includes(option.value);
  } else if (control instanceof HTMLInputElement && typeof value === 'boolean') {
    control.checked = value;
  } else {
    control.value = String(value);
  }
}

/** @returns {Generator<[surface: string, leaf: string, control: Control]>} */
function* everyControl() {
  for (const control of /** @type {NodeListOf<Control>} */ (place.querySelectorAll('input, textarea, select'))) {
    const surface = surfaceOf(control);
    const leaf = surface && leafOf(control);
    if (surface && leaf) yield [surface.id, leaf, control];
  }
}

function noteTyped() {
  /** @type {Map<string, drafts.Shown>} */
  const shown = new Map();
  for (const [surface, leaf, control] of everyControl()) {
    const leaves = shown.get(surface) ?? new Map();
    shown.set(surface, leaves.set(leaf, [valueOf(control), knownOf(control)]));
  }
  for (const [surface, leaves] of shown) drafts.note(surface, leaves, away(surface));
}

drafts.types(() => {
  withLive((live) => live.flush());
  noteTyped();
  const now = typedControls();
  const values = now.map(([, control]) => /** @type {const} */ ([control, valueOf(control)]));
  return { typed: typedNow(now), taken: () => values.forEach(([control, value]) => knows(control, value)) };
});

/**
 * The controls of drafts that hold what the server does not know. The data of an agent are no draft.
 * @returns {[surface: string, control: Control][]}
 */
const typedControls = () => [...everyControl()].flatMap(([surface, , control]) =>
  (isTyped(control) && control.name.startsWith('/draft/') && !control.closest('[data-agent]') ? [[surface, control]] : []));

/** @returns {Map<string, drafts.Typed>} */
function typedNow(controls = typedControls()) {
  /** @type {Map<string, drafts.Typed>} */
  const out = new Map();
  for (const [surface, control] of controls) {
    const form = /** @type {HTMLFormElement} */ (control.form);
    const rev = Number(/** @type {HTMLInputElement | null} */ (form.elements.namedItem('limn_rev'))?.value ?? 0);
    const at = out.get(surface) ?? { rev, values: [] };
    at.values.push([control.name, sentValue(form, control)]);
    out.set(surface, at);
  }
  return out;
}

/**
 * The value of an input as a data model has it.
 * @param {HTMLFormElement} form
 * @param {Control} control
 * @returns {Leaf}
 */
function sentValue(form, control) {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') {
    if (control.value === 'true') return control.checked;
    return [...form.querySelectorAll(`input[type=checkbox][name="${CSS.escape(control.name)}"]:checked`)].map((box) => /** @type {HTMLInputElement} */ (box).value);
  }
  return control instanceof HTMLInputElement && control.type === 'radio' ? String(new FormData(form).get(control.name) ?? '') : valueOf(control);
}

function restore() {
  /** @type {Map<string, ReturnType<typeof drafts.unsent>>} */
  const unsent = new Map();
  for (const [surface, leaf, control] of everyControl()) {
    const known = unsent.get(surface) ?? drafts.unsent(surface);
    const value = known(leaf, baseOf(control));
    unsent.set(surface, known);
    if (value !== undefined) show(control, value);
  }
}

/** Forgets the text of surfaces that are gone or answered; on one that is open again it is put back. */
function tidy() {
  /** @type {Set<string>} */
  const open = new Set();
  for (const surface of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('turbo-frame'))) if (openControls(surface).length) open.add(surface.id);
  const again = drafts.tidy(open, new Set([...document.querySelectorAll('turbo-frame:has(> .limn-expired)')].map((card) => card.id)));
  if (!again.size) return;
  const path = (/** @type {string} */ leaf) => leaf.slice(0, leaf.lastIndexOf('@')); // what follows names the control as it was
  for (const [surface, leaves] of again) {
    const typed = new Map(Object.entries(leaves).map(([leaf, kept]) => [path(leaf), kept.v]));
    for (const [id, leaf, control] of everyControl()) {
      const value = id === surface ? typed.get(path(leaf)) : undefined;
      if (value !== undefined && typeof value === typeof valueOf(control)) show(control, value);
    }
  }
  noteTyped();
  changed();
}

/**
 * @param {ParentNode} surface
 * @returns {Element[]}
 */
function openControls(surface) {
  return [...surface.querySelectorAll('input:not([type=hidden]), textarea, select')].filter((c) => !c.matches(':disabled'));
}

/**
 * @param {Element} element
 * @returns {HTMLElement | null}
 */
function surfaceOf(element) {
  return /** @type {HTMLElement | null} */ (element.closest('turbo-frame'));
}

/**
 * @param {() => void} run
 * @param {number} ms
 * @returns {() => void}
 */
function later(run, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
}

// At last: all of the above is there.
restore();
syncWorkspace();
listenHost();
settle();

/**
 * Copies the text beside a button that copies.
 * @param {EventTarget | null} target
 */
async function copied(target) {
  const button = target instanceof Element ? target.closest('button[data-limn-copy]') : null;
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.nextElementSibling?.textContent ?? '');
    say(word('copied'));
  } catch {
    say(word('copy.failed'), 'error');
  }
}
