import { noStyleElements } from './policy.js';

/** To be called when Turbo is loaded. */
export const loaded = noStyleElements();
