// The status line and the toasts: everything the page says outside the
// transcript. The line speaks to screen readers too (role="status").

import { must } from './page.js';
import { word } from './words.js';

/** @typedef {'info' | 'busy' | 'error'} Tone */

const line = must('limn-status');
let connection = ''; // shown until the stream is back, above all else
/** @type {{ text: string; tone: Tone }} */
let said = { text: '', tone: 'info' };

/**
 * Says one sentence; an empty one clears the line.
 * @param {string} text
 * @param {Tone} [tone]
 * @returns {() => void} takes it back, if the line still says it
 */
export function say(text, tone = 'info') {
  const mine = said = { text, tone };
  draw();
  return () => {
    if (said === mine) say('');
  };
}

/** Clears the line if it still says that something is going on. */
export function quiet() {
  if (said.tone === 'busy') say('');
}

/**
 * Says that the stream is lost (a sentence) or back ('').
 * @param {string} text
 */
export function connectionSays(text) {
  if (connection === text) return;
  connection = text;
  draw();
}

/** Whether the stream is there, as far as the page knows. */
export const connected = () => connection === '';

function draw() {
  const text = [connection, said.text].filter(Boolean).join(' ');
  if (line.textContent !== text) line.textContent = text;
  line.dataset.tone = connection ? 'error' : said.tone;
  line.classList.toggle('limn-busy', !connection && said.tone === 'busy');
}

/** @type {HTMLElement | undefined} */
let shelf;
const shownFor = 8000; // ms, longer while the pointer or focus is on it

/**
 * Shows a short message that goes away by itself.
 * @param {string} text
 */
export function toast(text) {
  if (!shelf) {
    shelf = document.createElement('div');
    shelf.id = 'limn-toasts';
    shelf.setAttribute('role', 'status');
    must('limn').append(shelf); // inside main, so that it belongs to a landmark
  }
  const item = document.createElement('p');
  item.className = 'limn-toast';
  item.textContent = text;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'limn-toast-close';
  close.setAttribute('aria-label', word('dismiss'));
  close.textContent = '×';
  close.addEventListener('click', () => item.remove());
  item.append(close);
  shelf.append(item);
  while (shelf.children.length > 4) shelf.firstElementChild?.remove();
  const leave = () => {
    if (item.matches(':hover, :focus-within')) setTimeout(leave, 2000);
    else item.remove();
  };
  setTimeout(leave, shownFor);
}
