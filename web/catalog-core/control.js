// The control of one cell, in a grid and in the panel of a step.

import { cellOf, textOf, wrongWith } from './cells.js';
import { el, focused, put } from './dom.js';
/** @import { Cell, Column } from './cells.js' */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

const types = /** @type {Record<string, string>} */ ({ boolean: 'checkbox', date: 'date', time: 'time', datetime: 'datetime-local', email: 'email', url: 'url', slider: 'number' });
const lengths = /** @type {Record<string, number>} */ ({ date: 10, time: 5, datetime: 16 });

/** One cell that can be edited. */
export class Control {
  /**
   * @param {Column} column
   * @param {(value: Cell) => void} write
   */
  constructor(column, write) {
    this.column = column;
    this.write = write;
    /** @type {string | undefined} the text that its picker cannot show, which stands there as text */
    this.odd = undefined;
    /** @type {HTMLElement} what stands in the cell */
    this.element = this.make();
  }

  make() {
    const { column } = this;
    if (column.type === 'choices') {
      this.summary = el('summary', { className: 'limn-control' });
      this.boxes = (column.options ?? []).map((o) => {
        const input = el('input', { type: 'checkbox', value: o.value });
        input.addEventListener('change', () => this.write(this.boxes?.filter((b) => b.checked).map((b) => b.value) ?? []));
        return input;
      });
      const list = el('div', { className: 'limn-options', role: 'group' }, ...this.boxes.map((box, i) => el('label', {}, box, ` ${column.options?.[i]?.label}`)));
      const details = el('details', { className: 'limn-choices' }, this.summary, list);
      details.addEventListener('focusout', (event) => {
        if (!details.contains(/** @type {Node | null} */ (event.relatedTarget))) details.open = false;
      });
      return details;
    }
    /** @type {Field} */
    let field;
    if (column.type === 'choice') {
      field = el('select', {}, ...(column.required ? [el('option', { value: '', hidden: true })] : [el('option', { value: '' })]), ...(column.options ?? []).map((o) => el('option', { value: o.value }, o.label)));
    } else if (column.type === 'longtext') {
      field = el('textarea', { rows: 1 });
    } else {
      field = el('input', { type: types[column.type] ?? 'text', autocomplete: 'off' });
      if (column.type === 'number') field.inputMode = 'decimal';
      if (column.type === 'slider') Object.assign(field, { min: column.min ?? '0', max: column.max ?? '100', step: column.step ?? 'any' });
      else if (lengths[column.type]) Object.assign(field, { min: column.min ?? '', max: column.max ?? '' });
    }
    if (column.placeholder && 'placeholder' in field) field.placeholder = column.placeholder;
    field.classList.add('limn-control');
    field.addEventListener('input', () => {
      const value = this.value;
      if (value !== undefined) this.write(value);
    });
    this.field = field;
    return field;
  }

  /** What has the focus. */
  get target() { return /** @type {HTMLElement} */ (this.field ?? this.summary); }

  /** @returns {Cell | undefined} */
  get value() {
    const field = /** @type {Field} */ (this.field);
    if (this.column.type === 'boolean') return /** @type {HTMLInputElement} */ (field).checked;
    if (this.column.type === 'choice') return field.value ? [field.value] : [];
    if (this.column.type === 'slider') return cellOf(this.column, field.value);
    return field.value;
  }

  /** @param {unknown} value @param {string} label @param {string} place @param {string} error @param {string} why the id of the element that says what is wrong */
  show(value, label, place, error, why) {
    const { target, field } = this;
    const list = Array.isArray(value) ? value.map(String) : value ? [String(value)] : [];
    if (this.boxes) {
      for (const box of this.boxes) put(box, 'checked', list.includes(box.value));
      if (this.summary) put(this.summary, 'textContent', textOf(this.column, list) || '–');
    } else if (this.column.type === 'boolean') {
      put(target, 'checked', value === true);
    } else if (this.column.type === 'choice') {
      put(target, 'value', list.at(-1) ?? '');
    } else if (field) {
      const text = value === undefined || value === null ? '' : String(value);
      if (this.value !== value || this.odd !== undefined && this.odd !== text && focused(field) !== field) this.fit(field, text);
    }
    put(target, 'aria-label', label);
    put(target, 'data-path', place);
    put(target, 'aria-invalid', error ? 'true' : '');
    put(target, 'aria-describedby', error ? why : '');
  }

  /** Writes a text, also one that a picker of dates cannot show, such as 31.12.2026: the server tells the error. @param {Field} field @param {string} text */
  fit(field, text) {
    const length = lengths[this.column.type];
    if (this.odd !== undefined) put(field, 'type', types[this.column.type]);
    this.odd = undefined;
    put(field, 'value', length ? text.slice(0, length) : text);
    if (!length || !text || field.value) return;
    this.odd = text;
    put(field, 'type', 'text');
    put(field, 'value', text);
  }

  /** The line of text that is typed; undefined for other controls. */
  get line() {
    const f = this.field;
    return f instanceof HTMLInputElement && !['checkbox', 'date', 'time', 'datetime-local', 'number'].includes(f.type) ? f : undefined;
  }

  /** Where the caret is. */
  get cursor() {
    const f = this.line;
    if (!f) return { line: this.field instanceof HTMLInputElement && this.field.type === 'checkbox', atStart: !(this.field instanceof HTMLTextAreaElement), atEnd: !(this.field instanceof HTMLTextAreaElement) };
    const start = f.selectionStart, end = f.selectionEnd;
    if (start === null || start === 0 && end === f.value.length) return { line: true, atStart: true, atEnd: true }; // as after it was reached by a key
    return { line: true, atStart: start === 0 && end === 0, atEnd: start === f.value.length };
  }

  focus() {
    this.target.focus();
    this.line?.select();
  }

  /** What is wrong with what was typed, as far as can be seen here. @param {unknown} value */
  hint(value) { return wrongWith(this.column, value); }
}
