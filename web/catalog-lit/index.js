// Limn's catalog for @a2ui/lit v0.9: the basic components, and custom elements for
// DataGrid, ProcessMap and Chart.

import { html } from 'lit';
import { Catalog } from '@a2ui/web_core/v0_9';
import { A2uiLitElement, basicCatalog } from '@a2ui/lit/v0_9';
import { adopt, catalogId, components, FoldApi, follow } from '@limn-ui/catalog-core';
/** @import { Context, View, ViewClass } from '../catalog-core/bind.js' */

/** An element that the renderer gives a context. @param {ViewClass} View */
const elementOf = (View) => class extends HTMLElement {
  /** @type {Context | undefined} */
  #context;
  /** @type {View | undefined} */
  #view;
  /** @type {(() => void) | undefined} */
  #stop;

  get context() { return this.#context; }
  set context(context) {
    if (context?.componentModel === this.#context?.componentModel) return; // the renderer makes a new one for each drawing
    this.#context = context;
    this.#start();
  }

  connectedCallback() { this.#start(); }
  disconnectedCallback() {
    this.#stop?.();
    this.#stop = undefined;
  }

  #start() {
    this.#stop?.();
    this.#stop = undefined;
    if (!this.isConnected || !this.#context) return;
    this.#view ??= new View(this);
    this.#stop = follow(this.#view, this.#context);
  }
};

const own = components.map(({ api, view }) => {
  const tagName = `limn-${api.name.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}`;
  if (!customElements.get(tagName)) customElements.define(tagName, elementOf(view));
  return { ...api, tagName };
});

/** A part that folds, with a child of any catalog. */
class Fold extends A2uiLitElement {
  api = FoldApi;

  createRenderRoot() { return this; } // where the styles of the surface are
  connectedCallback() {
    super.connectedCallback();
    this.classList.add('limn-fold');
    adopt(this);
  }

  render() {
    const { title, child, open } = this.controller.props;
    return html`<details ?open=${open}><summary>${title}</summary><div>${this.renderNode(child)}</div></details>`;
  }
}
if (!customElements.get('limn-fold')) customElements.define('limn-fold', Fold);
const fold = { ...FoldApi, tagName: 'limn-fold' };

/** For the MessageProcessor; its id is what the client announces. */
export const catalog = new Catalog(catalogId['v0.9'], [...basicCatalog.components.values(), ...own, fold], [...basicCatalog.functions.values()]);
