// DataGrid: a table that is edited as a spreadsheet. Of many rows only those in view are in
// the document, and the one with the focus; spacers stand for the others.

import { Rows } from './bind.js';
import { blankOf, clipboardOf, sorted, spread, tableOf, textOf, wrongWith } from './cells.js';
import { Control } from './control.js';
import { arrange, el, fill, focused, put } from './dom.js';
import { History } from './history.js';
import { covers, has, kept, pressed, single } from './selection.js';
import { parts, within } from './window.js';
import { adopt } from './style.js';
/** @import { Context, Words } from './bind.js' */
/** @import { Cell, Column } from './cells.js' */
/** @import { Place, Selection } from './selection.js' */

/**
 * @typedef {object} Line
 * @property {HTMLTableRowElement} tr
 * @property {HTMLElement} number
 * @property {HTMLTableCellElement[]} cells
 * @property {Control[]} controls
 * @property {HTMLButtonElement | undefined} remove
 */

let count = 0;
const few = 60; // rows that are all in the document
const margin = 300; // px beyond what is in view

/** The table itself: what DataGrid shows, and ProcessMap shows twice. */
export class Table {
  /** @param {HTMLElement} place @param {History} [history] of the component */
  constructor(place, history = new History()) {
    this.id = `limn-grid-${++count}`;
    this.history = history;
    this.shown = true; // else it follows what rows there are, and draws none
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    this.head = el('tr');
    this.body = el('tbody');
    this.table = el('table', {}, el('thead', {}, this.head), this.body);
    /** @type {HTMLTableRowElement[]} */
    this.spacers = [];
    /** @type {Map<string, number>} px of the rows that were seen, by id */
    this.heights = new Map();
    this.width = 0;
    this.due = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.asking = undefined;
    this.scroll = el('div', { className: 'limn-scroll', tabIndex: -1, role: 'region' }, this.table);
    this.foot = el('div', { className: 'limn-foot' });
    this.range = el('span', { className: 'limn-pages' });
    this.why = el('p', { className: 'limn-why', id: `${this.id}-why`, hidden: true });
    this.says = el('p', { className: 'limn-says', role: 'status' });
    this.element = el('div', { className: 'limn-grid' }, this.scroll, this.why, this.foot, this.says);
    place.append(this.element);
    /** @type {Map<string, Line>} */
    this.lines = new Map();
    /** @type {string[]} the rows as they are shown */
    this.ids = [];
    /** @type {Map<string, number>} the places of rows in what the server sent */
    this.places = new Map();
    /** @type {Map<string, number>} the places of rows as they are shown */
    this.order = new Map();
    /** @type {{ column: string; down: boolean; ids: string[] } | undefined} */
    this.sort = undefined;
    /** @type {Selection | undefined} */
    this.selection = undefined;
    /** The value of a cell when it got the focus, the last one written there, and which row was changed since. */
    this.before = { place: '', value: /** @type {unknown} */ (undefined), wrote: /** @type {unknown} */ (undefined), row: '', changed: false };
    /** @type {((added: string[]) => void) | undefined} what is done when rows come that were asked for */
    this.coming = undefined;
    this.problem = -1;
    /** @type {Control | undefined} the cell that why is about */
    this.wrong = undefined;
    this.shape = '';
    this.listen();
  }

