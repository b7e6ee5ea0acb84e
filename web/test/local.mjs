// Buttons that send nothing: they open an address or copy a text.

import { expect, Limn } from './page.mjs';

export const scenarios = {};

const posts = (page) => {
  const list = [];
  page.on('request', (r) => { if (r.method() === 'POST') list.push(r.url()); });
  return list;
};

// --- the page: a link, and a button that copies ---
scenarios['local-html'] = async (t) => {
  const limn = await Limn.open({ ...t, base: t.views }, 'html', { permissions: ['clipboard-read', 'clipboard-write'] });
  await limn.write('help please');
  const link = limn.surfaces.getByRole('link', { name: 'Read more' });
  await link.waitFor();
  expect('a link to another site', (await link.getAttribute('href')) === 'https://limn.example/help' && /noopener/.test(await link.getAttribute('rel')));
  const sent = posts(limn.page);
  await limn.button('Copy the number').click();
  await limn.page.getByText('Copied.').first().waitFor();
  expect('the text is on the clipboard', (await limn.page.evaluate(() => navigator.clipboard.readText())) === 'A-17');
  expect(`nothing is sent, got ${sent}`, sent.length === 0);
};

// --- without script: the link, and the text to read ---
scenarios['local-plain'] = async (t) => {
  const limn = await Limn.open({ ...t, base: t.views }, 'html');
  await limn.write('help please');
  await limn.surfaces.getByRole('link', { name: 'Read more' }).waitFor();
  const context = await t.browser.newContext({ javaScriptEnabled: false, storageState: await limn.page.context().storageState() });
  t.contexts.push(context);
  const page = await context.newPage();
  await page.goto(limn.page.url());
  await page.getByRole('link', { name: 'Read more' }).waitFor();
  await page.getByText('A-17').first().waitFor();
  expect('no button that does nothing', !(await page.getByRole('button', { name: 'Copy the number' }).isVisible()));
};

// --- the official renderer: the address opens by a function of the client ---
scenarios['local-v09'] = async (t) => {
  const limn = await Limn.open({ ...t, base: t.views }, 'v0.9');
  await limn.write('help please');
  await limn.button('Read more').waitFor();
  await limn.surfaces.getByText('Copy the number: A-17').waitFor();
  const sent = posts(limn.page);
  await limn.page.context().route('https://limn.example/**', (route) => route.fulfill({ body: 'helped' }));
  const [page] = await Promise.all([limn.page.context().waitForEvent('page'), limn.button('Read more').click()]);
  await page.waitForURL('https://limn.example/help');
  expect(`nothing is sent, got ${sent}`, sent.length === 0);
};
