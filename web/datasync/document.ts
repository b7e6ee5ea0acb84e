// The state of one document in one place: of each path the last value and the last position
// that were written. A later value of a path also replaces earlier writes below it. Documents
// that have applied the same updates are the same, in whatever order they came.

import { anything, below, compare, join, member, parse, size, split, SyncError, write, type Json } from './json.js';
import { actorOf, contains, countOf, covers, maxCount, seenOf, stamp, timeOf, validStamp, type Stamp, type Vector } from './stamp.js';

/** Bounds of a document and of what is applied to it. */
export interface Limits {
  actors: number; // that have written
  writes: number; // values and positions kept, deleted ones included
  bytes: number; // of all paths' last segments, values and positions kept, and 128 for each segment
  depth: number; // segments of a path, and depth of a value
  path: number; // bytes of a path
  value: number; // bytes of a value as JSON
  pos: number; // bytes of a position
  updates: number; // in one batch
}

export const defaults: Limits = {
  actors: 4096, writes: 100_000, bytes: 16 << 20, depth: 64, path: 1 << 10, value: 256 << 10, pos: 256, updates: 10_000,
};

/** One write. */
export interface Update {
  path: string; // a JSON Pointer; "/" is the whole document
  value?: string; // JSON, no array; "null" deletes; none leaves the value
  pos?: string; // among the items of its list; none leaves the position
  unplace?: boolean; // takes the position away, as a deletion does
  stamp?: Stamp;
  canonical?: boolean; // value is
}

/** A checked update. */
export interface Write {
  path: string;
  value: string;
  pos: string;
  unplace: boolean;
  stamp: Stamp;
}

export const deleted = 'null';
const nodeCost = 128; // bytes that a node counts for, beside its key

/** The content of one message: updates, and the vector of the sender before them. One without updates asks for what is after it. */
export interface Batch {
  surface: string;
  actor: string; // who sends it; authors are in the stamps
  updates: (Update & { stamp: Stamp })[];
  versions: Vector;
}

/** The effect of a batch. */
export interface Applied {
  paths: string[]; // whose value or position is another one, in the order of the batch
  gap: boolean; // writes before these are missing: ask for them
}

/** The last write of one kind. */
export interface Register {
  stamp: Stamp; // '': there is none
  text: string; // canonical JSON, or a position
}

const empty: Register = { stamp: '', text: '' };

/** A path of the document. */
export class Node {
  value = empty;
  pos = empty;
  kids = new Map<string, Node>();
}

export const kinds = ['value', 'pos'] as const;

export class Doc {
  readonly limits: Limits;
  readonly root = new Node();
  seen: Vector = new Map();
  actors = new Set<string>(); // that have written
  writes = 0; // registers in use
  bytes = 0;
  gone: Vector = new Map(); // the last deletion of each author that is forgotten
  floor: Vector = new Map(); // seen when they were forgotten: earlier writes can only be duplicates
  readonly #answers = new Map<string, { mark: Stamp; seen: Vector }>(); // that came in part, by sender

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /** Validates an update, and returns it with a canonical path, value and position. */
  check(u: Update): Write {
    const l = this.limits;
    if (size(u.path) > l.path) throw new SyncError('SYNC_LIMIT', '', `more than ${l.path} bytes`);
    const segments = split(u.path);
    if (!segments || segments.length > l.depth) {
      throw new SyncError('SYNC_PATH_INVALID', u.path, `want a JSON Pointer of at most ${l.depth} segments`);
    }
    let { value = '', pos = '', stamp = '' } = u;
    if (!validStamp(stamp)) throw new SyncError('SYNC_STAMP_INVALID', u.path, 'no stamp');
    if ([partOf, answerTo].includes(actorOf(stamp))) throw new SyncError('SYNC_ACTOR_INVALID', u.path, 'no actor');
    if (size(pos) > l.pos) throw new SyncError('SYNC_LIMIT', u.path, `more than ${l.pos} bytes of a position`);
    const unplace = pos === '' && (u.unplace === true || value === deleted);
    if (value === '' && pos === '' && !unplace) throw new SyncError('SYNC_VALUE_INVALID', u.path, 'neither a value nor a position');
    if (value !== '' && value !== deleted) {
      if (!u.canonical) {
        const v = parse(value, { bytes: l.value, depth: l.depth, entries: 100_000, string: l.value });
        if (v === undefined) throw new SyncError('SYNC_VALUE_INVALID', u.path, 'no JSON within the limits');
        ({ value = '', pos = '' } = withValue({ ...u, unplace }, v));
      }
      if (size(value) > l.value || size(pos) > l.pos) {
        throw new SyncError('SYNC_LIMIT', u.path, `more than ${l.value} bytes, or ${l.pos} of a position`);
      }
    }
    return { path: join(segments) || '/', value, pos, unplace, stamp };
  }

