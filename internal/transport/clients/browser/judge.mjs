// Walks through a chat that others wrote, in Chromium, against the real program:
//
//   node judge.mjs copilot|assistant LIMN FOLDER
//
// A message opens a form; it is filled in and clicked twice, and counts once; the page is
// loaded again, and the server killed and started again, and each time the form of before is
// back and works. The model calls a tool of the page, and Stop stops it. Run by TestPages.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const [name, limn, folder] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const web = createRequire(new URL('../../../../web/package.json', import.meta.url));
const { build } = web('esbuild');
const { chromium } = web('playwright-core');
const { default: visit } = await import(`./${name}.mjs`);

// What draws code, formulas and diagrams is most of the bytes, and nothing here needs it:
// package.json installs nothing under these names, and the bundle has nothing for them.
const { overrides } = createRequire(import.meta.url)('./package.json');
function setup(bundle) {
  bundle.onResolve({ filter: new RegExp(`^(${Object.keys(overrides).join('|')})(/|$)`) }, ({ path }) => ({ path, namespace: 'unused' }));
  bundle.onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
}

const { outputFiles } = await build({
  absWorkingDir: here, entryPoints: [`${name}.jsx`], bundle: true, write: false, outdir: 'out', format: 'esm', target: 'es2022',
  jsx: 'automatic', charset: 'utf8', logLevel: 'error', define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.css': 'empty' }, plugins: [{ name: 'unused', setup }],
});
const script = outputFiles.find((f) => f.path.endsWith('.js')).contents;
// model answers as a model that wants to know a colour by a tool of the page, and does not
// come to an end with stories.
let told;
const asked = new Promise((done) => { told = done; }); // for a story
async function model(req, res) {
  let body = '';
  for await (const piece of req) body += piece;
  const { messages, tools } = JSON.parse(body);
  const last = JSON.stringify(messages.at(-1));
  const says = (assistant_text, ...directives) => ({ content: JSON.stringify({ assistant_text, directives }) });
  let message = says('No tools.');
  if (last.includes('story')) { // until the request is given up
    told();
    return;
  }
  if (last.includes('sign the guest book')) message = says('Here is the form.', { type: 'ui.show_form', payload: { name: 'guest' } });
  else if (last.includes('they said: green')) message = says('Green it is.');
  else if (tools) message = { content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'pick', arguments: '{"of":"red or green"}' } }] };
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ id: '1', object: 'chat.completion', created: 1, model: 'judge', choices: [{ index: 0,
    finish_reason: message.tool_calls ? 'tool_calls' : 'stop', message: { role: 'assistant', ...message } }] }));
}

const pages = createServer((req, res) => {
  if (req.method === 'POST') {
    model(req, res);
    return;
  }
  const bundle = req.url === '/page.js';
  res.setHeader('Content-Type', bundle ? 'text/javascript' : 'text/html; charset=utf-8');
  res.end(bundle ? script : '<!doctype html><title>Chat</title><div id="page"></div><script type="module" src="/page.js"></script>');
}).listen(0, '127.0.0.1');
await new Promise((done) => pages.once('listening', done));
const origin = `http://127.0.0.1:${pages.address().port}`;

// serve starts the program, on a port that is free or was.
async function serve(port) {
  const server = spawn(limn, ['serve', 'app.yaml', '--door', 'agui', '--origins', origin, '--addr', `127.0.0.1:${port}`,
    '--store', `sqlite:${folder}/judge.db`, '--log', 'error', '--capabilities', 'models.yaml', '--model', 'judge', '--model-url', `${origin}/v1`],
  { cwd: here, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(server.stdout)) {
    const at = / is at (http:\S+)/.exec(line);
    if (at) return { server, base: at[1].replace(/\/$/, '') };
  }
  throw new Error('the program ended');
}

let { server, base } = await serve(0);
const browser = await chromium.launch({ executablePath: process.env.LIMN_CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  const said = [];
  page.on('pageerror', (e) => said.push(`page error: ${e.message}`));
  page.on('console', (m) => said.push(`${m.type()}: ${m.text().slice(0, 300)}`));
  const token = randomBytes(32).toString('base64url');
  const thread = randomUUID();
  const at = `${origin}/?${new URLSearchParams({ url: `${base}/agui`, token, thread })}`;

  // saved counts how often a name was saved, by the log of the conversation.
  const saved = async (who) => {
    const headers = { Authorization: `Bearer ${token}` };
    const list = await (await fetch(`${base}/v1/conversations`, { headers })).json();
    const { frames } = await (await fetch(`${base}/v1/conversations/${list.conversations[0].id}/frames`, { headers })).json();
    return frames.flatMap((f) => f.ops ?? []).filter((op) => op.op === 'Commit' && op.values.name === who).length;
  };
  const restart = async () => {
    server.kill('SIGKILL');
    await new Promise((done) => server.once('exit', done));
    ({ server } = await serve(new URL(base).port));
  };
  try {
    await visit({ page, at, saved, restart, asked });
  } catch (e) {
    if (process.env.LIMN_SHOTS) await page.screenshot({ path: `${process.env.LIMN_SHOTS}/${name}.png` });
    console.error(said.join('\n'));
    console.error((await page.locator('body').innerText()).slice(0, 2000));
    throw e;
  }
  assert.deepEqual(said.filter((s) => s.startsWith('page error')), []);
} finally {
  await browser.close();
  server.kill('SIGKILL');
  pages.close();
  pages.closeAllConnections();
}
