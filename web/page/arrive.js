// A surface that opens as the answer to a message may lie below the fold: the
// page goes there. Nothing else moves the page.

import { must } from './page.js';

/** @type {Set<string>} */
const seen = new Set();
let waiting = false; // the user has sent a message, and no surface came since

/** The user has sent a message. */
export function asked() {
  waiting = true;
}

/** Watches the place of the surfaces; what is there already is no news. */
export function watch() {
  const place = must('limn-surfaces');
  look(place);
  new MutationObserver(() => look(place)).observe(place, { childList: true });
}

/** @param {HTMLElement} place */
function look(place) {
  for (const element of place.children) {
    if (!(element instanceof HTMLElement)) continue;
    const id = element.dataset.surface ?? element.id;
    if (!id || seen.has(id)) continue;
    seen.add(id);
    if (!waiting || document.activeElement?.closest('#limn-surfaces')) continue;
    waiting = false;
    const box = element.getBoundingClientRect();
    if (box.top > innerHeight * 0.8 || box.bottom < 0) element.scrollIntoView({ block: 'start' });
  }
}