  /** Takes the updates of a batch, all of them or, with an error, none. An answer that was overheard moves no vector. */
  apply(b: Batch, overheard = false): Applied {
    const l = this.limits;
    if (b.updates.length > l.updates) throw new SyncError('SYNC_LIMIT', '', `more than ${l.updates} updates`);
    const last: Vector = new Map();
    const grown = new Set<string>();
    let { writes, bytes } = this, actors = this.actors.size;
    const list = b.updates.map((update) => {
      const u = this.check(update);
      const actor = actorOf(u.stamp);
      if (!this.actors.has(actor) && !last.has(actor)) actors++;
      const cost = this.#cost(u, grown);
      this.fit(actors, writes += cost.writes, bytes += cost.bytes);
      if (u.stamp > seenOf(last, actor)) last.set(actor, u.stamp);
      return u;
    });
    const done: Applied = { paths: [], gap: false };
    for (const u of list) if (this.join(u)) done.paths.push(u.path);
    if (!overheard) done.gap = this.#advance(b, last);
    return done;
  }

  /** Takes to the vector what a batch completes: last has its latest stamps. A part counts once all are there. Reports a gap. */
  #advance(b: Batch, last: Vector): boolean {
    const mark = b.versions.get(partOf);
    if (!mark) return this.#chain(this.seen, b.versions, last);
    const known = this.#answers.get(b.actor), same = known && timeOf(known.mark) === timeOf(mark), count = countOf(mark);
    if (same && count <= countOf(known.mark)) return false; // once more
    if (count > 0 && (!same || count > countOf(known.mark) + 1)) return true;
    const seen: Vector = count > 0 && known ? known.seen : new Map();
    this.#answers.delete(b.actor);
    if (this.#chain(seen, b.versions, last)) return true;
    if (count + 1 === timeOf(mark) % mostParts) return this.#chain(this.seen, new Map(), seen);
    if (this.#answers.size >= answers) this.#answers.clear();
    this.#answers.set(b.actor, { mark, seen });
    return false;
  }

  /** Moves a vector to the latest stamps of updates where nothing is missing between what is seen and before, and reports a gap. */
  #chain(to: Vector, before: Vector, last: Vector): boolean {
    let gap = false;
    for (const [actor, s] of last) {
      const seen = [seenOf(this.seen, actor), seenOf(to, actor)].sort()[1]!, from = seenOf(before, actor);
      if (s <= seen) continue;
      if (from <= seen) to.set(actor, s);
      else if (from !== s) gap = true; // the same: sent with a gap on purpose
    }
    return gap;
  }

  /** Refuses more than the limits. */
  fit(actors: number, writes: number, bytes: number): void {
    const l = this.limits;
    if (actors <= l.actors && writes <= l.writes && bytes <= l.bytes) return;
    throw new SyncError('SYNC_LIMIT', '', `more than ${l.actors} actors, ${l.writes} writes or ${l.bytes} bytes`);
  }

