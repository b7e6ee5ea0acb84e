// What the user typed and has not sent, kept in this browser: typing sends
// nothing, so a reload must find it here. One record a surface, under its wire
// id; a new epoch is a new surface and starts empty.

import { page } from './page.js';

/** @typedef {string | number | boolean | string[]} Leaf */

/**
 * @typedef {object} Kept
 * @property {Leaf} v what the user typed
 * @property {Leaf[]} b what the server may show while that is still the newest text
 */
/**
 * @typedef {object} RecordOf
 * @property {number} at ms
 * @property {{ [leaf: string]: Kept }} leaves
 * @property {boolean} [expired] the surface expired: who opens it again finds what was typed
 */

const prefix = `limn:draft:${page.conversation}:`;
const week = 7 * 24 * 3600 * 1000;
const basesKept = 3;

/**
 * The user typed value over base, which is what the server last wrote.
 * @param {string} surface
 * @param {string} leaf
 * @param {Leaf} value
 * @param {Leaf} base
 */
export function keep(surface, leaf, value, base) {
  change(surface, (record) => {
    const old = record.leaves[leaf];
    const bases = old?.b ?? [];
    if (!bases.some((b) => same(b, base))) bases.push(base);
    record.leaves[leaf] = { v: value, b: bases.slice(-basesKept) };
  });
}

/**
 * The leaf shows what the server wrote again.
 * @param {string} surface
 * @param {string} leaf
 */
export function forget(surface, leaf) {
  if (!read(surface)?.leaves[leaf]) return;
  change(surface, (record) => delete record.leaves[leaf]);
}

/**
 * All leaves of a surface as they are shown: what is typed, and over what.
 * @typedef {Map<string, [value: Leaf, base: Leaf]>} Shown
 */

/**
 * Keeps what differs, in one go: a table has thousands of leaves. What is not
 * shown any more, because the server wrote it since, is dropped.
 * @param {string} surface
 * @param {Shown} shown
 * @param {(leaf: string) => boolean} away of a row that is not on the page, but is there
 */
export function note(surface, shown, away) {
  const kept = read(surface)?.leaves ?? {};
  const differ = [...shown].filter(([, [value, base]]) => !same(value, base));
  if (!differ.length && !Object.keys(kept).length) return;
  change(surface, (record) => {
    const old = record.leaves;
    record.leaves = Object.fromEntries(Object.entries(old).filter(([leaf]) => !shown.has(leaf) && away(leaf)));
    for (const [leaf, [v, base]] of differ) {
      const b = old[leaf]?.b ?? [];
      record.leaves[leaf] = { v, b: b.some((known) => same(known, base)) ? b : [...b, base].slice(-basesKept) };
    }
  });
}

/**
 * The values were posted: the server may now know them, or not.
 * @param {string} surface
 */
export function sent(surface) {
  if (!read(surface)) return;
  change(surface, (record) => {
    for (const kept of Object.values(record.leaves)) {
      if (!kept.b.some((b) => same(b, kept.v))) kept.b = [...kept.b, kept.v].slice(-basesKept);
    }
  });
}

/**
 * What was typed on a surface: a function that returns the unsent value to show
 * instead of current, or undefined: there is none, or another client wrote the
 * leaf since.
 * @param {string} surface
 * @returns {(leaf: string, current: Leaf) => Leaf | undefined}
 */
export function unsent(surface) {
  const leaves = read(surface)?.leaves ?? {};
  return (leaf, current) => {
    const kept = leaves[leaf];
    if (!kept || same(kept.v, current) || !kept.b.some((b) => same(b, current))) return undefined;
    return kept.v;
  };
}

/**
 * The leaves of a surface with unsent text.
 * @param {string} surface
 * @returns {string[]}
 */
export function leaves(surface) {
  return Object.keys(read(surface)?.leaves ?? {});
}

/** @typedef {{ rev: number; values: [path: string, value: Leaf][] }} Typed what is typed on a surface, at paths such as /draft/name */

/** @typedef {{ typed: Map<string, Typed>; taken: () => void }} Going what goes with a message, by surface, and what to do once the server has it */

/** @type {() => Going} */
let going = () => ({ typed: new Map(), taken() {} });

/**
 * Says what is typed now.
 * @param {typeof going} now
 */
export function types(now) {
  going = now;
}

/**
 * The data models that go with a message: what the user sees is what it is about.
 * The server has them when it has taken the message: call taken then.
 * @returns {{ models: { a2uiClientDataModel?: object }; taken: () => void }}
 */
export function goes() {
  /** @type {Record<string, object>} */
  const surfaces = {};
  const { typed, taken } = going();
  for (const [surface, { rev, values }] of typed) {
    /** @type {Record<string, any>} */
    const model = Object.assign(Object.create(null), { ui_state: { rev } });
    for (const [path, value] of values) {
      const keys = path.split('/').slice(1).map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
      const last = keys.pop() ?? '';
      let at = model;
      for (const key of keys) at = at[key] ??= Object.create(null);
      at[last] = value;
    }
    surfaces[surface] = model;
    sent(surface);
  }
  return { models: Object.keys(surfaces).length ? { a2uiClientDataModel: { version: 'v0.9', surfaces } } : {}, taken };
}

/**
 * Drops what belongs to surfaces that are not open any more, and, in any
 * conversation, drafts untouched for a week. What was typed on a surface that expired
 * stays until that surface is open again, under another epoch: returns it, by leaf.
 * @param {Set<string>} open
 * @param {Set<string>} expired
 * @returns {Map<string, RecordOf['leaves']>}
 */
export function tidy(open, expired) {
  const again = new Map();
  try {
    for (let i = localStorage.length - 1; i >= 0; i--) {
      const key = localStorage.key(i);
      if (!key?.startsWith('limn:draft:')) continue;
      const surface = key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
      const record = /** @type {RecordOf | null} */ (JSON.parse(localStorage.getItem(key) ?? 'null'));
      if (record && Date.now() - record.at <= week && (surface === undefined || open.has(surface))) continue;
      if (record && surface !== undefined && expired.has(surface)) {
        if (!record.expired) localStorage.setItem(key, JSON.stringify({ ...record, expired: true }));
        continue;
      }
      const next = record?.expired && [...open].find((one) => nameOf(one) === nameOf(surface ?? ''));
      if (next) again.set(next, record.leaves);
      localStorage.removeItem(key);
    }
  } catch {
    // nothing was kept
  }
  return again;
}

/** The name of a surface, without its epoch. @param {string} surface */
const nameOf = (surface) => surface.split('#')[0];

/** What the storage does not take, while this page is open. @type {Map<string, RecordOf>} */
const unkept = new Map();

/**
 * @param {string} surface
 * @returns {RecordOf | undefined}
 */
function read(surface) {
  const own = unkept.get(surface);
  if (own) return structuredClone(own);
  try {
    const text = localStorage.getItem(prefix + surface);
    return text ? (/** @type {RecordOf} */ (JSON.parse(text))) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} surface
 * @param {(record: RecordOf) => void} edit
 */
function change(surface, edit) {
  const record = read(surface) ?? { at: 0, leaves: {} };
  edit(record);
  record.at = Date.now();
  unkept.delete(surface);
  try {
    if (Object.keys(record.leaves).length) localStorage.setItem(prefix + surface, JSON.stringify(record));
    else localStorage.removeItem(prefix + surface);
  } catch {
    if (Object.keys(record.leaves).length) unkept.set(surface, record); // full or forbidden
  }
}

/**
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function same(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
