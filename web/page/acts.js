// What can be done with a message: copy an answer, and change or send the user's last
// message again.

import { must } from './page.js';
import { say } from './status.js';
import { word } from './words.js';

const log = must('limn-transcript');

/**
 * Puts the buttons where they belong; after every change of the transcript.
 * @param {{ edit: (text: string) => void; again: (text: string) => void } | undefined} last what to do with the user's last message; undefined: nothing now
 */
export function syncActs(last) {
  if (navigator.clipboard) {
    for (const li of /** @type {NodeListOf<HTMLElement>} */ (log.querySelectorAll('li.limn-assistant[data-seq]:not(:has(> .limn-acts))'))) {
      li.append(acts(act('copy', () => void copy(li))));
    }
  }
  const li = [.../** @type {NodeListOf<HTMLElement>} */ (log.querySelectorAll('li.limn-user[data-seq]'))].at(-1);
  const there = log.querySelector('li.limn-user > .limn-acts');
  if (last && li && there?.parentElement === li && there.querySelector('[data-live]')) return;
  for (const old of log.querySelectorAll('li.limn-user > .limn-acts')) old.remove();
  const text = li?.textContent ?? '';
  if (last && li) li.append(acts(act('edit', () => last.edit(text)), act('again', () => last.again(text))));
}

/**
 * @param {HTMLElement[]} buttons
 * @returns {HTMLElement}
 */
function acts(...buttons) {
  const span = document.createElement('span');
  span.className = 'limn-acts';
  span.append(...buttons);
  return span;
}

/**
 * A button with a picture; its name is a word.
 * @param {'copy' | 'edit' | 'again'} name
 * @param {() => void} run
 * @returns {HTMLElement}
 */
function act(name, run) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `limn-act limn-${name}`;
  button.dataset.live = '';
  button.title = word(name);
  button.setAttribute('aria-label', word(name));
  button.addEventListener('click', run);
  return button;
}

/** @param {HTMLElement} li */
async function copy(li) {
  try {
    await navigator.clipboard.writeText(li.innerText.trim());
    say(word('copied'));
  } catch {
    say(word('copy.failed'), 'error');
  }
}
