// Runs the browser scenarios against a running limn server.
//
//   node test/run.mjs --base http://127.0.0.1:8080 [--only name[,name]] [--shots dir] [--list] [--lanes 2]
//     [--live http://127.0.0.1:8081] [--views http://127.0.0.1:8082] [--gateway http://127.0.0.1:8080]
//     [--writer http://127.0.0.1:8084 --model-port 8085] [--dev http://127.0.0.1:8083 --file shop.yaml]
//
// --live names a server of examples/dashboard/app.yaml with the line "operators: [support]",
// started with the --data-token that LIMN_DATA_TOKEN has, --proxy 127.0.0.1, --user-header
// X-User and --roles-header X-Roles. Without it the scenarios of live.mjs are left out.
//
// --views is a server of cmd/limn/testdata/charts.yaml; without it charts, shared drafts and local actions are left out.
// --writer is another one, with --model writer and --model-url http://127.0.0.1:PORT/v1: this program is that model, at --model-port PORT.
// --gateway is the page of examples/gateway/run.sh; without it the scenarios of gateway.mjs are left out.
// --dev is `limn dev` of --file, as `limn new` writes it; the scenario changes the file.
// A scenario that fails is run once more when the others are over, if there are no more
// than three: a busy machine can be too slow for one. Both tries are printed.
// LIMN_CHROMIUM names the browser (default: one that is found). The last line is
// "N passed, N failed"; the exit code is 1 if any failed, 2 if none ran.

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { launch } from './chromium.mjs';
import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { scenarios } from './scenarios.mjs';

const { values: args } = parseArgs({
  options: { base: { type: 'string' }, live: { type: 'string' }, views: { type: 'string' }, gateway: { type: 'string' }, writer: { type: 'string' }, 'model-port': { type: 'string' }, dev: { type: 'string' }, file: { type: 'string' }, only: { type: 'string' }, shots: { type: 'string' }, list: { type: 'boolean' }, lanes: { type: 'string', default: '2' } },
});
const only = args.only?.split(',');
const names = Object.keys(scenarios).filter((name) => args.dev || !name.startsWith('dev-')).filter((name) => args.live || !name.startsWith('live-'))
  .filter((name) => args.gateway || !name.startsWith('gateway-')).filter((name) => args.views || !/^(catalog-chart|drafts-|local-)/.test(name)).filter((name) => args.writer || !name.startsWith('drafts-patch-')).filter((name) => !only || only.some((o) => name === o || name.startsWith(`${o}-`)));
if (args.list) {
  console.log(names.join('\n'));
  process.exit(0);
}
if (!names.length || !args.base) {
  console.error('usage: node test/run.mjs --base URL [--only name,…] [--shots dir] [--list]');
  process.exit(2);
}

const base = args.base;

let passed = 0;
let failed = [];

// A lane has a browser of its own and takes the next scenario when one is over.
// Scenarios wait most of their time, so several lanes fit on one machine.
async function lane() {
  let browser = await launch();
  for (let name = names.shift(); name; name = names.shift()) {
    const t = { browser, base, live: args.live, views: args.views, gateway: args.gateway, writer: args.writer, dev: args.dev, file: args.file, shots: args.shots, contexts: [], lines: [], info: (line) => t.lines.push(`      ${line}`) };
    const started = Date.now();
    const error = await within(240_000, scenarios[name](t)).catch((e) => e);
    const took = `${((Date.now() - started) / 1000).toFixed(1)} s`;
    if (error instanceof Error) {
      failed.push(name);
      t.lines.unshift(`FAIL  ${name} (${took})\n    ${String(error.stack).split('\n').slice(0, 14).join('\n    ')}`);
      if (args.shots) {
        await mkdir(args.shots, { recursive: true }).catch(() => {});
        const page = t.contexts.at(-1)?.pages()[0];
        await page?.screenshot({ path: `${args.shots}/FAIL-${name}.png`, fullPage: true, timeout: 3000 }).catch(() => {});
      }
    } else {
      passed++;
      t.lines.unshift(`ok    ${name} (${took})`);
    }
    console.log([...new Set(t.lines)].join('\n'));
    const closed = await within(5000, Promise.allSettled(t.contexts.map((c) => c.close()))).catch((e) => e);
    if (closed instanceof Error || !browser.isConnected()) { // a hung page takes its browser with it
      await within(5000, browser.close()).catch(() => {});
      browser = await launch();
    }
  }
  await within(5000, browser.close()).catch(() => {});
}

// within waits for work at most ms milliseconds.
function within(ms, work) {
  let timer;
  const limit = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`took longer than ${ms / 1000} s`)), ms); });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

// The model of --writer: to "put rain into the note" it answers with a patch of that field, or of both fields, else with the form.
if (args['model-port']) {
  createServer(async (request, response) => {
    const [, value, field] = [...(await text(request)).matchAll(/put (\w+) into the (\w+)/g)].at(-1) ?? [];
    const patch = { type: 'ui.patch', payload: { surface: 'form:guest', ops: (field === 'fields' ? ['name', 'note'] : [field]).map((name) => ({ op: 'set', path: `/draft/${name}`, value })) } };
    const answer = { assistant_text: value ? `I wrote ${value}.` : 'Here is the form.', directives: [value ? patch : { type: 'ui.show_form', payload: { name: 'guest' } }] };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(answer) }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } }));
  }).listen(Number(args['model-port']), '127.0.0.1');
}

await Promise.all(Array.from({ length: Number(args.lanes) }, lane));
if (failed.length && failed.length <= 3) {
  console.log(`once more: ${failed.join(', ')}`);
  names.push(...failed);
  failed = [];
  await lane();
}
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length ? 1 : 0);
