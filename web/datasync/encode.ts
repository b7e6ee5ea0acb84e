// A document as bytes, the same as the Go package makes. Numbers are varints, texts have their
// length before them, and each time is written as the difference to the one before.

import { compare, SyncError } from './json.js';
import { actorOf, countOf, maxCount, maxTime, stamp as stampOf, timeOf, validActor, type Stamp, type Vector } from './stamp.js';
import { Doc, kinds, type Limits, type Node } from './document.js';

const form = 1;

/** The whole document with its vector, for load. The same document has the same bytes. */
export function snapshot(d: Doc): Uint8Array {
  let out = new Uint8Array(256), length = 0, time = 0;
  const bytes = (list: Uint8Array): void => {
    if (length + list.length > out.length) {
      const more = new Uint8Array(2 * (length + list.length));
      more.set(out.subarray(0, length));
      out = more;
    }
    out.set(list, length);
    length += list.length;
  };
  const number = (n: number): void => {
    const list: number[] = [];
    for (; n >= 128; n = Math.floor(n / 128)) list.push((n % 128) + 128);
    bytes(Uint8Array.from([...list, n]));
  };
  const text = (s: string): void => {
    const list = new TextEncoder().encode(s);
    number(list.length);
    bytes(list);
  };
  const names = [...d.actors].sort(compare), index = new Map(names.map((name, i) => [name, i]));
  const stamp = (s: Stamp): void => {
    number(index.get(actorOf(s)) ?? 0);
    const step = timeOf(s) - time;
    number(step < 0 ? -2 * step - 1 : 2 * step);
    number(countOf(s));
    time += step;
  };
  const vector = (v: Vector): void => {
    number(v.size);
    for (const name of [...v.keys()].sort(compare)) stamp(v.get(name)!);
  };
  const node = (n: Node): void => {
    number(n.kids.size * 4 + (n.value.stamp ? 1 : 0) + (n.pos.stamp ? 2 : 0));
    for (const kind of kinds) {
      if (!n[kind].stamp) continue;
      stamp(n[kind].stamp);
      text(n[kind].text);
    }
    for (const key of [...n.kids.keys()].sort(compare)) {
      text(key);
      node(n.kids.get(key)!);
    }
  };
  bytes(Uint8Array.of(form));
  number(names.length);
  names.forEach(text);
  vector(d.seen);
  vector(d.gone);
  node(d.root);
  return out.slice(0, length);
}

/** Reads a snapshot, within the limits. */
export function load(data: Uint8Array, limits: Partial<Limits> = {}): Doc {
  const d = new Doc(limits);
  let at = 1, time = 0;
  const want = (ok: boolean): void => {
    if (!ok) throw new SyncError('SYNC_BATCH_INVALID', '', 'no snapshot of this version');
  };
  const varint = (): number => {
    for (let n = 0, shift = 1; ; shift *= 128) {
      const b = data[at++] ?? 256;
      want(b < 256 && shift <= 2 ** 49);
      n += (b % 128) * shift;
      if (b < 128) return n;
    }
  };
  const number = (): number => {
    const n = varint();
    want(n < 2 ** 31);
    return n;
  };
  /** A number of things of at least some bytes each, which must still be there. */
  const count = (least: number): number => {
    const n = number();
    want(n <= (data.length - at) / least);
    return n;
  };
  const text = (): string => {
    const n = number();
    want(at + n <= data.length);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data.subarray(at, (at += n)));
    } catch {
      want(false);
      return '';
    }
  };
  want(data[0] === form);
  const names: string[] = [];
  for (let n = count(2); n > 0; n--) {
    const name = text();
    want(validActor(name) && (!names.length || name > names.at(-1)!));
    names.push(name);
    d.actors.add(name);
  }
  const stamp = (): Stamp => {
    const actor = names[number()] ?? '', step = varint();
    time += step % 2 ? -(step + 1) / 2 : step / 2;
    const n = number();
    want(actor !== '' && time >= 0 && time <= maxTime && n <= maxCount);
    return stampOf(time, n, actor);
  };
  const vector = (): Vector => {
    const v: Vector = new Map();
    for (let n = count(3); n > 0; n--) {
      const s = stamp();
      v.set(actorOf(s), s);
    }
    return v;
  };
  const node = (n: Node, depth: number): void => {
    const marks = number(), kids = Math.floor(marks / 4);
    kinds.forEach((kind, i) => {
      if (!(marks & (1 << i))) return;
      const w = { stamp: stamp(), text: text() };
      want(d.check({ path: '/', stamp: w.stamp, [kind]: w.text, unplace: w.text === '' }).value === (i ? '' : w.text));
      d.write(n, kind, w);
    });
    want(depth <= d.limits.depth && kids <= (data.length - at) / 2 && (depth === 0 || marks > 0));
    for (let i = 0; i < kids; i++) {
      const key = text();
      want(!n.kids.has(key));
      node(d.grow(n, key), depth + 1);
    }
  };
  d.seen = vector();
  d.gone = vector();
  if (d.gone.size) d.floor = new Map(d.seen);
  node(d.root, 0);
  want(at === data.length);
  d.fit(d.actors.size, d.writes, d.bytes);
  return d;
}
