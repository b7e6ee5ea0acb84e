// What the pages of the two official renderers share: feeding frames, sending
// actions, reporting errors, keeping unsent text. A renderer is behind Renderer.

import * as chat from '../page/chat.js';
import * as drafts from '../page/drafts.js';
import type { Leaf } from '../page/drafts.js';
import { absorb, startLive, withLive } from '../page/live.js';
import { isAwayFrom, lastSeq, must, note, page, type Frame, type Outcome } from '../page/page.js';
import { post, staleCode, type Answer } from '../page/post.js';
import { offline, stales, wait } from '../page/queue.js';
import { bodyOf, forget, report, type ReportBody } from './report.js';
import { quiet, say } from '../page/status.js';
import { follow } from '../page/stream.js';
import { has, word } from '../page/words.js';

/** One official renderer. */
export interface Renderer {
  /** Throws everything away and starts empty. */
  fresh(): void;
  /** Feeds one message; throws what the renderer throws. */
  feed(message: Message): void;
  /** All messages of a frame are fed. */
  fed?(): void;
  /** The ids of the catalogs that it knows; none: the server takes the basic one. */
  catalogs?: string[];
  /** The wire ids of the surfaces shown. */
  surfaces(): string[];
  /** The leaves under /draft, by path. */
  draft(surface: string): Map<string, Leaf>;
  /** Shares drafts with the script for it; none: this drawing does not. */
  share?(script: typeof import('./datasync.js'), page: import('./datasync.js').Page): import('./datasync.js').Live;
  /** The value at a path of the data model. */
  value?(surface: string, path: string): unknown;
  /** The revision of the surface that is shown. */
  rev(surface: string): number;
  /** Writes one leaf as if the user had. */
  write(surface: string, leaf: string, value: Leaf): void;
  /** Whether the user can still type into it. */
  open(surface: string): boolean;
  /** The ids of its components, those that are not drawn any more, too. */
  ids(surface: string): string[];
  /** Puts the focus on the input bound to path, or on one below it; false if there is none. */
  focus(surface: string, path: string): boolean;
  /** The envelopes of what the client sends. */
  action(body: Record<string, unknown>): unknown;
  error(body: ReportBody): unknown;
}

export type Message = Record<string, unknown>;

let renderer: Renderer;
const known = new Map<string, Map<string, Leaf>>(); // what the server last wrote, per surface and leaf
let fresh = false; // a reset was announced: the next snapshot replaces the transcript

/** Runs the page. */
export function run(with_: Renderer): void {
  renderer = with_;
  drafts.types(() => {
    const typed = typedNow();
    return { typed, taken: () => typed.forEach(({ values }, surface) => values.forEach(([leaf, value]) => known.get(surface)?.set(leaf, value))) };
  });
  chat.start();
  renderer.fresh();
  const { share } = renderer;
  if (share) startLive((script, lent) => share(script, { ...lent, typed: typedLeaves } as never));
  const typed = later(noteTyped, 250);
  for (const event of ['input', 'click', 'keyup']) must('limn-surfaces').addEventListener(event, typed);
  addEventListener('pagehide', noteTyped);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && noteTyped());
  addEventListener('error', ({ error, message }) => (error ? fault(error) : note({ code: 'SCRIPT_ERROR', message }))); // a browser's own notice has no error
  addEventListener('unhandledrejection', ({ reason }) => (reason instanceof DOMException ? note({ code: reason.name, message: reason.message }) : fault(reason)));
  follow({
    ...(renderer.catalogs && { catalogs: renderer.catalogs }),
    frame: show,
    watch: (event) => withLive((live) => live.watch(event)),
    delta: chat.delta,
    ended: chat.ended,
    reset() {
      noteTyped();
      known.clear();
      forget();
      renderer.fresh();
      fresh = true;
    },
  });
}

function show(frame: Frame): void {
  if (frame.kind === 'snapshot' && renderer.surfaces().length) {
    noteTyped();
    known.clear();
    renderer.fresh(); // a snapshot is for an empty renderer
  }
  chat.apply(frame, fresh);
  fresh = false;
  if (frame.messages?.length) holdFocus();
  const before = new Map(renderer.surfaces().map((s) => [s, renderer.draft(s)]));
  const messages = (frame.messages ?? []) as Message[];
  feed(messages.filter((m) => !isShared(m)));
  for (const surface of renderer.surfaces()) learn(surface, before.get(surface));
  for (const surface of known.keys()) if (!renderer.surfaces().includes(surface)) known.delete(surface);
  const has = (surface: string, end: string): boolean => renderer.ids(surface).some((id) => id.endsWith(end));
  const stubs = new Set(renderer.surfaces().filter((s) => has(s, regenerate)));
  const open = new Set(renderer.surfaces().filter((s) => !stubs.has(s) && renderer.open(s)));
  restore(open, new Set([...stubs].filter((s) => !has(s, canceled))));
  withLive((live) => {
    live.names(frame.actors ?? {});
    live.surfaces([...open]);
    for (const m of messages) if (isShared(m)) live.receive(m);
  });
}

