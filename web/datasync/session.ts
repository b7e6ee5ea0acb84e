// A replica with what a page needs around it: when to send, being offline, a reload, who is
// there and who wrote. Adapters tie it to what is on the screen.

import { join, member, SyncError, write } from './json.js';
import { actorOf, parseStamp, seenOf, timeOf, type Stamp } from './stamp.js';
import { keys, longKey } from './order.js';
import { same } from './plain.js';
import { cut, Doc, touches, type Batch, type Limits, type Update } from './document.js';
import { parseBatch, parseMessage, writeBatch } from './wire.js';
import { parseWatches, Watches, type Watch } from './watch.js';
import { Replica, type Received } from './replica.js';

export interface Peer {
  actor: string;
  name?: string; // shown; else the actor
}

export interface Wrote extends Peer {
  name: string;
  time: number; // milliseconds since 1970
}

/** A person's words that somebody else has replaced, having seen them. */
export interface Replaced {
  path: string;
  was: unknown;
  now: unknown; // undefined: deleted
  by?: Wrote;
}

export interface SessionOptions {
  surface: string;
  actor: string; // of this tab alone
  /** Sends a message, a JSON text with dataModelChanged. If it throws or rejects, the session is offline and tries again. */
  send(message: string): unknown;
  version?: string; // of A2UI; v0.9
  watch?: Watch[]; // until a message watchDataModel comes; without one nothing is sent
  storage?: Storage | null; // for a reload; sessionStorage
  owner?: string; // whose stored edits are taken over; the actor
  hold?: number; // milliseconds after an edit in which nothing else comes into its field; 2000
  limits?: Partial<Limits>;
  ahead?: number; // milliseconds that other clocks may be ahead; one minute
  now?(): number; // the time of day, where this machine's clock may be wrong; Date.now
  onPresence?(others: Peer[]): void;
  onReplaced?(list: Replaced[]): void;
  onTyped?(path: string, value: unknown): void; // an edit from the screen
  onRefused?(error: SyncError): void; // a message or an edit
}

/** What ties a session to a drawing. */
export interface Adapter {
  read?(): void; // what is on the screen becomes edits
  draw(): void; // the document comes on the screen, except for what is held
  /** Before something else writes to the screen; what is returned runs after it, and reports whether to draw. Neither makes edits. */
  around?(held: string[]): () => boolean;
  stop?(): void; // the session is over
}

interface Stored {
  actor: string;
  open: boolean;
  last: Stamp;
  acked: Stamp;
  pending: Update[];
}

/** What of the document is stored, apart, as it changes less often. */
interface StoredDoc {
  seen: [string, Stamp][];
  updates: Update[];
}

const settle = 500; // milliseconds for the answer to a question, before what was typed offline is sent
const most = 30_000; // between two attempts
const atOnce = 1000; // updates in one message

export class Session {
  readonly surface: string;
  readonly #options: SessionOptions;
  readonly #key: string;
  readonly #watches = new Watches();
  readonly #adapters = new Set<Adapter>();
  readonly #names = new Map<string, string>();
  readonly #held = new Map<string, number>();
  readonly #page = new AbortController();
  #replica: Replica;
  #peers: Peer[] | undefined;
  #acked: Stamp; // the last of one's own that somebody else has
  #online = false;
  #closed = false;
  #asked = 0; // when the last question was asked that nobody has answered
  #asking: Promise<unknown> | undefined; // it is being sent
  #retry = 0;
  #typing = false;
  #deferred: Map<string, unknown> | undefined; // what is held on the screen instead of what the document has
  #timer: ReturnType<typeof setTimeout> | undefined; // sends
  #again: ReturnType<typeof setTimeout> | undefined; // connects
  #wake: ReturnType<typeof setTimeout> | undefined; // draws what was held back

