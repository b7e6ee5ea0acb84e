// The place of the surfaces: tabs, the sheet of a phone, and the tables and pictures in it.

import { expect, Limn, opening, poll } from './page.mjs';

export const scenarios = {};
const process = 'First finance reviews the invoice, then IT signs off, then CFO approves.';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The id of what has the focus. */
const focused = (limn) => limn.page.evaluate(() => document.activeElement?.id ?? '');
const tab = (limn, name) => limn.page.locator('#limn-open').getByRole('button', { name });

// --- one surface at a time, the others are tabs; each keeps what is typed ---
scenarios['workspace-tabs'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.write('I want to add a customer');
  const company = limn.page.getByLabel(/^company/i).first();
  await company.fill('Ada');
  expect('no tab for one surface', !(await limn.page.locator('#limn-open').isVisible()));
  await limn.write('We have 5 stakeholders');
  await tab(limn, 'Stakeholders').waitFor();
  expect('the newest is shown', !(await company.isVisible()) && (await limn.cells.last().isVisible()));
  await tab(limn, 'Customer').click();
  expect('the other is shown', (await company.isVisible()) && (await company.inputValue()) === 'Ada');
  await limn.page.getByRole('button', { name: /^save customer/i }).click();
  await limn.page.locator('#limn-transcript .limn-submitted').waitFor();
  expect('the table comes back', (await limn.surfaces.locator('table').isVisible()) && !(await limn.page.locator('#limn-open').isVisible()));
  await limn.clean();
};

// --- on a phone the surface covers the conversation, with its buttons in sight ---
scenarios['workspace-phone'] = async (t) => {
  const limn = await Limn.open(t, 'html', phone);
  await limn.write('I want to add a customer');
  const save = limn.button(/^save/i);
  await save.waitFor();
  const composer = limn.page.locator('#limn-text');
  expect('the form covers the conversation', !(await composer.isVisible()));
  expect('the button that saves in sight', await save.evaluate((el) => el.getBoundingClientRect().bottom <= innerHeight));
  await limn.page.getByLabel(/^company/i).first().fill('Ada');
  await limn.back();
  expect('the conversation', (await composer.isVisible()) && !(await save.isVisible()) && (await focused(limn)) === 'limn-reopen');
  await limn.write('thanks');
  expect('a message does not bring the form', await composer.isVisible());
  await limn.page.locator('#limn-reopen').click();
  expect('what was typed', (await limn.page.getByLabel(/^company/i).first().inputValue()) === 'Ada');
  await save.click();
  await limn.page.locator('#limn-transcript .limn-submitted').waitFor();
  await poll('the conversation with the card', async () => (await composer.isVisible()) && !(await limn.page.locator('#limn-reopen').isVisible()));
  await limn.clean();
};

// --- on a phone the browser's Back leads from the surface to the conversation, and Forward back ---
scenarios['workspace-back'] = async (t) => {
  const limn = await Limn.open(t, 'html', phone);
  const { page } = limn;
  const composer = page.locator('#limn-text');
  const here = page.url();
  const length = () => page.evaluate(() => history.length);
  const before = await length();
  await limn.write('I want to add a customer');
  const company = page.getByLabel(/^company/i).first();
  await company.fill('Ada');
  await page.goBack();
  await composer.waitFor();
  expect('the page is the same', page.url() === here && !(await company.isVisible()));
  await page.goForward();
  await company.waitFor();
  expect('what was typed', (await company.inputValue()) === 'Ada');
  await limn.back();
  await composer.waitFor();
  await page.locator('#limn-reopen').click();
  await company.waitFor();
  await limn.button(/^save/i).click();
  await page.locator('#limn-transcript .limn-submitted').waitFor({ state: 'attached' });
  await composer.waitFor();
  await poll('no entry of the sheet is left', () => page.evaluate(() => !history.state?.limnSheet));
  await limn.write('I want to add a customer');
  await company.waitFor();
  await limn.reload();
  await company.waitFor();
  await page.goBack();
  await composer.waitFor();
  expect(`one entry for all of it, not ${(await length()) - before}`, (await length()) === before + 1);
  await page.goBack();
  await poll('the page before', async () => page.url() !== here);
  limn.problems.length = 0;
};