// How the ids of components end that a surface has of which only a button is left: the
// button, and the text of one that the user canceled.
const regenerate = '!regenerate:Button', canceled = '!canceled:Text';
let expired: ReadonlySet<string> | undefined; // as last shown

/** Puts what was typed on a surface that expired into the one that took its place, and
 *  tells the page which ones expired while it was open, with a function that opens each again. */
function restore(open: Set<string>, stubs: Set<string>): void {
  for (const [surface, kept] of drafts.tidy(open, stubs)) {
    const now = renderer.draft(surface);
    for (const [leaf, { v }] of Object.entries(kept)) {
      if (typeof now.get(leaf) === typeof v) renderer.write(surface, leaf, v);
    }
  }
  const before = expired;
  expired = stubs;
  for (const surface of before ? stubs : []) {
    if (!before?.has(surface)) dispatchEvent(new CustomEvent('limn-expired', { detail: { again: () => requestAnimationFrame(() => again(surface)) } }));
  }
}

/** Presses the one button of a surface that expired, once it is drawn. */
function again(surface: string, frames = 60): void {
  const section = sectionOf(surface);
  const buttons = [...(section ? deep(section) : [])].filter((element) => element.matches('button'));
  if (buttons.length === 1) (buttons[0] as HTMLElement).click();
  else if (frames) requestAnimationFrame(() => again(surface, frames - 1));
}

const sectionOf = (surface: string): HTMLElement | undefined =>
  [...must('limn-surfaces').querySelectorAll<HTMLElement>('.limn-surface')].find((s) => s.dataset.surface === surface);

/** Whether a message is of the extension by which drafts are shared. */
const isShared = (message: Message): boolean => (message.updateDataModel as { actorId?: string } | undefined)?.actorId !== undefined;

/** Feeds one message at a time. After the first error of a surface its other
 *  messages of this frame are left out: the server will send a better one. */
function feed(messages: Message[]): void {
  const failed = new Set<string>();
  for (const message of messages) {
    const surface = surfaceOf(message);
    if (failed.has(surface)) continue;
    try {
      absorb(surface, () => renderer.feed(message));
    } catch (thrown) {
      failed.add(surface);
      fail(thrown, surface);
    }
  }
  renderer.fed?.();
}

/** Notes what the server wrote, and shows kept text on a surface that is new here. */
function learn(surface: string, before: Map<string, Leaf> | undefined): void {
  const seen = known.get(surface) ?? new Map<string, Leaf>();
  const isNew = !known.has(surface);
  known.set(surface, seen);
  for (const [leaf, value] of renderer.draft(surface)) {
    if (before?.has(leaf) && drafts.same(before.get(leaf), value)) continue;
    seen.set(leaf, value);
    const kept = isNew ? drafts.unsent(surface)(leaf, value) : undefined;
    if (kept !== undefined) renderer.write(surface, leaf, kept);
  }
}

function noteTyped(): void {
  for (const [surface, seen] of known) {
    if (!renderer.surfaces().includes(surface)) continue;
    for (const [leaf, value] of renderer.draft(surface)) {
      const base = seen.get(leaf) ?? '';
      if (drafts.same(value, base)) drafts.forget(surface, leaf);
      else drafts.keep(surface, leaf, value, base);
    }
  }
}

/** What is typed and was not sent. Of a field that is several leaves, such as a choice of v0.8, all. */
function typedNow(): Map<string, drafts.Typed> {
  withLive((live) => live.flush());
  noteTyped();
  return typedLeaves();
}

function typedLeaves(): Map<string, drafts.Typed> {
  const out = new Map<string, drafts.Typed>();
  const field = (leaf: string): string => leaf.split('/', 3).join('/');
  for (const [surface, seen] of known) {
    if (!renderer.surfaces().includes(surface) || !renderer.open(surface)) continue;
    const now = [...renderer.draft(surface)];
    const typed = new Set(now.filter(([leaf, value]) => !drafts.same(value, seen.get(leaf) ?? '')).map(([leaf]) => field(leaf)));
    if (typed.size) out.set(surface, { rev: renderer.rev(surface), values: now.filter(([leaf]) => typed.has(field(leaf))) });
  }
  return out;
}

