// The page of the HTML drawing: the server renders, Turbo patches. Without this
// script the forms work by POST and redirect.

import { loaded } from './before-turbo.js';
import * as Turbo from '@hotwired/turbo';
import * as chat from './chat.js';
import * as drafts from './drafts.js';
import type { Leaf } from './drafts.js';
import { enter, focusInvalid, jump, output, paste, syncErrors } from './fields.js';
import { lastSeq, must, note, type Frame, type Outcome } from './page.js';
import { problemOf } from './post.js';
import { renderInto, renderStreams } from './render.js';
import { quiet, say } from './status.js';
import { follow } from './stream.js';
import { listenTabs, syncTabs } from './tabs.js';
import { startUploads, syncUploads } from './uploads.js';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

loaded();
Turbo.session.drive = false; // links and forms outside the surfaces are the browser's
Turbo.config.drive.progressBarDelay = 2 ** 31 - 1; // no progress bar: the status line says what goes on
Turbo.config.forms.submitter = 'aria-disabled'; // a button that is disabled loses the focus
const place = must('limn-surfaces');

chat.start();
listenTabs(place);
place.addEventListener('keydown', enter);
place.addEventListener('click', jump);
place.addEventListener('input', output);
place.addEventListener('paste', (event) => {
  const left = paste(event);
  if (left) say(`${left} pasted rows did not fit. Add rows first, then paste them again.`, 'error');
});
startUploads(place, { render: showAnswer, say, problem: (code) => note({ code, message: 'upload' }) });
restore();
settle();

/** What follows every render. */
function settle(): void {
  syncErrors(place);
  syncTabs(place);
  syncUploads();
  tidy();
}

// --- the stream -----------------------------------------------------------

let fresh = false; // a reset was announced: the next snapshot replaces everything
let composing = false; // an input method is at work: moving its input would break it
const held: Frame[] = [];
let shown = 0; // the frame that the answer to a submit has drawn already: once more would take the focus away

document.addEventListener('compositionstart', () => { composing = true; });
document.addEventListener('compositionend', () => {
  composing = false;
  setTimeout(() => { while (!composing && held.length) apply(held.shift()!); });
});

follow({
  frame: (frame) => (composing || held.length ? held.push(frame) : apply(frame)),
  delta: chat.delta,
  ended: chat.ended,
  reset() {
    held.length = 0;
    noteTyped();
    place.replaceChildren();
    fresh = true;
  },
});

function apply(frame: Frame): void {
  chat.apply(frame, fresh);
  const html = (frame.messages ?? []).filter((m): m is string => typeof m === 'string').join('');
  if (frame.kind === 'snapshot') {
    noteTyped();
    renderInto(place, html);
    restore();
  } else if (html && frame.seq !== shown) {
    renderStreams(html);
  }
  fresh = false;
  settle();
  if (submitted && frame.outcome?.kind) tell(frame.outcome);
}

// --- submitting -------------------------------------------------------------

let submitted: HTMLElement | undefined; // the surface the user has just submitted; its answer moves the focus
let answered: Promise<void> = Promise.resolve(); // its answer is on the page

place.addEventListener('turbo:submit-start', (event) => {
  const { formSubmission } = (event as CustomEvent<{ formSubmission: { submitter?: HTMLElement; formElement: HTMLFormElement } }>).detail;
  const form = formSubmission.formElement;
  noteTyped();
  const surface = surfaceOf(form);
  if (surface) {
    drafts.sent(surface.id);
    submitted = surface;
    surface.setAttribute('aria-busy', 'true');
  }
  form.dataset.pending = '';
  say('Working…', 'busy');
});

// One submission at a time: the button keeps its focus, so it is not disabled by attribute.
place.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if ('pending' in form.dataset) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, { capture: true });

// On the document: a stream may have replaced the form before its answer came,
// and Turbo tells the document then.
document.addEventListener('turbo:submit-end', (event) => {
  const { fetchResponse, error, formSubmission } = (event as CustomEvent<{
    fetchResponse?: unknown;
    error?: Error;
    formSubmission: { formElement: HTMLFormElement };
  }>).detail;
  delete formSubmission.formElement.dataset.pending;
  const surface = submitted;
  surface?.removeAttribute('aria-busy');
  if (!fetchResponse || error) {
    submitted = undefined;
    note({ code: 'OFFLINE', message: String(error ?? 'no answer') });
    say('The server could not be reached. Nothing you typed is lost; please try again.', 'error');
    return;
  }
  void answered.then(() => {
    if (!surface || submitted !== surface) return;
    const now = document.getElementById(surface.id);
    if (now && !focusInvalid(now) && !openControls(now).length) arrive(now);
    setTimeout(() => { if (submitted === surface) submitted = undefined; }, 2000); // its frame may tell more
  });
});

