// The page of the official Lit renderer for A2UI v0.9.

import type { A2uiMessage } from '@a2ui/web_core/v0_9';
import { basicCatalog } from '@a2ui/lit/v0_9';
import { catalog } from '@limn-ui/catalog-lit';
import { act, fail, focusBound, leaves, run, title, type Renderer } from './host.js';
import { prepare, processorIn, sectionOf, version } from './surface09.js';
import { must } from '../page/page.js';

const place = must('limn-surfaces');
prepare(place);
const make = () => processorIn(place, { act: (action) => act(action.surfaceId, { ...action }), fail, title });
let processor = make();
const inputs = new Set(['DataGrid', 'ProcessMap', 'TextField', 'CheckBox', 'ChoicePicker', 'Slider', 'DateTimeInput']);

const model = (id: string) => processor.model.surfacesMap.get(id);

/** Whether a component of Limn's catalog only shows its rows. */
function locked({ rows, steps }: Record<string, { readonly?: boolean } | undefined>): boolean {
  return (rows ?? steps)?.readonly === true;
}

/** Focuses the cell of a grid at a path, or below it the first one with something wrong, else the first empty one. */
function focusCell(root: ShadowRoot, path: string): boolean {
  const cells = [...root.querySelectorAll<HTMLInputElement>('[data-path]')].filter((c) => `${c.dataset.path}/`.startsWith(`${path}/`));
  const cell = cells.find((c) => c.getAttribute('aria-invalid') === 'true') ?? cells.find((c) => c.value === '') ?? cells[0];
  cell?.focus();
  return cell !== undefined;
}

function pathOf(element: Element): string | undefined {
  const drawn = element as { context?: { componentModel?: { properties?: { value?: { path?: string } } } } };
  return drawn.context?.componentModel?.properties?.value?.path;
}

const renderer: Renderer = {
  fresh() {
    processor = make();
    place.replaceChildren();
  },
  feed: (message) => processor.processMessages([message as unknown as A2uiMessage]),
  catalogs: new URLSearchParams(location.search).get('catalog') === 'basic' ? [basicCatalog.id] : [basicCatalog.id, catalog.id],
  surfaces: () => [...processor.model.surfacesMap.keys()],
  draft: (id) => leaves(model(id)?.dataModel.get('/draft'), '/draft', new Map()),
  share: (script, lent) => script.shareModels(lent, (id) => model(id) as never),
  rev: (id) => Number(model(id)?.dataModel.get('/ui_state/rev') ?? 0),
  write: (id, leaf, value) => void model(id)?.dataModel.set(leaf, value),
  open: (id) => [...(model(id)?.componentsModel.entries ?? [])].some(([, c]) => inputs.has(c.type) && !locked(c.properties)),
  focus(id, path) {
    const root = sectionOf(place, id)?.querySelector('a2ui-surface')?.shadowRoot;
    return root ? focusCell(root, path) || focusBound(root, path, pathOf) : false;
  },
  action: (body) => ({ version, action: body }),
  error: (body) => ({ version, error: body }),
};

run(renderer);
