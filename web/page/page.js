// The page as the server rendered it: what the body says, and the elements all
// drawings share.

/**
 * One entry of the transcript.
 * @typedef {object} Entry
 * @property {number} seq
 * @property {'user' | 'assistant'} role
 * @property {string} text
 * @property {string} [by] the name of the operator who says it
 * @property {string} [html] the Markdown of an answer, rendered by the server
 */

/**
 * How a turn ended, and where the user should look.
 * @typedef {object} Outcome
 * @property {'done' | 'asked' | 'refused' | 'failed'} [kind]
 * @property {string} [code]
 * @property {string} [surface]
 * @property {string} [path]
 * @property {string} [message]
 */

/**
 * One event of the stream.
 * @typedef {object} Frame
 * @property {'frame' | 'snapshot'} kind
 * @property {number} seq
 * @property {string} [text]
 * @property {Entry[]} [transcript]
 * @property {unknown[]} [messages]
 * @property {string[]} [toasts]
 * @property {string} [event]
 * @property {Outcome} [outcome]
 * @property {Record<string, string>} [actors] the names of those who share drafts
 * @property {string[]} [warnings]
 * @property {{ surface: string; title: string }[]} [failed] what could not be shown; in a frame that changed the list
 * @property {boolean} [preferences] what the user wants of routing changed
 * @property {string} [operator] who answers in place of the model, in a frame that changed it; '' is nobody
 * @property {boolean} [ended] nothing follows
 */

/**
 * A piece of what a running model says: the first is at 0 and begins again.
 * @typedef {object} Delta
 * @property {string} event
 * @property {number} at characters before it
 * @property {string} text
 */

/**
 * A problem of this page; kept for tests and for people with a console.
 * @typedef {object} Problem
 * @property {string} code
 * @property {string} message
 * @property {string} [surface]
 */

const data = document.body.dataset;

/** What the server wrote on the body. */
export const page = {
  conversation: data.conversation ?? '',
  draw: data.draw ?? '',
  stream: data.stream ?? '',
  cursor: data.cursor ?? '',
  api: data.api ?? '',
  at: data.page ?? '', // of this page
  share: data.share ?? '', // the script by which drafts are shared; '' where they are not
  process: data.process ?? '', // the script that edits processes; '' where it is not
  client: Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, '0')).join(''), // this page among those of its user
};

/**
 * The element with this id; the page contract promises it.
 * @template {HTMLElement} T
 * @param {string} id
 * @returns {T}
 */
export function must(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (found);
}

let seq = 0;
/** @type {Problem[]} */
const errors = [];

/**
 * The last frame this page shows.
 * @returns {number}
 */
export const lastSeq = () => seq;
/** @param {number} n */
export function setSeq(n) {
  seq = n;
}

/**
 * Remembers a problem, at most the last hundred.
 * @param {Problem} problem
 */
export function note(problem) {
  errors.push(problem);
  if (errors.length > 100) errors.shift();
}

window.limn = { draw: page.draw, seq: lastSeq, errors };

/**
 * Whether the user is at work outside of place: the focus is not taken away from there.
 * @param {HTMLElement} place
 */
export function isAwayFrom(place) {
  const at = document.activeElement;
  return at !== null && at !== document.body && !place.contains(at);
}
