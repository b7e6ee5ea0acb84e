// What the v0.8 renderer leaves out and people need: a dropdown that works with
// the keyboard and keeps to one option where only one is allowed, a text area
// for long text, and a primary button that looks like one. Added from outside,
// per element, after its render. And one tree a frame instead of one a message.

import type { Data } from '@a2ui/lit/v0_8';
import { word } from '../page/words.js';

interface Drawn extends HTMLElement {
  component?: { properties?: Record<string, unknown> } | null;
  processor?: InstanceType<typeof Data.A2uiMessageProcessor>;
  surfaceId?: string;
  isOpen?: boolean;
  primary?: boolean;
  textFieldType?: string | null;
  text?: { path?: string } | null;
  renderRoot: ShadowRoot;
  updated?(changed: Map<string, unknown>): void;
  toggleSelection?(value: string): void;
}

type Class = { prototype: Drawn };
type Processor = InstanceType<typeof Data.A2uiMessageProcessor>;
type Surface = ReturnType<Processor['getSurfaces']> extends ReadonlyMap<string, infer S> ? S : never;

/** Lets a processor build the tree of a surface when it is asked to, not after
 *  each message: 50 rows come in 50 messages, and a tree of 50 rows takes 20 ms.
 *  The result builds what has changed. */
export function treesLater(processor: Processor): (failed: (thrown: unknown, surface: string) => void) => void {
  const builder = processor as unknown as { rebuildComponentTree(surface: Surface): void };
  const build = builder.rebuildComponentTree;
  const changed = new Set<Surface>();
  builder.rebuildComponentTree = (surface) => void changed.add(surface);
  return (failed) => {
    for (const [id, surface] of processor.getSurfaces()) {
      if (!changed.has(surface)) continue;
      const tree = surface as { componentTree: unknown };
      const before = tree.componentTree;
      try {
        build.call(processor, surface);
        tree.componentTree = reused(before, tree.componentTree);
      } catch (thrown) {
        failed(thrown, id);
      }
    }
    changed.clear();
  };
}

/** A value with all parts of an older one that are the same. An element whose node stays
 *  does not render again: of a surface of 100 nodes a new figure renders those above it. */
export function reused(before: unknown, now: unknown): unknown {
  if (before === now || !isParts(before) || !isParts(now) || Array.isArray(before) !== Array.isArray(now)) return Object.is(before, now) ? before : now;
  const keys = Object.keys(now);
  let same = keys.length === Object.keys(before).length;
  for (const key of keys) {
    const part = reused(before[key], now[key]);
    if (part !== now[key]) now[key] = part;
    same &&= key in before && part === before[key];
  }
  return same ? before : now;
}

/** A list or an object of parts, not a map of data. */
function isParts(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Map) && !(value instanceof Set);
}

/** Mends the classes MultipleChoice, TextField, Button and Icon; call before anything is drawn. */
export function mend(parts: { MultipleChoice: unknown; TextField: unknown; Button: unknown; Icon: unknown }): void {
  after(parts.Icon as Class, tone);
  after(parts.MultipleChoice as Class, dropdown);
  after(parts.TextField as Class, area);
  after(parts.Button as Class, (button) => button.toggleAttribute('data-primary', button.primary === true));

  const choice = (parts.MultipleChoice as Class).prototype;
  const toggle = choice.toggleSelection;
  choice.toggleSelection = function (value) {
    const properties = this.component?.properties;
    const path = (properties?.selections as { path?: string } | undefined)?.path;
    if (properties?.maxAllowedSelections !== 1 || !path || !this.processor || !this.component) {
      toggle?.call(this, value);
      return;
    }
    this.processor.setData(this.component as never, path, [value], this.surfaceId);
    this.isOpen = false;
    this.renderRoot.querySelector<HTMLElement>('.dropdown-header')?.focus();
  };
}

function after(of: Class, run: (element: Drawn) => void): void {
  const updated = of.prototype.updated;
  of.prototype.updated = function (changed) {
    updated?.call(this, changed);
    run(this);
  };
}

