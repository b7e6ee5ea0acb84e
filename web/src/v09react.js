// The page of the official React renderer for A2UI v0.9.

import './before-react.js';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { MessageProcessor } from '@a2ui/web_core/v0_9';
import { A2uiSurface, basicCatalog, MarkdownContext } from '@a2ui/react/v0_9';
import { renderMarkdown } from '@a2ui/markdown-it';
import { catalog } from '@limn-ui/catalog-react';
import { draw } from './page09.js';
import { must } from '../page/page.js';

const place = must('limn-surfaces');
const root = createRoot(place);

draw({
  version: 'v0.9',
  make(hooks) {
    const made = new MessageProcessor([basicCatalog, catalog], /** @type {any} */ (hooks.act), { version: 'v0.9' });
    const show = () => root.render(createElement(MarkdownContext.Provider, { value: renderMarkdown },
      ...[...made.model.surfacesMap.values()].map((surface) => createElement('section', { key: surface.id, className: 'limn-surface', 'data-surface': surface.id, 'aria-label': hooks.title(surface.id) },
        createElement('h2', { className: 'limn-hidden' }, hooks.title(surface.id)), createElement(A2uiSurface, { surface })))));
    made.onSurfaceCreated((surface) => {
      surface.onError.subscribe((error) => hooks.fail(error, surface.id));
      show();
    });
    made.onSurfaceDeleted(show);
    show();
    return /** @type {any} */ (made);
  },
  root: (id) => [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(':scope > .limn-surface'))].find((s) => s.dataset.surface === id),
  pathOf: () => undefined, // React does not say which element a component drew
  catalogs: { basic: basicCatalog.id, own: catalog.id },
});
