// For pages of other programs: <limn-chat> is a conversation, <limn-surface> one form,
// table, map or view of it. Both are frames of the server this script comes from.
//
//   <script src="https://desk.example/assets/embed.js"></script>
//   <limn-surface say="add a customer"></limn-surface>
//
// Attributes: conversation, an id; without it the user's newest, or a new one. say, a
// message to begin with. Method: say(text). Events: limn-ready, with the conversation's id;
// limn-outcome, with what became of a message or a click. Colours and the font follow the
// properties --limn-accent, --limn-text and so on of the element.

(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const base = new URL('..', script.src);
  const looks = ['accent', 'accent-strong', 'on-accent', 'soft', 'focus', 'page', 'raised', 'field', 'text', 'muted', 'line', 'edge', 'radius-1', 'radius-2', 'radius-3', 'font'];

  /** @type {Embedded[]} */
  const waiting = []; // without a conversation of their own, until the first has begun the one that all find
  let begun = false;

  class Embedded extends HTMLElement {
    /** What the frame shows. @returns {'chat' | 'surface'} */
    get shows() { return 'chat'; }

    /** @type {string[]} */
    unsaid = []; // until the page in the frame listens
    listens = false;

    heard = (/** @type {MessageEvent} */ event) => this.hear(event);

    connectedCallback() {
      addEventListener('message', this.heard);
      this.listens = false; // a frame that was moved loads once more
      if (this.frame) return;
      if (!this.style.display) this.style.display = 'block';
      if (begun || this.getAttribute('conversation') || waiting.push(this) === 1) this.open();
    }

    disconnectedCallback() {
      removeEventListener('message', this.heard);
      const i = waiting.indexOf(this);
      if (i < 0) return;
      waiting.splice(i, 1);
      this.frame?.remove();
      this.frame = undefined;
      if (i === 0) waiting[0]?.open();
    }

    /** Loads the page into a frame. */
    open() {
      const id = this.getAttribute('conversation');
      const at = new URL(id ? `c/${encodeURIComponent(id)}` : '.', base);
      at.searchParams.set('embed', this.shows);
      const frame = document.createElement('iframe');
      Object.assign(frame, { src: at.href, title: this.getAttribute('aria-label') ?? this.title, allow: 'clipboard-write' });
      frame.style.cssText = `display: block; width: 100%; height: ${this.shows === 'chat' ? '100%' : '0'}; border: 0; color-scheme: normal;`;
      frame.addEventListener('load', () => {
        if (waiting[0] !== this) return;
        begun = true;
        for (const one of waiting.splice(0).slice(1)) one.open();
      });
      this.frame = frame;
      (this.shadowRoot ?? this.attachShadow({ mode: 'open' })).append(frame);
    }

    /** Sends a message as the user. @param {string} text */
    say(text) {
      if (this.listens) this.tell({ limn: 'say', text });
      else this.unsaid.push(text);
    }

    /** @param {object} message */
    tell(message) { this.frame?.contentWindow?.postMessage(message, base.origin); }

    /** @param {MessageEvent} event */
    hear(event) {
      if (event.source !== this.frame?.contentWindow || event.origin !== base.origin) return;
      const { limn, height, ...detail } = event.data ?? {};
      if (limn === 'height' && this.shows === 'surface' && this.frame) this.frame.style.height = `${height}px`;
      if (limn === 'ready') {
        const own = getComputedStyle(this);
        this.tell({ limn: 'look', values: Object.fromEntries(looks.map((name) => [`--limn-${name}`, own.getPropertyValue(`--limn-${name}`).trim()]).filter(([, value]) => value)) });
        const first = this.getAttribute('say');
        if (first && detail.fresh) this.unsaid.unshift(first);
        this.listens = true;
        for (const text of this.unsaid.splice(0)) this.say(text);
      }
      if (limn === 'ready' || limn === 'outcome') this.dispatchEvent(new CustomEvent(`limn-${limn}`, { detail, bubbles: true }));
    }
  }

  customElements.define('limn-chat', class extends Embedded {});
  customElements.define('limn-surface', class extends Embedded {
    /** @returns {'surface'} */
    get shows() { return 'surface'; }
  });
})();