  constructor(options: SessionOptions) {
    this.#options = options;
    this.surface = options.surface;
    this.#key = `datasync:${options.surface}:${options.owner ?? options.actor}`;
    this.#watches.set(options.watch ?? []);
    const stored = this.#stored<Stored>(''), written = stored && this.#stored<StoredDoc>(':doc');
    const same = stored?.actor === options.actor;
    const twin = same && stored.open; // the tab was duplicated, or did not end well
    const actor = twin ? another(options.actor) : options.actor;
    try {
      const doc = new Doc(options.limits);
      for (const u of written?.updates ?? []) doc.join(doc.check(u));
      doc.seen = new Map(written?.seen);
      this.#replica = new Replica({ ...options, actor, doc, last: same && !twin ? parseStamp(stored.last) : undefined });
      for (const u of stored?.pending ?? []) this.#replica.edit(u);
    } catch {
      this.#replica = new Replica({ ...options, actor }); // stored by another version
    }
    for (const u of this.#replica.pending) this.#watches.changed(u.path, Date.now());
    this.#acked = (same && stored.acked) || '';
    this.#store(true);
    const { signal } = this.#page;
    globalThis.addEventListener?.('pagehide', () => this.#store(false, false), { signal });
    globalThis.addEventListener?.('pageshow', () => this.#store(false), { signal });
  }

  /** Ties a drawing to the session. */
  add(adapter: Adapter): void {
    this.#adapters.add(adapter);
    adapter.draw();
  }

  // --- writing ---

  /** Writes a value, JSON without functions or dates; undefined deletes. */
  edit(path: string, value: unknown, pos?: string): boolean {
    return this.#edits([{ path, value: value === undefined || value === null ? 'null' : JSON.stringify(value), pos }]);
  }

  /** Runs what takes edits from the screen, where they are already: they are held there. */
  typed<T>(run: () => T): T {
    const before = this.#typing;
    this.#typing = true;
    try {
      return run();
    } finally {
      this.#typing = before;
    }
  }

  #edits(list: Update[]): boolean {
    const done = list.every((u) => this.#edit(u));
    if (!this.#typing) this.draw();
    return done;
  }

  #edit(u: Update): boolean {
    const now = Date.now();
    if (this.#closed) return false;
    try {
      this.#replica.edit(u);
    } catch (e) {
      this.#refuse(e);
      return false;
    }
    this.#watches.changed(u.path, now);
    for (const path of this.#deferred?.keys() ?? []) if (touches(path, u.path)) this.#deferred?.delete(path); // this is newer
    if (this.#typing) {
      this.hold(u.path, this.#options.hold ?? 2000);
      this.#options.onTyped?.(u.path, u.value === undefined ? undefined : JSON.parse(u.value));
    }
    this.#store(false);
    this.#schedule();
    return true;
  }

  /** Adds an item to a list, before another one or at the end. */
  insert(list: string, id: string, value: unknown, before?: string): boolean {
    return this.#place(list, id, before, JSON.stringify(value ?? {}));
  }

  /** Moves an item of a list before another one, or to the end. */
  move(list: string, id: string, before?: string): boolean {
    return this.#place(list, id, before);
  }

  /** Deletes an item of a list. */
  remove(list: string, id: string): boolean {
    return this.edit(item(list, id), undefined);
  }

  /** Gives an item a position, and its neighbours new ones if none fits between theirs. */
  #place(list: string, id: string, before: string | undefined, value?: string): boolean {
    const view = this.#replica.view, ids = view.order(list).filter((other) => other !== id);
    const at = before === undefined || !ids.includes(before) ? ids.length : ids.indexOf(before);
    ids.splice(at, 0, id);
    const pos = (i: number): string => view.at(item(list, ids[i] ?? ''))?.pos.text ?? '';
    const fit = (from: number, to: number): string[] | undefined => {
      const a = from > 0 ? pos(from - 1) : '', b = to < ids.length ? pos(to) : '';
      return (from > 0 && !a) || (to < ids.length && !b) ? undefined : keys(a, b, to - from);
    };
    let from = at, to = at + 1, made = fit(from, to);
    while (!made || (made.some(longKey) && (from > 0 || to < ids.length))) {
      if (from === 0 && to === ids.length) break;
      [from, to] = made ? [0, ids.length] : [Math.max(0, from - 1), Math.min(ids.length, to + 1)];
      made = fit(from, to);
    }
    return this.#edits((made ?? []).map((pos, i) => ({ path: item(list, ids[from + i]!), pos, value: from + i === at ? value : undefined })));
  }

  /** Runs what writes to the screen for another reason: this is no edit. What the document has, and what is being typed, is back then. */
  absorb<T>(run: () => T): T {
    this.#read();
    const after = [...this.#adapters].map((a) => a.around?.([...this.#held.keys()]));
    try {
      return run();
    } finally {
      if (after.map((one) => one?.()).some(Boolean)) this.draw();
    }
  }

  // --- reading ---

  /** What a path shows; undefined: nothing. */
  value(path = '/'): unknown {
    const v = this.#replica.view.value(path);
    return v === undefined ? undefined : JSON.parse(write(v));
  }

  /** The ids of the items of a list, in order. */
  order(list: string): string[] {
    return this.#replica.view.order(list);
  }

  /** Who wrote last at a path, above it or below it. */
  wroteLast(path: string): Wrote | undefined {
    if (this.#replica.pending.some((u) => touches(path, u.path))) return this.#wrote(this.actor, Date.now());
    const s = this.#replica.doc.wrote(path);
    return s ? this.#wrote(actorOf(s), timeOf(s)) : undefined;
  }

  #wrote(actor: string, time: number): Wrote {
    return { actor, name: this.#names.get(actor) ?? actor, time };
  }

  /** The name under which this place writes. */
  get actor(): string { return this.#replica.actor; }

  /** How many paths have edits that are not sent. */
  get pending(): number { return this.#replica.pending.length; }
  get online(): boolean { return this.#online; }

  // --- sending ---

  /** Sends all edits that have a rule: to be called before an action or a message of the person. false: they wait, as there is no connection. */
  flush(): boolean {
    this.#read();
    this.typed(() => this.#deferred?.forEach((value, path) => this.edit(path, value))); // the person sends what they see
    this.#deferred = undefined;
    if (!this.#online) return this.pending === 0;
    this.#send(this.#watches.action());
    return this.#online;
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #send(which: (path: string) => boolean): void {
    while (this.#online && this.#replica.pending.some((u) => which(u.path))) {
      let batch: Batch, n = 0;
      try {
        batch = this.#replica.flush(this.#now(), (path) => which(path) && n++ < atOnce);
      } catch (e) {
        return this.#refuse(e); // the document is full: the edits wait
      }
      this.#store(true);
      this.#post(batch);
    }
  }

  #post(batch: Batch): void {
    if (!this.#online) return;
    const lost = (): void => {
      if (!this.#online || this.#closed) return;
      this.disconnect();
      this.#later();
    };
    try {
      const sent = this.#options.send(`{"version":${JSON.stringify(this.#options.version ?? 'v0.9')},"dataModelChanged":${writeBatch(batch)}}`);
      if (!(sent instanceof Promise)) return;
      if (!batch.updates.length) this.#asking = sent;
      sent.then(() => this.#asking === sent && this.#answered(), lost);
    } catch {
      lost();
    }
  }

  /** A question has its answer: what it brings is there, and the time of day is right. */
  #answered(): void {
    this.#asking = undefined;
    this.#asked = 0;
    this.#schedule();
  }

  /** Connects again after a while. */
  #later(): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.connect(), Math.min(most, 1000 * 2 ** this.#retry++));
  }

  /** The connection is there: asks for what is missing, then sends what waits. */
  connect(): void {
    if (this.#closed) return;
    clearTimeout(this.#again);
    this.#online = true;
    this.#asked = Date.now();
    this.#post(this.#replica.hello());
    this.#schedule();
  }

  /** The connection is gone: edits wait. */
  disconnect(): void {
    clearTimeout(this.#again);
    clearTimeout(this.#timer);
    this.#online = false;
    this.#asking = undefined;
  }

  /** Typing is sent while somebody else is there, if that is known, and otherwise with the next action. */
  #schedule(): void {
    clearTimeout(this.#timer);
    const at = this.#watches.next();
    if (at === undefined || !this.#online || this.#asking || (this.#peers && this.#peers.length < 2)) return;
    const now = Date.now(), when = Math.max(at, this.#asked && this.#asked + settle);
    this.#timer = setTimeout(() => {
      this.#read();
      const due = this.#watches.due(Date.now());
      if (due) this.#send(due);
      this.#schedule();
    }, Math.max(0, when - now));
  }

  // --- receiving ---

  /** Takes a message, or reports false if it is not one for this session. One as it came, a text, keeps the exact numbers. */
  receive(message: string | object): boolean {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    let m: Record<string, { surfaceId?: unknown; updates?: unknown } | undefined> | null;
    try {
      m = typeof message === 'string' ? JSON.parse(message) : message as typeof m;
    } catch {
      return false;
    }
    const key = ['watchDataModel', 'updateDataModel', 'dataModelChanged'].find((one) => m?.[one]?.surfaceId === this.surface);
    const watch = key === 'watchDataModel';
    if (!key || !(watch || m?.[key]?.updates)) return false;
    this.#read();
    try {
      const body = member(parseMessage(text, this.#options.limits), key)!;
      if (watch) this.#watches.set(parseWatches(body));
      else this.#receive(parseBatch(body, this.#options.limits));
    } catch (e) {
      this.#refuse(e);
      if ((e as SyncError).code === 'SYNC_CLOCK_AHEAD') this.#later(); // it is right in a while, and then is asked for
    }
    for (const u of watch ? this.#replica.pending : []) this.#watches.changed(u.path, Date.now());
    this.#schedule();
    return true;
  }

  #receive(batch: Batch): void {
    let got: Received;
    try {
      got = this.#replica.receive(batch, this.#now());
    } catch (e) {
      if (batch.updates.some(({ stamp }) => actorOf(stamp) === this.actor && stamp > this.#replica.last)) this.restart(another(this.#options.actor));
      throw e;
    }
    this.#retry = this.#asked = 0;
    for (const s of [seenOf(batch.versions, this.actor), ...batch.updates.map((u) => u.stamp)]) {
      if (actorOf(s) === this.actor && s > this.#acked) this.#acked = s; // an echo, too
    }
    this.#store(true);
    for (const b of got.answer ? cut(got.answer, atOnce) : []) this.#post(b);
    if (got.ask) this.#post(this.#replica.hello());
    if (got.kept.length) this.#send((path) => got.kept.includes(path) && this.#watches.sends(path));
    const replaced = got.replaced.map(({ path, value }) => ({ path, was: JSON.parse(value), now: this.value(path), by: this.wroteLast(path) }))
      .filter(({ was, now }) => !same(was, now ?? null));
    this.draw();
    if (replaced.length) this.#options.onReplaced?.(replaced);
  }

  /**
   * Starts again with the document of others, under another name, where they refuse what comes from here: it is
   * too old (SYNC_SNAPSHOT_NEEDED), or the clock was wrong, or where the name is another's. Words that nobody is known to have are edits again.
   */
  restart(actor: string): void {
    this.#read();
    const old = this.#replica;
    const own = old.doc.delta('', '').updates.filter(({ stamp }) => actorOf(stamp) === old.actor && stamp > this.#acked);
    this.#replica = new Replica({ ...this.#options, actor });
    this.#acked = '';
    for (const u of [...own, ...old.pending]) this.#edit(u);
    this.#store(true);
    if (this.#online) this.connect();
  }

  // --- people ---

  /** Who is there, oneself included. Without it the rules alone say when typing is sent. */
  setPeers(peers: Peer[]): void {
    const all = [...new Map(peers.map((p) => [p.actor, p])).values()];
    this.#peers = all;
    for (const { actor, name } of all) {
      if (name) this.#names.set(actor, name);
      if (this.#names.size > 1000) this.#names.delete(this.#names.keys().next().value!);
    }
    this.#options.onPresence?.(all.filter((p) => p.actor !== this.actor));
    this.#schedule();
    this.draw();
  }

  // --- the screen ---

  /** Keeps what somebody else writes out of a field for some milliseconds; 0 lets it in. */
  hold(path: string, ms: number): void {
    this.#held.delete(path);
    if (ms > 0) this.#held.set(path, Date.now() + ms);
    this.#arm();
    if (ms <= 0 && this.#deferred) this.draw();
  }

  #arm(): void {
    clearTimeout(this.#wake);
    const now = Date.now();
    for (const [path, until] of this.#held) if (until <= now) this.#held.delete(path);
    const next = Math.min(...this.#held.values());
    if (next === Infinity) return;
    this.#wake = setTimeout(() => {
      this.#arm();
      if (this.#deferred) this.draw();
    }, next - now);
  }

  /** Whether what is at a path must stay on the screen for now. What is shown there is then what a flush sends. */
  held(path: string, ...shown: [] | [value: unknown]): boolean {
    const now = Date.now();
    if (![...this.#held].some(([p, until]) => until > now && touches(path, p))) return false;
    this.#deferred ??= new Map();
    if (shown.length) this.#deferred.set(path, shown[0]);
    return true;
  }

  /** Brings the document on the screen. */
  draw(): void {
    this.#read();
    this.#deferred = undefined;
    for (const a of this.#adapters) a.draw();
  }

  #read(): void {
    this.typed(() => this.#adapters.forEach((a) => a.read?.()));
  }

  #refuse(e: unknown): void {
    if (!(e instanceof SyncError)) throw e;
    this.#options.onRefused?.(e);
  }

  // --- a reload ---

  get #storage(): Storage | null {
    try {
      return this.#options.storage === undefined ? (globalThis.sessionStorage ?? null) : this.#options.storage;
    } catch {
      return null; // forbidden
    }
  }

  #stored<T>(part: string): T | undefined {
    try {
      return JSON.parse(this.#storage?.getItem(this.#key + part) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }

  #store(doc: boolean, open = true): void {
    const storage = this.#storage, { actor, last, pending } = this.#replica;
    if (!storage || this.#closed) return;
    try {
      if (doc) {
        const { doc: d } = this.#replica;
        storage.setItem(`${this.#key}:doc`, JSON.stringify({ seen: [...d.seen], updates: d.delta('', '').updates }));
      }
      storage.setItem(this.#key, JSON.stringify({ actor, open, last, acked: this.#acked, pending }));
    } catch {
      this.#forget(); // full: a reload then begins with the document of others
    }
  }

  #forget(): void {
    for (const part of ['', ':doc']) this.#storage?.removeItem(this.#key + part);
  }

  /** Ends the session. What is stored is kept for a reload, or forgotten. */
  close(forget = false): void {
    if (this.#closed) return;
    if (!forget) this.#read();
    this.#store(false, false);
    if (forget) this.#forget();
    this.disconnect();
    clearTimeout(this.#wake);
    this.#closed = true;
    this.#page.abort();
    for (const a of this.#adapters) a.stop?.();
    this.#adapters.clear();
  }
}

/** A name like another, which is in use nowhere. */
const another = (actor: string): string => `${actor.slice(0, 58)}~${Math.random().toString(36).slice(2, 7)}`;

const item = (list: string, id: string): string => (list === '/' ? '' : list) + join([id]);
