// Buttons of rows that are pressed while the server cannot be reached, or on rows that others
// have just changed: they are pressed again, in their order, when it can, and on those rows.

import { connected, say } from './status.js';
import { word } from './words.js';

const most = 100; // that wait
const again = 3000; // ms, where the stream is there and a request fails
/** How often a button is pressed again that is refused as stale: what others did meanwhile may not be here yet. */
export const stales = 3;

/** @typedef {'done' | 'lost' | 'stale'} Pressed what became of it; lost and stale: it has to wait on */

/** @type {(() => Promise<Pressed>)[]} */
const waiting = [];
let busy = false;

/** Whether a button of a row has to wait: there is no network, or others wait before it. */
export const offline = () => waiting.length > 0 || !navigator.onLine;

/**
 * Lets a button wait.
 * @param {() => Promise<Pressed>} press presses it
 * @param {Pressed} first what became of it already
 */
export function wait(press, first = 'lost') {
  if (waiting.length >= most) {
    say(word('offline'), 'error');
    return;
  }
  waiting.push(press);
  if (first !== 'lost') {
    void back();
    return;
  }
  say(word('waits'));
  later();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Presses them after a while. */
function later() {
  timer ??= setTimeout(() => {
    timer = undefined;
    void back();
  }, again);
}

/** The server can be reached again, and the page shows what it has. */
export async function back() {
  if (busy || !waiting.length || !connected()) return;
  busy = true;
  say('');
  /** @type {Pressed} */
  let pressed = 'done';
  while (waiting.length && pressed === 'done') {
    pressed = await (/** @type {() => Promise<Pressed>} */ (waiting[0]))().catch(() => 'done'); // one that fails here is not to stop the others
    if (pressed === 'done') waiting.shift();
  }
  busy = false;
  if (pressed === 'done') return;
  if (pressed === 'lost') say(word('waits'));
  else say(word('working'), 'busy');
  later();
}