/** A text area instead of the one line, which would lose line breaks. */
function area(field: Drawn): void {
  const line = field.renderRoot.querySelector('input');
  const path = field.text?.path;
  const old = field.renderRoot.querySelector('textarea');
  if (old && line && field.textFieldType !== 'longText') { // the element shows another field now
    line.id = old.id;
    old.remove();
    line.hidden = false;
    line.style.display = '';
    return;
  }
  if (field.textFieldType !== 'longText' || !line || !path || !field.processor || !field.component) return;
  let lines = field.renderRoot.querySelector('textarea');
  if (!lines) {
    lines = document.createElement('textarea');
    lines.className = line.className;
    lines.style.cssText = `${line.style.cssText}; width: 100%; box-sizing: border-box`;
    lines.rows = 4;
    lines.autocomplete = 'off';
    lines.id = line.id; // the label is for it now
    line.removeAttribute('id');
    line.hidden = true;
    line.style.display = 'none';
    line.after(lines);
    lines.oninput = () => {
      const at = field.text?.path;
      if (at && field.processor && field.component) field.processor.setData(field.component as never, at, lines!.value, field.surfaceId);
    };
  }
  const value = field.processor.getData(field.component as never, path, field.surfaceId);
  const text = typeof value === 'string' ? value : '';
  if (lines.value !== text) lines.value = text;
}

/** A sign for the text beside an icon that says how something is; the icon itself, a name in a font, takes no room. */
function tone(icon: Drawn): void {
  const name = (icon.component?.properties?.name as { literalString?: string } | undefined)?.literalString;
  icon.style.display = 'none';
  requestAnimationFrame(() => { // the text comes after the icon
    const text = icon.nextElementSibling;
    if (name === 'check' || name === 'error' || name === 'warning') text?.setAttribute('data-tone', name);
    else text?.removeAttribute('data-tone'); // it was drawn for another component before
  });
}

/** Roles and keys of a listbox behind a button; its label looks like that of other inputs. */
function dropdown(choice: Drawn): void {
  choice.previousElementSibling?.toggleAttribute('data-label', true);
  const header = choice.renderRoot.querySelector<HTMLElement>('.dropdown-header');
  const list = choice.renderRoot.querySelector<HTMLElement>('.options-scroll-container');
  if (!header || !list) return;
  const options = [...list.querySelectorAll<HTMLElement>('.option-item')];
  header.tabIndex = 0;
  header.setAttribute('role', 'button');
  header.setAttribute('aria-haspopup', 'listbox');
  header.setAttribute('aria-expanded', String(choice.isOpen === true));
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', word('options'));
  list.setAttribute('aria-multiselectable', String(choice.component?.properties?.maxAllowedSelections !== 1));
  for (const option of options) {
    option.setAttribute('role', 'option');
    option.tabIndex = -1;
    option.setAttribute('aria-selected', String(option.classList.contains('selected')));
  }
  const chosen = options.filter((o) => o.classList.contains('selected')).map((o) => o.querySelector('.checkbox + span')?.textContent ?? '');
  if (chosen.length) header.dataset.chosen = chosen.join(', '); // the renderer says how many, not which
  else delete header.dataset.chosen;
  header.onkeydown = (event) => {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    if (event.key !== 'ArrowDown' || !choice.isOpen) header.click();
    requestAnimationFrame(() => choice.isOpen && (options.find((o) => o.classList.contains('selected')) ?? options[0])?.focus());
  };
  list.onkeydown = (event) => {
    const at = options.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options.length - 1 }[event.key];
    if (to !== undefined) options[Math.max(0, Math.min(options.length - 1, to))]?.focus();
    else if (event.key === 'Enter' || event.key === ' ') options[at]?.click();
    else if (event.key === 'Escape') {
      choice.isOpen = false;
      header.focus();
    } else return;
    event.preventDefault();
  };
}
