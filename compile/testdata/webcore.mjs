// Feeds messages to the parsers of the official renderers (@a2ui/web_core), in
// Node and without a document.
//
// In, one JSON object a line:
//   {"open": "v0.8" | "v0.9", "name": …}   a new client; name is for problems
//   {"feed": {…}}                          one message
//   {"type": [surface, path, text]}         what the user typed
//   {"model": {"<surface>": {…}}}          what the data models must be now
// Out: one line a problem, then "done: N models".

import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';

const core = new URL('../../web/node_modules/@a2ui/web_core/src/', import.meta.url);
const v08 = await import(new URL('v0_8/index.js', core));
const v09 = await import(new URL('v0_9/index.js', core));

const basic = new v09.Catalog('https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json', v09.BASIC_COMPONENTS, v09.BASIC_FUNCTIONS);

/** What of a live v0.9 tree has not arrived; a v0.8 tree throws instead. */
function missing(value) {
  if (Array.isArray(value)) return value.flatMap(missing);
  if (!value || typeof value !== 'object') return [];
  if (!v09.isComponentNode(value)) return Object.values(value).flatMap(missing);
  return value.isPlaceholder ? [value.componentId] : missing(v09.peekValue(value.props));
}

/** Maps of the v0.8 data model as objects. */
function plain(value) {
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

const clients = {
  'v0.8': () => {
    const processor = new v08.A2uiMessageProcessor();
    return {
      feed: (m) => processor.processMessages([m]),
      type: (surface, path, text) => processor.setData({ dataContextPath: '/' }, path, text, surface),
      trees: () => [...processor.getSurfaces().values()].map((s) => s.componentTree ?? 'no root'),
      models: () => Object.fromEntries([...processor.getSurfaces()].map(([id, s]) => [id, plain(s.dataModel)])),
    };
  },
  'v0.9': () => {
    const processor = new v09.MessageProcessor([basic], undefined, { version: 'v0.9' });
    const trees = new Map(); // one live tree a surface, as a renderer holds it
    processor.onSurfaceCreated((surface) => {
      surface.onError.subscribe((error) => {
        problem(`${error.code}: ${error.message} ${error.expression ?? ''}`);
      });
      trees.set(surface.id, new v09.NodeResolver(surface, basic));
    });
    processor.onSurfaceDeleted((id) => {
      trees.get(id)?.dispose();
      trees.delete(id);
    });
    return {
      feed(m) {
        v09.A2uiMessageSchema.parse(m);
        processor.processMessages([m]);
      },
      type: (surface, path, text) => processor.model.getSurface(surface).dataModel.set(path, text),
      trees: () => [...trees.values()].map((tree) => v09.peekValue(tree.rootNode) ?? 'no root'),
      models: () => Object.fromEntries([...processor.model.surfacesMap].map(([id, s]) => [id, s.dataModel.get('/') ?? {}])),
    };
  },
};

let client;
let name = '';
let messages = 0;
let models = 0;
const problem = (text) => process.stdout.write(`${name}: message ${messages}: ${String(text).replaceAll('\n', ' ').slice(0, 1500)}\n`);
for (const level of ['log', 'info', 'warn', 'error']) console[level] = (...words) => problem(`console.${level}: ${words.map((w) => w?.message ?? w).join(' ')}`);

for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line);
  if (step.open) {
    client = clients[step.open]();
    name = step.name;
    messages = 0;
  } else if (step.feed) {
    messages++;
    try {
      client.feed(step.feed);
    } catch (thrown) {
      problem(`${thrown.message} in ${JSON.stringify(step.feed).slice(0, 600)}`);
    }
  } else if (step.type) {
    client.type(...step.type);
  } else {
    models++;
    for (const tree of client.trees()) for (const id of tree === 'no root' ? [tree] : missing(tree)) problem(`missing: ${id}`);
    const got = JSON.parse(JSON.stringify(client.models()));
    if (!isDeepStrictEqual(got, step.model)) problem(`the data are ${JSON.stringify(got)}, want ${JSON.stringify(step.model)}`);
  }
}
process.stdout.write(`done: ${models} models\n`);
