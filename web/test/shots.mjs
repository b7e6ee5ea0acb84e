// Takes a picture of each state of the page, in three widths, light and dark, to be looked
// at one by one. Run it against `limn serve`, the demo:
//
//   node test/shots.mjs --base http://127.0.0.1:8080 [--only table] [--out test/shots]
//     [--widths 1440,820] [--draw react] [--no-script]
//
// --draw is another drawing: v0.8, v0.9 or react. States that need the paste box, and those
// of pages of their own, are left out there. --no-script turns scripts off.

import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { launch } from './chromium.mjs';

const { values: args } = parseArgs({ options: {
  base: { type: 'string' }, only: { type: 'string' }, out: { type: 'string', default: 'test/shots' },
  widths: { type: 'string', default: '1280,820,390' }, draw: { type: 'string', default: 'html' }, 'no-script': { type: 'boolean' },
} });
if (!args.base) {
  console.error('usage: node test/shots.mjs --base URL [--only STATE] [--out DIR] [--widths PX,…] [--draw NAME] [--no-script]');
  process.exit(2);
}
const script = !args['no-script'], other = args.draw !== 'html';
const people = 'Ann\tFinance\tHigh\nBob\tOps\tLow\nCid\tIT\tMedium';

/** @type {Record<string, (p: import('playwright-core').Page) => Promise<unknown>>} */
const states = {
  start: async () => {},
  chat: async (p) => say(p, 'help'),
  form: async (p) => say(p, 'add a customer'),
  'form-refused': async (p) => { await say(p, 'add a customer'); await press(p, 'Save customer'); },
  'form-saved': async (p) => { await say(p, 'add a customer'); await p.getByLabel(/^Company/).fill('Ada & Co'); await p.getByLabel(/^Email/).fill('ada@example.org'); await press(p, 'Save customer'); },
  'form-canceled': async (p) => { await say(p, 'add a customer'); await press(p, 'Cancel'); },
  table: async (p) => say(p, 'We have 8 stakeholders'),
  'table-preview': async (p) => { await paste(p); },
  'table-checked': async (p) => { await paste(p); await press(p, /^Add these/); await press(p, 'Check'); },
  'table-refused': async (p) => { await say(p, 'We have 8 stakeholders'); await p.locator('td input').nth(1).fill('Chief'); await press(p, 'Check'); },
  process: async (p) => say(p, 'First finance reviews the invoice, then IT signs off, then the CFO approves.'),
  tabs: async (p) => { await say(p, 'add a customer'); await back(p); await say(p, 'We have 8 stakeholders'); },
  records: async (p) => { await states['form-saved'](p); await p.goto(new URL('/records/customer', args.base).href); },
  conversations: async (p) => { await say(p, 'help'); await p.goto(new URL('/conversations', args.base).href); },
};

const browser = await launch();
await mkdir(args.out, { recursive: true });
let failed = 0;
for (const [state, reach] of Object.entries(states)) {
  if (args.only && args.only !== state || other && /^(table-|records|conversations)/.test(state)) continue;
  for (const width of args.widths.split(',')) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const context = await browser.newContext({ viewport: { width: Number(width), height: 900 }, colorScheme, locale: 'en', javaScriptEnabled: script });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      const name = `${state}-${width}-${colorScheme}`;
      try {
        await page.goto(args.base);
        if (other) await page.goto(`${page.url()}?draw=${args.draw}`);
        await reach(page);
        await page.waitForTimeout(400); // an animation ends
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) throw new Error(`${wide} px wider than the screen`);
        console.log(`ok    ${name}`);
      } catch (error) {
        failed++;
        console.log(`FAIL  ${name}: ${String(error).split('\n')[0]}`);
      }
      await page.screenshot({ path: `${args.out}/${name}.png` });
      await context.close();
    }
  }
}
await browser.close();
process.exit(failed ? 1 : 0);

/** @param {import('playwright-core').Page} p @param {string} text */
async function say(p, text) {
  await p.locator('#limn-text').fill(text);
  if (!script) { // it loads the page
    await p.locator('#limn-composer').getByRole('button', { name: 'Send' }).click();
    return p.locator(`#limn-transcript > .limn-user:has-text("${text}") ~ .limn-assistant`).last().waitFor();
  }
  await p.locator('#limn-text').press('Enter');
  await p.waitForFunction(() => !document.querySelector('#limn-transcript > .limn-pending') && document.querySelector('#limn-transcript > .limn-assistant:last-of-type'));
}

/** @param {import('playwright-core').Page} p @param {string | RegExp} name */
async function press(p, name) {
  await p.locator('#limn-surfaces').getByRole('button', { name, exact: typeof name === 'string' }).first().click();
  if (script) await p.waitForFunction(() => !document.querySelector('form[data-pending], #limn-surfaces[aria-busy]'));
}

/** @param {import('playwright-core').Page} p */
async function back(p) {
  const button = p.locator('#limn-open .limn-back');
  if (await button.isVisible()) await button.click();
}

/** @param {import('playwright-core').Page} p */
async function paste(p) {
  await say(p, 'We have 8 stakeholders');
  await p.locator('.limn-fold > summary').first().click();
  await p.locator('textarea[name="/draft/paste"]').fill(people);
  await p.locator('button[value*="/paste/read:"]').click();
  await p.getByRole('button', { name: /^Add these/ }).waitFor();
}
