// Ties a session to the data model of the official renderers (@a2ui/web_core v0.9), which Lit
// and React draw.

import { join, split } from './json.js';
import { arrayIn, copy, isObject, list, own, same, type Obj } from './plain.js';
import { Session, type Adapter, type SessionOptions } from './session.js';

/** What is used of a SurfaceModel. */
export interface Surface {
  id: string;
  dataModel: {
    get(path: string): unknown;
    set(path: string, value: unknown): unknown;
    subscribe(path: string, run: (value: unknown) => void): { unsubscribe(): void };
  };
}

export interface AttachOptions extends Omit<SessionOptions, 'surface'> {
  share?: string[]; // the paths below which edits are shared; all
  lists?: string[]; // paths of lists, * for any segment: objects by id in the document, arrays of objects here
  id?: string; // the member of such an object that has its id; id
  /** A value that cannot be written as it is, such as an array, and back. */
  wrap?(value: unknown): unknown;
  unwrap?(value: unknown): unknown;
}

/** Shares the data model of a surface, until the session is closed. */
export function attach(surface: Surface, options: AttachOptions): Session {
  const session = new Session({ ...options, surface: surface.id });
  session.add(new Model(surface, session, options));
  return session;
}

class Model implements Adapter {
  readonly #data: Surface['dataModel'];
  readonly #share: string[];
  readonly #lists: string[][];
  readonly #id: string;
  readonly #subscriptions: { unsubscribe(): void }[];
  #known = new Map<string, unknown>(); // what the model had when it was last read, by shared path
  #shown: unknown; // what of the document is in the model
  #dirty = false;

