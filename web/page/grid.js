// The cells of a table work as those of a spreadsheet: a paste spreads over them, and
// keys go from cell to cell.

import { composes, goesBack } from './keys.js';
import { below, beside, room } from './rows.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */

/**
 * The cell that has the focus: its value when it got it, the last one that was typed there,
 * and whether its row was changed since the focus came into the row.
 * @type {{ control: Control; value: string; typed?: string; row: Element; changed: boolean } | undefined}
 */
let now;

/** Listens to what happens in the cells below a place. @param {HTMLElement} place */
export function listenCells(place) {
  place.addEventListener('focusin', (event) => {
    const control = /** @type {Control} */ (event.target);
    const row = cellOf(control)?.closest('tr');
    now = row ? { control, value: control.value, row, changed: now?.row === row && now.changed } : undefined;
  });
  place.addEventListener('input', (event) => {
    if (!now) return;
    now.changed = true;
    if (event.target === now.control) now.typed = now.control.value;
  });
  place.addEventListener('keydown', (event) => void key(event));
}

/**
 * The cell of the table that an element is in.
 * @param {EventTarget | null} element
 * @returns {Element | null}
 */
const cellOf = (element) => (element instanceof Element ? element.closest('.limn-form .limn-table td') : null);

/**
 * Enter and the arrows up and down go to the next row, Tab at the end of a row, too, if it
 * was filled in; else Tab leaves the table. Escape takes back what was typed into
 * the cell. Alt with an arrow moves the row.
 * @param {KeyboardEvent} event
 */
async function key(event) {
  const cell = cellOf(event.target);
  const row = cell?.closest('tr');
  const control = /** @type {HTMLElement} */ (event.target);
  if (!cell || !row || composes(event) || event.ctrlKey || event.metaKey) return;
  const up = event.key === 'ArrowUp';
  if (event.altKey) {
    const button = /** @type {HTMLButtonElement | null} */ (up || event.key === 'ArrowDown' ? row.querySelector(up ? '.limn-up' : '.limn-down') : null);
    if (button) event.preventDefault();
    button?.click();
    return;
  }
  const line = control.matches('input:not([type="file"])');
  switch (event.key) {
    case 'Escape':
      if (!now || now.control !== control || now.value === now.control.value || now.typed !== now.control.value) return; // another person may have written
      put(now.control, now.value);
      break;
    case 'Enter':
      if (!line) return;
      event.preventDefault();
      await goTo(row, cell, event.shiftKey ? -1 : 1, true);
      return;
    case 'ArrowUp':
    case 'ArrowDown':
      if (!line || event.shiftKey || control.matches('[type="date"], [type="time"], [type="datetime-local"], [type="range"]')) return;
      event.preventDefault();
      await goTo(row, cell, up ? -1 : 1, false);
      return;
    case 'ArrowLeft':
    case 'ArrowRight':
      if (event.shiftKey || !atEdge(control, goesBack(event, control)) || !focusOn(sideways(cell, goesBack(event, cell)))) return;
      break;
    case 'Tab':
      if (!leave(event, row, cell)) return;
      break;
    default:
      return;
  }
  event.preventDefault();
}

/**
 * Goes to the same column of the row before or after. Beyond the last row Enter adds
 * one, and goes there once it has come, unless the user has gone elsewhere.
 * @param {Element} row
 * @param {Element} cell
 * @param {number} step
 * @param {boolean} adds
 */
async function goTo(row, cell, step, adds) {
  const at = [...row.children].indexOf(cell);
  const next = await beside(row, step);
  if (next || step < 0 || !adds) {
    focusOn(next?.children[at]);
    return;
  }
  const add = /** @type {HTMLButtonElement | null} */ (row.closest('.limn-table')?.querySelector('.limn-add button:enabled'));
  const from = document.activeElement;
  if (!add || !row.parentElement) return;
  const grown = new MutationObserver(() => {
    const here = from?.closest('tr');
    if (here && !here.nextElementSibling) return;
    grown.disconnect();
    if (document.activeElement === from) focusOn(here?.nextElementSibling?.children[at]);
  });
  grown.observe(row.parentElement, { childList: true });
  add.click();
}

/**
 * What Tab does at the end of a row. Returns whether it did anything.
 * @param {KeyboardEvent} event
 * @param {Element} row
 * @param {Element} cell
 * @returns {boolean}
 */
