// What the pages of the two official renderers for A2UI v0.9 have in common: all but how a
// surface is drawn.

import type { A2uiMessage } from '@a2ui/web_core/v0_9';
import { act, fail, focusBound, leaves, run, title, type Renderer } from './host.js';

interface Component { type: string; properties: Record<string, { readonly?: boolean } | undefined> }
interface Processor {
  processMessages(messages: A2uiMessage[]): void;
  model: { surfacesMap: ReadonlyMap<string, { dataModel: { get(path: string): any; set(path: string, value: unknown): unknown }; componentsModel: { entries: Iterable<readonly [string, Component]> } }> };
}

/** How one of them draws. */
export interface Drawing {
  version: 'v0.9';
  /** A processor without surfaces, and a place without any. */
  make(hooks: { act(action: { surfaceId: string }): void; fail(error: unknown, surface: string): void; title(surface: string): string }): Processor;
  /** All messages of a frame are fed. */
  fed?(): void;
  /** The element with the controls of a surface. */
  root(surface: string): ParentNode | undefined;
  /** The path an element is bound to. */
  pathOf(element: Element): string | undefined;
  catalogs: { basic: string; own: string };
}

const inputs = new Set(['DataGrid', 'ProcessMap', 'TextField', 'CheckBox', 'ChoicePicker', 'Slider', 'DateTimeInput']);

/** Runs the page. */
export function draw({ version, make, fed, root, pathOf, catalogs }: Drawing): void {
  let processor: Processor;
  const model = (id: string) => processor.model.surfacesMap.get(id);
  const renderer: Renderer = {
    fresh() {
      processor = make({ act: (action) => act(action.surfaceId, { ...action }), fail, title });
    },
    feed: (message) => processor.processMessages([message as unknown as A2uiMessage]),
    ...(fed && { fed }),
    catalogs: new URLSearchParams(location.search).get('catalog') === 'basic' ? [catalogs.basic] : [catalogs.basic, catalogs.own],
    surfaces: () => [...processor.model.surfacesMap.keys()],
    draft: (id) => leaves(model(id)?.dataModel.get('/draft'), '/draft', new Map()),
    share: (script, lent) => script.shareModels(lent, (id) => model(id) as never),
    value: (id, path) => model(id)?.dataModel.get(path),
    rev: (id) => Number(model(id)?.dataModel.get('/ui_state/rev') ?? 0),
    write: (id, leaf, value) => void model(id)?.dataModel.set(leaf, value),
    open: (id) => shown(new Map(model(id)?.componentsModel.entries ?? [])).some((c) => inputs.has(c.type) && !locked(c.properties)),
    ids: (id) => [...(model(id)?.componentsModel.entries ?? [])].map(([name]) => name),
    focus(id, path) {
      const at = root(id);
      return at ? focusCell(at, path) || focusBound(at, path, pathOf) : false;
    },
    action: (body) => ({ version, action: body }),
    error: (body) => ({ version, error: body }),
  };
  run(renderer);
}

/** The components that are drawn: a renderer keeps those that no other one names any more. */
function shown(all: Map<string, Component>): Component[] {
  const seen = new Set<string>(['root']);
  const name = (value: unknown): void => {
    if (typeof value === 'string') {
      if (all.has(value)) seen.add(value);
    } else if (value && typeof value === 'object') Object.values(value).forEach(name);
  };
  for (const id of seen) name(all.get(id)?.properties); // those that it adds, too
  return [...seen].flatMap((id) => all.get(id) ?? []);
}

/** Whether a component of Limn's catalog only shows its rows. */
function locked({ rows, steps }: Component['properties']): boolean {
  return (rows ?? steps)?.readonly === true;
}

/** Focuses the cell of a grid at a path, or below it the first one with something wrong, else the first empty one. */
function focusCell(root: ParentNode, path: string): boolean {
  const cells = [...root.querySelectorAll<HTMLInputElement>('[data-path]')].filter((c) => `${c.dataset.path}/`.startsWith(`${path}/`));
  const cell = cells.find((c) => c.getAttribute('aria-invalid') === 'true') ?? cells.find((c) => c.value === '') ?? cells[0];
  cell?.focus();
  return cell !== undefined;
}
