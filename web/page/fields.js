// What the HTML drawing needs after each render. A control is inside a permanent
// wrapper: a render keeps it, and with it its old aria-invalid. Package html
// puts an error slot beside every control, always there and always the control's
// aria-describedby; its data-for names the element that is valid or not.

import { reveal } from './tabs.js';

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
 * A click on a step of the picture goes to its fields. Returns whether it was one.
 * @param {MouseEvent} event
 * @returns {boolean}
 */
export function pictured(event) {
  const box = /** @type {SVGElement | null} */ ((/** @type {Element} */ (event.target)).closest?.('.limn-form .limn-svg [data-step]'));
  const step = box?.closest('form')?.querySelector(`.limn-steps > ol > li:nth-child(${box.dataset.step})`);
  const control = /** @type {HTMLElement | null | undefined} */ (step?.querySelector('input, textarea, select'));
  control?.focus();
  control?.scrollIntoView({ block: 'center' });
  return !!control;
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
