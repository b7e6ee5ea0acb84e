// Walks through the app of the door mcp in a host of ext-apps, in Chromium, against the real
// program:
//
//   node host.mjs LIMN FOLDER
//
// A form opens, is filled in and clicked twice, and counts once; what is typed, and what was
// submitted, is there after the host is loaded again and after the server is killed and
// started again. Run by TestHost.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const [limn, folder] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const web = createRequire(new URL('../../../../web/package.json', import.meta.url));
const { build } = web('esbuild');
const { chromium } = web('playwright-core');

const { outputFiles: [{ contents: script }] } = await build({ absWorkingDir: here, entryPoints: ['host.js'], bundle: true, write: false,
  format: 'esm', target: 'es2022', charset: 'utf8', logLevel: 'error' });
const pages = createServer((req, res) => {
  const bundle = req.url === '/host.js';
  res.setHeader('Content-Type', bundle ? 'text/javascript' : 'text/html; charset=utf-8');
  res.end(bundle ? script : '<!doctype html><title>Host</title><body><script type="module" src="/host.js"></script>');
}).listen(0, '127.0.0.1');
await new Promise((done) => pages.once('listening', done));
const origin = `http://127.0.0.1:${pages.address().port}`;

// serve starts the program, on a port that is free or was.
async function serve(port) {
  const server = spawn(limn, ['serve', 'app.yaml', '--door', 'mcp', '--origins', origin, '--addr', `127.0.0.1:${port}`,
    '--store', `sqlite:${folder}/judge.db`, '--log', 'error'], { cwd: here, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(server.stdout)) {
    const at = / is at (http:\S+)/.exec(line);
    if (at) return { server, base: at[1].replace(/\/$/, '') };
  }
  throw new Error('the program ended');
}

let { server, base } = await serve(0);
const browser = await chromium.launch({ executablePath: process.env.LIMN_CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
const page = await browser.newPage();
page.setDefaultTimeout(20_000);
const said = [];
page.on('pageerror', (e) => said.push(`page error: ${e.message}`));
page.on('console', (m) => said.push(`${m.type()}: ${m.text().slice(0, 300)}`));
const token = randomBytes(32).toString('base64url');
const headers = { Authorization: `Bearer ${token}` };
const app = page.frameLocator('iframe');
const name = app.getByLabel('Your name');

// frames are those of the conversation.
async function frames() {
  const list = await (await fetch(`${base}/v1/conversations`, { headers })).json();
  assert.equal(list.conversations.length, 1, 'a host that is loaded again is in the same conversation');
  return (await (await fetch(`${base}/v1/conversations/${list.conversations[0].id}/frames`, { headers })).json()).frames;
}
const saved = async (who) => (await frames()).flatMap((f) => f.ops ?? []).filter((op) => op.op === 'Commit' && op.values.name === who).length;

try {
  await page.goto(`${origin}/?${new URLSearchParams({ url: `${base}/mcp`, token })}`);
  assert.equal(await app.getByLabel('A note').inputValue(), 'from the model');

  // What is typed is there when the host is loaded again, and when the server died besides.
  await name.fill('Ada');
  await name.blur();
  for (let i = 0; !(await frames()).some((f) => JSON.stringify(f.ops ?? []).includes('Ada')); i++) {
    assert.ok(i < 100, 'what was typed is not kept');
    await page.waitForTimeout(50);
  }
  await page.reload();
  assert.equal(await name.inputValue(), 'Ada');
  server.kill('SIGKILL');
  await new Promise((done) => server.once('exit', done));
  ({ server } = await serve(new URL(base).port));
  await page.reload();
  assert.equal(await name.inputValue(), 'Ada');

  // An empty field is said to be wrong, and has the focus.
  await name.fill('');
  await app.getByRole('button', { name: 'Submit' }).click();
  await app.locator('[aria-invalid=true]').waitFor();
  assert.equal(await saved('Ada'), 0);

  await name.fill('Grace');
  await app.getByRole('button', { name: 'Submit' }).dblclick();
  await app.locator('.limn-done').waitFor();
  assert.equal(await saved('Grace'), 1, 'clicked twice, saved once');
  assert.match(await page.title(), /submitted/);
  await page.reload();
  await app.locator('.limn-done').waitFor();
  assert.equal(await saved('Grace'), 1);
  assert.deepEqual(said.filter((s) => /^page error|Content Security/.test(s)), []);
} catch (e) {
  console.error(said.join('\n'));
  console.error((await page.frames().at(-1).locator('body').innerText()).slice(0, 2000));
  throw e;
} finally {
  await browser.close();
  server.kill('SIGKILL');
  pages.close();
}
