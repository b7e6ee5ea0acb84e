// What the HTML drawing needs after each render. A control is inside a permanent
// wrapper: a render keeps it, and with it its old aria-invalid. Package html
// puts an error slot beside every control, always there and always the control's
// aria-describedby; its data-for names the element that is valid or not.

import { below, beside, room } from './rows.js';
import { reveal } from './tabs.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */

const slots = '.limn-error[data-for]';

/**
 * Sets aria-invalid below root by the error slots.
 * @param {ParentNode} root
 */
export function syncErrors(root) {
  for (const slot of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(slots))) {
    const owner = document.getElementById(slot.dataset.for ?? '');
    if (!owner || !owner.matches('input, select, textarea, [role="radiogroup"]')) continue; // a table as a whole cannot be invalid
    if (slot.textContent?.trim()) owner.setAttribute('aria-invalid', 'true');
    else owner.removeAttribute('aria-invalid');
  }
}

/**
 * Focuses the first invalid control of a surface, else what its summary says first.
 * @param {ParentNode} surface
 * @returns {boolean}
 */
export function focusInvalid(surface) {
  const invalid = /** @type {HTMLElement[]} */ ([...surface.querySelectorAll('[aria-invalid="true"]')]);
  const owner = invalid.find((one) => !one.closest('tr:is([hidden], .limn-away)'));
  const control = owner?.matches('[role="radiogroup"]') ? /** @type {HTMLElement | null} */ (owner.querySelector('input')) : owner;
  if (control && !control.matches(':disabled')) {
    reveal(control);
    control.focus();
    return true;
  }
  const summary = /** @type {HTMLElement | null} */ (surface.querySelector('.limn-summary'));
  if (!summary?.textContent?.trim()) return false;
  const link = /** @type {HTMLElement | null} */ (summary.querySelector('a[href^="#"], button.limn-show'));
  if (!link) summary.tabIndex = -1;
  (link ?? summary).focus();
  return true;
}

/**
 * Follows a link to something on the surface by focusing it.
 * @param {MouseEvent} event
 */
export function jump(event) {
  const link = (/** @type {Element} */ (event.target)).closest?.('a[href^="#"]:not([role="tab"])');
  const target = link && document.getElementById(decodeURIComponent((link.getAttribute('href') ?? '').slice(1)));
  if (!target) return;
  event.preventDefault();
  event.stopPropagation();
  const control = target.matches('input, select, textarea, button, [tabindex]') ? target : (/** @type {HTMLElement | null} */ (target.querySelector('input, select, textarea')) ?? target);
  reveal(control);
  control.focus();
  control.scrollIntoView({ block: 'center' });
}

/**
 * Shows the value of a slider beside it.
 * @param {Event} event
 */
export function output(event) {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.type !== 'range') return;
  for (const shown of /** @type {NodeListOf<HTMLOutputElement>} */ (document.querySelectorAll('output'))) {
    if (shown.htmlFor.contains(input.id)) shown.value = input.value;
  }
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
  if (box && lines.length > Math.min(room(row), inPlace)) {
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
 * @param {Element | undefined} cell
 * @returns {Control | null}
 */
function controlIn(cell) {
  return cell?.querySelector('input:not([type="hidden"], [type="file"]), textarea, select') ?? null;
}

/**
 * Enter in a cell goes to the cell below, Shift+Enter to the one above. Below the
 * last row it adds a row and goes there once it has come, unless the user has
 * gone elsewhere.
 * @param {KeyboardEvent} event
 */
export async function enter(event) {
  const input = /** @type {HTMLElement} */ (event.target);
  const cell = input.closest?.('.limn-table td');
  const row = cell?.closest('tr');
  if (!cell || !row || event.key !== 'Enter' || !input.matches('input:not([type="file"])')) return;
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const at = [...row.children].indexOf(cell);
  const go = (/** @type {Element | null} */ to) => {
    const control = /** @type {HTMLElement | null} */ (to?.children[at]?.querySelector('input:not([type="hidden"]), textarea, select'));
    control?.focus();
    if (control instanceof HTMLInputElement) control.select();
  };
  const next = await beside(row, event.shiftKey ? -1 : 1);
  if (event.shiftKey || next) {
    go(next);
    return;
  }
  const add = /** @type {HTMLButtonElement | null} */ (row.closest('.limn-table')?.querySelector('.limn-add button:enabled'));
  if (!add) return;
  const grown = new MutationObserver(() => {
    const here = input.closest('tr');
    if (here && !here.nextElementSibling) return;
    grown.disconnect();
    if (document.activeElement === input) go(here?.nextElementSibling ?? null);
  });
  if (row.parentElement) grown.observe(row.parentElement, { childList: true });
  add.click();
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
  }
  control.dispatchEvent(new Event('input', { bubbles: true }));
}
