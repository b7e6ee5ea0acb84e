// A surface that takes no input any more is a card in the conversation. The server's
// streams change a surface where it is: this script moves it to where it belongs.

import { must } from './page.js';

const log = must('limn-transcript');
const place = must('limn-surfaces');

/** Moves each surface to its place, and says times as the user's clock has them; after every render. */
export function settleCards() {
  for (const frame of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('turbo-frame'))) {
    const item = frame.closest('li');
    const done = /** @type {HTMLElement | null} */ (frame.querySelector(':scope > .limn-done'));
    if (!done && item) place.append(frame);
    if (done && !item) put(frame, Number(done.dataset.seq));
  }
  for (const item of log.querySelectorAll('.limn-done-item:empty')) item.remove();
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('.limn-done time[datetime]'))) time.textContent = local(new Date(time.dateTime));
}

/** Takes all cards away: what comes next brings them again. */
export function dropCards() {
  for (const item of log.querySelectorAll('.limn-done-item')) item.remove();
}

/**
 * Puts a card before the first message that came with it or later.
 * @param {HTMLElement} frame
 * @param {number} seq
 */
function put(frame, seq) {
  const item = document.createElement('li');
  item.className = 'limn-done-item';
  const next = [.../** @type {Iterable<HTMLElement>} */ (log.children)].find((li) => li.matches('.limn-pending') || Number(li.dataset.seq) >= seq);
  log.insertBefore(item, next ?? null);
  item.append(frame);
}

/**
 * @param {Date} at
 * @returns {string}
 */
function local(at) {
  const today = at.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(document.documentElement.lang || undefined, today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
