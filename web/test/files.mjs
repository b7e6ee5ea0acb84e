// Files of a form: uploaded when chosen or dropped, waited for, removed, sent again.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, Limn, poll } from './page.mjs';

const require = createRequire(import.meta.url);

export const scenarios = {};

const card = (text = '{"name":"Ada"}', name = 'card.json') => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

/** A new conversation with the form of a character, and its nickname typed. */
async function character(t) {
  const limn = await Limn.open(t, 'html');
  await limn.write('upload a character card');
  limn.file = limn.surfaces.locator('input[type=file]');
  limn.nickname = limn.surfaces.getByLabel('Nickname');
  await limn.nickname.fill('Countess');
  limn.stored = limn.surfaces.locator('.limn-stored .limn-file');
  limn.save = limn.button('Save character');
  limn.committed = async () => (await (await limn.page.request.get(new URL(await limn.page.locator('body').getAttribute('data-api'), t.base) + '/state')).json()).committed?.character;
  return limn;
}

/** Holds requests of a page or context back until the returned function is called. */
async function held(page, what) {
  let open;
  const opened = new Promise((resolve) => { open = resolve; });
  await page.route(what, async (route) => {
    await opened;
    await route.continue().catch(() => {}); // it was cancelled
  });
  return open;
}

const gate = (limn) => held(limn.page, '**/uploads');

async function saved(limn, name = 'card.json') {
  await limn.waitText(/the character is saved/i);
  const got = await limn.committed();
  expect(`the file is committed with the form, not ${JSON.stringify(got)}`, /^u-/.test(got?.card ?? '') && got.nickname === 'Countess');
  await limn.waitText(new RegExp(name));
}

scenarios['files-choose-html'] = async (t) => {
  const limn = await character(t);
  expect('no button to upload', (await limn.button(/^upload/i).count()) === 0);
  const open = await gate(limn);
  await limn.file.setInputFiles(card());
  await limn.surfaces.getByRole('progressbar', { name: 'Uploading card.json' }).waitFor();
  await limn.waitText(/uploading card\.json/i);
  await limn.shot('files-sending');
  open();
  await limn.stored.waitFor();
  expect('its name and size', /card\.json\s*14 bytes/.test(await limn.stored.textContent()));
  expect('the other fields stay', (await limn.nickname.inputValue()) === 'Countess');
  await limn.shot('files-stored');
  await limn.save.click();
  await saved(limn);
  await limn.clean();
};

scenarios['files-wait-html'] = async (t) => {
  const limn = await character(t);
  const open = await gate(limn);
  await limn.file.setInputFiles(card());
  await limn.save.click();
  await limn.waitText(/waiting for card\.json/i);
  expect('nothing is sent before', (await limn.committed()) === undefined);
  open();
  await saved(limn);
  await limn.clean();
};

scenarios['files-retry-html'] = async (t) => {
  const limn = await character(t);
  await limn.page.route('**/uploads', (route) => route.abort());
  await limn.file.setInputFiles(card());
  const retry = limn.button(/^try again/i);
  await retry.waitFor();
  await limn.save.click();
  await limn.waitText(/card\.json was not uploaded\. try again, or remove it/i);
  expect('the form is not sent', (await limn.committed()) === undefined);
  expect('the focus is on the way out', /^try again/i.test((await limn.focused()).text));
  expect('the field is invalid', (await limn.file.getAttribute('aria-invalid')) === 'true');
  await limn.shot('files-failed');
  await limn.page.unroute('**/uploads');
  await retry.click();
  await limn.stored.waitFor();
  await limn.save.click();
  await saved(limn);
};

scenarios['files-remove-html'] = async (t) => {
  const limn = await character(t);
  const open = await gate(limn);
  await limn.file.setInputFiles(card());
  await limn.button(/^cancel card/i).click();
  await poll('the upload is gone', async () => (await limn.surfaces.locator('.limn-transfer').count()) === 0);
  open();
  await limn.page.unroute('**/uploads');
  await limn.file.setInputFiles(card());
  await limn.stored.waitFor();
  await limn.button(/^remove card/i).click();
  await poll('the file is gone', async () => (await limn.stored.count()) === 0);
  await poll('the focus is on the field', async () => (await limn.focused()).tag === 'input');
  expect('the other fields stay', (await limn.nickname.inputValue()) === 'Countess');
  await limn.save.click();
  await limn.waitText(/character card is required/i);
  await limn.clean();
};

scenarios['files-refused-html'] = async (t) => {
  const limn = await character(t);
  const slot = limn.surfaces.locator('.limn-field:has(input[type=file])').locator('.limn-error');
  await limn.file.setInputFiles(card('{broken'));
  await limn.waitText(/card\.json is not a valid JSON file/);
  await limn.file.setInputFiles(card('{broken again'));
  await poll('the same error again', async () => /card\.json is not a valid JSON file/.test(await slot.textContent()) && !(await limn.surfaces.locator('.limn-sending').count()));
  await limn.file.setInputFiles({ name: 'film.json', mimeType: 'application/json', buffer: Buffer.alloc(8 * 1024 * 1024 + 1, 'x') });
  await limn.waitText(/film\.json is too large\. Files can be up to 8 MiB\./);
  expect('one message at the field', (await slot.textContent()).trim() === 'film.json is too large. Files can be up to 8 MiB.');
  expect('the other fields stay', (await limn.nickname.inputValue()) === 'Countess');
  await limn.file.setInputFiles(card());
  await limn.stored.waitFor();
  await limn.save.click();
  await saved(limn);
};

