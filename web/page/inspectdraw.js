// The drawings of the playground side by side: HTML, the official renderers in frames of
// their own, and what has none simulated.

import { el, frame, page, screen } from './inspectshow.js';
/** @import { Rendering } from './inspectshow.js' */

/** @typedef {{ name: string; of: string; draw?: string; note?: string }} Drawing */

/** @type {Drawing[]} */
const all = [
  { name: 'A2UI v0.8', of: 'v0.8', draw: 'v0.8' },
  { name: 'A2UI v0.9', of: 'v0.9', draw: 'v0.9' },
  { name: 'A2UI v0.9, Limn’s components', of: 'v0.9 own', draw: 'v0.9' },
  { name: 'A2UI v0.9 with React', of: 'v0.9', draw: 'react' },
  { name: 'A2UI v1.0, simulated', of: 'v1.0', note: 'No renderer of v1.0 is published: this is the one without a screen.' },
];
const built = (document.body.dataset.drawings ?? '').split(' ');

/** The drawings of one source after another. */
export class Drawings {
  constructor() {
    this.element = el('div', { class: 'inspect-columns inspect-two' });
    /** @type {Map<string, { place: HTMLElement; frame?: HTMLIFrameElement; ready: boolean }>} */
    this.places = new Map();
    /** @type {Rendering[]} */
    this.list = [];
    addEventListener('message', ({ source, origin, data }) => {
      if (origin !== location.origin || data !== 'ready') return;
      for (const [name, one] of this.places) {
        if (one.frame?.contentWindow !== source) continue;
        one.ready = true;
        this.send(name);
      }
    });
  }

  /** @param {string | undefined} html @param {Rendering[]} list */
  show(html, list) {
    this.list = list;
    const names = [];
    if (html !== undefined) {
      names.push('HTML');
      this.place('HTML').replaceChildren(frame(html));
    }
    for (const d of all) {
      const rendering = this.rendering(d.of);
      if (!rendering) continue;
      names.push(d.name);
      const place = this.place(d.name), one = this.places.get(d.name);
      if (d.draw && built.includes(d.draw)) {
        if (one && !one.frame) {
          one.frame = el('iframe', { class: 'inspect-frame', title: `What the user of ${d.name} sees`, src: `${page.home}/draw/${d.draw}`, sandbox: 'allow-scripts allow-same-origin' });
          place.replaceChildren(one.frame);
        }
        this.send(d.name);
      } else {
        place.replaceChildren(el('p', { class: 'inspect-note' }, d.note ?? 'This program was built without this renderer: this is the one without a screen.'), screen(rendering));
      }
    }
    for (const [name, { place }] of this.places) place.parentElement?.toggleAttribute('hidden', !names.includes(name));
  }

  /** @param {string} of */
  rendering(of) { return this.list.find((r) => r.target === of) ?? this.list.find((r) => of === 'v0.9' && r.target.startsWith('v0.9.') || of === 'v1.0' && r.target.startsWith('v1.0')); }

  /** What is below the heading of a drawing. @param {string} name */
  place(name) {
    let one = this.places.get(name);
    if (!one) {
      one = { place: el('div'), ready: false };
      this.places.set(name, one);
      this.element.append(el('section', { 'aria-label': name }, el('h3', {}, name), one.place));
    }
    return one.place;
  }

  /** Tells a frame what to draw, once it listens. @param {string} name */
  send(name) {
    const one = this.places.get(name), rendering = this.rendering(all.find((d) => d.name === name)?.of ?? '');
    if (one?.ready && rendering) one.frame?.contentWindow?.postMessage({ messages: rendering.messages.filter((m) => m && typeof m === 'object') }, location.origin);
  }
}
