// Surfaces in the official Lit renderer for A2UI v0.9, mended and dressed.

import './before-lit.js';
import { ContextProvider } from '@lit/context';
import { css } from 'lit';
import { MessageProcessor, Context } from '@a2ui/web_core/v0_9';
import { basicCatalog, type A2uiSurface } from '@a2ui/lit/v0_9';
import { catalog } from '@limn-ui/catalog-lit';
import { renderMarkdown } from '@a2ui/markdown-it';
import { name as nameControls } from './label.js';
import { mendChoices, mendControllers, tellOnce } from './mend09.js';

export const version = 'v0.9';

// The renderer takes its colours from variables; this is what has none.
const sheet = css`
  :is(input, textarea, select, button, summary, [tabindex]):focus-visible { outline: 3px solid var(--limn-focus) !important; outline-offset: 1px; }
  .limn-grid .limn-control:focus-visible { outline: none !important; } /* it has a frame of its own */
  .a2ui-textfield, .a2ui-button { min-height: 2.5rem; font: inherit; }
  .a2ui-button { --_a2ui-text-color: var(--limn-text); }
  .a2ui-choice-picker.a2ui-options-group { flex-direction: row; flex-wrap: wrap; gap: 0.4rem 1rem; }
  .a2ui-option-label { font-weight: 400; min-height: 2rem; }
  .material-icons { display: none !important; } /* the names of icons, without the font that turns them into pictures */
  .a2ui-text.caption em { font-style: normal; }
  [data-tone="error"] { --a2ui-text-caption-color: var(--limn-bad); }
  [data-tone="error"] .a2ui-text { color: var(--limn-bad); }
  [data-tone="warning"] { --a2ui-text-caption-color: var(--limn-warn); }
  [data-tone="warning"] .a2ui-text { color: var(--limn-warn); }
  a2ui-basic-row[data-tone] { flex-wrap: nowrap !important; }
  [data-tone]::before { content: "⚠" / ""; align-self: flex-start; }
  [data-tone="check"] { gap: 0 !important; }
  [data-tone="check"]::before { content: "✓" / ""; color: var(--limn-good); margin-inline-end: 0.5em; }
  [data-tone="error"]::before { color: var(--limn-bad); }
  [data-tone="warning"]::before { color: var(--limn-warn); }
  a2ui-choicepicker:has(> select) > .chips { display: none !important; }
  a2ui-choicepicker > select { font: inherit; font-weight: 400; color: inherit; background: var(--limn-field); border: 1px solid var(--limn-edge); border-radius: var(--limn-radius-field); min-height: 2.5rem; width: 100%; padding: 0 0.4rem; }
  a2ui-basic-row:has(> a2ui-choicepicker) { align-items: flex-start !important; } /* labels in one line */
  a2ui-basic-row:has(> a2ui-choicepicker) > :is(a2ui-basic-button, a2ui-checkbox) { align-self: flex-start; margin-block-start: 1.6rem; }
  a2ui-basic-textfield, a2ui-datetimeinput { min-width: min(9rem, 100%); }
  a2ui-basic-column, a2ui-basic-card, a2ui-basic-row { min-width: 0; }
  a2ui-basic-button { align-self: flex-start; }
  a2ui-basic-row > a2ui-basic-button { align-self: flex-end; }
  @media (max-width: 40rem) { a2ui-basic-row { flex-wrap: wrap !important; } a2ui-basic-row > :is(a2ui-basic-textfield, a2ui-choicepicker) { flex: 1 1 8rem !important; width: auto; } a2ui-basic-row > a2ui-basic-button { margin-block-start: 0 !important; } }
`;

mendControllers();
mendChoices();

type Processor = MessageProcessor<(typeof basicCatalog)['components'] extends ReadonlyMap<string, infer C> ? C : never>;
type Action = Parameters<NonNullable<ConstructorParameters<typeof MessageProcessor>[1]>>[0];

/** What a page does with what happens on its surfaces. */
export interface Hooks {
  act(action: Action): void;
  fail(error: unknown, surface: string): void;
  title(surface: string): string;
}

/** Lets surfaces below a place read Markdown; call once. */
export function prepare(place: HTMLElement): void {
  new ContextProvider(place, { context: Context.markdown, initialValue: renderMarkdown });
}

/** A processor whose surfaces are sections of a place. */
export function processorIn(place: HTMLElement, hooks: Hooks): Processor {
  const made = new MessageProcessor([basicCatalog, catalog], hooks.act, { version });
  made.onSurfaceCreated((surface) => {
    surface.onError.subscribe((error: unknown) => hooks.fail(error, surface.id));
    tellOnce(surface);
    show(place, surface, hooks.title(surface.id));
  });
  made.onSurfaceDeleted((id) => sectionOf(place, id)?.remove());
  return made;
}

/** The section that has a surface. */
export function sectionOf(place: HTMLElement, id: string): HTMLElement | undefined {
  return [...place.querySelectorAll<HTMLElement>(':scope > .limn-surface')].find((s) => s.dataset.surface === id);
}

function show(place: HTMLElement, surface: { id: string }, title: string): void {
  const section = document.createElement('section');
  section.className = 'limn-surface';
  section.dataset.surface = surface.id;
  section.setAttribute('aria-label', title);
  const heading = document.createElement('h2');
  heading.className = 'limn-hidden';
  heading.textContent = title;
  const element = document.createElement('a2ui-surface') as unknown as A2uiSurface;
  element.surface = surface as typeof element.surface;
  section.append(heading, element);
  place.append(section);
  void element.updateComplete.then(() => {
    const root = element.shadowRoot;
    if (!root) return;
    root.adoptedStyleSheets.push(sheet.styleSheet!);
    nameControls(root);
  });
}
