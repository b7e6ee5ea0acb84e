// JSON with the exact text of its numbers: every place must keep the same bytes.

/** Why something was refused: the codes of the Go package datasync. */
export type Code =
  | 'SYNC_STAMP_INVALID' | 'SYNC_ACTOR_INVALID' | 'SYNC_CLOCK_AHEAD' | 'SYNC_PATH_INVALID' | 'SYNC_VALUE_INVALID'
  | 'SYNC_BATCH_INVALID' | 'SYNC_SNAPSHOT_NEEDED' | 'SYNC_LIMIT';

export class SyncError extends Error {
  constructor(readonly code: Code, readonly path: string, readonly why: string) {
    super(`${code} ${path}: ${why}`);
  }
}

/** A number by its text: 1.50 stays 1.50. */
export class Num {
  constructor(readonly text: string) {}
}

export type Json = null | boolean | string | Num | Json[] | Map<string, Json>;

/** The member of an object, undefined: there is none. */
export const member = (v: Json | undefined, key: string): Json | undefined => (v instanceof Map ? v.get(key) : undefined);

export interface JsonLimits {
  bytes: number; // of the whole text
  depth: number; // of objects and lists
  entries: number; // members and items in all
  string: number; // bytes of one string or number
}

/** For texts that were checked before. */
export const anything: JsonLimits = { bytes: 2 ** 30, depth: 1024, entries: 2 ** 30, string: 2 ** 30 };

const utf8 = new TextEncoder();

/** How many bytes a text has as UTF-8. */
export const size = (text: string): number => utf8.encode(text).length;

/** Compares texts as their bytes in UTF-8. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i === end ? a.length - b.length : rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
}

/** Halves of pairs stand for what is above U+FFFF. */
const rank = (c: number): number => (c < 0xd800 ? c : c < 0xe000 ? c + 0x2000 : c - 0x800);

const space = /[ \n\t\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const word = /true|false|null/y;
const quoted = /"[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*"/y;
const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Reads one JSON value; undefined: it is none, or not within the limits. */
export function parse(text: string, limits: JsonLimits): Json | undefined {
  let at = 0;
  let entries = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const want = (ok: boolean): void => {
    if (!ok) throw new SyntaxError();
  };
  const string = (): string => {
    const out = JSON.parse(take(quoted)) as string; // escapes are not for us to read
    want(!half.test(out) && size(out) <= limits.string);
    return out;
  };
  const list = (close: string, depth: number, one: () => void): void => {
    want(depth <= limits.depth);
    at++;
    take(space);
    if (text[at] === close) return void at++;
    for (;;) {
      want(++entries <= limits.entries);
      one();
      take(space);
      const c = text[at++];
      if (c === close) return;
      want(c === ',');
      take(space);
    }
  };
  const value = (depth: number): Json => {
    switch (text[at]) {
      case '"':
        return string();
      case '{': {
        const object = new Map<string, Json>();
        list('}', depth + 1, () => {
          const key = string();
          take(space);
          want(text[at++] === ':' && !object.has(key));
          take(space);
          object.set(key, value(depth + 1));
        });
        return object;
      }
      case '[': {
        const items: Json[] = [];
        list(']', depth + 1, () => void items.push(value(depth + 1)));
        return items;
      }
    }
    const name = take(word);
    if (name) return name === 'null' ? null : name === 'true';
    const digits = take(number);
    want(digits !== '' && digits.length <= limits.string);
    return new Num(digits);
  };
  try {
    want(text.length <= limits.bytes && size(text) <= limits.bytes);
    take(space);
    const v = value(0);
    take(space);
    want(at === text.length);
    return v;
  } catch (e) {
    if (e instanceof SyntaxError || e instanceof RangeError) return undefined;
    throw e;
  }
}

/** The text of a string, with what is dangerous in HTML and scripts escaped. */
export const quote = (text: string): string => JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, hex);
const hex = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The canonical text: sorted keys, no space. */
export function write(v: Json): string {
  if (typeof v === 'string') return quote(v);
  if (v instanceof Num) return v.text;
  if (Array.isArray(v)) return `[${v.map(write).join()}]`;
  if (v instanceof Map) {
    return `{${[...v].sort(([a], [b]) => compare(a, b)).map(([key, value]) => `${quote(key)}:${write(value)}`).join()}}`;
  }
  return String(v);
}

export const join = (segments: string[]): string => segments.map((s) => `/${s.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The segments of a path; "" and "/" have none. undefined: it is no JSON Pointer. */
export function split(path: string): string[] | undefined {
  if (path === '' || path === '/') return [];
  if (path[0] !== '/' || /~(?![01])/.test(path)) return undefined;
  return path.slice(1).split('/').map((s) => s.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether path is below other. */
export const below = (path: string, other: string): boolean => (other === '/' ? path !== '/' : path.startsWith(`${other}/`));
