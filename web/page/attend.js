// The part of the page by which an operator answers: fetched again when another answers.

import { page } from './page.js';

const keptAs = `limn:answer:${page.conversation}`; // what was typed when another took over

/** The box of an answer, where the operator attends. */
const boxOf = (/** @type {Element | null} */ place) => /** @type {HTMLTextAreaElement | null | undefined} */ (place?.querySelector('#limn-say'));

/** Puts back what was typed before the operator had to attend once more. */
export function start() {
  const place = document.getElementById('limn-operator'), box = boxOf(place);
  if (box) {
    box.value ||= kept();
    keep('');
  }
  place?.parentElement?.addEventListener('submit', (event) => boxOf(/** @type {Element} */ (event.target)) && keep(''));
}

const away = 5000; // ms before it is asked for again
let asked = 0; // the newest answer counts

/** Fetches and shows the part as the server has it; what was typed stays. */
export async function refresh() {
  const mine = ++asked;
  let text = '', status = 0;
  try {
    const answer = await fetch(location.href, { credentials: 'same-origin', cache: 'no-store' });
    text = await answer.text();
    status = answer.status;
  } catch {
    // the network is away
  }
  if (status === 0 || status === 429 || status >= 500) {
    setTimeout(() => mine === asked && void refresh(), away);
    return;
  }
  const old = document.getElementById('limn-operator');
  const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('limn-operator');
  if (mine !== asked || !old || !fresh) return; // a page of a sign-in has no such part
  const now = document.importNode(fresh, true);
  now.querySelector('[autofocus]')?.removeAttribute('autofocus');
  const focused = old.contains(document.activeElement) ? document.activeElement?.id : '';
  const name = old.querySelector('#limn-operator-name');
  if (name) now.querySelector('#limn-operator-name')?.replaceWith(name);
  const box = boxOf(old), place = boxOf(now);
  if (box?.value) {
    box.readOnly = !place;
    keep(box.value); // "Answer here" leads to a new page
    if (place) {
      place.replaceWith(box);
    } else {
      box.setAttribute('aria-label', box.placeholder);
      now.append(box);
    }
  }
  old.replaceWith(now);
  if (focused) document.getElementById(focused)?.focus();
}

/** @param {string} text */
function keep(text) {
  try {
    if (text) sessionStorage.setItem(keptAs, text);
    else sessionStorage.removeItem(keptAs);
  } catch {
    // storage is a comfort, never a need
  }
}

/** @returns {string} */
function kept() {
  try {
    return sessionStorage.getItem(keptAs) ?? '';
  } catch {
    return '';
  }
}
