// The look of the v0.8 renderer. Its theme is class names; its own atomic
// classes bring a palette of their own, so the names here are ours, and one
// sheet that every component adopts gives them the colours of the page.

import { css, type CSSResult } from 'lit';
import type { Types } from '@a2ui/lit/v0_8';

const on = (...names: string[]): Record<string, boolean> => Object.fromEntries(names.map((name) => [name, true]));
const field = { container: on('l-field'), element: on('l-input'), label: on('l-label') };

/** The theme context of the renderer; plain data. */
export const theme: Types.Theme = {
  components: {
    AudioPlayer: {}, Video: {}, Divider: on('l-divider'), Icon: {},
    Button: on('l-button'), Card: on('l-card'), Column: on('l-column'), Row: on('l-row'), List: on('l-column'),
    CheckBox: { container: on('l-check'), element: {}, label: {} },
    DateTimeInput: field, MultipleChoice: field, Slider: field, TextField: field,
    Image: { all: on('l-image'), icon: {}, avatar: {}, smallFeature: {}, mediumFeature: {}, largeFeature: {}, header: {} },
    Modal: { backdrop: {}, element: on('l-card') },
    Tabs: { container: {}, element: on('l-tabs'), controls: { all: on('l-tab'), selected: on('l-tab-on') } },
    Text: { all: on('l-text'), h1: on('l-h1'), h2: on('l-h2'), h3: on('l-h3'), h4: on('l-h4'), h5: on('l-h5'), caption: on('l-caption'), body: {} },
  },
  elements: { a: {}, audio: {}, body: {}, button: {}, h1: {}, h2: {}, h3: {}, h4: {}, h5: {}, iframe: {}, input: {}, p: {}, pre: {}, textarea: {}, video: {} },
  markdown: { p: [], h1: [], h2: [], h3: [], h4: [], h5: [], ul: [], ol: [], li: [], a: [], strong: [], em: [] },
};

const sheet = css`
  :host { max-height: none; overflow: visible; min-width: 0; }
  .l-column, .l-row { gap: 0.6rem; min-width: 0; flex: 1; }
  :host(:is(a2ui-textfield, a2ui-datetimeinput, a2ui-slider, a2ui-multiplechoice)) { flex: var(--weight, 1); min-width: min(9rem, 100%); }
  :host(:is(a2ui-column, a2ui-checkbox)) { min-width: min(7rem, 100%); }
  .l-row { flex-wrap: wrap; } /* what does not fit goes below, and never over what is beside it */
  :host(a2ui-text[data-label]) { margin-block-end: -0.4rem; }
  :host(a2ui-text[data-tone]) { flex: 1; }
  :host(a2ui-text[data-label]) .l-text { font-size: 0.85rem; font-weight: 600; color: var(--limn-muted); }
  :host(a2ui-text[data-tone="error"]) :is(.l-text, .l-caption) { color: var(--limn-bad); }
  :host(a2ui-text[data-tone="warning"]) :is(.l-text, .l-caption) { color: var(--limn-warn); }
  :host(a2ui-text[data-tone="check"]) :is(.l-text, .l-caption:not(.l-text))::before { content: "✓ " / ""; float: inline-start; margin-inline-end: 0.35rem; color: var(--limn-good); }
  :host(a2ui-text:is([data-tone="error"], [data-tone="warning"])) :is(.l-text, .l-caption:not(.l-text))::before { content: "⚠ " / ""; float: inline-start; margin-inline-end: 0.35rem; }
  .l-card { background: var(--limn-raised); border: 1px solid var(--limn-line); border-radius: var(--limn-radius); padding: 0.9rem; overflow: visible; }
  .l-field { display: flex; flex-direction: column; gap: 0.2rem; width: 100%; min-width: 0; }
  .l-label { font-size: 0.85rem; font-weight: 600; color: var(--limn-muted); margin: 0; }
  .l-input, .filter-input {
    font: inherit; color: inherit; background: var(--limn-field); border: 1px solid var(--limn-edge);
    border-radius: 0.5rem; padding: 0.5rem 0.6rem; width: 100%; min-width: 0; min-height: 2.5rem;
  }
  .l-input::placeholder { color: var(--limn-muted); opacity: 0; }
  :focus-visible { outline: 3px solid var(--limn-focus); outline-offset: 1px; }
  .l-button {
    font: inherit; color: var(--limn-text); background: var(--limn-raised); border: 1px solid var(--limn-edge);
    border-radius: 0.5rem; padding: 0.5rem 1rem; min-height: 2.5rem; cursor: pointer;
  }
  .l-button:hover { background: var(--limn-soft); }
  :host([data-primary]) .l-button { color: var(--limn-on-accent); background: var(--limn-accent); border-color: transparent; }
  :host([data-primary]) .l-button:hover { background: var(--limn-accent-strong); }
  .g-icon { display: none; } /* the names of icons, without the font that turns them into pictures */
  .l-check { display: flex; align-items: center; gap: 0.5rem; }
  .l-check input { width: 1.2rem; height: 1.2rem; accent-color: var(--limn-accent); flex: none; }
  .l-tabs { display: flex; gap: 0.25rem; border-bottom: 1px solid var(--limn-line); margin-bottom: 0.6rem; overflow-x: auto; }
  .l-tab { font: inherit; color: inherit; background: none; border: 0; border-bottom: 3px solid transparent; padding: 0.5rem 0.8rem; cursor: pointer; }
  .l-tab-on { border-bottom-color: var(--limn-accent); font-weight: 600; }
  .l-divider { border: 0; border-top: 1px solid var(--limn-line); width: 100%; }
  :host(a2ui-text) :is(p, h1, h2, h3, h4, h5, ul, ol) { margin: 0; overflow-wrap: anywhere; }
  :host(a2ui-text) :is(h1, h2, h3, h4, h5) { font-weight: 650; line-height: 1.25; }
  .l-h1 h1 { font-size: 1.45rem; }
  .l-h2 h2 { font-size: 1.25rem; }
  .l-h3 h3 { font-size: 1.1rem; }
  .l-h4 h4, .l-h5 h5 { font-size: 1rem; }
  .l-caption { color: var(--limn-muted); font-size: 0.85rem; }
  .l-caption em { font-style: normal; }
  .l-image img { max-width: 100%; height: auto; }
  .dropdown-header, .dropdown-wrapper { background: var(--limn-field); box-shadow: none; }
  .option-item, .header-text { color: inherit; }
  .dropdown-header, .dropdown-wrapper { border: 1px solid var(--limn-edge); }
  .dropdown-header[data-chosen]::before { content: attr(data-chosen); min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .dropdown-header[data-chosen] .header-text { display: none; }
  .dropdown-header { padding: 0.4rem 0.6rem; min-height: 2.5rem; border-radius: 0.5rem; }
  .option-item { padding: 0.5rem 0.7rem; }
  .option-item:is(:hover, :focus) { background: var(--limn-soft); }
  .option-item.selected .checkbox { background: var(--limn-accent); border-color: var(--limn-accent); }
  .checkbox-icon { color: var(--limn-on-accent); }
`;

/** Adds the sheet to every component of the renderer, after its own. */
export function dress(components: object): void {
  for (const component of Object.values(components) as unknown[]) {
    const styles = typeof component === 'function' ? (component as { elementStyles?: CSSResult[] }).elementStyles : undefined;
    if (Array.isArray(styles) && !styles.includes(sheet)) styles.push(sheet);
  }
}
