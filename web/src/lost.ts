// What a person typed on a surface that somebody else then submitted with other words, or
// closed: the note that says so, from which those words can be copied.

import type { Page } from './datasync.js';
import { isObject, own } from '../datasync/plain.js';

/** A node of the state's surfaces. */
interface Node { path?: string; label?: string; title?: string; columns?: { name: string; label?: string }[]; children?: Node[] }
interface Surface { name: string; epoch: number; status: string; root?: Node[]; draft?: unknown }

/** A field: what this person has written, and what was submitted in its place. */
export interface Lost { label: string; yours: string; theirs: string }

const most = 5; // fields that a note shows, and notes
const long = 200; // characters of a value that it shows

/** Compares what was typed on a surface, by path, with the state; undefined: the state does not have it, or it is open. */
export function lost(page: Page, state: { surfaces?: Surface[] }, id: string, typed: Map<string, unknown>): { submitted: boolean; fields: Lost[] } | undefined {
  const surface = state.surfaces?.find((s) => `${s.name}#e=${s.epoch}` === id);
  if (!surface || surface.status === 'open') return undefined;
  const submitted = surface.status === 'submitted', fields: Lost[] = [];
  for (const [path, value] of typed) {
    const yours = textOf(page, value);
    const theirs = submitted ? textOf(page, valueAt(surface.draft, path.split('/').slice(2))) : '';
    if (plain(yours) !== plain(theirs)) fields.push({ label: labelAt(surface, path), yours, theirs });
  }
  return { submitted, fields };
}

const unescape = (key: string): string => key.replace(/~1/g, '/').replace(/~0/g, '~');
const rowsOf = (value: unknown): { id: string; cells: unknown }[] | undefined => own(value, '$rows') as never;

function valueAt(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return value;
  const name = unescape(key), rows = rowsOf(value);
  return valueAt(rows ? rows.find((row) => row.id === name)?.cells : own(value, name), rest);
}

/** The label of a field; of a cell that of its column and the number of its row. */
function labelAt(surface: Surface, path: string): string {
  let found: Node | undefined;
  const look = (node: Node): void => {
    if (node.path && `${path}/`.startsWith(`${node.path}/`) && node.path.length >= (found?.path?.length ?? 0)) found = node;
    node.children?.forEach(look);
  };
  surface.root?.forEach(look);
  const [row, column] = path.slice(found?.path?.length ?? 0).split('/').slice(1).map(unescape);
  const label = found?.columns?.find((c) => c.name === column)?.label ?? found?.label ?? '';
  if (row === undefined) return label;
  const at = rowsOf(valueAt(surface.draft, found?.path?.split('/').slice(2) ?? []))?.findIndex((r) => r.id === row) ?? -1;
  return at < 0 ? label : `${label} ${at + 1}`;
}

function textOf(page: Page, value: unknown): string {
  if (typeof value === 'boolean') return page.word(value ? 'share.yes' : 'share.no');
  const list = own(value, '@list') ?? value;
  if (Array.isArray(list)) return list.join(', ');
  return list === undefined || list === null || isObject(list) ? '' : String(list);
}

const cut = (text: string): string => (text.length > long ? `${text.slice(0, long)}…` : text || '—');

/** A value as it is shown. */
export const short = (page: Page, value: unknown): string => cut(textOf(page, value));

/** Without what the server takes off or writes in another way. */
const plain = (text: string): string => text.trim().replace(/\r\n?/g, '\n').replace(/^(-?\d+),(\d+)$/, '$1.$2');

/** Shows the note. */
export function tellLost(page: Page, submitted: boolean, fields: Lost[]): void {
  const note = make('section', '', 'limn-lost');
  const list = make('ul');
  const line = (key: string, text: string): HTMLElement => make('span', page.word(key, { own: cut(text) }));
  for (const { label, yours, theirs } of fields.slice(0, most)) {
    const item = make('li');
    item.append(make('strong', label), line('share.yours', yours), ...(submitted ? [line('share.theirs', theirs)] : []));
    list.append(item);
  }
  if (fields.length > most) list.append(make('li', page.word('share.more', { n: fields.length - most })));
  note.append(make('p', page.word(submitted ? 'share.submitted' : 'share.closed')), list);
  note.append(button(page.word('share.copy'), () => {
    navigator.clipboard.writeText(fields.map(({ label, yours }) => `${label}: ${yours}`).join('\n'))
      .then(() => page.say(page.word('copied'), 'info'), () => page.say(page.word('copy.failed'), 'error'));
  }), button(page.word('dismiss'), () => note.remove()));
  const place = document.getElementById('limn-people');
  while (document.querySelectorAll('.limn-lost').length >= most) document.querySelector('.limn-lost')?.remove();
  note.setAttribute('role', 'alert');
  place?.after(note);
}

function make(tag: string, text = '', className = ''): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

function button(text: string, run: () => void): HTMLElement {
  const made = make('button', text) as HTMLButtonElement;
  made.type = 'button';
  made.addEventListener('click', run);
  return made;
}