  /** How many registers and bytes an update adds at most. grown has the paths that updates before it add. */
  #cost(u: Write, grown: Set<string>): { writes: number; bytes: number } {
    let node: Node | undefined = this.root, bytes = 0, writes = 0, end = 0;
    for (const key of split(u.path)!) {
      node = node?.kids.get(key);
      end = u.path.indexOf('/', end + 1);
      const at = end < 0 ? u.path : u.path.slice(0, end);
      if (node || grown.has(at)) continue;
      grown.add(at);
      bytes += size(key) + nodeCost;
    }
    const add = (r: Register, text: string): void => {
      bytes += Math.max(0, size(text) - size(r.text));
      if (!r.stamp) writes++;
    };
    if (u.value) add(node?.value ?? empty, u.value);
    if (u.pos || u.unplace) add(node?.pos ?? empty, u.pos);
    return { writes, bytes };
  }

  /** Joins one checked update, and reports whether something is another one since. */
  join(u: Write): boolean {
    this.actors.add(actorOf(u.stamp));
    if (covers(this.floor, u.stamp)) return false; // it comes once more, and what replaced it may be forgotten
    let node = this.root;
    const segments = split(u.path)!;
    for (let i = 0; i < segments.length; i++) {
      if (node.value.stamp > u.stamp) return false; // replaced from above
      const kid = node.kids.get(segments[i]!);
      node = kid ?? this.grow(node, segments[i]!);
    }
    let changed = false;
    if (u.value && this.write(node, 'value', { stamp: u.stamp, text: u.value })) {
      changed = true;
      this.#prune(node, u.stamp);
    }
    if (u.pos || u.unplace) changed = this.write(node, 'pos', { stamp: u.stamp, text: u.pos }) || changed;
    return changed;
  }

  grow(parent: Node, key: string): Node {
    const node = new Node();
    parent.kids.set(key, node);
    this.bytes += size(key) + nodeCost;
    return node;
  }

  /** Sets a register if the new one is later. Of two writes with one stamp the greater text wins, everywhere. */
  write(node: Node, kind: 'value' | 'pos', w: Register): boolean {
    const r = node[kind];
    if (w.stamp < r.stamp || (w.stamp === r.stamp && compare(w.text, r.text) <= 0)) return false;
    this.#drop(node, kind);
    node[kind] = w;
    this.actors.add(actorOf(w.stamp));
    this.writes++;
    this.bytes += size(w.text);
    return true;
  }

  #drop(node: Node, kind: 'value' | 'pos'): void {
    if (!node[kind].stamp) return;
    this.writes--;
    this.bytes -= size(node[kind].text);
    node[kind] = empty;
  }

  /** Removes writes below a node that are before s. */
  #prune(node: Node, s: Stamp): void {
    for (const [key, kid] of [...node.kids]) {
      for (const kind of kinds) if (s > kid[kind].stamp) this.#drop(kid, kind);
      this.#prune(kid, s);
      if (kid.kids.size || kid.value.stamp || kid.pos.stamp) continue;
      node.kids.delete(key);
      this.bytes -= size(key) + nodeCost;
    }
  }

  /** The node at a path, if there is a write at it or below it. */
  at(path: string): Node | undefined {
    let node: Node | undefined = this.root;
    for (const key of split(path) ?? []) node = node?.kids.get(key);
    return node;
  }

  /** The last write at a path, in a value above it, or below it: who and when. */
  wrote(path: string): Stamp {
    let node: Node | undefined = this.root, last = '';
    for (const key of split(path) ?? []) {
      if (node.value.stamp > last) last = node.value.stamp;
      node = node.kids.get(key);
      if (!node) break;
    }
    const look = (n: Node): void => {
      for (const kind of kinds) if (n[kind].stamp > last) last = n[kind].stamp;
      for (const kid of n.kids.values()) look(kid);
    };
    if (node) look(node);
    return last;
  }

  /** The writes that a place with the vector seen lacks. What was replaced meanwhile is not among them. */
  delta(surface: string, actor: string, seen: Vector = new Map()): Batch {
    const updates: Batch['updates'] = [];
    const versions: Vector = new Map(this.seen);
    const last: Vector = new Map();
    const look = (node: Node, at: string): void => {
      for (const kind of kinds) {
        const { stamp, text } = node[kind], actor = actorOf(stamp);
        if (covers(seen, stamp)) continue;
        if (stamp > seenOf(last, actor)) last.set(actor, stamp);
        const written = kind === 'value' ? { value: text, canonical: true } : { pos: text, unplace: !text };
        if (kind === 'pos' && node.value.stamp === stamp) Object.assign(updates.at(-1)!, written); // both at once
        else updates.push({ path: at || '/', stamp, ...written });
      }
      for (const [key, kid] of node.kids) look(kid, at + join([key]));
    };
    look(this.root, '');
    for (const [author, s] of last) {
      const before = covers(this.seen, s) ? seen.get(author) : s; // else some before it are missing here, too
      if (before) versions.set(author, before);
      else versions.delete(author);
    }
    updates.sort((a, b) => compare(a.stamp, b.stamp) || compare(a.path, b.path) || -compare(a.value ?? '', b.value ?? ''));
    return { surface, actor, updates, versions };
  }

  /** An update that may be older than a deletion which is forgotten here, and which its sender has not seen. */
  revives(b: Batch): Update | undefined {
    if (contains(b.versions, this.gone)) return undefined;
    const last = [...this.gone.values()].reduce((a, s) => (s > a ? s : a), '');
    return b.updates.find(({ stamp }) => last > stamp && !covers(this.floor, stamp));
  }

  /** The document as canonical JSON; "null" is nothing. */
  json(): string {
    return write(this.value('/') ?? null);
  }

  /** The value at a path; undefined: there is none. */
  value(path: string): Json | undefined {
    const { node, base } = this.#find(path);
    return node ? build(node, base) : base;
  }

  /** The node at a path, and its value as it was written at once, above it. */
  #find(path: string): { node: Node | undefined; base: Json | undefined } {
    let node: Node | undefined = this.root, base: Json | undefined;
    for (const key of split(path) ?? []) {
      base = member(written(node, base), key);
      node = node?.kids.get(key);
    }
    return { node, base };
  }

  /** The ids of the items of the list at a path: by position, those without one at the end by id. */
  order(path: string): string[] {
    if (!split(path)) return [];
    const { node, base } = this.#find(path);
    const v = node ? build(node, base) : base, whole = written(node, base);
    const list: { id: string; pos: Register }[] = [];
    for (const id of v instanceof Map ? v.keys() : []) {
      const kid = node?.kids.get(id);
      if (written(kid, member(whole, id)) !== undefined || kid?.pos.text) list.push({ id, pos: kid?.pos ?? empty });
    }
    return list.sort((a, b) => {
      if (!a.pos.text || !b.pos.text) return Number(!a.pos.text) - Number(!b.pos.text) || compare(a.id, b.id);
      return compare(a.pos.text, b.pos.text) || compare(a.pos.stamp, b.pos.stamp) || compare(a.id, b.id);
    }).map((item) => item.id);
  }
}

