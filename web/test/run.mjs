// Runs the browser scenarios against a running limn server.
//
//   node test/run.mjs --base http://127.0.0.1:8080 [--only name[,name]] [--shots dir] [--list]
//
// LIMN_CHROMIUM names the browser (default /usr/bin/chromium). The last line is
// "N passed, N failed"; the exit code is 1 if any failed, 2 if none ran.

import { chromium } from 'playwright-core';
import { parseArgs } from 'node:util';
import { scenarios } from './scenarios.mjs';

const { values: args } = parseArgs({
  options: { base: { type: 'string' }, only: { type: 'string' }, shots: { type: 'string' }, list: { type: 'boolean' } },
});
const only = args.only?.split(',');
const names = Object.keys(scenarios).filter((name) => !only || only.some((o) => name === o || name.startsWith(`${o}-`)));
if (args.list) {
  console.log(names.join('\n'));
  process.exit(0);
}
if (!names.length || !args.base) {
  console.error('usage: node test/run.mjs --base URL [--only name,…] [--shots dir] [--list]');
  process.exit(2);
}

const base = args.base;

const executablePath = process.env.LIMN_CHROMIUM || '/usr/bin/chromium';
const launch = () => chromium.launch({
  executablePath, headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

let browser = await launch();
let passed = 0;
let failed = 0;
for (const name of names) {
  const info = [];
  const t = { browser, base, shots: args.shots, contexts: [], info: (line) => info.push(line) };
  const started = Date.now();
  let timer;
  const limit = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('took longer than 120 s')), 120_000); });
  try {
    await Promise.race([scenarios[name](t), limit]);
    passed++;
    console.log(`ok    ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)\n    ${String(error?.stack ?? error).split('\n').slice(0, 14).join('\n    ')}`);
    if (args.shots) {
      const { mkdir } = await import('node:fs/promises');
      await mkdir(args.shots, { recursive: true }).catch(() => {});
      const page = t.contexts.at(-1)?.pages()[0];
      await page?.screenshot({ path: `${args.shots}/FAIL-${name}.png`, fullPage: true, timeout: 3000 }).catch(() => {});
    }
  } finally {
    clearTimeout(timer);
  }
  for (const line of [...new Set(info)]) console.log(`      ${line}`);
  const closed = await Promise.race([Promise.all(t.contexts.map((c) => c.close().catch(() => {}))).then(() => true), new Promise((r) => setTimeout(() => r(false), 5000))]);
  if (!closed || !browser.isConnected()) { // a hung page takes its browser with it
    await Promise.race([browser.close().catch(() => {}), new Promise((r) => setTimeout(r, 5000))]);
    browser = await launch();
  }
}
await Promise.race([browser.close(), new Promise((r) => setTimeout(r, 5000))]);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