  /** @param {Rows} rows @param {Words} words @param {string} label */
  update(rows, words, label) {
    this.rows = rows;
    this.words = words;
    const shape = JSON.stringify([rows.columns, rows.readonly, words]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.lines.clear();
      this.body.replaceChildren();
      this.heading();
    }
    const known = new Set(this.known ?? rows.ids);
    const added = rows.ids.filter((id) => !known.has(id));
    this.known = rows.ids;
    this.places = new Map(rows.ids.map((id, i) => [id, i]));
    const sort = new Set(this.sort?.ids), before = this.ids;
    this.ids = this.sort ? [...this.sort.ids.filter((id) => this.places.has(id)), ...rows.ids.filter((id) => !sort.has(id))] : rows.ids;
    this.order = new Map(this.ids.map((id, i) => [id, i]));
    this.selection = kept(this.selection, before, this.ids, this.order);
    put(this.scroll, 'aria-label', label || (rows.columns[0]?.label ?? ''));
    if (this.shown) {
      this.render();
      this.footer();
    }
    if (!this.wrong?.target.isConnected || this.wrong.target.getAttribute('aria-invalid') !== 'true') this.why.hidden = true;
    if (added.length && this.coming) {
      const then = this.coming;
      this.coming = undefined;
      then(added);
    }
  }

  /** Whether some rows are not in the document. */
  get long() { return this.ids.length > few || (this.rows?.total ?? 0) > this.ids.length; }

  /** The height of an unseen row: that of those that were seen. */
  get height() {
    let sum = 0;
    for (const h of this.heights.values()) sum += h;
    return this.heights.size ? sum / this.heights.size : 35;
  }

  /** Puts the rows into the document that are in view, those beside them and the one with the focus. */
  render() {
    const { rows, body, scroll } = this;
    if (!rows) return;
    const holder = focused(this.element);
    const long = this.long;
    const height = this.height, hidden = { above: rows.first, below: Math.max(0, rows.total - rows.first - rows.ids.length) };
    const sizes = this.ids.map((id) => this.heights.get(id) ?? height);
    const held = holder instanceof HTMLElement && body.contains(holder) ? this.order.get(holder.closest('tr')?.dataset.row ?? '') : undefined;
    const view = long ? within(sizes, scroll.scrollTop - hidden.above * height - margin, scroll.scrollTop - hidden.above * height + (scroll.clientHeight || 600) + margin) : { from: 0, to: this.ids.length };
    /** @type {Node[]} */
    const children = [];
    let spacers = 0;
    const shown = new Set();
    for (const part of parts(sizes, view, held, hidden.above * height, hidden.below * height)) {
      if ('row' in part) {
        const id = /** @type {string} */ (this.ids[part.row]);
        shown.add(id);
        children.push(this.line(id).tr);
        continue;
      }
      const spacer = this.spacers[spacers++] ??= el('tr', { className: 'limn-space', 'aria-hidden': 'true' }, el('td'));
      const td = /** @type {HTMLTableCellElement} */ (spacer.firstElementChild);
      put(td, 'colSpan', rows.columns.length + (rows.readonly ? 1 : 2));
      put(td.style, 'height', `${Math.round(part.px)}px`);
      children.push(spacer);
    }
    for (const id of [...this.lines.keys()]) if (!shown.has(id)) this.lines.delete(id);
    arrange(body, children);
    put(this.table, 'aria-rowcount', long ? rows.total + 1 : '');
    this.table.classList.toggle('limn-long', long); // columns do not change with the rows in view
    put(this.table.style, 'minWidth', long ? `${8 * rows.columns.length + 6}rem` : '');
    if (holder instanceof HTMLElement && this.element.contains(holder) && focused(this.element) !== holder) holder.focus({ preventScroll: true });
    this.mark();
    if (long) this.measure();
  }

  /** Notes how high the rows are, and asks for rows that are in view and not here. */
  measure() {
    const { rows, scroll } = this;
    if (!rows || !scroll.clientHeight) return;
    if (this.width !== scroll.clientWidth) this.heights.clear();
    this.width = scroll.clientWidth;
    for (const [id, line] of this.lines) this.heights.set(id, line.tr.offsetHeight);
    for (const id of this.heights.keys()) if (!this.places.has(id)) this.heights.delete(id);
    const height = this.height, top = Math.floor(scroll.scrollTop / height), bottom = Math.ceil((scroll.scrollTop + scroll.clientHeight) / height);
    put(this.range, 'textContent', fill(this.words?.page ?? '{min}–{max} / {n}', { min: Math.min(top + 1, rows.total), max: Math.min(bottom, rows.total), n: rows.total }));
    clearTimeout(this.asking);
    const missing = top < rows.first || bottom > rows.first + rows.ids.length && bottom <= rows.total + 1;
    if (!missing || !rows.can('page')) return;
    const ask = (/** @type {number} */ tries) => {
      this.rows?.act('page', { at: Math.max(0, Math.min(rows.total - 1, top)) });
      if (tries > 1) this.asking = setTimeout(ask, 2000, tries - 1); // refused, if the form changed meanwhile
    };
    this.asking = setTimeout(ask, 120, 3); // once they rest
  }

