// Buttons of rows that are pressed while the server cannot be reached: they are pressed
// again, in their order, when it can.

import { say } from './status.js';
import { word } from './words.js';

const most = 100; // that wait
const again = 3000; // ms, where the stream is there and a request fails
/** How often a button is pressed again that is refused as stale: what others did meanwhile may not be here yet. */
export const stales = 3;

/** @type {(() => Promise<boolean>)[]} */
const waiting = [];
let busy = false;

/** Whether a button of a row has to wait: there is no network, or others wait before it. */
export const offline = () => waiting.length > 0 || !navigator.onLine;

/**
 * Lets a button wait.
 * @param {() => Promise<boolean>} press presses it; false: it has to wait on
 */
export function wait(press) {
  if (waiting.length >= most) {
    say(word('offline'), 'error');
    return;
  }
  waiting.push(press);
  say(word('waits'));
}

/** The server can be reached again, and the page shows what it has. */
export async function back() {
  if (busy || !waiting.length) return;
  busy = true;
  say('');
  let reached = true;
  while (waiting.length && reached) {
    reached = await (/** @type {() => Promise<boolean>} */ (waiting[0]))().catch(() => true); // one that fails here is not to stop the others
    if (reached) waiting.shift();
  }
  busy = false;
  if (reached) return;
  say(word('waits'));
  setTimeout(() => void back(), again);
}