// --- the conversations beside the page, where there is room: opened, searched, remembered ---
scenarios['workspace-sidebar'] = async (t) => {
  const limn = await Limn.open(t, 'html', { viewport: { width: 1200, height: 900 } });
  const { page } = limn;
  const bar = page.locator('#limn-sidebar');
  const toggle = page.locator('#limn-list');
  expect('closed', !(await bar.isVisible()) && (await toggle.getAttribute('aria-expanded')) === 'false');
  await toggle.click();
  await bar.getByRole('link', { name: 'New conversation' }).waitFor();
  await limn.write('I want to add a customer');
  const first = bar.getByRole('link', { name: 'I want to add a customer' });
  await first.waitFor();
  expect('this one is marked', (await first.getAttribute('aria-current')) === 'page');
  await limn.shot('sidebar');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await limn.ready();
  expect('open still', await bar.isVisible());
  await limn.write('thanks');
  await bar.getByRole('link', { name: 'thanks' }).waitFor();
  await bar.getByRole('searchbox').fill('customer');
  await poll('what is searched', async () => (await bar.locator('li').count()) === 1);
  await first.click();
  await page.getByLabel(/^company/i).first().waitFor();
  await page.locator('#limn-list').click();
  await limn.reload();
  expect('closed still', !(await bar.isVisible()));
  await page.setViewportSize({ width: 390, height: 844 });
  expect('nothing of it on a phone', !(await bar.isVisible()) && !(await toggle.isVisible()));
  await page.setViewportSize({ width: 1600, height: 900 });
  expect('closed on a wide screen, as chosen', !(await bar.isVisible()));
  await limn.clean();
  const wide = await Limn.open(t, 'html', { viewport: { width: 1600, height: 900 } });
  await wide.page.locator('#limn-sidebar').waitFor();
  await wide.shot('sidebar-wide');
  await wide.clean();
};

// --- a form: short fields side by side where there is room, required once, errors for help ---
scenarios['workspace-form'] = async (t) => {
  for (const [width, beside] of [[1280, true], [390, false]]) {
    const limn = await Limn.open(t, 'html', { viewport: { width, height: 844 } });
    await limn.write('I want to add a customer');
    await limn.button(/^save/i).waitFor();
    const top = (label) => limn.page.getByLabel(label).first().evaluate((el) => el.getBoundingClientRect().top);
    expect(`${width}: email beside company`, ((await top(/^company/i)) === (await top(/^email/i))) === beside);
    expect(`${width}: one note says what the star means`, (await limn.page.locator('.limn-required-note:visible').count()) === 1);
    expect('it is read aloud', (await limn.page.getByRole('textbox', { name: 'Company (required)' }).count()) === 1);
    await limn.page.getByLabel(/^phone/i).fill('none');
    await limn.button(/^save/i).click();
    await limn.page.locator('.limn-error:not(:empty)').first().waitFor();
    const phoneField = limn.page.locator('.limn-field', { has: limn.page.getByLabel(/^phone/i) });
    expect('the error in place of the help', !(await phoneField.locator('.limn-help').isVisible()) && (await phoneField.locator('.limn-error').isVisible()));
    await limn.clean();
  }
};

// --- a table is worked on with the keys of a spreadsheet ---
scenarios['workspace-grid'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.write(opening);
  await limn.cells.first().waitFor();
  const { keyboard } = limn.page;
  const place = () => limn.page.evaluate(() => {
    const cell = document.activeElement?.closest('td');
    const row = cell?.closest('tr');
    return row ? `${row.firstElementChild.textContent}/${[...row.children].indexOf(cell)}` : (document.activeElement?.textContent ?? '');
  });
  const at = async (name, wanted) => poll(`${name}: ${wanted}, not ${await place()}`, async () => (await place()) === wanted);
  await limn.cells.first().click();
  let tabs = 0;
  for (; tabs < 25 && (await place()) !== 'Check'; tabs++) await keyboard.press('Tab');
  expect(`from the first cell to Check in ${tabs} presses of Tab`, (await place()) === 'Check');
  await limn.cells.first().click();
  await keyboard.press('Shift+Tab');
  expect('back out of the table', /limn-scroll/.test(await limn.page.evaluate(() => document.activeElement?.className ?? '')));

  await limn.cells.first().click();
  await keyboard.type('Ada');
  await keyboard.press('Tab');
  await keyboard.type('CFO');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await at('Tab after a row that was filled in', '2/1');
  await keyboard.press('ArrowUp');
  await at('up', '1/1');
  await keyboard.type('Eve');
  await keyboard.press('Escape');
  expect('Escape takes back', (await limn.cells.first().inputValue()) === 'Ada');
  await keyboard.press('End');
  await keyboard.press('ArrowRight');
  await at('right', '1/2');
  await keyboard.press('ArrowLeft');
  await at('left', '1/1');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await at('down', '3/1');
  await keyboard.press('Enter');
  await at('Enter', '4/1');
  await limn.cells.first().click();
  await keyboard.press('Alt+ArrowDown');
  await poll('the row moved down', async () => (await limn.page.locator('tr:nth-child(2) td input').first().inputValue()) === 'Ada');
  const cell = await limn.cells.nth(2).boundingBox();
  expect(`a row of 32 pixels, not ${cell?.height}`, Math.round(cell?.height ?? 0) === 32);
  await limn.clean();
};

