// The drawings of A2UI v0.9 in the playground, with basic components and with Limn's own.

import type { A2uiMessage } from '@a2ui/web_core/v0_9';
import { draws, fail, place } from './draw.js';
import { prepare, processorIn } from './surface09.js';

prepare(place);
draws((messages) => {
  place.replaceChildren();
  const processor = processorIn(place, { act: () => {}, fail, title: (id) => id });
  for (const message of messages) processor.processMessages([message as unknown as A2uiMessage]);
});
