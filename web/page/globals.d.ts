import type { Problem } from './page.js';

declare global {
  interface Window {
    limn: { draw: string; seq(): number; errors: Problem[] };
  }
}