/** The value written at a node, else base, the part of the value above; undefined: there is none. */
function written(node: Node | undefined, base: Json | undefined): Json | undefined {
  if (!node?.value.stamp) return base;
  return node.value.text === deleted ? undefined : parse(node.value.text, anything);
}

/** Lays the writes at and below a node over base. */
function build(node: Node, base: Json | undefined): Json | undefined {
  base = written(node, base);
  if (!node.kids.size) return base;
  const out = new Map<string, Json>();
  if (base instanceof Map) for (const [key, v] of base) if (!node.kids.has(key)) out.set(key, v);
  let live = false;
  for (const [key, kid] of node.kids) {
    const v = build(kid, member(base, key));
    if (v === undefined) continue;
    out.set(key, v);
    live = true;
  }
  return base instanceof Map || live ? out : base;
}

/** The update with a value in canonical form. A text "pos" inside of it is its position, as some peers write it. */
export function withValue<U extends Update>(u: U, v: Json): U & { value: string; pos: string } {
  if (Array.isArray(v)) {
    throw new SyncError('SYNC_VALUE_INVALID', u.path, 'want no array, but an object of items by id');
  }
  const pos = member(v, 'pos');
  return { ...u, pos: u.pos || (typeof pos === 'string' && !u.unplace ? pos : ''), value: write(v), canonical: true };
}

/**
 * The name under which versions of a part of an answer say which part it is: the count of the stamp is its
 * number from 0, and the time has an id of the answer and the number of parts. It is no actor.
 */
const partOf = '~part';
const mostParts = maxCount + 1; // one more than the parts of an answer may be
const answers = 16; // that come in part at a time

/**
 * The name under which versions of an answer say for whom it is: the time is the hash of that name. What has replaced
 * an earlier write may be known there, and so not be in the answer: no other place takes its vector from it.
 */
const answerTo = '~for';

/** Marks an answer as one for an actor. */
export const addressed = (b: Batch, actor: string): Batch =>
  ({ ...b, versions: new Map(b.versions).set(answerTo, stamp(nameHash(actor), 0, answerTo)) });

/** Whether an answer is for another place than actor. */
export function overheard(b: Batch, actor: string): boolean {
  const to = b.versions.get(answerTo);
  return to !== undefined && timeOf(to) !== nameHash(actor);
}

/** FNV-1a of a name, which is ASCII. */
function nameHash(actor: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < actor.length; i++) h = Math.imul(h ^ actor.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/**
 * Cuts a delta into batches of at most n updates, to be sent in this order: each begins, for each author, where
 * the one before ended. What has replaced an earlier write may be in a later part: a vector takes them when all are there.
 */
export function cut(b: Batch, n: number): Batch[] {
  if (b.updates.length <= n) return b.updates.length ? [b] : [];
  const last: Vector = new Map(b.updates.map(({ stamp }) => [actorOf(stamp), stamp])); // they are sorted
  const id = Math.floor(Math.random() * 2 ** 32);
  const out: Batch[] = [];
  let before = b.versions;
  for (let i = 0; i < b.updates.length; i += n) {
    const updates = b.updates.slice(i, i + n), versions = new Map(before);
    versions.set(partOf, stamp(id * mostParts + Math.ceil(b.updates.length / n), Math.min(out.length, maxCount), partOf));
    before = new Map(before);
    for (const { stamp } of updates) {
      const author = actorOf(stamp);
      before.set(author, stamp);
      if (b.versions.get(author) === last.get(author)) versions.set(author, stamp); // with a gap on purpose
    }
    out.push({ ...b, updates, versions });
  }
  return out;
}

/** Whether an edit at one path is about what is at the other. */
export const touches = (path: string, other: string): boolean => path === other || below(path, other) || below(other, path);