let line: Promise<unknown> = Promise.resolve(); // actions leave in the order of the clicks
let waiting = 0;

/** Sends an action; the answer says what became of it. One of a row waits for a connection where there is none. */
export function act(surface: string, body: Record<string, unknown>): void {
  withLive((live) => live.flush());
  noteTyped();
  drafts.sent(surface);
  const row = /^limn\.(add|remove|restore|move)_row$/.test(String(body.name));
  if (row && offline()) return queue(surface, body);
  waiting++;
  must('limn-surfaces').setAttribute('aria-busy', 'true');
  say(word('working'), 'busy');
  line = line.then(async () => {
    const answer = row && offline() ? undefined : await press(body); // one before it may wait now
    if (--waiting === 0) must('limn-surfaces').removeAttribute('aria-busy');
    if (answer && !(row && (answer.status === 0 || isStale(answer)))) told(answer, surface);
    else queue(surface, body, answer && isStale(answer) ? 'stale' : 'lost');
  });
}

const isStale = (answer: Answer): boolean => !answer.ok && answer.code === staleCode;

const press = (body: Record<string, unknown>): Promise<Answer> => post(`${page.api}/events`, renderer.action(body), { Prefer: 'wait=10' });

/** Lets an action of a row wait: it is of the surface as it is then. */
function queue(surface: string, body: Record<string, unknown>, first?: 'lost' | 'stale'): void {
  let tries = stales;
  let same = first === 'lost' ? body : undefined; // it may have reached the server: the same is sent again, which counts once
  wait(async () => {
    if (!renderer.surfaces().includes(surface)) return fresh ? 'lost' : 'done'; // between a reset and its snapshot there is none
    const context = body.context as Record<string, unknown>;
    const rows = renderer.value?.(surface, String(context.table)) ?? context.rows; // others may have written there
    same ??= { ...body, context: { ...context, ...(rows !== undefined && { rows }), limn_rev: renderer.rev(surface) } };
    const answer = await press(same);
    if (answer.status === 0) return 'lost';
    same = undefined;
    if (isStale(answer) && tries-- > 0) return 'stale';
    told(answer, surface);
    for (let i = 0; answer.ok && i < 100 && lastSeq() < Number(answer.body.seq); i++) await new Promise((done) => setTimeout(done, 50)); // for the next one
    return 'done';
  }, first);
}

/** Says what became of an action. */
function told(answer: Answer, surface: string): void {
  if (!answer.ok) {
    note(answer);
    say(answer.message, 'error');
  } else if (answer.status === 202) {
    say(word('still'), 'busy');
    setTimeout(quiet, 15_000);
  } else {
    tell((answer.body.outcome ?? {}) as Outcome, surface, Number(answer.body.seq ?? 0));
  }
}

function tell(outcome: Outcome, surface: string, seq: number): void {
  const bad = outcome.kind === 'refused' || outcome.kind === 'failed';
  say(outcome.message ?? '', bad ? 'error' : 'info');
  if (outcome.path) lead(surface, outcome.path, seq);
}

/** Puts the focus on the input that an outcome is about, and back there if the frame seq,
 *  which may come later, has the renderer draw it anew. Where the user goes meanwhile counts. */
function lead(surface: string, path: string, seq: number): void {
  let at = active(), found = false, frames = 30; // half a second is ample for a render
  const end = performance.now() + 10_000;
  const look = (): void => {
    const now = active();
    if (now !== at && now !== document.body || isAwayFrom(must('limn-surfaces'))) return;
    if (!found || now === document.body) {
      found = renderer.focus(surface, path);
      at = active();
    }
    if (lastSeq() >= seq ? frames-- : performance.now() < end) requestAnimationFrame(look);
  };
  look();
}

/** Reports an error of one surface. */
export function fail(thrown: unknown, surface: string): void {
  void report(bodyOf(thrown, surface), renderer.error);
}

/** An error nobody caught: it is put down to the newest surface, if there is one. */
function fault(thrown: unknown): void {
  const surface = renderer.surfaces().at(-1);
  const body = bodyOf(thrown, surface ?? '');
  if (surface) void report(body, renderer.error);
  else note({ code: body.code, message: body.message });
}

function surfaceOf(message: Message): string {
  for (const value of Object.values(message)) {
    const id = (value as { surfaceId?: unknown } | null)?.surfaceId;
    if (typeof id === 'string') return id;
  }
  return '';
}

