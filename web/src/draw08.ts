// The drawing of A2UI v0.8 in the playground.

import { draws, fail, place } from './draw.js';
import { Surfaces } from './surface08.js';

draws((messages) => {
  const surfaces = new Surfaces();
  place.replaceChildren(surfaces);
  for (const message of messages) surfaces.feed(message);
  surfaces.fed(fail);
});
