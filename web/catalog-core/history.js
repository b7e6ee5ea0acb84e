// What a person did in a component, to take it back and to do it again. Pure.

/**
 * One thing that was done. Both functions report whether they could; what could not be
 * taken back stays.
 * @typedef {object} Deed
 * @property {() => boolean} undo
 * @property {() => boolean} redo
 */

const most = 200; // deeds that are kept

/** The deeds of one component, the newest last. */
export class History {
  constructor() {
    /** @type {Deed[]} */
    this.done = [];
    /** @type {Deed[]} */
    this.undone = [];
    /** @type {Deed[] | undefined} what is being put together */
    this.parts = undefined;
    /** @type {Map<string, string>} */
    this.again = new Map();
    /** @type {() => void} called after a deed was taken back or done again */
    this.turned = () => {};
    /** Nothing is noted while a deed is taken back. */
    this.busy = false;
    /** @type {{ place: string; write: (value: any, expected: unknown) => boolean; after: unknown } | undefined} the cell that is being typed into */
    this.cell = undefined;
  }

  /** @param {Deed} deed */
  push(deed) {
    if (this.busy) return;
    this.cell = undefined;
    this.undone = [];
    (this.parts ?? this.done).push(deed);
    if (this.done.length > most) this.done.shift();
  }

  /**
   * Notes that a cell was changed. What is typed into one without a pause is one deed.
   * @param {string} place
   * @param {unknown} before
   * @param {unknown} after
   * @param {(value: any, expected: unknown) => boolean} write writes only over the expected value: another person may have written since
   */
  wrote(place, before, after, write) {
    if (this.busy) return;
    if (this.cell?.place === place) {
      this.cell.after = after;
      return;
    }
    const cell = { place, write, after };
    this.push({ undo: () => write(before, cell.after), redo: () => write(cell.after, before) });
    if (!this.parts) this.cell = cell;
  }

  /** The id that a row has now: one that is added again gets another. @param {string} id @returns {string} */
  now(id) {
    const next = this.again.get(id);
    return next === undefined ? id : this.now(next);
  }

  /** Notes that a row was added again. @param {string} id @param {string | undefined} next its id now */
  renamed(id, next) {
    if (next === undefined) return;
    this.again.delete(next);
    if (next !== id) this.again.set(id, next);
  }

  /** What is typed next is a deed of its own. */
  pause() { this.cell = undefined; }

  /** Makes one deed of all that is noted meanwhile. @param {() => void} run */
  together(run) {
    this.pause();
    const parts = this.parts = /** @type {Deed[]} */ ([]);
    try {
      run();
    } finally {
      this.parts = undefined;
    }
    if (parts.length) this.push({ undo: () => [...parts].reverse().every((p) => p.undo()), redo: () => parts.every((p) => p.redo()) });
  }

  /** Does something that is not noted: it belongs to a deed that is. @param {() => void} run */
  quietly(run) {
    const was = this.busy;
    this.busy = true;
    try {
      run();
    } finally {
      this.busy = was;
    }
  }

  undo() { return this.turn(this.done, this.undone, 'undo'); }
  redo() { return this.turn(this.undone, this.done, 'redo'); }

  /** @param {Deed[]} from @param {Deed[]} to @param {'undo' | 'redo'} way */
  turn(from, to, way) {
    const deed = from.at(-1);
    let ok = false;
    this.cell = undefined;
    if (deed) this.quietly(() => { ok = deed[way](); });
    if (!deed || !ok) return false;
    from.pop();
    to.push(deed);
    this.turned();
    return true;
  }

  /** Ctrl+Z and what takes that back. @param {KeyboardEvent} event @returns {boolean} whether it was such a key */
  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return false;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return false;
    event.preventDefault(); // the browser's own knows nothing of what the server did
    if (key === 'y' || event.shiftKey) this.redo();
    else this.undo();
    return true;
  }
}