  constructor(surface: Surface, readonly session: Session, readonly options: AttachOptions) {
    this.#data = surface.dataModel;
    this.#share = options.share ?? ['/'];
    this.#lists = (options.lists ?? []).map((path) => split(path) ?? []);
    this.#id = options.id ?? 'id';
    this.take();
    this.#subscriptions = this.#share.map((path) => this.#data.subscribe(path, () => {
      if (this.#dirty) return;
      this.#dirty = true;
      queueMicrotask(() => this.session.typed(() => this.read())); // a paste changes many at once
    }));
  }

  stop(): void {
    for (const one of this.#subscriptions) one.unsubscribe();
  }

  // --- from the model ---

  take(): void {
    this.#dirty = false;
    for (const path of this.#share) this.#known.set(path, copy(this.#data.get(path)));
  }

  read(): void {
    if (!this.#dirty) return;
    this.#dirty = false;
    for (const path of this.#share) {
      const before = this.#known.get(path), now = copy(this.#data.get(path));
      this.#known.set(path, now); // before anything is written, so that this is read once
      const segments = split(path) ?? [];
      this.#edited(before, now, segments, segments);
    }
  }

  /** Writes what differs. here is the path in the model, wire in the document. */
  #edited(before: unknown, now: unknown, here: string[], wire: string[]): void {
    if (before === now) return;
    if (this.#isList(wire) && (Array.isArray(now) || now === undefined)) return this.#listEdited(asList(before), asList(now), here, wire);
    if (isObject(now) && (isObject(before) || before === undefined) && (before !== undefined || Object.keys(now).length)) {
      for (const key of union(before ?? {}, now)) this.#edited(own(before, key), own(now, key), [...here, key], [...wire, key]);
      return;
    }
    if (same(before, now)) return;
    this.session.edit(join(wire) || '/', this.#wrap(now));
    this.#shown = put(this.#shown, here, now);
  }

  #listEdited(before: Obj[], now: Obj[], here: string[], wire: string[]): void {
    const path = join(wire), id = this.#id;
    const old = new Map(before.map((row) => [String(row[id]), row]));
    now.forEach((row, i) => { // a new row, which the renderer has not named
      if (typeof row[id] === 'string' && row[id]) return;
      row[id] = Math.random().toString(36).slice(2, 10);
      this.#data.set(join([...here, String(i), id]), row[id]);
    });
    const ids = now.map((row) => row[id] as string);
    const at = [...old.keys()].filter((one) => ids.includes(one));
    for (const one of old.keys()) if (!ids.includes(one)) this.session.remove(path, one);
    now.forEach((row, i) => {
      const one = ids[i]!, was = old.get(one);
      const { [id]: _, ...value } = row;
      if (!was) {
        this.session.insert(path, one, this.#wrapAll(value), at[i]);
        at.splice(i, 0, one);
        return;
      }
      const { [id]: __, ...valueWas } = was;
      this.#edited(valueWas, value, [...here, String(i)], [...wire, one]);
      if (at[i] === one) return;
      if (at[i + 1] === one) { // the one before it has moved away
        const [moved] = at.splice(i, 1);
        const to = ids.indexOf(moved!);
        this.session.move(path, moved!, ids.slice(to + 1).find((next) => at.includes(next)));
        at.splice(to, 0, moved!);
        return;
      }
      this.session.move(path, one, at[i]);
      at.splice(at.indexOf(one), 1);
      at.splice(i, 0, one);
    });
    this.#shown = put(this.#shown, here, now);
  }

  #isList(wire: string[]): boolean {
    return this.#lists.some((pattern) => pattern.length === wire.length && pattern.every((p, i) => p === '*' || p === wire[i]));
  }

  #wrap(value: unknown): unknown {
    return this.options.wrap ? this.options.wrap(value) : Array.isArray(value) ? { [list]: value } : value;
  }

  #wrapAll(row: Obj): Obj {
    return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, this.#wrap(value)]));
  }

  // --- to the model ---

  draw(): void {
    const shown = this.#shape(this.session.value(), []);
    this.#shown = this.#show(this.#shown, shown, [], []);
    this.take();
  }

  /** A value of the document as the model has it. */
  #shape(value: unknown, wire: string[]): unknown {
    if (this.options.unwrap) value = this.options.unwrap(value);
    if (!isObject(value)) return value;
    if (!this.#isList(wire)) {
      const array = arrayIn(value);
      return array !== value ? array : Object.fromEntries(Object.entries(value).map(([key, v]) => [key, this.#shape(v, [...wire, key])]));
    }
    return this.session.order(join(wire) || '/').map((id) => {
      const row = this.#shape(own(value, id), [...wire, id]);
      return { ...(isObject(row) ? row : { value: row }), [this.#id]: id };
    });
  }

  /** Writes what differs to the model, and returns what is shown then: not what is held. */
  #show(before: unknown, now: unknown, here: string[], wire: string[]): unknown {
    if (before === now) return before;
    const current = before === undefined && isObject(now) ? this.#get(here) : undefined;
    if (isObject(now) && (isObject(before) || isObject(current))) {
      const out: Obj = {};
      for (const key of union(before ?? {}, now)) {
        const v = this.#show(own(before, key), own(now, key), [...here, key], [...wire, key]);
        if (v !== undefined) define(out, key, v);
      }
      return out;
    }
    const rows = this.#isList(wire) ? [asList(before), asList(now)] as const : undefined;
    if (rows && rows[0].length === rows[1].length && rows[0].every((row, i) => row[this.#id] === rows[1][i]![this.#id])) {
      return rows[1].map((row, i) => this.#show(rows[0][i], row, [...here, String(i)], [...wire, String(row[this.#id])]));
    }
    if (same(before, now)) return before;
    const path = join(wire) || '/';
    if (rows ? this.session.held(path) : this.session.held(path, this.#wrap(before))) return before;
    try {
      this.#data.set(join(here) || '/', copy(now));
    } catch {
      // a name that the renderer does not take
    }
    return now;
  }

  #get(here: string[]): unknown {
    try {
      return this.#data.get(join(here) || '/');
    } catch {
      return undefined; // such as __proto__
    }
  }
}

const asList = (v: unknown): Obj[] => (Array.isArray(v) ? v.filter(isObject) : []);
const union = (a: object, b: object): Set<string> => new Set([...Object.keys(a), ...Object.keys(b)]);
const define = (o: object, key: string, value: unknown): unknown => Object.defineProperty(o, key, { value, writable: true, enumerable: true, configurable: true });

/** Sets a path in what is shown. */
function put(at: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(at)) return at.map((v, i) => (String(i) === key ? put(v, rest, value) : v));
  const out: Obj = isObject(at) ? { ...at } : {};
  const v = put(own(out, key), rest, value);
  if (v === undefined) delete out[key];
  else define(out, key, v);
  return out;
}
