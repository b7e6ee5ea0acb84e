// What the HTML drawing needs after each render. A control is inside a permanent
// wrapper: a render keeps it, and with it its old aria-invalid. Package html
// puts an error slot beside every control, always there and always the control's
// aria-describedby; its data-for names the element that is valid or not.

import { reveal } from './tabs.js';

const slots = '.limn-error[data-for]';

/** Sets aria-invalid below root by the error slots. */
export function syncErrors(root: ParentNode): void {
  for (const slot of root.querySelectorAll<HTMLElement>(slots)) {
    const owner = document.getElementById(slot.dataset.for ?? '');
    if (!owner || !owner.matches('input, select, textarea, [role="radiogroup"]')) continue; // a table as a whole cannot be invalid
    if (slot.textContent?.trim()) owner.setAttribute('aria-invalid', 'true');
    else owner.removeAttribute('aria-invalid');
  }
}

/** Focuses the first invalid control of a surface, else what its summary says first. */
export function focusInvalid(surface: ParentNode): boolean {
  const owner = surface.querySelector<HTMLElement>('[aria-invalid="true"]');
  const control = owner?.matches('[role="radiogroup"]') ? owner.querySelector<HTMLElement>('input') : owner;
  if (control && !control.matches(':disabled')) {
    reveal(control);
    control.focus();
    return true;
  }
  const summary = surface.querySelector<HTMLElement>('.limn-summary');
  if (!summary?.textContent?.trim()) return false;
  const link = summary.querySelector<HTMLElement>('a[href^="#"]');
  if (!link) summary.tabIndex = -1;
  (link ?? summary).focus();
  return true;
}

/** Follows a link to something on the surface by focusing it. */
export function jump(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a[href^="#"]:not([role="tab"])');
  const target = link && document.getElementById(decodeURIComponent(link.getAttribute('href')!.slice(1)));
  if (!target) return;
  event.preventDefault();
  event.stopPropagation();
  const control = target.matches('input, select, textarea, button, [tabindex]') ? target : (target.querySelector<HTMLElement>('input, select, textarea') ?? target);
  reveal(control);
  control.focus();
  control.scrollIntoView({ block: 'center' });
}

/** Shows the value of a slider beside it. */
export function output(event: Event): void {
  const input = event.target as HTMLInputElement;
  if (input.type !== 'range') return;
  for (const shown of document.querySelectorAll<HTMLOutputElement>('output')) {
    if (shown.htmlFor.contains(input.id)) shown.value = input.value;
  }
}

/** Spreads a paste from a spreadsheet over the cells right of and below the one
 *  it goes into. One with more rows than there are goes, where the surface can
 *  read pastes, through its box: the user sees what was read before it is added.
 *  Returns how many rows found no place. */
export function paste(event: ClipboardEvent): number {
  const cell = (event.target as Element).closest?.('td');
  const row = cell?.closest('tr');
  const text = event.clipboardData?.getData('text/plain').replace(/\r\n?/g, '\n').replace(/\n$/, '') ?? '';
  if (!cell || !row?.closest('.limn-table') || !/[\t\n]/.test(text) || (event.target as Element).localName === 'textarea') return 0;
  event.preventDefault();
  const from = [...row.children].indexOf(cell);
  const lines = text.split('\n').map((line) => line.split('\t'));
  const room = row.parentElement!.children.length - [...row.parentElement!.children].indexOf(row);
  const form = row.closest('form');
  const box = form?.querySelector<HTMLTextAreaElement>('textarea[name="/draft/paste"]:enabled');
  if (box && lines.length > room) {
    put(box, text);
    form!.querySelector<HTMLButtonElement>('button[value*="/paste/read:"]')?.click();
    return 0;
  }
  let at: Element | null = row;
  let left = lines.length;
  for (const line of lines) {
    if (!at) break;
    line.forEach((value, i) => {
      const control = at!.children[from + i]?.querySelector<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>('input:not([type="hidden"], [type="file"]), textarea, select');
      if (control) put(control, value.trim());
    });
    left--;
    at = at.nextElementSibling;
  }
  return left;
}

/** Enter in a cell goes to the cell below, Shift+Enter to the one above. Below the
 *  last row it adds a row and goes there once it has come, unless the user has
 *  gone elsewhere. */
export function enter(event: KeyboardEvent): void {
  const input = event.target as HTMLElement;
  const cell = input.closest?.('.limn-table td');
  const row = cell?.closest('tr');
  if (!cell || !row || event.key !== 'Enter' || !input.matches('input:not([type="file"])')) return;
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const at = [...row.children].indexOf(cell);
  const go = (to: Element | null): void => {
    const control = to?.children[at]?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, select');
    control?.focus();
    if (control instanceof HTMLInputElement) control.select();
  };
  if (event.shiftKey || row.nextElementSibling) {
    go(event.shiftKey ? row.previousElementSibling : row.nextElementSibling);
    return;
  }
  const add = row.closest('.limn-table')?.querySelector<HTMLButtonElement>('.limn-add button:enabled');
  if (!add) return;
  const grown = new MutationObserver(() => {
    if (row.isConnected && !row.nextElementSibling) return;
    grown.disconnect();
    if (document.activeElement === input) go(row.nextElementSibling);
  });
  grown.observe(row.parentElement!, { childList: true });
  add.click();
}

function put(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void {
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