  /** Scrolls to a row and puts it into the document. @param {number} row as it is shown */
  reveal(row) {
    const id = this.ids[row];
    if (!this.rows || id === undefined || !this.long) return;
    const { scroll } = this, head = this.head.offsetHeight, height = this.height;
    const top = this.rows.first * height + this.ids.slice(0, row).reduce((sum, one) => sum + (this.heights.get(one) ?? height), 0);
    const bottom = top + (this.heights.get(id) ?? height);
    if (top < scroll.scrollTop) scroll.scrollTop = top;
    else if (bottom + head > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = bottom + head - scroll.clientHeight + 1;
    if (!this.lines.has(id)) this.render();
  }

  heading() {
    const { rows, words } = this;
    if (!rows || !words) return;
    const cells = [el('th', { className: 'limn-number', scope: 'col' }, el('span', { className: 'limn-hidden' }, '#'))];
    for (const column of rows.columns) {
      const button = el('button', { type: 'button', className: 'limn-sort', title: fill(words.sort ?? '', { label: column.label }) }, column.label);
      button.addEventListener('click', () => this.sortBy(column));
      const th = el('th', { scope: 'col', 'data-column': column.name, 'data-type': column.type }, button);
      if (column.required && !rows.readonly) th.append(el('span', { className: 'limn-required', title: words.required ?? '' }, '*'), el('span', { className: 'limn-hidden' }, ` (${words.required ?? ''})`));
      if (column.help) th.append(el('small', {}, column.help));
      cells.push(th);
    }
    if (!rows.readonly) cells.push(el('th', { className: 'limn-acts', scope: 'col' }, el('span', { className: 'limn-hidden' }, words.remove ?? '')));
    this.head.replaceChildren(...cells);
  }

  /** @param {string} id @returns {Line} */
  line(id) {
    const rows = /** @type {Rows} */ (this.rows), words = this.words ?? {};
    let line = this.lines.get(id);
    if (!line) {
      line = this.make(id);
      this.lines.set(id, line);
    }
    const n = rows.first + (this.places.get(id) ?? 0) + 1;
    put(line.number, 'textContent', String(n));
    put(line.tr, 'aria-rowindex', this.long ? n + 1 : '');
    put(line.tr, 'data-row', id);
    rows.columns.forEach((column, i) => {
      const td = /** @type {HTMLTableCellElement} */ (line.cells[i]), control = line.controls[i];
      const value = rows.get(id, column.name);
      if (!control) {
        put(td, 'textContent', textOf(column, value));
        return;
      }
      const error = rows.errorAt(id, column.name) || (focused(td) === control.target ? '' : control.hint(value));
      control.show(value, `${column.label} ${n}`, rows.place(id, column.name), error, this.why.id);
      put(td, 'className', error ? 'limn-bad' : '');
      put(td, 'title', error);
    });
    if (line.remove) {
      put(line.remove, 'aria-label', `${words.remove}, ${fill(words.row ?? '{n}', { n })}`);
      line.remove.hidden = !rows.can('remove');
    }
    put(line.number, 'className', rows.can('move') && !this.sort ? 'limn-handle' : '');
    return line;
  }

  /** @param {string} id @returns {Line} */
  make(id) {
    const rows = /** @type {Rows} */ (this.rows), words = this.words ?? {};
    const number = el('span');
    /** @type {Control[]} */
    const controls = [];
    const cells = rows.columns.map((column, i) => {
      const td = el('td', { 'data-type': column.type, 'data-label': column.label });
      if (rows.readonly) return td;
      const control = new Control(column, (value) => {
        this.before.changed = true;
        this.set(id, column.name, value);
      });
      controls[i] = control;
      td.append(control.element);
      return td;
    });
    const tr = el('tr', {}, el('th', { className: 'limn-number', scope: 'row' }, number), ...cells);
    /** @type {HTMLButtonElement | undefined} */
    let remove;
    if (!rows.readonly) {
      remove = el('button', { type: 'button', className: 'limn-icon', tabIndex: -1, title: words.remove ?? '' }, '×');
      remove.addEventListener('click', () => this.remove(id));
      tr.append(el('td', { className: 'limn-acts' }, remove));
    }
    return { tr, number, cells, controls, remove };
  }

  footer() {
    const rows = /** @type {Rows} */ (this.rows), words = this.words ?? {};
    /** @param {string} name @param {string} text @param {() => void} run */
    const button = (name, text, run) => {
      let b = this.buttons.get(name);
      if (!b) {
        b = el('button', { type: 'button', className: 'limn-button' });
        b.addEventListener('click', run);
        this.buttons.set(name, b);
      }
      put(b, 'textContent', text);
      return b;
    };
    /** @type {Node[]} */
    const parts = [];
    if (rows.can('add')) parts.push(button('add', words.add ?? '+', () => this.add()));
    if (rows.can('restore')) parts.push(button('restore', words.restore ?? '', () => void this.rows?.act('restore')));
    const problems = this.problems();
    if (problems.length) {
      const b = button('problems', fill(words.problems ?? '{n}', { n: problems.length }), () => this.nextProblem());
      b.classList.add('limn-problems');
      parts.push(b);
    }
    const whole = rows.errors.filter((e) => e.row === '' || !this.known?.includes(e.row)).map((e) => e.text);
    if (whole.length) parts.push(el('span', { className: 'limn-error' }, whole.join(' ')));
    if (this.long) parts.push(this.range);
    arrange(this.foot, parts);
  }

  /** The cells with something wrong, in reading order. @returns {Place[]} */
  problems() {
    const { rows } = this;
    if (!rows || rows.readonly) return [];
    const holder = focused(this.element);
    const wrong = (/** @type {string} */ id, /** @type {Column} */ column, /** @type {number} */ i) => rows.errorAt(id, column.name) !== ''
      || wrongWith(column, rows.get(id, column.name)) !== '' && this.lines.get(id)?.controls[i]?.target !== holder;
    return this.ids.flatMap((id, row) => rows.columns.flatMap((column, i) => (wrong(id, column, i) ? [{ row, column: i }] : [])));
  }

  nextProblem() {
    const all = this.problems();
    this.problem = (this.problem + 1) % Math.max(1, all.length);
    const at = all[this.problem];
    if (at) this.go(at);
  }

  /** @param {string} id @param {number} column */
  goTo(id, column) {
    const row = this.order.get(id);
    if (row !== undefined) this.go({ row, column });
  }

  /** Adds a row and goes there, into the same column. @param {number} [column] */
  add(column = 0) {
    this.unsort();
    const from = focused(this.element);
    this.extend(1, (added) => {
      if (focused(this.element) === from || !this.element.contains(focused(this.element))) this.goTo(added[0] ?? '', column);
    });
  }

  /**
   * Adds rows; what is done with them when they have come, and what more belongs to it
   * when that is taken back. 'part': it belongs to a deed that is noted elsewhere.
   * @param {number} n
   * @param {(added: string[]) => void} then
   * @param {'part' | { undo: (ids: string[]) => void; redo: (ids: string[]) => void }} [more]
   */
  extend(n, then, more) {
    const { history } = this;
    this.request(n, (added) => {
      if (more === 'part') {
        then(added);
        return;
      }
      let blank = false; // the server keeps no empty row
      const ids = () => added.map((id) => history.now(id));
      history.push({
        undo: () => {
          blank = ids().every((id) => this.rows?.blank(id));
          more?.undo(ids());
          return ids().every((row) => this.rows?.act('remove', { row }));
        },
        redo: () => {
          if (blank) {
            return this.request(n, (again) => {
              ids().forEach((id, i) => history.renamed(id, again[i]));
              history.quietly(() => then(again));
            });
          }
          const ok = ids().every(() => this.rows?.act('restore'));
          if (ok) more?.redo(ids());
          return ok;
        },
      });
      then(added);
    });
  }

  /** @param {number} n @param {(added: string[]) => void} then @returns {boolean} */
  request(n, then) {
    this.coming = (added) => then(added.slice(-n)); // a long table may show other rows, too; new ones are the last
    const ok = this.rows?.act('add', { count: n }) ?? false;
    if (!ok) this.coming = undefined;
    return ok;
  }

  /** Removes a row, if that is offered. @param {string} row @returns {boolean} */
  drop(row) {
    if (!this.rows?.act('remove', { row })) return false;
    this.history.push({ undo: () => this.rows?.act('restore') ?? false, redo: () => this.rows?.act('remove', { row: this.history.now(row) }) ?? false });
    return true;
  }

  /** @param {string} id */
  remove(id) {
    const at = this.order.get(id) ?? 0;
    const next = this.ids[at + 1] ?? this.ids[at - 1];
    const inside = this.lines.get(id)?.tr.contains(focused(this.element));
    if (this.drop(id) && inside) {
      const line = next === undefined ? undefined : this.lines.get(next);
      (line?.remove ?? line?.controls[0]?.target ?? this.buttons.get('add'))?.focus();
    }
  }

  /** Puts a row before another, "" at the end. @param {string} row @param {string} before */
  move(row, before) {
    const after = this.ids[(this.order.get(row) ?? 0) + 1] ?? '';
    if (row === before || this.sort || !this.rows?.act('move', { row, before })) return;
    const go = (/** @type {string} */ to) => this.rows?.act('move', { row: this.history.now(row), before: this.history.now(to) }) ?? false;
    this.history.push({ undo: () => go(after), redo: () => go(before) });
  }

  /** @param {Column} column */
  sortBy(column) {
    const rows = this.rows;
    if (!rows) return;
    const down = this.sort?.column === column.name && !this.sort.down;
    const off = this.sort?.column === column.name && this.sort.down;
    this.sort = off ? undefined : { column: column.name, down, ids: sorted(rows.ids, column, (id) => rows.get(id, column.name), down) };
    for (const th of this.head.children) {
      const on = this.sort && /** @type {HTMLElement} */ (th).dataset.column === this.sort.column;
      put(/** @type {HTMLElement} */ (th), 'aria-sort', on ? (this.sort?.down ? 'descending' : 'ascending') : '');
    }
    this.again();
  }

  unsort() {
    if (!this.sort) return;
    this.sort = undefined;
    for (const th of this.head.children) th.removeAttribute('aria-sort');
    this.again();
  }

  again() {
    if (this.rows && this.words) this.update(this.rows, this.words, this.scroll.getAttribute('aria-label') ?? '');
  }

  // --- the selection and the keys ---

  /** @param {EventTarget | null} target @returns {Place | undefined} */
  placeOf(target) {
    const td = target instanceof Element ? target.closest('td') : null;
    const tr = td?.closest('tr');
    if (!td || !tr || !this.body.contains(td)) return undefined;
    const row = this.order.get(tr.dataset.row ?? '') ?? -1;
    const column = this.lines.get(tr.dataset.row ?? '')?.cells.indexOf(td) ?? -1;
    return row < 0 || column < 0 ? undefined : { row, column };
  }

  /** @param {Place} at @returns {Control | undefined} */
  at(at) { return this.lines.get(this.ids[at.row] ?? '')?.controls[at.column]; }

  /** @param {Place} to */
  go(to) {
    this.selection = { anchor: to, head: to };
    this.reveal(to.row);
    const control = this.at(to);
    control?.focus();
    control?.target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.mark();
  }

  /** Shows which cells are selected. */
  mark() {
    const s = this.selection;
    for (const [id, line] of this.lines) {
      const row = this.order.get(id) ?? -1;
      line.cells.forEach((td, column) => td.classList.toggle('limn-selected', !!s && !single(s) && has(s, { row, column })));
    }
  }

  listen() {
    const { body } = this;
    const soon = () => {
      if (this.due || !this.long) return;
      this.due = true;
      requestAnimationFrame(() => {
        this.due = false;
        this.render();
      });
    };
    this.scroll.addEventListener('scroll', soon, { passive: true });
    new ResizeObserver(soon).observe(this.scroll);
    body.addEventListener('focusin', (event) => {
      const at = this.placeOf(event.target);
      const id = at && this.ids[at.row];
      const control = at && this.at(at);
      if (!at || id === undefined || !control || !this.rows) return;
      if (!this.selection || !has(this.selection, at) || single(this.selection)) this.selection = { anchor: at, head: at };
      const column = control.column.name;
      this.history.pause();
      this.before = { place: this.rows.place(id, column), value: this.rows.get(id, column), wrote: undefined, row: id, changed: this.before.row === id && this.before.changed };
      const error = control.target.getAttribute('aria-invalid') === 'true' ? this.rows.errorAt(id, column) || control.hint(this.before.value) : '';
      put(this.why, 'textContent', error);
      this.why.hidden = error === '';
      this.wrong = control;
      this.mark();
    });
    // What is wrong stays in sight until it is mended: if it went with the focus, what is
    // below would move away from the pointer that is about to click it.
    body.addEventListener('focusout', () => {
      queueMicrotask(() => this.rows && this.lines.has(this.before.row) && this.line(this.before.row) && this.footer());
    });
    body.addEventListener('keydown', (event) => this.key(event));
    body.addEventListener('copy', (event) => this.copy(event));
    body.addEventListener('cut', (event) => this.copy(event) && this.clear());
    body.addEventListener('paste', (event) => this.paste(event));
    body.addEventListener('pointerdown', (event) => this.pointer(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.history.key(event)) return;
    const at = this.placeOf(event.target);
    const control = at && this.at(at);
    if (!at || !control || event.isComposing || event.keyCode === 229) { // Safari says so of the key that ends a composition
      if (event.key === 'ArrowLeft' && event.target instanceof HTMLButtonElement) {
        const row = this.order.get(event.target.closest('tr')?.dataset.row ?? '');
        if (row !== undefined) this.go({ row, column: (this.rows?.columns.length ?? 1) - 1 });
      }
      return;
    }
    const now = this.selection ?? { anchor: at, head: at };
    const deed = pressed({ anchor: now.anchor, head: event.shiftKey && !single(now) ? now.head : at }, { rows: this.ids.length, columns: this.rows?.columns.length ?? 0, page: Math.max(1, Math.floor(this.scroll.clientHeight / this.height) - 2) }, event,
      { ...control.cursor, changed: this.before.changed });
    const id = /** @type {string} */ (this.ids[at.row]);
    if (!deed) {
      const last = at.column + 1 === this.rows?.columns.length;
      if (event.key === 'ArrowRight' && last && control.cursor.atEnd && !event.shiftKey) this.lines.get(id)?.remove?.focus();
      return;
    }
    switch (deed.do) {
      case 'go':
        this.go(deed.to);
        break;
      case 'extend':
        this.selection = { anchor: now.anchor, head: deed.to };
        this.reveal(deed.to.row);
        this.mark();
        break;
      case 'add':
        if (!this.rows?.can('add')) return;
        this.add(at.column);
        break;
      case 'leave': {
        const next = /** @type {HTMLElement | undefined} */ ([...this.foot.querySelectorAll('button')][0]);
        if (!next) return;
        next.focus();
        break;
      }
      case 'undo': {
        if (!single(now)) this.selection = { anchor: at, head: at };
        else if (!this.typed(id, control.column.name)) return;
        else this.rows?.set(id, control.column.name, /** @type {any} */ (this.before.value ?? blankOf(control.column)));
        this.mark();
        break;
      }
      case 'clear':
        this.clear();
        break;
      case 'up':
      case 'down': {
        const to = deed.do === 'up' ? at.row - 1 : at.row + 2;
        if (!this.rows?.can('move') || to < 0 || to > this.ids.length) return;
        this.move(id, this.ids[to] ?? '');
        break;
      }
    }
    event.preventDefault();
  }

  /** Writes to a cell. @param {string} row @param {string} column @param {Cell} value */
  set(row, column, value) {
    this.rows?.set(row, column, value);
    if (this.rows?.place(row, column) === this.before.place) this.before.wrote = value;
  }

  /** Whether a cell still holds the last value that was written here since it got the focus. @param {string} row @param {string} column */
  typed(row, column) {
    const { value, wrote } = this.before, now = JSON.stringify(this.rows?.get(row, column));
    return wrote !== undefined && now === JSON.stringify(wrote) && now !== JSON.stringify(value);
  }

  clear() {
    const { selection, rows } = this;
    if (!selection || !rows) return;
    const c = covers(selection);
    this.history.together(() => {
      for (const id of this.ids.slice(c.top, c.bottom + 1)) {
        for (const column of rows.columns.slice(c.left, c.right + 1)) this.set(id, column.name, blankOf(column));
      }
    });
  }

  /** @param {ClipboardEvent} event @returns {boolean} */
  copy(event) {
    const { selection, rows } = this;
    if (!selection || single(selection) || !rows) return false;
    const c = covers(selection);
    const lines = this.ids.slice(c.top, c.bottom + 1).map((id) => rows.columns.slice(c.left, c.right + 1).map((column) => textOf(column, rows.get(id, column.name))));
    event.clipboardData?.setData('text/plain', clipboardOf(lines));
    event.preventDefault();
    return true;
  }

  /**
   * Spreads what was copied from a spreadsheet over the cells. Rows that are missing are
   * added where they fit below; more go to the server, which shows what it has read.
   * @param {ClipboardEvent} event
   */
  paste(event) {
    const at = this.placeOf(event.target);
    const rows = this.rows;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const lines = tableOf(text);
    if (!at || !rows || lines.length === 1 && lines[0]?.length === 1) return;
    event.preventDefault();
    const from = this.selection && has(this.selection, at) ? covers(this.selection) : { top: at.row, left: at.column };
    const { cells, rest } = spread(rows.columns, this.ids.slice(from.top), from.left, lines);
    const here = rows.total === rows.ids.length && rows.total + rest.length <= Math.min(rows.most, onePage);
    if (rest.length && !(here && rows.can('add')) && rows.can('paste')) {
      rows.act('paste', { text });
      return;
    }
    this.history.together(() => { for (const c of cells) this.set(c.row, c.column, c.value); });
    this.before.changed = true;
    if (!rest.length) return;
    if (here && rows.can('add')) {
      this.unsort();
      this.extend(rest.length, (added) => this.history.quietly(() => {
        const now = this.rows;
        if (now) for (const c of spread(now.columns, added, from.left, rest).cells) now.set(c.row, c.column, c.value);
      }));
    } else {
      put(this.says, 'textContent', fill(this.words?.fit ?? '', { n: rest.length }));
    }
  }

  /** A pointer selects cells, and moves the row whose number it takes. @param {PointerEvent} event */
  pointer(event) {
    if (event.button !== 0) return;
    const handle = event.target instanceof Element ? event.target.closest('th.limn-number') : null;
    if (handle) {
      this.drag(event, /** @type {HTMLTableRowElement} */ (handle.closest('tr')));
      return;
    }
    const at = this.placeOf(event.target);
    if (!at || event.pointerType === 'touch') return;
    if (event.shiftKey && this.selection) {
      event.preventDefault();
      this.selection = { anchor: this.selection.anchor, head: at };
      this.mark();
      return;
    }
    this.selection = { anchor: at, head: at };
    const over = (/** @type {PointerEvent} */ e) => {
      const to = this.placeOf(/** @type {Document | ShadowRoot} */ (this.element.getRootNode()).elementFromPoint(e.clientX, e.clientY));
      if (!to || !this.selection || to.row === this.selection.head.row && to.column === this.selection.head.column) return;
      this.selection = { anchor: this.selection.anchor, head: to };
      this.mark();
    };
    const up = () => {
      removeEventListener('pointermove', over);
      removeEventListener('pointerup', up);
    };
    addEventListener('pointermove', over);
    addEventListener('pointerup', up);
    this.mark();
  }

  /** @param {PointerEvent} event @param {HTMLTableRowElement} tr */
  drag(event, tr) {
    const id = tr.dataset.row ?? '';
    if (!this.rows?.can('move') || this.sort || !id) return;
    event.preventDefault();
    let before = id;
    tr.classList.add('limn-dragged');
    const over = (/** @type {PointerEvent} */ e) => {
      const view = this.scroll.getBoundingClientRect();
      if (e.clientY < view.top + 40) this.scroll.scrollTop -= 16;
      if (e.clientY > view.bottom - 24) this.scroll.scrollTop += 16;
      const here = [...this.lines.keys()].sort((a, b) => (this.order.get(a) ?? 0) - (this.order.get(b) ?? 0));
      const under = here.find((one) => {
        const box = this.lines.get(one)?.tr.getBoundingClientRect();
        return box && e.clientY < box.top + box.height / 2;
      });
      before = under ?? this.ids[(this.order.get(here.at(-1) ?? '') ?? this.ids.length) + 1] ?? '';
      for (const [one, line] of this.lines) {
        line.tr.classList.toggle('limn-before', one === before);
        line.tr.classList.toggle('limn-after', under === undefined && one === here.at(-1));
      }
    };
    const end = (/** @type {Event} */ e) => {
      removeEventListener('pointermove', over);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      tr.classList.remove('limn-dragged');
      for (const line of this.lines.values()) line.tr.classList.remove('limn-before', 'limn-after');
      const after = this.ids[(this.order.get(id) ?? 0) + 1] ?? '';
      if (e.type === 'pointerup' && before !== id && before !== after) this.move(id, before);
    };
    addEventListener('pointermove', over);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }
}

const onePage = 50; // rows that a paste adds without a look at them

/** The heading, the help and the error of a component. */
export class Frame {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.title = el('h3', { className: 'limn-title' });
    this.help = el('p', { className: 'limn-help' });
    place.append(this.title, this.help);
  }

  /** @param {Record<string, any>} properties */
  update(properties) {
    for (const [element, text] of /** @type {[HTMLElement, string][]} */ ([[this.title, properties.label ?? ''], [this.help, properties.help ?? '']])) {
      put(element, 'textContent', text);
      element.hidden = text === '';
    }
  }
}

/** The view of a DataGrid. */
export class GridView {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.frame = new Frame(place);
    this.table = new Table(place);
  }

  /** @param {Record<string, any>} properties */
  paths(properties) { return [properties.rows.cells.path]; }

  /** @param {Context} context */
  update(context) {
    adopt(this.place);
    const properties = context.componentModel.properties;
    this.frame.update(properties);
    this.table.update(new Rows(context, properties.rows, this.table.history), properties.words ?? {}, properties.label ?? '');
  }
}

