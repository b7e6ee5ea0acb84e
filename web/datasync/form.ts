// Ties a session to plain HTML inputs. The name of an input is its path, such as /user/name.

import { split } from './json.js';
import { arrayIn, listed, own } from './plain.js';
import { Session, type Adapter, type SessionOptions } from './session.js';

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export interface FormOptions extends SessionOptions {
  /** The path of an input, undefined: it is not shared. Default: its name, if that begins with /. */
  path?(control: Control): string | undefined;
  /** What is said of an input that somebody else wrote last. */
  label?(name: string, path: string): string;
  /** Whether that can be seen, and not only heard. Default: no. */
  shown?(control: Control): boolean;
  /** An input has another value, which the person did not type. */
  onWrite?(control: Control): void;
}

/** Shares the inputs of a form, also those that come later, until the session is closed. */
export function attachForm(form: HTMLElement, options: FormOptions): Session {
  const session = new Session(options);
  session.add(new Form(form, session, options));
  return session;
}

const unshared = new Set(['password', 'file', 'hidden', 'submit', 'button', 'reset', 'image']);
const composing = 60_000; // milliseconds that an input method may take
let marks = 0;

class Form implements Adapter {
  readonly #over = new AbortController();
  readonly #shown = new WeakMap<Control, string>(); // JSON, as it was typed or written last

  constructor(readonly form: HTMLElement, readonly session: Session, readonly options: FormOptions) {
    const { signal } = this.#over;
    for (const type of ['input', 'change']) form.addEventListener(type, (event) => this.#typed(event), { signal });
    form.addEventListener('compositionstart', (event) => {
      const path = this.#path(event.target), control = event.target as Control;
      if (path === undefined) return;
      if (!this.#shown.has(control)) this.#shown.set(control, JSON.stringify(listed(this.#value(control, path))));
      session.hold(path, composing);
    }, { signal });
    form.addEventListener('compositionend', (event) => this.#typed(event, true), { signal });
  }

  stop(): void {
    this.#over.abort();
  }

  #controls(): Control[] {
    return [...this.form.querySelectorAll<Control>('input, textarea, select')].filter((c) => this.#path(c) !== undefined);
  }

  #path(target: EventTarget | null): string | undefined {
    const control = target as Control | null;
    if (!control?.matches?.('input, textarea, select') || unshared.has(control.type)) return undefined;
    const path = this.options.path ? this.options.path(control) : control.name;
    return path?.startsWith('/') && split(path) ? path : undefined;
  }

  /** An input method writes when it is done: until then its text is half a word. */
  #typed(event: Event, done = false): void {
    const path = this.#path(event.target);
    if (path === undefined || (!done && (event as InputEvent).isComposing)) return;
    const control = event.target as Control, value = listed(this.#value(control, path)), text = JSON.stringify(value);
    if (text === this.#shown.get(control)) { // nothing else than before
      if (done) this.session.hold(path, 0);
      return;
    }
    if (!this.session.typed(() => this.session.edit(path, value))) return;
    for (const c of this.#controls().filter((other) => this.#path(other) === path)) {
      this.#shown.set(c, text);
      this.#mark(c, path);
    }
  }

  /** The inputs with one path: checkboxes are a list, but a single one without a value, or with "true", is yes or no. */
  #value(control: Control, path: string): unknown {
    if (control instanceof HTMLSelectElement) return control.multiple ? [...control.selectedOptions].map((o) => o.value) : control.value;
    if (control.type === 'range') return (control as HTMLInputElement).valueAsNumber;
    if (control.type !== 'checkbox') return control.value;
    const all = this.#controls().filter((c) => c.type === 'checkbox' && this.#path(c) === path) as HTMLInputElement[];
    return all.length > 1 || (control.getAttribute('value') ?? 'true') !== 'true' ? all.filter((c) => c.checked).map((c) => c.value) : all[0]?.checked;
  }

  draw(): void {
    const view = this.session.value();
    for (const control of this.#controls()) {
      const path = this.#path(control)!, value = arrayIn(split(path)!.reduce(own, view));
      const known = value !== undefined || this.#shown.has(control); // else the page came with its value
      const change = known ? changeTo(control, value) : undefined;
      if (!change || !this.#shown.has(control) || !this.session.held(path, listed(this.#value(control, path)))) { // a new one shows nothing that was typed
        if (known) this.#shown.set(control, JSON.stringify(listed(value) ?? ''));
        change?.();
        if (change) this.options.onWrite?.(control);
      }
      this.#mark(control, path);
    }
  }

  /** Says who wrote, in the attribute data-wrote and in a description. */
  #mark(control: Control, path: string): void {
    const wrote = this.session.wroteLast(path);
    const name = wrote && wrote.actor !== this.session.actor ? wrote.name : '';
    let mark = (control.getRootNode() as Document).getElementById(control.dataset.wroteMark ?? '');
    if (!name) {
      delete control.dataset.wrote;
      if (mark) mark.textContent = '';
      return;
    }
    if (!mark) {
      mark = document.createElement('span');
      mark.hidden = !this.options.shown?.(control); // a description may be
      mark.id = control.dataset.wroteMark ??= `datasync-${++marks}`;
      (control.closest('label') ?? control).after(mark);
    }
    const described = control.getAttribute('aria-describedby') ?? '';
    if (!described.split(' ').includes(mark.id)) control.setAttribute('aria-describedby', `${described} ${mark.id}`.trim());
    const said = this.options.label?.(name, path) ?? `Last changed by ${name}`;
    if (mark.textContent !== said) mark.textContent = said;
    if (control.dataset.wrote !== name) control.dataset.wrote = name;
  }
}

/** What writes a value to an input; undefined: it is there. */
function changeTo(control: Control, value: unknown): (() => void) | undefined {
  const has = (one: string): boolean => (Array.isArray(value) ? value.includes(one) : value === one);
  const text = value === undefined || value === null ? '' : String(value);
  if (control instanceof HTMLSelectElement && control.multiple) {
    const others = [...control.options].filter((o) => o.selected !== has(o.value));
    return others.length ? () => others.forEach((o) => { o.selected = !o.selected; }) : undefined;
  }
  if (control.type === 'checkbox' || control.type === 'radio') {
    const input = control as HTMLInputElement;
    const on = control.type === 'radio' ? control.value === text : Array.isArray(value) ? has(control.value) : value === true;
    return input.checked === on ? undefined : () => { input.checked = on; };
  }
  const before = control.value;
  if (before === text) return undefined;
  return () => {
    const { selectionStart: start, selectionEnd: end, selectionDirection } = control as HTMLInputElement;
    control.value = text;
    const focused = (control.getRootNode() as Document | ShadowRoot).activeElement === control;
    if (control instanceof HTMLSelectElement || !focused || start === null || end === null) return;
    const move = moved(before, control.value);
    control.setSelectionRange(move(start), move(end), selectionDirection ?? undefined);
  };
}

/** Where a place in a text is after a change: what is before and after the change keeps its places. */
export function moved(before: string, now: string): (place: number) => number {
  const least = Math.min(before.length, now.length);
  let head = 0, tail = 0;
  while (head < least && before[head] === now[head]) head++;
  while (tail < least - head && before[before.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return (place) => {
    if (place <= head) return place;
    return Math.max(head, place >= before.length - tail ? place + now.length - before.length : Math.min(place, now.length - tail));
  };
}