// The answer to a submit is rendered here, as a frame of the stream is; one the
// stream already showed is left out. Any other answer would make Turbo replace
// the page, and with it what the user typed.
document.addEventListener('turbo:before-fetch-response', (event) => {
  const { response } = (event as CustomEvent<{ fetchResponse: { response: Response } }>).detail.fetchResponse;
  event.preventDefault();
  event.stopImmediatePropagation();
  answered = answer(response);
});

async function answer(response: Response): Promise<void> {
  if (/turbo-stream/.test(response.headers.get('Content-Type') ?? '')) {
    const html = await response.clone().text();
    quiet(); // before: the answer may write the status line
    showAnswer(html, Number(response.headers.get('Limn-Seq') ?? Infinity));
  } else if (response.ok && response.redirected) {
    location.assign(response.url);
  } else {
    const problem = await problemOf(response.clone());
    note(problem);
    say(problem.message, 'error');
    submitted = undefined;
  }
}

/** Renders the streams of an answer, unless the page's stream was faster. */
function showAnswer(html: string, seq: number): void {
  if (seq > lastSeq()) {
    if (seq === lastSeq() + 1 && !held.length) shown = seq;
    renderStreams(html);
  }
  settle();
}

/** The frame of the user's own submit: say what became of it. */
function tell(outcome: Outcome): void {
  if (outcome.message) say(outcome.message, outcome.kind === 'refused' || outcome.kind === 'failed' ? 'error' : 'info');
}

/** The form is answered and its button gone: the focus goes to the surface. */
function arrive(surface: HTMLElement): void {
  if (document.activeElement && document.activeElement !== document.body && !surface.contains(document.activeElement)) return;
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

/** The key of a control's text: its name, and the id of the permanent element
 *  around it, which ends in the counter of the server's writes to that leaf. */
function leafOf(control: Control): string | undefined {
  if (!control.name || control.matches(':disabled') || ['hidden', 'file', 'password', 'submit', 'button'].includes(control.type)) return undefined;
  const wrapper = control.closest('[data-turbo-permanent]');
  const option = control.type === 'checkbox' || control.type === 'radio' ? `=${control.value}` : '';
  return `${control.name}${option}@${wrapper?.id ?? ''}`;
}

function valueOf(control: Control): Leaf {
  if (control instanceof HTMLSelectElement && control.multiple) return [...control.selectedOptions].map((o) => o.value);
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) return control.checked;
  return control.value;
}

/** What the server rendered into it. */
function baseOf(control: Control): Leaf {
  if (control instanceof HTMLSelectElement) {
    const chosen = [...control.options].filter((o) => o.defaultSelected).map((o) => o.value);
    return control.multiple ? chosen : (chosen[0] ?? control.options[0]?.value ?? '');
  }
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) return control.defaultChecked;
  return control.defaultValue;
}

function show(control: Control, value: Leaf): void {
  if (control instanceof HTMLSelectElement && Array.isArray(value)) {
    for (const option of control.options) option.selected = value.includes(option.value);
  } else if (control instanceof HTMLInputElement && typeof value === 'boolean') {
    control.checked = value;
  } else {
    control.value = String(value);
  }
}

function* everyControl(): Generator<[surface: string, leaf: string, control: Control]> {
  for (const control of place.querySelectorAll<Control>('input, textarea, select')) {
    const surface = surfaceOf(control);
    const leaf = surface && leafOf(control);
    if (surface && leaf) yield [surface.id, leaf, control];
  }
}

function noteTyped(): void {
  const shown = new Map<string, drafts.Shown>();
  for (const [surface, leaf, control] of everyControl()) {
    if (!shown.has(surface)) shown.set(surface, new Map());
    shown.get(surface)!.set(leaf, [valueOf(control), baseOf(control)]);
  }
  for (const [surface, leaves] of shown) drafts.note(surface, leaves);
}

function restore(): void {
  for (const [surface, leaf, control] of everyControl()) {
    const value = drafts.unsent(surface, leaf, baseOf(control));
    if (value !== undefined) show(control, value);
  }
}

/** Forgets the text of surfaces that are gone or answered. */
function tidy(): void {
  const open = new Set<string>();
  for (const surface of place.querySelectorAll<HTMLElement>('turbo-frame')) if (openControls(surface).length) open.add(surface.id);
  drafts.tidy(open);
}

function openControls(surface: ParentNode): Element[] {
  return [...surface.querySelectorAll('input:not([type=hidden]), textarea, select')].filter((c) => !c.matches(':disabled'));
}

function surfaceOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>('turbo-frame');
}

function later(run: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
}
