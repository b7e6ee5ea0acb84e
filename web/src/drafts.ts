// What the user typed and has not sent, kept in this browser: typing sends
// nothing, so a reload must find it here. One record a surface, under its wire
// id; a new epoch is a new surface and starts empty.

import { page } from './page.js';

export type Leaf = string | number | boolean | string[];

interface Kept {
  v: Leaf; // what the user typed
  b: Leaf[]; // what the server may show while that is still the newest text
}
interface RecordOf {
  at: number; // ms
  leaves: { [leaf: string]: Kept };
}

const prefix = `limn:draft:${page.conversation}:`;
const week = 7 * 24 * 3600 * 1000;
const basesKept = 3;

/** The user typed value over base, which is what the server last wrote. */
export function keep(surface: string, leaf: string, value: Leaf, base: Leaf): void {
  change(surface, (record) => {
    const old = record.leaves[leaf];
    const bases = old?.b ?? [];
    if (!bases.some((b) => same(b, base))) bases.push(base);
    record.leaves[leaf] = { v: value, b: bases.slice(-basesKept) };
  });
}

/** The leaf shows what the server wrote again. */
export function forget(surface: string, leaf: string): void {
  if (!read(surface)?.leaves[leaf]) return;
  change(surface, (record) => delete record.leaves[leaf]);
}

/** All leaves of a surface as they are shown: what is typed, and over what. */
export type Shown = Map<string, [value: Leaf, base: Leaf]>;

/** Keeps what differs, in one go: a table has thousands of leaves. What is not
 *  shown any more, because the server wrote it since, is dropped. */
export function note(surface: string, shown: Shown): void {
  const kept = read(surface)?.leaves ?? {};
  const differ = [...shown].filter(([, [value, base]]) => !same(value, base));
  if (!differ.length && !Object.keys(kept).length) return;
  change(surface, (record) => {
    const old = record.leaves;
    record.leaves = {};
    for (const [leaf, [v, base]] of differ) {
      const b = old[leaf]?.b ?? [];
      record.leaves[leaf] = { v, b: b.some((known) => same(known, base)) ? b : [...b, base].slice(-basesKept) };
    }
  });
}

/** The values were posted: the server may now know them, or not. */
export function sent(surface: string): void {
  if (!read(surface)) return;
  change(surface, (record) => {
    for (const kept of Object.values(record.leaves)) {
      if (!kept.b.some((b) => same(b, kept.v))) kept.b = [...kept.b, kept.v].slice(-basesKept);
    }
  });
}

/** The unsent value to show instead of current, or undefined: there is none, or
 *  somebody else wrote the leaf since. */
export function unsent(surface: string, leaf: string, current: Leaf): Leaf | undefined {
  const kept = read(surface)?.leaves[leaf];
  if (!kept || same(kept.v, current) || !kept.b.some((b) => same(b, current))) return undefined;
  return kept.v;
}

export function drop(surface: string): void {
  try {
    localStorage.removeItem(prefix + surface);
  } catch {
    // nothing was kept
  }
}

/** Drops what belongs to surfaces that are not open any more, and, in any
 *  conversation, what nobody has touched for a week. */
export function tidy(open: Set<string>): void {
  try {
    for (let i = localStorage.length - 1; i >= 0; i--) {
      const key = localStorage.key(i);
      if (!key?.startsWith('limn:draft:')) continue;
      const mine = key.startsWith(prefix);
      const record = JSON.parse(localStorage.getItem(key) ?? 'null') as RecordOf | null;
      if (!record || Date.now() - record.at > week || (mine && !open.has(key.slice(prefix.length)))) localStorage.removeItem(key);
    }
  } catch {
    // nothing was kept
  }
}

function read(surface: string): RecordOf | undefined {
  try {
    const text = localStorage.getItem(prefix + surface);
    return text ? (JSON.parse(text) as RecordOf) : undefined;
  } catch {
    return undefined;
  }
}

function change(surface: string, edit: (record: RecordOf) => void): void {
  const record = read(surface) ?? { at: 0, leaves: {} };
  edit(record);
  record.at = Date.now();
  try {
    if (Object.keys(record.leaves).length) localStorage.setItem(prefix + surface, JSON.stringify(record));
    else localStorage.removeItem(prefix + surface);
  } catch {
    // full or forbidden: the text is still on the page
  }
}

export function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
