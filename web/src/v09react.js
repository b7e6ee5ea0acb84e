// The page of the official React renderer for A2UI v0.9.

import './before-react.js';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { MessageProcessor } from '@a2ui/web_core/v0_9';
import { A2uiSurface, basicCatalog, MarkdownContext } from '@a2ui/react/v0_9';
import { renderMarkdown } from '@a2ui/markdown-it';
import { catalog } from '@limn-ui/catalog-react';
import { again, Boundary } from './boundary.js';
import { draw } from './page09.js';
import { must } from '../page/page.js';
import { word } from '../page/words.js';

const place = must('limn-surfaces');
const root = createRoot(place);
const said = () => word('unshown');
/** @type {any} */
let processor; // of what is shown

// Icons are names in a font that a page need not have; the style sheet draws those that say how something is.
new MutationObserver(() => {
  for (const icon of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('.material-symbols-outlined'))) {
    const name = icon.textContent ?? '';
    if (!['check', 'error', 'warning'].includes(name)) icon.removeAttribute('data-icon');
    else if (icon.dataset.icon !== name) icon.dataset.icon = name;
  }
}).observe(place, { childList: true, subtree: true, characterData: true });

draw({
  version: 'v0.9',
  make(hooks) {
    const made = processor = new MessageProcessor([basicCatalog, catalog], /** @type {any} */ (hooks.act), { version: 'v0.9' });
    const show = () => root.render(createElement(MarkdownContext.Provider, { value: renderMarkdown },
      ...[...made.model.surfacesMap.values()].map((surface) => createElement('section', { key: surface.id, className: 'limn-surface', 'data-surface': surface.id, 'aria-label': hooks.title(surface.id) },
        createElement('h2', { className: 'limn-hidden' }, hooks.title(surface.id)), createElement(Boundary, { surface, said, fail: (/** @type {unknown} */ error) => hooks.fail(error, surface.id) }, createElement(A2uiSurface, { surface }))))));
    made.onSurfaceCreated((surface) => {
      surface.onError.subscribe((error) => hooks.fail(error, surface.id));
      show();
    });
    made.onSurfaceDeleted(show);
    show();
    return /** @type {any} */ (made);
  },
  fed: again,
  root: (id) => [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(':scope > .limn-surface'))].find((s) => s.dataset.surface === id),
  pathOf(element) { // React does not say which element a component drew: its label does
    const label = element.querySelector(':scope > :is(label, strong)')?.textContent;
    const id = label && element.closest('.limn-surface')?.getAttribute('data-surface');
    const components = [...((id && processor?.model.surfacesMap.get(id)?.componentsModel.entries) || [])];
    return components.find(([, { properties }]) => properties.label === label)?.[1].properties.value?.path;
  },
  catalogs: { basic: basicCatalog.id, own: catalog.id },
});
