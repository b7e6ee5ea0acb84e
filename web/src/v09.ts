// The page of the official Lit renderer for A2UI v0.9.

import { basicCatalog } from '@a2ui/lit/v0_9';
import { catalog } from '@limn-ui/catalog-lit';
import { draw } from './page09.js';
import { prepare, processorIn, sectionOf, version } from './surface09.js';
import { must } from '../page/page.js';

const place = must('limn-surfaces');
prepare(place);

draw({
  version,
  make(hooks) {
    place.replaceChildren();
    return processorIn(place, hooks);
  },
  root: (id) => sectionOf(place, id)?.querySelector('a2ui-surface')?.shadowRoot ?? undefined,
  pathOf(element) {
    const drawn = element as { context?: { componentModel?: { properties?: { value?: { path?: string } } } } };
    return drawn.context?.componentModel?.properties?.value?.path;
  },
  catalogs: { basic: basicCatalog.id, own: catalog.id },
});
