// Takes the pictures of the documentation, in docs, each of an application that a page
// of it prints:
//
//   make build && node web/test/pictures.mjs ./limn

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './chromium.mjs';
import { Limn } from './page.mjs';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const token = 'secret';

/** The first application that a page prints. */
const printed = async (page) => (await readFile(join(docs, page), 'utf8')).match(/```yaml[^\n]*\n([^]*?)```/)[1];

const pictures = {
  'desk.png': { high: 900, async take(limn) {
    await limn.write('We have 8 stakeholders');
    await (await limn.openBox()).fill('Ann\tFinance\tHigh\nBob\tOps\tLow\nCid\tIT\tMedium');
    await limn.page.locator('button[value*="/paste/read:"]').click();
    await limn.button(/^Add these/).click();
    await limn.button('Check').click();
    await limn.button(/^Submit 3/).waitFor();
  } },
  'room.png': { app: 'tutorial.md', high: 620, async take(limn) {
    await limn.write('book a room');
    await limn.surfaces.getByLabel(/^Your name/).fill('Ada');
    await limn.button('Book').click();
    await limn.surfaces.locator('.limn-error:not(:empty)').first().waitFor();
  } },
  'howto/dashboard.png': { app: 'howto/dashboard.md', high: 860, async take(limn, base) {
    for (const [customer, amount] of [['Globex', 12], ['Acme', 30]]) {
      await limn.write('add an order');
      await limn.surfaces.getByLabel(/customer/i).fill(customer);
      await limn.surfaces.getByLabel(/amount/i).fill(String(amount));
      await limn.submitButton.click();
      await limn.surfaces.getByLabel(/customer/i).waitFor({ state: 'detached' });
    }
    const minutes = [12, 31, 24, 40, 52, 47, 88].map((visitors, i) => ({ at: `12:0${i}`, visitors }));
    const write = async (method, path, data) => {
      const answer = await fetch(base + path, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify(data) });
      if (!answer.ok) throw new Error(await answer.text());
    };
    await write('POST', '/v1/topics/sales', { visitors: 294, minutes });
    await write('PUT', `/v1/conversations/${limn.page.url().match(/[0-9a-f-]{36}/)[0]}/committed/discount`, { percent: 4.5 });
    await limn.write('show the dashboard');
    await limn.surfaces.getByText('294').first().waitFor();
  } },
};

/** Runs the program with an application until use is done. */
async function serve(app, use) {
  const file = join(await mkdtemp(join(tmpdir(), 'limn-')), 'app.yaml');
  if (app) await writeFile(file, await printed(app));
  const program = spawn(process.argv[2], ['serve', ...(app ? [file] : []), '--store', 'memory', '--addr', '127.0.0.1:0'], { env: { ...process.env, LIMN_DATA_TOKEN: token }, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const base = await new Promise((found, failed) => {
      let said = '';
      program.stdout.on('data', (text) => { const at = (said += text).match(/http:\/\/127\.0\.0\.1:\d+/); if (at) found(at[0]); });
      program.on('close', () => failed(new Error(said)));
    });
    await use(base);
  } finally {
    program.kill();
  }
}

const browser = await launch();
for (const [name, { app, high, take }] of Object.entries(pictures)) {
  await serve(app, async (base) => {
    const limn = await Limn.open({ browser, base, contexts: [] }, 'html', { viewport: { width: 1280, height: high }, locale: 'en', reducedMotion: 'reduce' });
    await take(limn, base);
    await limn.page.evaluate(() => { document.activeElement?.blur(); scrollTo(0, 0); });
    await limn.page.screenshot({ path: join(docs, name) });
    await limn.page.context().close();
    console.log(name);
  });
}
await browser.close();
