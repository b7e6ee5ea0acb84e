// The page of the official Lit renderer for A2UI v0.8.

import type { Types } from '@a2ui/lit/v0_8';
import { act, fail, focusBound, leaves, run, title, type Renderer } from './host.js';
import { tableKeys } from './keys08.js';
import { Surfaces, type ActionDetail } from './surface08.js';
import { must } from '../page/page.js';

const host = new Surfaces();
host.hooks = { act: send, title };
must('limn-surfaces').append(host);
tableKeys(host);

/** The renderer hands over the action as declared; the context is resolved here. */
function send(surface: string, event: CustomEvent<ActionDetail>): void {
  const { eventType, action, sourceComponent, sourceComponentId } = event.detail;
  if (eventType !== 'a2ui.action' || !action) return;
  const context: Record<string, unknown> = {};
  for (const { key, value } of action.context ?? []) {
    const path = value.path;
    if (typeof path === 'string' && sourceComponent) {
      const at = host.processor.resolvePath(path, sourceComponent.dataContextPath);
      const found = plain(host.processor.getData(sourceComponent, at, surface));
      if (found !== undefined && found !== null) context[key] = found;
    } else {
      const literal = value.literalString ?? value.literalNumber ?? value.literalBoolean ?? value.literal;
      if (literal !== undefined) context[key] = literal;
    }
  }
  act(surface, { name: action.name, surfaceId: surface, sourceComponentId, timestamp: new Date().toISOString(), context });
}

/** Maps of the data model as objects. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  if (Array.isArray(value)) return value.map(plain);
  return value;
}

const root = { dataContextPath: '/' } as Types.AnyComponentNode; // setData and getData resolve paths against a node
const inputs = new Set(['TextField', 'CheckBox', 'MultipleChoice', 'Slider', 'DateTimeInput']);

/** A leaf is a map of one on v0.8: /draft/name/v. */
function pathOf(element: Element): string | undefined {
  const properties = (element as { component?: { properties?: Record<string, unknown> } }).component?.properties;
  for (const key of ['text', 'value', 'selections']) {
    const path = (properties?.[key] as { path?: string } | undefined)?.path;
    if (path?.startsWith('/draft/')) return path.replace(/\/v$/, '');
  }
  return undefined;
}

const renderer: Renderer = {
  fresh: () => host.fresh(),
  feed: (message) => host.feed(message),
  fed: () => host.fed(fail),
  surfaces: () => [...host.processor.getSurfaces().keys()],
  draft: (id) => leaves(host.processor.getData(root, '/draft', id), '/draft', new Map()),
  rev: (id) => Number(leaves(host.processor.getData(root, '/ui_state/rev', id), '', new Map()).values().next().value ?? 0),
  write: (id, leaf, value) => host.processor.setData(root, leaf, value as never, id),
  open(id) {
    const surface = host.processor.getSurfaces().get(id);
    return [...(surface?.components.values() ?? [])].some((c) => Object.keys(c.component ?? {}).some((type) => inputs.has(type)));
  },
  ids: (id) => [...(host.processor.getSurfaces().get(id)?.components.keys() ?? [])],
  focus(id, path) {
    const section = [...host.querySelectorAll<HTMLElement>('.limn-surface')].find((s) => s.dataset.surface === id);
    return section ? focusBound(section, path, pathOf) : false;
  },
  action: (body) => ({ userAction: body }),
  error: (body) => ({ error: body }),
};

run(renderer);
