// One place of a document: the document with a clock, and the edits that are not sent yet.
// Those are shown at once and get their stamps by flush, so they are later than everything
// that arrived before.

import { below, compare, join, split, SyncError } from './json.js';
import { actorOf, Clock, contains, endOfTime, seenOf, type Stamp } from './stamp.js';
import { addressed, Doc, overheard, type Applied, type Batch, type Limits, type Node, type Update, type Write } from './document.js';

export interface ReplicaOptions {
  surface: string;
  actor: string;
  limits?: Partial<Limits>;
  ahead?: number; // milliseconds that other clocks may be ahead; one minute
  /** Of the run before: see load. An actor that has lost one of them takes a new name. */
  doc?: Doc;
  last?: Stamp;
}

/** The effect of a batch. */
export interface Received extends Applied {
  answer?: Batch; // to be sent back: writes that the peer lacks
  ask: boolean; // send hello
  kept: string[]; // where a person's words stay although a write came that had not seen them: they are edits again
  replaced: { path: string; value: string }[]; // words written here that are no more, as their writer had seen them
}

const again = 10_000; // milliseconds that the same question is not asked again, for the peer's answer

/** A place where a person writes: the renderer's role. */
export class Replica {
  readonly #clock: Clock;
  readonly #ahead: number;
  #pending: Write[] = []; // without stamps, one for each path
  #view?: Doc;
  readonly #asked = new Map<string, { text: string; at: number }>(); // the last question, by peer
  /** The state without the edits that are not sent. It must not be changed. */
  readonly doc: Doc;

  constructor(readonly options: ReplicaOptions) {
    this.#ahead = options.ahead && options.ahead > 0 ? options.ahead : 60_000;
    this.#clock = new Clock(options.actor, options.last);
    this.doc = options.doc ?? new Doc(options.limits);
    for (const v of [this.doc.seen, this.doc.gone]) for (const s of v.values()) this.#clock.follow(s);
  }

  get actor(): string { return this.options.actor; }

