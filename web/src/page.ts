// The page as the server rendered it: what the body says, and the elements all
// drawings share.

/** One entry of the transcript. */
export interface Entry {
  seq: number;
  role: 'user' | 'assistant';
  text: string;
}

/** How a turn ended, and where the user should look. */
export interface Outcome {
  kind?: 'done' | 'asked' | 'refused' | 'failed';
  code?: string;
  surface?: string;
  path?: string;
  message?: string;
}

/** One event of the stream. */
export interface Frame {
  kind: 'frame' | 'snapshot';
  seq: number;
  text?: string;
  transcript?: Entry[];
  messages?: unknown[];
  toasts?: string[];
  event?: string;
  outcome?: Outcome;
  warnings?: string[];
  failed?: { surface: string; title: string }[]; // what could not be shown; in a frame that changed the list
  preferences?: boolean; // what the user wants of routing changed
  ended?: boolean; // nothing follows
}

/** A piece of what a running model says: its first at 0, which begins anew. */
export interface Delta {
  event: string;
  at: number; // characters before it
  text: string;
}

/** A problem somebody met; kept for tests and for people with a console. */
export interface Problem {
  code: string;
  message: string;
  surface?: string;
}

declare global {
  interface Window {
    limn: { draw: string; seq(): number; errors: Problem[] };
  }
}

const data = document.body.dataset;

/** What the server wrote on the body. */
export const page = {
  conversation: data.conversation ?? '',
  draw: data.draw ?? '',
  stream: data.stream ?? '',
  cursor: data.cursor ?? '',
  api: data.api ?? '',
  client: Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, '0')).join(''), // this page among those of its user
};

/** The element with this id; the page contract promises it. */
export function must<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

let seq = 0;
const errors: Problem[] = [];

/** The last frame this page shows. */
export const lastSeq = (): number => seq;
export function setSeq(n: number): void {
  seq = n;
}

/** Remembers a problem, at most the last hundred. */
export function note(problem: Problem): void {
  errors.push(problem);
  if (errors.length > 100) errors.shift();
}

window.limn = { draw: page.draw, seq: lastSeq, errors };