/** A heading for people who cannot see where a surface begins: form:new_customer#e=2 is "Form: new customer". */
export function title(surface: string): string {
  const name = surface.replace(/#e=\d+$/, '').replace(/_/g, ' ').replace(/:/g, ': ');
  const [kind, label] = name.split(/: (.*)/);
  if (label && has(`kind.${kind}`)) return word(`kind.${kind}`, { label });
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Flattens a data model; lists of strings are one leaf. */
export function leaves(value: unknown, at: string, into: Map<string, Leaf>): Map<string, Leaf> {
  if (value instanceof Map || (value && typeof value === 'object' && !Array.isArray(value))) {
    const entries = value instanceof Map ? value.entries() : Object.entries(value);
    for (const [key, child] of entries) leaves(child, `${at}/${escape(String(key))}`, into);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    into.set(at, value);
  } else if (Array.isArray(value) && value.every((v) => typeof v === 'string')) {
    into.set(at, [...value]);
  }
  return into;
}

const escape = (key: string): string => key.replace(/~/g, '~0').replace(/\//g, '~1');

/** Every element below root, through open shadow roots. */
export function* deep(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* deep(element.shadowRoot);
  }
}

/** Gives the focus back if a render loses it: the v0.8 renderer matches children
 *  by position, so a component that is put in between makes it build the inputs
 *  after it anew. Their values are in the data model and stay. */
function holdFocus(): void {
  const control = active() as HTMLInputElement | null;
  const surface = document.activeElement?.closest<HTMLElement>('.limn-surface')?.dataset.surface;
  const owner = control && componentOf(control);
  if (!control || !surface || !owner) return;
  let caret: [number | null, number | null] = [null, null];
  try {
    caret = [control.selectionStart, control.selectionEnd];
  } catch {
    // this type of input has no caret
  }
  const index = kin(surface, owner).findIndex((element) => idOf(element) === owner);
  let frames = 30; // half a second is ample for a render
  const look = (): void => {
    const now = active();
    if (now !== document.body) {
      if (now === control && --frames) requestAnimationFrame(look); // elsewhere: the user has moved on
      return;
    }
    const section = sectionOf(surface);
    for (const element of section ? deep(section) : []) {
      if (idOf(element) !== owner || !focusIn(element)) continue;
      const [start, end] = caret;
      const now = active() as HTMLInputElement;
      if (start !== null && end !== null && now.setSelectionRange && now.type === control.type) now.setSelectionRange(start, end);
      return;
    }
    if (!control.matches('button')) return;
    const rest = kin(surface, owner); // its row is gone: the next one's, else "Add row"
    const next = rest[Math.min(index, rest.length - 1)] ?? kin(surface, '/!add:Button')[0];
    if (next) focusIn(next);
  };
  requestAnimationFrame(look);
}

/** The components of a surface whose id ends as this one does: the same button of every row. */
function kin(surface: string, owner: string): Element[] {
  const end = owner.slice(owner.lastIndexOf('/'));
  const section = sectionOf(surface);
  return section ? [...deep(section)].filter((element) => idOf(element)?.endsWith(end)) : [];
}

/** The element with the focus, inside open shadow roots. */
function active(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** The id of the component an element was drawn for. */
function componentOf(element: Element): string | undefined {
  for (let at: Element | null = element; at; at = at.parentElement ?? ((at.getRootNode() as ShadowRoot).host as Element | undefined) ?? null) {
    const id = idOf(at);
    if (id) return id;
  }
  return undefined;
}

function idOf(element: Element): string | undefined {
  const drawn = element as { context?: { componentModel?: { id?: string } }; component?: { id?: string } };
  return drawn.context?.componentModel?.id ?? drawn.component?.id;
}

/** Focuses the first control inside an element. */
export function focusIn(element: Element): boolean {
  const control = controlIn(element);
  control?.focus();
  return control !== null;
}

function controlIn(element: Element): HTMLElement | null {
  const which = 'input, textarea, select, button, [tabindex]';
  return element.shadowRoot?.querySelector<HTMLElement>(which) ?? element.querySelector<HTMLElement>(which);
}

/** Focuses the input bound to path; for the path of a table, its first empty
 *  cell, else its first. pathOf says what an element is bound to. */
export function focusBound(root: ParentNode, path: string, pathOf: (element: Element) => string | undefined): boolean {
  let below: HTMLElement | undefined;
  for (const element of deep(root)) {
    const bound = pathOf(element);
    if (bound === undefined) continue;
    if (bound === path) return focusIn(element);
    if (!bound.startsWith(`${path}/`)) continue;
    const control = controlIn(element) as HTMLInputElement | null;
    if (control && (!below || ((below as HTMLInputElement).value && control.value === ''))) below = control;
  }
  below?.focus();
  return below !== undefined;
}

function later(run: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
}