  /** The clock's last stamp, to be stored with the snapshot. */
  get last(): Stamp { return this.#clock.last; }

  /** The edits that are not sent. */
  get pending(): readonly Readonly<Write>[] { return this.#pending; }

  /** Writes here. A later edit of the path, or of one above it, takes its place. */
  edit(update: Update): void {
    const u = this.doc.check({ ...update, stamp: endOfTime(0, this.actor) });
    if (u.value) this.#pending = this.#pending.filter((p) => !below(p.path, u.path));
    const i = this.#pending.findIndex((p) => p.path === u.path), p = this.#pending[i];
    if (p) { // one update has both the value and the position
      u.value ||= p.value;
      if (!u.pos && !u.unplace) ({ pos: u.pos, unplace: u.unplace } = p);
      this.#pending[i] = u;
    } else if (this.#pending.length >= this.doc.limits.updates) {
      throw new SyncError('SYNC_LIMIT', u.path, `more than ${this.doc.limits.updates} edits wait`);
    } else {
      this.#pending.push(u);
    }
    this.#view = undefined;
  }

  /** The document as it is shown: with the edits that are not sent. */
  get view(): Doc {
    if (!this.#pending.length) return this.doc;
    if (!this.#view) {
      const view = (this.#view = new Doc()); // limits are of what is sent
      for (const u of this.doc.delta('', '').updates) view.join({ value: '', pos: '', unplace: false, ...u });
      this.#pending.forEach((u, i) => view.join({ ...u, stamp: endOfTime(i, this.actor) }));
    }
    return this.#view;
  }

  /** Gives the edits for which send is true their stamps, applies them and returns them as the batch to send. One without updates is not to be sent. */
  flush(now: number, send: (path: string) => boolean = () => true): Batch {
    const clock = new Clock(this.actor, this.last);
    const kept: Write[] = [];
    const updates: Batch['updates'] = [];
    for (const u of this.#pending) {
      if (send(u.path)) updates.push({ ...u, stamp: clock.tick(now), canonical: true });
      else kept.push(u);
    }
    const b = { ...this.hello(), updates };
    this.doc.apply(b);
    this.#clock.last = clock.last;
    this.#pending = kept;
    this.#view = undefined;
    return b;
  }

  /** The batch that asks a peer for missing writes. */
  hello(): Batch {
    return { surface: this.options.surface, actor: this.actor, updates: [], versions: new Map(this.doc.seen) };
  }

  /** Takes a batch of a peer, the whole of it or, with an error, nothing. One without updates is a question. */
  receive(b: Batch, now: number): Received {
    const me = this.actor, seen = seenOf(b.versions, me);
    let last = '';
    for (const { path, stamp } of b.updates) {
      if (actorOf(stamp) === me && stamp > this.last) throw new SyncError('SYNC_ACTOR_INVALID', path, `another place is ${me}, too`);
      if (stamp > last) last = stamp;
    }
    const old = this.doc.revives(b);
    if (old) {
      throw new SyncError('SYNC_SNAPSHOT_NEEDED', old.path, 'older than deletions that are forgotten here');
    }
    const clock = new Clock(me, this.last);
    clock.receive(last, now, this.#ahead);
    const own = this.#own(b);
    const applied = this.doc.apply(b, overheard(b, me));
    this.#clock.last = clock.last;
    this.#view = undefined;
    const out: Received = { ...applied, ask: applied.gap, kept: [], replaced: [] };
    for (const u of own) {
      if (this.doc.at(u.path)?.value.stamp === u.stamp || this.#edited(u.path)) continue;
      if (u.stamp <= seen || u.passed) {
        out.replaced.push(u);
        continue;
      }
      try {
        this.edit(u);
        out.kept.push(u.path);
      } catch {
        // too many edits wait: it gives way
      }
    }
    if (b.updates.length) return out;
    const answer = this.doc.delta(this.options.surface, me, b.versions);
    if (answer.updates.length) out.answer = addressed(answer, b.actor);
    out.ask = !contains(this.doc.seen, b.versions) && this.#unasked(b, now);
    return out;
  }

  /** Whether the sender of a question was not asked the same just before: both may lack what no answer has, as it was replaced. */
  #unasked(b: Batch, now: number): boolean {
    const text = JSON.stringify([[...this.doc.seen].sort(), [...b.versions].sort()]), before = this.#asked.get(b.actor);
    if (before?.text === text && now - before.at < again) return false;
    if (this.#asked.size >= this.doc.limits.actors) this.#asked.clear();
    this.#asked.set(b.actor, { text, at: now });
    return true;
  }

  /** The values written here at and below the paths of a batch. */
  #own(b: Batch): { path: string; value: string; stamp: Stamp; canonical: true; passed: boolean }[] {
    const list: { path: string; value: string; stamp: Stamp; canonical: true; passed: boolean }[] = [];
    const me = this.actor;
    const visited = new Set<Node>();
    const look = (node: Node | undefined, path: string, passed: boolean): void => {
      if (!node || visited.has(node)) return;
      visited.add(node);
      const { stamp, text } = node.value;
      if (actorOf(stamp) === me) list.push({ path: path || '/', value: text, stamp, canonical: true, passed });
      for (const key of [...node.kids.keys()].sort(compare)) look(node.kids.get(key), path + join([key]), passed);
    };
    for (const { path, value, stamp } of b.updates) {
      const author = actorOf(stamp), passed = author !== b.actor; // what it passes on counts as it is
      const segments = value && author !== me && (!passed || /^limn\.a/.test(author)) ? split(path) : undefined; // of limn.app and limn.agent it is told
      if (segments) look(this.doc.at(path), join(segments), passed);
    }
    return list;
  }

  /** Whether a newer value waits at a path or above it. */
  #edited(path: string): boolean {
    return this.#pending.some((p) => p.value && (p.path === path || below(path, p.path)));
  }
}