// --- the picture of a process is above its steps; where it cannot be edited it leads to their fields ---
scenarios['workspace-picture'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.page.route('**/process.js', (route) => route.fulfill({ status: 404 }));
  await limn.write(process);
  const box = limn.page.locator('.limn-canvas[data-steps] [data-step="2"]');
  await box.waitFor();
  await poll('the missing script', () => limn.page.evaluate(() => window.limn.errors.length));
  const top = (selector) => limn.page.locator(selector).first().evaluate((el) => el.getBoundingClientRect().top);
  expect('the picture first', (await top('.limn-canvas')) < (await top('.limn-steps > ol')));
  await box.click();
  expect('the fields of the second step', await limn.page.evaluate(() => document.activeElement?.closest('li')?.matches('.limn-steps > ol > li:nth-child(2)')));
  await limn.clean();
};

// --- a card leads back to its form: what is saved then is the next version of the record ---
for (const [name, options] of [['', {}], ['-noscript', { javaScriptEnabled: false }]]) {
  scenarios[`workspace-edit${name}`] = async (t) => {
    const context = await t.browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
    t.contexts.push(context);
    const page = await context.newPage();
    await page.goto(t.base);
    await page.locator('#limn-text').fill('I want to add a customer');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel(/^company/i).fill('Ada');
    await page.getByRole('button', { name: /^save/i }).click();
    const card = page.locator('#limn-transcript .limn-submitted');
    await card.first().waitFor();
    const here = page.url().replace(/#.*/, '');
    await card.getByRole('button', { name: 'Edit' }).click();
    const company = page.locator('#limn-surfaces').getByLabel(/^company/i);
    await company.waitFor();
    expect('the same conversation', page.url().replace(/#.*/, '') === here);
    expect('its values', (await company.inputValue()) === 'Ada');
    await company.fill('Ada & Co');
    await page.locator('#limn-surfaces').getByRole('button', { name: /^save/i }).click();
    await card.filter({ hasText: 'Ada & Co' }).waitFor();
    await page.goto(new URL('/records/customer', t.base).href);
    expect('one record', (await page.locator('tbody tr').count()) === 1 && /Ada & Co/.test(await page.locator('tbody').innerText()));
    await page.locator('tbody a').first().click();
    expect('two versions', (await page.locator('ol[reversed] > li').count()) === 2);
  };
}

// --- "Edit" in a list shows the form it opens, though the user is at work in the list; the page of records does, too ---
scenarios['workspace-list'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const { page } = limn;
  await limn.write('I want to add a customer');
  await page.getByLabel(/^company/i).fill('Ada');
  await page.getByRole('button', { name: /^save/i }).click();
  await page.locator('#limn-transcript .limn-submitted').first().waitFor();
  await limn.write('show all customers');
  const list = page.locator('#limn-surfaces > turbo-frame:not([hidden])').filter({ has: page.locator('table, .limn-list') });
  await list.getByRole('button', { name: 'Edit' }).first().click();
  const form = page.locator('#limn-surfaces > turbo-frame:not([hidden])').filter({ has: page.getByLabel(/^company/i) });
  await form.waitFor();
  expect('its first field has the focus', await form.getByLabel(/^company/i).evaluate((el) => el === document.activeElement));
  await page.goto(new URL('/records/customer', t.base).href);
  await page.locator('tbody a').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await form.waitFor();
  expect('the form of the record', (await form.getByLabel(/^company/i).inputValue()) === 'Ada');
  await limn.clean();
};