scenarios['files-drop-html'] = async (t) => {
  const limn = await character(t);
  const data = await limn.page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['{"name":"Ada"}'], 'dropped.json', { type: 'application/json' }));
    return transfer;
  });
  const field = limn.surfaces.locator('.limn-field:has(input[type=file])');
  await field.dispatchEvent('dragover', { dataTransfer: data });
  expect('the field shows that it takes it', (await limn.surfaces.locator('.limn-drop').count()) === 1);
  await field.dispatchEvent('drop', { dataTransfer: data });
  await limn.stored.waitFor();
  expect('and then not any more', (await limn.surfaces.locator('.limn-drop').count()) === 0);
  await limn.save.click();
  await saved(limn, 'dropped.json');
  await limn.clean();
};

// What failed while the browser was offline is sent again by itself.
scenarios['files-offline-html'] = async (t) => {
  const limn = await character(t);
  await limn.page.context().setOffline(true);
  await limn.file.setInputFiles(card());
  await limn.button(/^try again/i).waitFor();
  await limn.page.context().setOffline(false);
  await limn.stored.waitFor();
  await limn.save.click();
  await saved(limn);
};

// A file chosen before the page's script is there is sent when it comes.
scenarios['files-chosen-early'] = async (t) => {
  const limn = await character(t);
  const open = await held(limn.page, '**/uploads.js*');
  await limn.page.reload({ waitUntil: 'commit' });
  await limn.file.setInputFiles(card());
  open();
  await limn.stored.waitFor();
  await limn.nickname.fill('Countess');
  await limn.save.click();
  await saved(limn);
};

// Every state of the field for people who cannot see it.
scenarios['files-axe'] = async (t) => {
  const limn = await character(t);
  const source = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
  await limn.page.evaluate(source);
  const check = async (state) => {
    const found = await limn.page.evaluate(() => window.axe.run('#limn-surfaces', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then((r) => r.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary}`)));
    expect(`no violations while ${state}, not ${found.join('; ')}`, !found.length);
  };
  await check('empty');
  const open = await gate(limn);
  await limn.file.setInputFiles(card());
  await limn.surfaces.getByRole('progressbar').waitFor();
  await check('sending');
  open();
  await limn.stored.waitFor();
  await check('stored');
  await limn.page.unroute('**/uploads');
  await limn.page.route('**/uploads', (route) => route.abort());
  await limn.file.setInputFiles(card());
  await limn.button(/^try again/i).waitFor();
  await check('failed');
  await limn.button(/^remove card/i).first().click();
  await limn.save.click();
  await saved(limn);
  await check('answered');
};

scenarios['files-without-script'] = async (t) => {
  const context = await t.browser.newContext({ javaScriptEnabled: false });
  t.contexts.push(context);
  const page = await context.newPage();
  await page.goto(t.base);
  await page.locator('#limn-text').fill('upload a character card');
  await page.locator('#limn-message button').click();
  const surfaces = page.locator('#limn-surfaces');
  await surfaces.getByLabel('Nickname').fill('Countess');
  await surfaces.locator('input[type=file]').setInputFiles(card('{broken'));
  await surfaces.getByRole('button', { name: 'Save character' }).click();
  await surfaces.getByText('card.json is not a valid JSON file.').first().waitFor();
  expect('the other fields stay', (await surfaces.getByLabel('Nickname').inputValue()) === 'Countess');
  await surfaces.locator('input[type=file]').setInputFiles(card());
  await surfaces.getByRole('button', { name: 'Save character' }).click();
  await page.getByText('The character is saved.').first().waitFor();
  const state = await (await page.request.get(new URL(await page.locator('body').getAttribute('data-api'), t.base) + '/state')).json();
  expect('the file is committed', /^u-/.test(state.committed.character.card) && state.committed.character.nickname === 'Countess');
};

// The page that an A2UI drawing opens for a file.
scenarios['files-page-of-a2ui'] = async (t) => {
  const limn = await Limn.open(t, 'v0.9');
  await limn.write('upload a character card');
  const open = await held(limn.page.context(), '**/upload.js*');
  const opened = limn.page.context().waitForEvent('page');
  await limn.button(/choose a file/i).click();
  const page = await opened;
  await page.route('**/uploads?*', (route) => route.abort());
  await page.locator('input[type=file]').setInputFiles(card()); // before the script is there
  open();
  await page.getByText('card.json was not uploaded').waitFor();
  await page.unroute('**/uploads?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('card.json is uploaded').first().waitFor();
  if (t.shots) await page.screenshot({ path: `${t.shots}/files-page-done.png` });
  await limn.waitText(/card\.json/);
  await limn.button(/^remove/i).first().click();
  await poll('the file is gone', async () => !/card\.json/.test((await limn.surfaces.textContent()) ?? ''));
  await page.goBack().catch(() => {});
};

scenarios['files-page-refuses'] = async (t) => {
  const limn = await Limn.open(t, 'v0.8');
  await limn.write('upload a character card');
  const address = (await limn.page.request.get(new URL(await limn.page.locator('body').getAttribute('data-api'), t.base) + '/a2ui?version=v0.9')).text();
  const at = /"url":"[^"]*(\/c\/[^"]*)"/.exec(await address)[1].replaceAll('\\u0026', '&');
  const page = await limn.page.context().newPage();
  await page.goto(new URL(at, t.base).href);
  await page.getByText('or drop a file here').waitFor(); // the script is there
  if (t.shots) await page.screenshot({ path: `${t.shots}/files-page.png` });
  await page.locator('input[type=file]').setInputFiles(card('{broken'));
  await page.getByText('card.json is not a valid JSON file.').waitFor();
  expect('the field is invalid', (await page.locator('input[type=file]').getAttribute('aria-invalid')) === 'true');
  await page.locator('input[type=file]').setInputFiles(card());
  await page.getByText('card.json is uploaded').first().waitFor();
};
