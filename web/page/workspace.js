// The open surfaces. One is shown at a time, and those that wait are tabs above it. On a
// narrow screen it covers the conversation, which is one button away.

import { must } from './page.js';
import { word } from './words.js';

const place = must('limn-surfaces');
const bar = must('limn-open');
const again = must('limn-reopen');
const narrow = matchMedia('(max-width: 59.99rem)');

let shown = ''; // id of the surface that is shown
let drawn = ''; // what the bar says
const wanted = decode(location.hash.slice(1)); // the address names a surface, or something in one
/** @type {Set<string>} */
let known = new Set(); // ids of the surfaces that were open before

/** Takes clicks on the tabs and on the two ways between surface and conversation. */
export function listenWorkspace() {
  document.body.classList.add('limn-workspace');
  bar.addEventListener('click', (event) => {
    const button = /** @type {HTMLElement | null} */ ((/** @type {Element} */ (event.target)).closest('button'));
    if (button?.dataset.for) choose(button.dataset.for);
    else if (button) cover(false);
  });
  again.addEventListener('click', () => cover(true));
  addEventListener('popstate', travelled);
}

/** Shows the newest surface, unless the user is at work in another; after every render. */
export function syncWorkspace() {
  const open = frames();
  const news = open.filter((frame) => !known.has(frame.id));
  const fresh = news.find((frame) => frame.id === wanted || frame.contains(document.getElementById(wanted))) ?? news.at(-1);
  known = new Set(open.map((frame) => frame.id));
  if (!known.has(shown) || (fresh && !place.contains(document.activeElement))) {
    shown = (fresh ?? open.at(-1))?.id ?? '';
    cover(shown !== '' && (!!fresh || covers()));
  }
  draw();
}

/** Shows the surface that an element is in. @param {Element} element */
export function showSurface(element) {
  const frame = element.closest('#limn-surfaces > turbo-frame');
  if (frame) choose(frame.id);
}

/**
 * Shows the surface that answers the user's own click, wherever they are at work, and goes to
 * its first control unless they have gone elsewhere.
 * @param {string} name as the server writes it in a header
 */
export function answerWith(name) {
  const frame = frames().find((one) => one.id === decode(name));
  if (!frame) return;
  const active = document.activeElement;
  choose(frame.id);
  cover(true);
  if (active && active !== document.body && !place.contains(active)) return;
  const first = /** @type {HTMLElement | null} */ (frame.querySelector('input:not([type=hidden], [disabled]), select, textarea, button:not([tabindex="-1"])'));
  first?.focus();
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** @returns {HTMLElement[]} */
const frames = () => [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(':scope > turbo-frame'))];

const covers = () => document.body.classList.contains('limn-sheet');

/** @param {string} id */
function choose(id) {
  shown = id;
  draw();
}

const held = document.body.dataset.embed !== undefined; // the history is that of the page around
const stepped = () => Boolean(history.state?.limnSheet); // the entry of the history that shows the sheet is reached
let leaving = false; // history.back() was called for a sheet that is closed
let hash = location.hash;

/** The sheet is an entry of the history: Back leads to the conversation, Forward to the sheet. */
function step() {
  if (held || !narrow.matches || leaving || stepped() === covers()) return;
  if (covers()) {
    history.pushState({ limnSheet: true }, '');
  } else {
    leaving = true;
    history.back();
  }
}

/** The user went back or forward. */
function travelled() {
  if (leaving) {
    leaving = false;
    step(); // the sheet may be open again
    return;
  }
  if (location.hash !== hash) { // a link within the page
    hash = location.hash;
    return;
  }
  cover(stepped() && shown !== '');
}

/**
 * Covers the conversation with the surface, or shows it again: only a narrow screen
 * shows the difference.
 * @param {boolean} on
 */
function cover(on) {
  if (covers() === on) return;
  document.body.classList.toggle('limn-sheet', on);
  step();
  draw();
  if (!narrow.matches) return;
  const target = on ? document.getElementById(shown) : again.checkVisibility() ? again : null;
  if (target === null) return;
  if (on) target.tabIndex = -1;
  target.focus();
  if (on) scrollTo(0, 0);
}

function draw() {
  const open = frames();
  for (const frame of open) frame.hidden = frame.id !== shown;
  const titles = open.map((frame) => frame.querySelector('.limn-title')?.textContent ?? '');
  const now = JSON.stringify([shown, titles]);
  if (now === drawn) return;
  drawn = now;
  bar.replaceChildren(tab(word('back'), { className: 'limn-back' }), ...(open.length > 1 ? open.map((frame, i) => tab(titles[i], { id: frame.id, on: frame.id === shown })) : []));
  bar.hidden = open.length === 0;
  bar.classList.toggle('limn-alone', open.length === 1);
  again.hidden = open.length === 0;
  again.textContent = word('reopen', { label: titles[open.findIndex((frame) => frame.id === shown)] ?? '' });
}

/**
 * @param {string} text
 * @param {{ id?: string; on?: boolean; className?: string }} of
 */
function tab(text, { id, on, className = 'limn-tab' }) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.textContent = text;
  if (id) button.dataset.for = id;
  if (on) button.setAttribute('aria-current', 'true');
  return button;
}
