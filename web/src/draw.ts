// A page with one drawing, for the playground, which says what it is to show. Nothing is sent
// anywhere.

import { must } from '../page/page.js';

/** The place of the surfaces. */
export const place = must('limn-surfaces');

/** Draws messages whenever they come; what cannot be drawn is said in its place. */
export function draws(draw: (messages: Record<string, unknown>[]) => void): void {
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || origin !== location.origin || !Array.isArray(data?.messages)) return;
    try {
      draw(data.messages);
    } catch (error) {
      fail(error);
    }
  });
  parent.postMessage('ready', location.origin);
}

/** Says why there is no drawing. */
export function fail(error: unknown): void {
  const said = document.createElement('p');
  said.setAttribute('role', 'alert');
  said.textContent = error instanceof Error ? error.message : String(error);
  place.append(said);
}
