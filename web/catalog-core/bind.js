// Between a renderer of A2UI and the views: what they read and write is the data model, and
// what they ask for are the actions that the component declares.

import { blankOf } from './cells.js';
/** @import { Cell, Column } from './cells.js' */
/** @import { History } from './history.js' */

/**
 * What a renderer gives to a component, as @a2ui/web_core has it.
 * @typedef {object} Context
 * @property {{ id: string; properties: Record<string, any>; onUpdated: { subscribe(run: () => void): { unsubscribe(): void } } }} componentModel
 * @property {{ dataModel: DataModel }} dataContext
 * @property {(action: unknown) => unknown} dispatchAction
 */

/**
 * @typedef {object} DataModel
 * @property {(path: string) => any} get
 * @property {(path: string, value: any) => unknown} set
 * @property {(path: string, run: () => void) => { unsubscribe(): void }} subscribe
 */

/**
 * What is written before an action is sent.
 * @typedef {object} About
 * @property {string} [row]
 * @property {string} [before]
 * @property {number} [count]
 * @property {number} [at]
 * @property {string} [text]
 */

/** @typedef {Record<string, string>} Words */

const escape = (/** @type {string} */ key) => key.replace(/~/g, '~0').replace(/\//g, '~1');

/** The rows of a component: what the server says of them, and the cells as they are now. */
export class Rows {
  /** @param {Context} context @param {Record<string, any>} declared @param {History} [history] */
  constructor(context, declared, history) {
    this.context = context;
    this.history = history;
    this.declared = declared;
    this.path = /** @type {string} */ (declared.cells.path);
    this.ids = /** @type {string[]} */ (declared.ids ?? []);
    this.columns = /** @type {Column[]} */ (declared.columns ?? []);
    this.first = /** @type {number} */ (declared.first ?? 0);
    this.total = /** @type {number} */ (declared.total ?? this.ids.length);
    this.most = /** @type {number} */ (declared.most ?? 1000);
    this.readonly = declared.readonly === true;
    /** @type {Map<string, string> | undefined} */
    this.wrong = undefined;
    this.errors = /** @type {{ row: string; column: string; text: string }[]} */ (declared.errors ?? []);
  }

  /** @param {string} row @param {string} column */
  place(row, column) {
    return `${this.path}/${escape(row)}/${escape(column)}`;
  }

  /** @param {string} row @param {string} column @returns {unknown} */
  get(row, column) {
    return this.context.dataContext.dataModel.get(this.place(row, column));
  }

  /** @param {string} row @param {string} column @param {Cell} value */
  set(row, column, value) {
    const data = this.context.dataContext.dataModel, place = this.place(row, column);
    const at = (/** @type {string} */ path) => data.get(path) ?? (this.history && blankOf(this.columns.find((c) => c.name === column) ?? { name: column, label: '', type: 'text' }));
    const before = at(place);
    data.set(place, value);
    this.history?.wrote(place, before, value, (other, expected) => {
      const path = this.place(this.history?.now(row) ?? row, column);
      if (same(at(path), expected)) data.set(path, other);
      return true;
    });
  }

  /** @param {string} row @param {string} column */
  errorAt(row, column) {
    this.wrong ??= new Map(this.errors.map((e) => [`${e.row}\n${e.column}`, e.text]));
    return this.wrong.get(`${row}\n${column}`) ?? '';
  }

  /** @param {string} row */
  blank(row) {
    return this.columns.every((c) => same(this.get(row, c.name) ?? blankOf(c), blankOf(c)));
  }

  /** @param {string} action */
  can(action) {
    return !this.readonly && (this.declared.offers ?? []).includes(action) && !!this.declared[action]?.event;
  }

  /** Sends an action, if it is offered. @param {string} action @param {About} [about] @returns {boolean} */
  act(action, about = {}) {
    if (!this.can(action)) return false;
    const data = this.context.dataContext.dataModel;
    for (const [key, value] of Object.entries({ count: 1, ...about })) {
      const path = this.declared[key]?.path;
      if (path !== undefined) data.set(path, value);
    }
    const { name, context = {} } = this.declared[action].event;
    const resolved = Object.fromEntries(Object.entries(context).map(([key, value]) => [key, resolve(data, value)]));
    void this.context.dispatchAction({ event: { name, context: resolved } });
    return true;
  }
}

/** @param {DataModel} data @param {any} value @returns {unknown} */
const resolve = (data, value) => (value && typeof value === 'object' && 'path' in value ? data.get(value.path) : value);

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * A view of a component: created in an element, updated whenever something changes.
 * @typedef {object} View
 * @property {(context: Context) => void} update
 * @property {(properties: Record<string, any>) => string[]} paths what it shows of the data
 */

/** @typedef {new (place: HTMLElement) => View} ViewClass */

/**
 * Keeps a view up to date until the function is called that is returned. What comes in one
 * go is drawn once.
 * @param {View} view
 * @param {Context} context
 * @returns {() => void}
 */
export function follow(view, context) {
  let due = false, over = false;
  const later = () => {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      if (!over) view.update(context);
    });
  };
  /** @type {{ unsubscribe(): void }[]} */
  let data = [];
  const listen = () => {
    for (const one of data) one.unsubscribe();
    data = view.paths(context.componentModel.properties).map((path) => context.dataContext.dataModel.subscribe(path, later));
    later();
  };
  const model = context.componentModel.onUpdated.subscribe(listen);
  listen();
  view.update(context);
  return () => {
    over = true;
    model.unsubscribe();
    for (const one of data) one.unsubscribe();
  };
}
