// The drawing of A2UI v0.9 with React in the playground.

import './before-react.js';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { MessageProcessor } from '@a2ui/web_core/v0_9';
import { A2uiSurface, basicCatalog, MarkdownContext } from '@a2ui/react/v0_9';
import { renderMarkdown } from '@a2ui/markdown-it';
import { catalog as own } from '@limn-ui/catalog-react';
import { Boundary } from './boundary.js';
import { draws, fail, place } from './draw.js';

const said = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));
const root = createRoot(place, { onUncaughtError: fail });
draws((messages) => {
  const processor = new MessageProcessor([basicCatalog, own], () => {}, { version: 'v0.9' });
  processor.onSurfaceCreated((surface) => { surface.onError.subscribe(fail); });
  for (const message of messages) processor.processMessages([/** @type {any} */ (message)]);
  root.render(createElement(MarkdownContext.Provider, { value: renderMarkdown }, ...[...processor.model.surfacesMap.values()].map((surface) => createElement('section', { key: surface.id, className: 'limn-surface' }, createElement(Boundary, { surface, said }, createElement(A2uiSurface, { surface }))))));
});
