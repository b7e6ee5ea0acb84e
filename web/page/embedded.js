// The page inside a <limn-chat> or <limn-surface> of another page, which it talks with. The
// Content-Security-Policy says whose pages may hold it.

import { sendNext } from './chat.js';
import { must, page } from './page.js';
/** @import { Frame } from './page.js' */

const held = document.body.dataset.embed !== undefined && parent !== window;

/** @param {object} message */
const tell = (message) => held && parent.postMessage(message, '*'); // whoever holds the page may

/** Listens to the page around, and says how high this one is. */
export function listenHost() {
  if (!held) return;
  addEventListener('message', (event) => {
    if (event.source !== parent) return;
    const { limn, text, values } = event.data ?? {};
    if (limn === 'say' && typeof text === 'string') sendNext(text);
    if (limn === 'look') {
      for (const [name, value] of Object.entries(values ?? {})) if (name.startsWith('--limn-')) document.documentElement.style.setProperty(name, String(value));
    }
  });
  const grown = new ResizeObserver(() => tell({ limn: 'height', height: Math.ceil(must('limn').getBoundingClientRect().height) }));
  grown.observe(must('limn'));
  tell({ limn: 'ready', conversation: page.conversation, fresh: !document.querySelector('#limn-transcript > li') });
}

/** Says what became of an event. @param {Frame} frame */
export function tellOutcome(frame) {
  if (frame.outcome?.kind) tell({ limn: 'outcome', ...frame.outcome });
}