function leave(event, row, cell) {
  const last = !event.shiftKey && !controlIn(cell.nextElementSibling);
  if (last && now?.changed && cell.contains(now.control)) {
    void beside(row, 1).then((next) => focusOn([...(next?.children ?? [])].find((one) => controlIn(one)) ?? cell));
    return true;
  }
  const ends = event.shiftKey ? !controlIn(cell.previousElementSibling) && controlIn(cell) : event.target === [...row.querySelectorAll('button, input, select, textarea')].at(-1);
  if (!ends) return false;
  const table = row.closest('.limn-scroll');
  const form = row.closest('form');
  const all = [.../** @type {Iterable<HTMLElement>} */ (form?.querySelectorAll('a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary') ?? [])];
  const after = all.find((one) => table && !table.contains(one) && table.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING && one.checkVisibility() && one.tabIndex >= 0);
  const target = /** @type {HTMLElement | null | undefined} */ (event.shiftKey ? table : after);
  target?.focus();
  return !!target;
}

/**
 * @param {Element} cell
 * @param {boolean} left
 */
const sideways = (cell, left) => (left ? cell.previousElementSibling : cell.nextElementSibling);

/**
 * Whether the caret of a line of text is at its end.
 * @param {HTMLElement} control
 * @param {boolean} left
 * @returns {boolean}
 */
function atEdge(control, left) {
  if (!(control instanceof HTMLInputElement)) return control instanceof HTMLSelectElement;
  if (control.type === 'checkbox') return true;
  const { selectionStart: start, selectionEnd: end, value } = control;
  if (start === null) return false;
  if (start === 0 && end === value.length) return true; // as after it was reached by a key
  return start === end && start === (left ? 0 : value.length);
}

/**
 * @param {Element | null | undefined} cell
 * @returns {boolean}
 */
function focusOn(cell) {
  const control = controlIn(cell);
  control?.focus();
  if (control instanceof HTMLInputElement) control.select();
  return !!control;
}

/**
 * Spreads a paste from a spreadsheet over the cells right of and below the one
 * it goes into. One with more rows than there are goes, where the surface can
 * read pastes, through its box: the user sees what was read before it is added.
 * Returns how many rows found no place.
 * @param {ClipboardEvent} event
 * @returns {Promise<number>}
 */
export async function paste(event) {
  const cell = (/** @type {Element} */ (event.target)).closest?.('td');
  const row = cell?.closest('tr');
  const text = event.clipboardData?.getData('text/plain').replace(/\r\n?/g, '\n').replace(/\n$/, '') ?? '';
  if (!cell || !row?.closest('.limn-table') || !/[\t\n]/.test(text) || (/** @type {Element} */ (event.target)).localName === 'textarea') return 0;
  event.preventDefault();
  const from = [...row.children].indexOf(cell);
  const lines = text.split('\n').map((line) => line.split('\t'));
  const form = row.closest('form');
  const box = /** @type {HTMLTextAreaElement | null} */ (form?.querySelector('textarea[name="/draft/paste"]:enabled'));
  const quoted = /(^|[\t\n])"(?:[^"\t]|"")*\n/.test(text); // a cell of several lines, which the server reads
  if (box && (quoted || lines.length > Math.min(room(row), inPlace))) {
    put(box, text);
    /** @type {HTMLButtonElement | null} */ (form?.querySelector('button[value*="/paste/read:"]'))?.click();
    return 0;
  }
  const rows = await below(row, lines.length);
  rows.forEach((at, n) => lines[n]?.forEach((value, i) => {
    const control = controlIn(at.children[from + i]);
    if (control) put(control, value.trim());
  }));
  return Math.max(0, lines.length - rows.length);
}

const inPlace = 500; // rows of a paste that goes into its cells; a longer one goes through the box

/**
 * What is typed or chosen in a cell.
 * @param {Element | null | undefined} cell
 * @returns {Control | null}
 */
function controlIn(cell) {
  return cell?.querySelector('input:not([type="hidden"], [type="file"]), textarea, select') ?? null;
}

/**
 * @param {Control} control
 * @param {string} value
 */
function put(control, value) {
  if (control instanceof HTMLSelectElement) {
    const option = [...control.options].find((o) => [o.value, o.text].some((t) => t.toLowerCase() === value.toLowerCase()));
    if (!option) return;
    option.selected = true;
  } else if (control instanceof HTMLInputElement && control.type === 'checkbox') {
    control.checked = /^(true|yes|x|1)$/i.test(value);
  } else {
    control.value = value;
    if (value && !control.value && control instanceof HTMLInputElement) { // a date that its picker cannot show: the server says so
      control.type = 'text';
      control.value = value;
    }
  }
  control.dispatchEvent(new Event('input', { bubbles: true }));
}
