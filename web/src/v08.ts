// The page of the official Lit renderer for A2UI v0.8.

import './before-lit.js';
import { ContextProvider } from '@lit/context';
import { SignalWatcher } from '@lit-labs/signals';
import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { Data, type Types } from '@a2ui/lit/v0_8';
import * as UI from '@a2ui/lit/ui';
import { renderMarkdown } from '@a2ui/markdown-it';
import { act, fail, focusBound, leaves, run, title, type Renderer } from './host.js';
import { mend, treesLater } from './mend08.js';
import { must } from '../page/page.js';
import { dress, theme } from './theme08.js';

dress(UI);
mend(UI);

interface ActionDetail {
  eventType: string;
  action: { name: string; context?: { key: string; value: Record<string, unknown> }[] };
  sourceComponentId: string;
  sourceComponent: Types.AnyComponentNode | null;
}

let processor = Data.createSignalA2uiMessageProcessor();
let build = treesLater(processor);

/** Draws every surface of the processor and follows its signals. */
class Surfaces extends SignalWatcher(LitElement) {
  constructor() {
    super();
    new ContextProvider(this, { context: UI.Context.themeContext, initialValue: theme });
    new ContextProvider(this, { context: UI.Context.markdown, initialValue: renderMarkdown });
  }
  protected override createRenderRoot(): HTMLElement {
    return this; // the sections take the style sheet of the page
  }
  override render(): unknown {
    const shown = [...processor.getSurfaces()];
    if (!shown.length) return nothing;
    return repeat(shown, ([id]) => id, ([id, surface]) => html`<section class="limn-surface" data-surface=${id} aria-label=${title(id)}>
      <h2 class="limn-hidden">${title(id)}</h2>
      <a2ui-surface .surfaceId=${id} .surface=${{ ...surface }} .processor=${processor}
        @a2uiaction=${(event: CustomEvent<ActionDetail>) => send(id, event)}></a2ui-surface>
    </section>`);
  }
}
customElements.define('limn-surfaces', Surfaces);
const host = document.createElement('limn-surfaces') as Surfaces;
must('limn-surfaces').append(host);

/** The renderer hands over the action as declared; the context is resolved here. */
function send(surface: string, event: CustomEvent<ActionDetail>): void {
  const { eventType, action, sourceComponent, sourceComponentId } = event.detail;
  if (eventType !== 'a2ui.action' || !action) return;
  const context: Record<string, unknown> = {};
  for (const { key, value } of action.context ?? []) {
    const path = value.path;
    if (typeof path === 'string' && sourceComponent) {
      const at = processor.resolvePath(path, sourceComponent.dataContextPath);
      const found = plain(processor.getData(sourceComponent, at, surface));
      if (found !== undefined && found !== null) context[key] = found;
    } else {
      const literal = value.literalString ?? value.literalNumber ?? value.literalBoolean ?? value.literal;
      if (literal !== undefined) context[key] = literal;
    }
  }
  act(surface, { name: action.name, surfaceId: surface, sourceComponentId, timestamp: new Date().toISOString(), context });
}

/** Maps of the data model as objects. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  if (Array.isArray(value)) return value.map(plain);
  return value;
}

const root = { dataContextPath: '/' } as Types.AnyComponentNode; // setData and getData resolve paths against a node
const inputs = new Set(['TextField', 'CheckBox', 'MultipleChoice', 'Slider', 'DateTimeInput']);

/** A leaf is a map of one on v0.8: /draft/name/v. */
function pathOf(element: Element): string | undefined {
  const properties = (element as { component?: { properties?: Record<string, unknown> } }).component?.properties;
  for (const key of ['text', 'value', 'selections']) {
    const path = (properties?.[key] as { path?: string } | undefined)?.path;
    if (path?.startsWith('/draft/')) return path.replace(/\/v$/, '');
  }
  return undefined;
}

const renderer: Renderer = {
  fresh() {
    processor = Data.createSignalA2uiMessageProcessor();
    build = treesLater(processor);
    host.requestUpdate();
  },
  feed(message) {
    processor.processMessages([message as never]);
    host.requestUpdate();
  },
  fed: () => build(fail),
  surfaces: () => [...processor.getSurfaces().keys()],
  draft: (id) => leaves(processor.getData(root, '/draft', id), '/draft', new Map()),
  rev: (id) => Number(leaves(processor.getData(root, '/ui_state/rev', id), '', new Map()).values().next().value ?? 0),
  write: (id, leaf, value) => processor.setData(root, leaf, value as never, id),
  open(id) {
    const surface = processor.getSurfaces().get(id);
    return [...(surface?.components.values() ?? [])].some((c) => Object.keys(c.component ?? {}).some((type) => inputs.has(type)));
  },
  focus(id, path) {
    const section = [...host.querySelectorAll<HTMLElement>('.limn-surface')].find((s) => s.dataset.surface === id);
    return section ? focusBound(section, path, pathOf) : false;
  },
  action: (body) => ({ userAction: body }),
  error: (body) => ({ error: body }),
};

run(renderer);
