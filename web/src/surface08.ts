// Surfaces in the official Lit renderer for A2UI v0.8, mended and dressed.

import './before-lit.js';
import { ContextProvider } from '@lit/context';
import { SignalWatcher } from '@lit-labs/signals';
import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { Data, type Types } from '@a2ui/lit/v0_8';
import * as UI from '@a2ui/lit/ui';
import { renderMarkdown } from '@a2ui/markdown-it';
import { mend, treesLater } from './mend08.js';
import { dress, theme } from './theme08.js';

dress(UI);
mend(UI);

export interface ActionDetail {
  eventType: string;
  action: { name: string; context?: { key: string; value: Record<string, unknown> }[] };
  sourceComponentId: string;
  sourceComponent: Types.AnyComponentNode | null;
}

/** What a page does with what happens on its surfaces. */
export interface Hooks {
  act(surface: string, event: CustomEvent<ActionDetail>): void;
  title(surface: string): string;
}

/** Draws every surface of its processor and follows its signals. */
export class Surfaces extends SignalWatcher(LitElement) {
  hooks: Hooks = { act: () => {}, title: (id) => id };
  processor = Data.createSignalA2uiMessageProcessor();
  #build = treesLater(this.processor);
  constructor() {
    super();
    new ContextProvider(this, { context: UI.Context.themeContext, initialValue: theme });
    new ContextProvider(this, { context: UI.Context.markdown, initialValue: renderMarkdown });
  }

  /** Throws everything away. */
  fresh(): void {
    this.processor = Data.createSignalA2uiMessageProcessor();
    this.#build = treesLater(this.processor);
    this.requestUpdate();
  }

  feed(message: unknown): void {
    this.processor.processMessages([message as never]);
    this.requestUpdate();
  }

  /** All messages of a frame are fed. */
  fed(fail: (error: unknown, surface: string) => void): void { this.#build(fail); }

  protected override createRenderRoot(): HTMLElement {
    return this; // the sections take the style sheet of the page
  }

  override render(): unknown {
    const { processor, hooks } = this, shown = [...processor.getSurfaces()];
    if (!shown.length) return nothing;
    return repeat(shown, ([id]) => id, ([id, surface]) => html`<section class="limn-surface" data-surface=${id} aria-label=${hooks.title(id)}>
      <h2 class="limn-hidden">${hooks.title(id)}</h2>
      <a2ui-surface .surfaceId=${id} .surface=${{ ...surface }} .processor=${processor}
        @a2uiaction=${(event: CustomEvent<ActionDetail>) => hooks.act(id, event)}></a2ui-surface>
    </section>`);
  }
}
customElements.define('limn-surfaces', Surfaces);
