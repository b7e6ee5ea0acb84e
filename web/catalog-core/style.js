// The look: one style sheet, which a view puts where it stands, the document or a shadow
// root. Colours are those of Limn's page, of the A2UI renderer, or these.

const text = `
.limn-component {
  --c-text: var(--limn-text, var(--a2ui-color-on-background, light-dark(#1b1f27, #e8eaf0)));
  --c-muted: var(--limn-muted, light-dark(#565e6e, #a6adbb));
  --c-field: var(--limn-field, var(--a2ui-color-input, light-dark(#ffffff, #14161b)));
  --c-raised: var(--limn-raised, var(--a2ui-color-surface, light-dark(#ffffff, #1d2027)));
  --c-line: var(--limn-line, light-dark(#dde0e7, #343945));
  --c-edge: var(--limn-edge, light-dark(#868d9b, #767e8e));
  --c-head: var(--limn-page, light-dark(#f4f5f8, #14161b));
  --c-accent: var(--limn-accent, var(--a2ui-color-primary, light-dark(#3949ab, #9fb0ff)));
  --c-soft: var(--limn-soft, light-dark(#e8ebfb, #262c4a));
  --c-focus: var(--limn-focus, light-dark(#1565c0, #8ab4ff));
  --c-bad: var(--limn-bad, light-dark(#b3261e, #ff9d94));
  --c-bad-soft: var(--limn-bad-soft, light-dark(#fdecea, #3d1f1e));
  display: block; width: 100%; min-width: 0; color: var(--c-text); font-size: 0.875rem; line-height: 1.4; box-sizing: border-box;
}
.limn-component *, .limn-component *::before { box-sizing: border-box; }
.limn-component [hidden] { display: none !important; }
.limn-component .limn-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.limn-component .limn-title { margin: 0 0 0.5rem; font-size: 1.125rem; font-weight: 600; line-height: 1.3; }
.limn-component h4.limn-title { margin-top: 1rem; font-size: 1rem; }
.limn-component .limn-help { margin: 0 0 0.5rem; color: var(--c-muted); }
.limn-component .limn-error { margin: 0; color: var(--c-bad); }
.limn-component .limn-error:empty { display: none; }

.limn-fold > details { border: 1px solid var(--c-line); border-radius: 8px; background: var(--c-raised); }
.limn-fold > details > summary { cursor: pointer; padding: 0.5rem 0.75rem; font-weight: 500; color: var(--c-accent); border-radius: 8px; }
.limn-fold > details > :not(summary) { padding: 0 0.75rem 0.75rem; }

.limn-grid { min-width: 0; }
.limn-component .limn-scroll { overflow: auto; max-height: min(80vh, 46rem); border: 1px solid var(--c-line); border-radius: 8px; background: var(--c-field); scrollbar-width: thin; scroll-padding-block-start: 2.75rem; }
.limn-component table { border-collapse: separate; border-spacing: 0; width: 100%; font-variant-numeric: tabular-nums; }
.limn-component th, .limn-component td { padding: 0; text-align: start; border-bottom: 1px solid var(--c-line); border-inline-end: 1px solid var(--c-line); font-weight: 400; vertical-align: middle; }
.limn-component tr > :last-child { border-inline-end: 0; }
.limn-component tbody tr:last-child > * { border-bottom: 0; }
.limn-component thead th { position: sticky; top: 0; z-index: 1; background: var(--c-head); color: var(--c-muted); font-weight: 600; white-space: nowrap; vertical-align: top; }
.limn-component thead small { display: block; padding: 0 0.625rem 0.375rem; font-weight: 400; white-space: normal; max-width: 18rem; }
.limn-component .limn-sort { font: inherit; color: inherit; background: none; border: 0; padding: 0.375rem 0.25rem 0.375rem 0.625rem; min-height: 2rem; cursor: pointer; text-align: start; }
.limn-component .limn-sort:hover { color: var(--c-text); }
.limn-component [aria-sort] .limn-sort::after { content: " ↑" / ""; color: var(--c-accent); }
.limn-component [aria-sort="descending"] .limn-sort::after { content: " ↓" / ""; }
.limn-component .limn-required { color: var(--c-bad); }
.limn-component .limn-number { width: 2.75rem; min-width: 2.75rem; text-align: center; color: var(--c-muted); background: var(--c-head); user-select: none; }
.limn-component .limn-handle { display: block; cursor: grab; padding: 0.375rem 0; touch-action: none; }
.limn-component .limn-acts { width: 2.25rem; text-align: center; }
.limn-component tbody td { height: 2.125rem; min-width: 7.5rem; position: relative; }
.limn-component tbody td[data-type="boolean"] { min-width: 4rem; text-align: center; }
.limn-component tbody td.limn-acts { min-width: 0; }
.limn-component td:not(:has(.limn-control)):not(.limn-acts) { padding: 0.375rem 0.625rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.limn-component td[data-type="number"], .limn-component td[data-type="slider"], .limn-component td[data-type="number"] .limn-control, .limn-component td[data-type="slider"] .limn-control { text-align: end; }
.limn-component .limn-control { font: inherit; color: inherit; background: transparent; border: 0; border-radius: 0; padding: 0.375rem 0.625rem; margin: 0; width: 100%; min-height: 2.125rem; display: block; outline: none; accent-color: var(--c-accent); }
.limn-component textarea.limn-control { resize: none; field-sizing: content; max-height: 10rem; }
.limn-component select.limn-control { appearance: auto; padding-inline: 0.375rem; }
.limn-component select.limn-control option { background: var(--c-raised); color: var(--c-text); }
.limn-component input[type="checkbox"].limn-control { width: 1.125rem; min-height: 1.125rem; height: 1.125rem; margin: 0.5rem auto; padding: 0; }
.limn-component .limn-control:focus { box-shadow: inset 0 0 0 2px var(--c-focus); }
.limn-component tbody tr:hover > * { background-image: linear-gradient(color-mix(in srgb, var(--c-soft) 35%, transparent) 0 0); }
.limn-component td.limn-selected { background: var(--c-soft); }
.limn-component td.limn-bad { background: var(--c-bad-soft); }
.limn-component td.limn-bad::after { content: ""; position: absolute; inset-block-start: 0; inset-inline-end: 0; border: 4px solid; border-color: var(--c-bad) var(--c-bad) transparent transparent; pointer-events: none; }
.limn-component .limn-icon { font: inherit; font-size: 1.125rem; line-height: 1; color: var(--c-muted); background: none; border: 0; border-radius: 6px; min-width: 1.75rem; min-height: 1.75rem; padding: 0; cursor: pointer; }
.limn-component .limn-icon:hover { color: var(--c-bad); background: var(--c-bad-soft); }
.limn-component .limn-dragged { opacity: 0.5; }
.limn-component .limn-before > * { box-shadow: inset 0 3px 0 var(--c-accent); }
.limn-component .limn-after > * { box-shadow: inset 0 -3px 0 var(--c-accent); }
.limn-component .limn-why { margin: 0.375rem 0 0; color: var(--c-bad); }
.limn-component .limn-why::before { content: "⚠ " / ""; }
.limn-component .limn-says { margin: 0 0 0.5rem; color: var(--c-muted); }
.limn-component .limn-foot { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin-top: 0.5rem; }
.limn-component .limn-says:empty { margin: 0; }
.limn-component .limn-foot:empty { display: none; }
.limn-component .limn-button { font: inherit; font-weight: 500; color: var(--c-accent); background: var(--c-raised); border: 1px solid var(--c-edge); border-radius: 8px; padding: 0.25rem 0.75rem; min-height: 2.25rem; cursor: pointer; }
.limn-component .limn-button:hover { background: var(--c-soft); }
.limn-component .limn-problems { color: var(--c-bad); border-color: var(--c-bad); }
.limn-component .limn-problems::after { content: " ▸" / ""; }
.limn-component .limn-pages { color: var(--c-muted); margin-inline-start: auto; }
.limn-component :is(button, summary, [tabindex]):focus-visible { outline: 3px solid var(--c-focus); outline-offset: 1px; }
.limn-component .limn-choices { position: relative; }
.limn-component .limn-choices > summary { list-style: none; cursor: pointer; padding-inline-end: 1.5rem; }
.limn-component .limn-choices > summary::after { content: "▾" / ""; position: absolute; inset-inline-end: 0.625rem; color: var(--c-muted); }
.limn-component .limn-options { position: absolute; z-index: 3; inset-inline-start: 0; min-width: 100%; max-height: 16rem; overflow: auto; padding: 0.375rem; background: var(--c-raised); border: 1px solid var(--c-edge); border-radius: 8px; box-shadow: 0 4px 20px rgb(0 0 0 / 0.18); }
.limn-component .limn-options label { display: flex; gap: 0.375rem; align-items: center; padding: 0.25rem 0.375rem; min-height: 2rem; white-space: nowrap; }

.limn-component .limn-long { table-layout: fixed; }
.limn-component .limn-space > * { padding: 0; border: 0; height: 0; background: repeating-linear-gradient(transparent 0 34px, var(--c-line) 34px 35px); }
.limn-component tbody tr.limn-space:hover > * { background-image: repeating-linear-gradient(transparent 0 34px, var(--c-line) 34px 35px); }

.limn-component > .limn-bar { display: flex; flex-wrap: wrap; gap: 0.375rem 0.75rem; margin-bottom: 0.5rem; }
.limn-component .limn-tools { display: inline-flex; }
.limn-component .limn-tools > .limn-button { min-height: 2rem; min-width: 2.25rem; padding: 0.125rem 0.625rem; border-radius: 0; margin-inline-start: -1px; border-color: var(--c-line); font-variant-numeric: tabular-nums; }
.limn-component .limn-tools > .limn-button:first-child { border-start-start-radius: 8px; border-end-start-radius: 8px; margin-inline-start: 0; }
.limn-component .limn-tools > .limn-button:last-child { border-start-end-radius: 8px; border-end-end-radius: 8px; }
.limn-component .limn-tools > [aria-pressed="true"] { background: var(--c-soft); box-shadow: inset 0 -2px 0 var(--c-accent); }
.limn-component .limn-tools > :disabled { color: var(--c-muted); cursor: default; background: none; opacity: 0.7; }

.limn-map { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; margin-bottom: 0.5rem; }
.limn-map .limn-canvas { flex: 3 1 19rem; min-width: 0; overflow: auto; border: 1px solid var(--c-line); border-radius: 8px; background: var(--c-field); max-height: 34rem; scrollbar-width: thin; cursor: grab; overscroll-behavior: contain auto; }
.limn-map .limn-canvas.limn-panning { cursor: grabbing; user-select: none; }
.limn-map svg { display: block; margin: 0 auto; overflow: visible; flex: none; }
.limn-step rect { fill: var(--c-raised); stroke: var(--c-edge); stroke-width: 1.5; }
.limn-step text, .limn-lane text { fill: var(--c-text); font-size: 13px; font-weight: 600; user-select: none; pointer-events: none; }
.limn-step .limn-owner { fill: var(--c-muted); font-size: 12px; font-weight: 400; }
.limn-map :is(.limn-step, .limn-link)[role="button"] { cursor: pointer; outline: none !important; }
.limn-step[role="button"]:hover rect { fill: var(--c-soft); }
.limn-step.limn-bad rect { stroke: var(--c-bad); }
.limn-step:is(.limn-on, .limn-from, .limn-target) rect { stroke: var(--c-accent); stroke-width: 2.5; fill: var(--c-soft); }
.limn-step.limn-from rect { stroke-dasharray: 6 4; }
.limn-step.limn-dragged { opacity: 0.85; pointer-events: none; }
.limn-step:focus-visible rect { stroke: var(--c-focus); stroke-width: 3; }
.limn-port circle { fill: var(--c-accent); stroke: var(--c-field); stroke-width: 2; }
.limn-map .limn-port { opacity: 0; cursor: crosshair; touch-action: none; }
.limn-step:is(:hover, :focus-within, .limn-on) .limn-port { opacity: 1; }
.limn-lane rect { fill: none; stroke: var(--c-line); }
.limn-lane:nth-child(odd) rect { fill: color-mix(in srgb, var(--c-soft) 30%, transparent); }
.limn-lane.limn-target rect { fill: var(--c-soft); stroke: var(--c-accent); }
.limn-lane text { fill: var(--c-muted); }
.limn-arrow { fill: none; stroke: var(--c-edge); stroke-width: 1.5; }
.limn-map .limn-reach { fill: none; stroke: none; stroke-width: 18; pointer-events: all; }
.limn-map circle.limn-reach { stroke-width: 0; }
.limn-map path.limn-reach { pointer-events: stroke; }
.limn-link:is(:hover, .limn-on) .limn-arrow, .limn-drawn { stroke: var(--c-accent); stroke-width: 2.5; }
.limn-link:focus-visible .limn-arrow { stroke: var(--c-focus); stroke-width: 3.5; }
.limn-map .limn-drawn { pointer-events: none; stroke-dasharray: 6 4; }
.limn-back { stroke-dasharray: 5 4; }
.limn-tip { fill: var(--c-edge); }
.limn-edge { fill: var(--c-muted); font-size: 12px; text-anchor: middle; paint-order: stroke; stroke: var(--c-field); stroke-width: 4px; user-select: none; }
.limn-map .limn-insert { opacity: 0; cursor: pointer; }
.limn-link:is(:hover, :focus-visible, .limn-on) .limn-insert { opacity: 1; }
.limn-insert circle { fill: var(--c-raised); stroke: var(--c-accent); stroke-width: 1.5; }
.limn-insert:hover circle { fill: var(--c-soft); }
.limn-insert path { stroke: var(--c-accent); stroke-width: 2; stroke-linecap: round; }
@media (hover: none) { .limn-component .limn-keys { display: none; } .limn-map :is(.limn-port, .limn-insert) { opacity: 1; } }
.limn-map .limn-panel { flex: 1 1 14rem; padding: 0.75rem; border: 1px solid var(--c-line); border-radius: 8px; background: var(--c-raised); }
.limn-panel select.limn-button { max-width: 100%; }
.limn-panel .limn-bar { display: flex; justify-content: space-between; align-items: center; }
.limn-panel .limn-bar .limn-title { margin: 0; }
.limn-panel .limn-field { margin-top: 0.5rem; }
.limn-panel label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
.limn-panel .limn-control { border: 1px solid var(--c-edge); border-radius: 6px; background: var(--c-field); }

.limn-chart svg { display: block; width: 100%; max-width: 44rem; height: auto; }
.limn-component .limn-pie svg { max-width: 17rem; }
.limn-chart text { fill: var(--c-muted); font-size: 12px; }
.limn-chart .limn-y { text-anchor: end; }
.limn-chart .limn-x { text-anchor: middle; }
.limn-tick { stroke: var(--c-line); }
.limn-zero { stroke: var(--c-edge); }
.limn-c0 { --c-series: light-dark(#3949ab, #9fb0ff); } .limn-c1 { --c-series: light-dark(#00796b, #6fd6c4); }
.limn-c2 { --c-series: light-dark(#b35c00, #f2b866); } .limn-c3 { --c-series: light-dark(#ad1457, #f48fb1); }
.limn-c4 { --c-series: light-dark(#5d6b1f, #c5d675); } .limn-c5 { --c-series: light-dark(#6a3fa0, #cda6ff); }
.limn-c6 { --c-series: light-dark(#0277a8, #7cc8f0); } .limn-c7 { --c-series: light-dark(#795548, #d0b0a4); }
.limn-mark { fill: var(--c-series); }
.limn-line { fill: none; stroke: var(--c-series); stroke-width: 2.5; stroke-linejoin: round; }
.limn-slice { stroke: var(--c-raised); stroke-width: 2; }
.limn-component .limn-legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.25rem 0 0.5rem; padding: 0; }
.limn-legend i { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 3px; margin-inline-end: 0.375rem; background: var(--c-series); vertical-align: -1px; }
.limn-figures > summary { cursor: pointer; color: var(--c-accent); min-height: 2rem; width: max-content; }
.limn-figures table { width: auto; }
.limn-component .limn-figures :is(th, td) { padding: 0.25rem 0.75rem; }

@media (max-width: 40rem) {
  .limn-component .limn-control { min-height: 2.5rem; font-size: 1rem; }
  .limn-component .limn-icon { min-width: 2.5rem; min-height: 2.5rem; }
}
@media (prefers-reduced-motion: no-preference) { .limn-step rect { transition: fill 120ms, stroke 120ms; } .limn-port, .limn-insert { transition: opacity 120ms; } }
`;

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** Puts the style sheet where an element stands. @param {HTMLElement} element */
export function adopt(element) {
  element.classList.add('limn-component');
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  if (!root.adoptedStyleSheets) return; // not in a document yet
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
