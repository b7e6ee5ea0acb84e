// Drafts that several people fill in at once: loads the script for it, and keeps what
// comes before it is there.

import { note, page } from './page.js';
import { say } from './status.js';
import { word } from './words.js';

/**
 * @typedef {object} Live as datasync.ts makes it
 * @property {(message: object) => boolean} receive
 * @property {(event: { clients: number; messages: object[] }) => void} watch
 * @property {(list: Record<string, string>) => void} names
 * @property {(open: string[]) => void} surfaces
 * @property {(surface: string, run: () => void) => void} absorb
 * @property {(surface: string) => boolean} shares
 * @property {() => void} flush
 */

/** @type {Live | undefined} */
let live;
/** @type {((live: Live) => void)[]} */
let waiting = [];

/**
 * Loads the script, if drafts are shared; make has it share what this drawing shows.
 * @param {(script: any, lent: object) => Live} make
 */
export function startLive(make) {
  if (!page.share) return;
  import(page.share).then((script) => {
    live = make(script, { api: page.api, conversation: page.conversation, word, say, note });
    for (const run of waiting) run(live);
    waiting = [];
  }, (error) => note({ code: 'SCRIPT_ERROR', message: String(error) }));
}

/**
 * Runs with what shares drafts, once it is there.
 * @param {(live: Live) => void} run
 */
export function withLive(run) {
  if (live) run(live);
  else if (page.share && waiting.length < 1000) waiting.push(run);
}

/**
 * Runs what writes to a surface for the server: this is nothing that was typed.
 * @param {string} surface
 * @param {() => void} run
 */
export function absorb(surface, run) {
  if (live) live.absorb(surface, run);
  else run();
}

/**
 * Whether the drafts of a surface are shared by now.
 * @param {string} surface
 */
export const shares = (surface) => live?.shares(surface) ?? false;
