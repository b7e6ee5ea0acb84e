import { chromium } from 'playwright-core';
import { Limn } from './page.mjs';
const [base, dir, only] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox', '--disable-gpu'] });
const sizes = { d: { width: 1280, height: 800 }, p: { width: 390, height: 844 } };
for (const [s, viewport] of Object.entries(sizes)) for (const colorScheme of ['light', 'dark']) {
  if (only && only !== `${s}-${colorScheme}`) continue;
  const t = { browser, base, shots: dir, contexts: [] };
  const shot = async (limn, name) => { await limn.page.waitForTimeout(200); await limn.page.screenshot({ path: `${dir}/${name}-${s}-${colorScheme}.png` }); };
  const opt = { viewport, colorScheme };
  try {
    let l = await Limn.open(t, 'html', opt);
    await shot(l, '01-start');
    await l.write('I want to add a customer');
    await l.cells.first().waitFor();
    await shot(l, '02-form');
    await l.button(/^save/i).click();
    await l.waitText(/is required/);
    await shot(l, '03-error');
    await l.fillAll(); await l.page.getByLabel(/^phone/i).fill('+49 30 123456');
    await l.button(/^save/i).click();
    await l.waitLocked();
    await l.page.waitForTimeout(300);
    await shot(l, '04-submitted');
    const all = l.page.locator('.limn-all summary');
    if (await all.count()) { await all.first().click(); await shot(l, '05-all'); await all.first().click(); }
    await l.write('We have 5 stakeholders across finance, ops, and IT.');
    await l.cells.first().waitFor();
    await shot(l, '06-table');
    await l.fillAll();
    await l.submit();
    await l.page.waitForTimeout(300);
    await shot(l, '07-table-done');
    for (const m of ['hello', 'help', 'What is a stakeholder?', 'thanks', 'hello', 'help']) await l.write(m);
    await shot(l, '08-long');
    l = await Limn.open(t, 'html', opt);
    await l.write('First finance reviews the invoice, then IT signs off, then CFO approves.');
    await l.cells.first().waitFor();
    await shot(l, '09-process');
    await l.button(/^cancel$/i).click();
    await l.waitLocked();
    await l.page.waitForTimeout(300);
    await shot(l, '10-cancel');
    console.log(s, colorScheme, 'sideways', await l.page.evaluate(() => document.scrollingElement.scrollWidth));
    console.log(l.problems);
  } catch (e) { console.log(s, colorScheme, String(e).slice(0, 600)); await t.contexts.at(-1)?.pages()[0]?.screenshot({ path: `${dir}/FAIL-${s}-${colorScheme}.png` }); }
}
await browser.close();
