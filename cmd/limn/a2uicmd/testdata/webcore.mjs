// Feeds streams to the processors of the official renderers (@a2ui/web_core), in Node
// and without a document, and looks at the trees when all of a stream is there:
// published examples send components before their data.
//
// In, one JSON object a line:
//   {"open": "v0.8" | "v0.9", "name": …}   a new client; name is for problems
//   {"feed": {…}}                          one message
//   {"model": {"<surface>": {…}}}          the end: what the data models must be
// Out: one line a problem, then "done: N models".

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';

const core = new URL('../../../../web/node_modules/@a2ui/web_core/src/', import.meta.url);
const v08 = await import(new URL('v0_8/index.js', core));
const v09 = await import(new URL('v0_9/index.js', core));
const { z } = createRequire(core)('zod');

// The published minimal catalog is a part of the basic one, but for this function.
const capitalize = { name: 'capitalize', returnType: 'string', schema: z.object({ value: z.any() }), execute: ({ value }) => String(value ?? '').toUpperCase() };
const catalogs = [
  new v09.Catalog('https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json', v09.BASIC_COMPONENTS, v09.BASIC_FUNCTIONS),
  new v09.Catalog('https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json', v09.BASIC_COMPONENTS, [...v09.BASIC_FUNCTIONS, capitalize]),
];

/** What of a v0.9 tree has not arrived; a v0.8 tree throws instead. */
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
    const surfaces = () => [...processor.getSurfaces()];
    return {
      feed: (m) => processor.processMessages([m]),
      trees: () => surfaces().map(([, s]) => s.componentTree),
      models: () => Object.fromEntries(surfaces().map(([id, s]) => [id, plain(s.dataModel)])),
    };
  },
  'v0.9': () => {
    const processor = new v09.MessageProcessor(catalogs, undefined, { version: 'v0.9' });
    const surfaces = () => [...processor.model.surfacesMap];
    return {
      feed(m) {
        v09.A2uiMessageSchema.parse(m);
        processor.processMessages([m]);
      },
      trees: () => surfaces().map(([, s]) => {
        s.onError.subscribe((e) => { problem(`${e.code}: ${e.message} ${e.expression ?? ''}`); });
        return v09.peekValue(new v09.NodeResolver(s, s.catalog).rootNode);
      }),
      models: () => Object.fromEntries(surfaces().map(([id, s]) => [id, s.dataModel.get('/') ?? {}])),
    };
  },
};

let client;
let name = '';
let messages = 0;
let models = 0;
const problem = (text) => process.stdout.write(`${name}: message ${messages}: ${String(text).replaceAll('\n', ' ').slice(0, 600)}\n`);
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
      problem(`${thrown.message} in ${JSON.stringify(step.feed)}`);
    }
  } else {
    models++;
    for (const tree of client.trees()) for (const id of tree ? missing(tree) : ['the root']) problem(`missing: ${id}`);
    const got = JSON.parse(JSON.stringify(client.models()));
    if (!isDeepStrictEqual(got, step.model)) problem(`the data are ${JSON.stringify(got)}, want ${JSON.stringify(step.model)}`);
  }
}
process.stdout.write(`done: ${models} models\n`);
