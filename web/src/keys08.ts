// Keys in the tables of v0.8, whose renderer draws each row as inputs of their own: Tab leaves
// a table after a row in which nothing was typed, and the arrows go from row to row.

import { composes } from '../page/keys.js';

const reached = 'input:not([type="hidden"]), textarea, select, button, summary, a[href], [tabindex="0"]';

/** All elements below one, through shadow roots, in the order of the document. */
function* below(root: ParentNode): Generator<Element> {
  for (const child of root.children) {
    yield child;
    if (child.shadowRoot) yield* below(child.shadowRoot);
    yield* below(child);
  }
}

const stops = (roots: Element[]): HTMLElement[] => roots.flatMap((root) => [...(root.shadowRoot ? below(root.shadowRoot) : []), ...below(root)])
  .filter((el): el is HTMLElement => el.matches(reached) && (el as HTMLElement).tabIndex >= 0 && !(el as HTMLButtonElement).disabled && el.checkVisibility());

const removes = '/!remove:Button'; // what each row of a table has

/** The row that an event comes from: how the ids of all in it begin. */
function rowOf(event: Event): { root: ShadowRoot; stem: string } | undefined {
  const from = event.composedPath().find((el): el is Element => el instanceof Element && el.id.startsWith('c#'));
  const root = from?.getRootNode();
  if (!from || !(root instanceof ShadowRoot)) return undefined;
  for (let stem = from.id; stem.includes('/');) {
    stem = stem.slice(0, stem.lastIndexOf('/'));
    if (root.getElementById(stem + removes)) return { root, stem };
  }
  return undefined;
}

/** What Tab reaches in a row. */
const stopsOf = (root: ShadowRoot, stem: string): HTMLElement[] => [...new Set(stops([...below(root)].filter((el) => el.id.startsWith(`${stem}/`))))];

/** The rows of the same table, in order. */
function rowsOf(root: ShadowRoot, stem: string): string[] {
  const table = stem.slice(0, stem.lastIndexOf('/') + 1);
  return [...root.querySelectorAll(`[id^="${CSS.escape(table)}"][id$="${CSS.escape(removes)}"]`)].map((el) => el.id.slice(0, -removes.length));
}

/** Listens to the keys of all tables below a place. */
export function tableKeys(place: HTMLElement): void {
  let at = ''; // the row with the focus
  let changed = false; // since the focus came into it
  place.addEventListener('focusin', (event) => {
    const stem = rowOf(event)?.stem ?? '';
    if (stem !== at) changed = false;
    at = stem;
  });
  place.addEventListener('input', () => { changed = true; });
  place.addEventListener('keydown', (event) => {
    const target = event.composedPath()[0] as HTMLElement;
    const row = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || composes(event) || !['Tab', 'ArrowDown', 'ArrowUp'].includes(event.key) ? undefined : rowOf(event);
    if (!row) return;
    const { root, stem } = row, rows = rowsOf(root, stem), mine = stopsOf(root, stem), here = mine.indexOf(target);
    let to: HTMLElement | undefined;
    if (event.key !== 'Tab') {
      if (!target.matches('input:not([type="date"], [type="time"], [type="datetime-local"], [type="range"])')) return;
      const next = rows[rows.indexOf(stem) + (event.key === 'ArrowUp' ? -1 : 1)];
      to = next === undefined ? undefined : stopsOf(root, next)[here];
    } else if (here === mine.length - 1 && !changed) {
      const all = stops([place]), inside = new Set(rows.flatMap((one) => stopsOf(root, one)));
      to = all.slice(all.indexOf(target) + 1).find((el) => !inside.has(el));
    }
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
}
