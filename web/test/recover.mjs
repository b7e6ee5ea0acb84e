// What the page does about surfaces that cannot be shown: the failure's text, the
// button beside it, and the surface back with what was typed; and about the end.

import { draws, expect, Limn, poll } from './page.mjs';

export const scenarios = {};
const short = (draw) => draw.replace('.', '');

/** Reports an error of the first surface as a renderer of this page would. */
function report(limn) {
  return limn.page.evaluate(async () => {
    const api = document.body.dataset.api;
    const state = await (await fetch(`${api}/state`)).json();
    const { name, epoch } = state.surfaces[0];
    const error = { code: 'VALIDATION_FAILED', surfaceId: `${name}#e=${epoch}`, path: '/a', message: 'cannot draw this' };
    const client = new URL(window.__sources.at(-1).url).searchParams.get('client');
    const answer = await fetch(`${api}/events`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'Limn-Client': client }, body: JSON.stringify({ version: 'v0.9', error }) });
    return answer.status;
  });
}

for (const draw of draws) {
  scenarios[`regenerate-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    await limn.openTable();
    await limn.cells.nth(1).fill('typed and sent');
    await limn.submitButton.click();
    await limn.page.locator('li.limn-assistant[data-seq]').nth(1).waitFor();
    for (let i = 0; i < 5; i++) expect('the report to be taken', (await report(limn)) === 200); // rebuilt, three resets, closed
    const again = limn.page.locator('#limn-failed').getByRole('button', { name: /^regenerate/i });
    await again.waitFor();
    expect('no cells', (await limn.cells.count()) === 0);
    expect('what was typed to be said', (await limn.page.locator('#limn-transcript').textContent()).includes('typed and sent'));
    await limn.shot(`${draw}-failed`);

    const other = await limn.twin(); // the server draws the same list
    await other.page.locator('#limn-failed').getByRole('button', { name: /^regenerate/i }).waitFor();
    await again.click();
    await limn.cells.first().waitFor();
    expect('what was typed to be back', (await limn.cells.nth(1).inputValue()) === 'typed and sent');
    await again.waitFor({ state: 'detached' });
    await other.cells.first().waitFor();
    expect('nothing offered on the other page', (await other.page.locator('#limn-failed button').count()) === 0);
    await limn.clean();
  };
}

// --- the end: said at once, forms gone, nothing to send; a later visit says it, too ---
for (const draw of draws) {
  scenarios[`ended-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    await limn.openTable();
    const other = await limn.twin();
    await limn.page.locator('#limn-text').fill('typed and not sent');
    await other.page.locator('#limn-text').focus();
    const status = await limn.page.evaluate(async () => (await fetch(`${document.body.dataset.api}/end`, { method: 'POST' })).status);
    expect('204', status === 204);
    for (const { page } of [limn, other]) {
      await page.locator('#limn-ended', { hasText: 'This conversation has ended.' }).waitFor();
      expect('no word of a lost connection', !/connection/i.test(await page.locator('#limn-status').textContent()));
      expect('locked preferences', await page.locator('#limn-preferences').evaluate((e) => [...e.querySelectorAll('button, input, select')].every((c) => c.matches(':disabled'))));
    }
    await limn.waitLocked();
    expect('what was typed, to be copied', (await limn.page.locator('#limn-text').inputValue()) === 'typed and not sent');
    expect('nothing to send it with', (await limn.page.locator('#limn-message button').count()) === 0 && !(await limn.page.locator('#limn-text').isEditable()));
    expect('the focus on the notice', (await other.focused()).id === 'limn-ended');
    await limn.page.reload();
    await limn.page.locator('#limn-ended', { hasText: 'This conversation has ended.' }).waitFor();
    expect('no box to write in', (await limn.page.locator('#limn-text').count()) === 0);
    for (const colorScheme of ['light', 'dark']) {
      await limn.page.emulateMedia({ colorScheme });
      await limn.shot(`${draw}-ended-${colorScheme}`);
    }
    await limn.clean();
  };
}

// --- the React drawing: a refused form shows which field, and what was sent is marked by a sign, not by its name ---
scenarios['refused-react'] = async (t) => {
  const limn = await Limn.open(t, 'react');
  await limn.write('add a customer');
  const company = limn.surfaces.getByLabel(/^Company/), save = limn.surfaces.getByRole('button', { name: 'Save customer' });
  const paint = (button) => button.evaluate((el) => getComputedStyle(el).backgroundColor);
  expect('one button stands out', (await paint(save)) !== (await paint(limn.surfaces.getByRole('button', { name: 'Cancel' }))));
  await save.click();
  await limn.page.waitForFunction(() => document.activeElement?.labels?.[0]?.textContent.startsWith('Company'));
  await company.fill('Ada & Co');
  await save.click();
  await limn.surfaces.getByText('Submitted').waitFor();
  expect('no names of icons', !(await limn.surfaces.innerText()).includes('check'));
};

// --- the React drawing: a component that throws while it is drawn takes no other surface along ---
scenarios['throws-react'] = async (t) => {
  const limn = await Limn.open(t, 'react');
  await limn.write('add a customer');
  const company = limn.surfaces.getByLabel(/^Company/);
  await company.fill('Ada & Co');
  const reports = [];
  await limn.page.route('**/events', (route) => {
    reports.push(route.request().postDataJSON().error);
    return route.fulfill({ json: {} });
  });
  const surfaceId = 'broken#e=1';
  let seq = 1e6;
  const feed = (...list) => limn.hear({ type: 'message', data: JSON.stringify({ kind: 'frame', seq: seq++, transcript: [], messages: list.map((m) => ({ version: 'v0.9', ...m })) }) });
  const made = (label) => [
    { createSurface: { surfaceId, catalogId: 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json' } },
    { updateDataModel: { surfaceId, path: '/', value: { label, value: true } } },
    { updateComponents: { surfaceId, components: [{ id: 'root', component: 'CheckBox', label: { path: '/label' }, value: { path: '/value' } }] } },
  ];
  await feed(...made({ no: 'text' }));
  const broken = limn.surfaces.locator('.limn-surface[data-surface="broken#e=1"]');
  await broken.getByText('The page could not show something.').waitFor();
  expect('the other surface as it was', (await company.inputValue()) === 'Ada & Co');
  await poll('a report', () => reports.length === 1);
  expect('of that surface', reports[0].surfaceId === surfaceId && reports[0].code === 'RENDER_ERROR');
  await feed({ updateDataModel: { surfaceId, path: '/label', value: { still: 'no text' } } });
  await poll('another report', () => reports.length === 2);
  await broken.getByText('The page could not show something.').waitFor();
  await feed({ updateDataModel: { surfaceId, path: '/label', value: 'Mended' } });
  await broken.getByText('Mended').waitFor();
  expect('no word of the error', (await broken.getByRole('alert').count()) === 0);
  await feed({ updateDataModel: { surfaceId, path: '/label', value: { no: 'text' } } });
  await broken.getByRole('alert').waitFor();
  await feed({ deleteSurface: { surfaceId } }, ...made('Good'));
  await broken.getByText('Good').waitFor(); // in its place
  expect('no word of an error', (await broken.getByRole('alert').count()) === 0);
};

// --- a frame that comes after the answer to a click, and is drawn anew, leaves the focus where the answer put it ---
for (const draw of [...draws, 'react']) {
  scenarios[`refused-then-drawn-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    const { page } = limn;
    await page.addInitScript(() => {
      const add = EventSource.prototype.addEventListener;
      EventSource.prototype.addEventListener = function (type, listen, options) {
        add.call(this, type, (event) => (window.late ? setTimeout(() => listen.call(this, event), window.late) : listen.call(this, event)), options);
      };
    });
    await page.reload();
    await limn.ready();
    await limn.write('add a customer');
    await page.evaluate(() => { window.late = 300; });
    await limn.button('Save customer').click();
    await limn.surfaces.getByText('Company is required').first().waitFor();
    await page.waitForTimeout(700); // what is drawn meanwhile leaves the focus there
    await page.keyboard.type('Ada & Co');
    expect('the focus in the first field', (await limn.surfaces.locator('input:visible').first().inputValue()) === 'Ada & Co');
  };
}

// --- a refusal that comes late does not take the focus from a user who writes meanwhile ---
for (const draw of ['html', 'v0.9']) {
  scenarios[`refused-late-${draw}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    const { page } = limn;
    await limn.write('add a customer');
    let asked, answer;
    const arrived = new Promise((done) => { asked = done; }), late = new Promise((done) => { answer = done; });
    await page.route(/\/(actions|events)$/, async (route) => {
      const response = await route.fetch();
      asked();
      await late;
      await route.fulfill({ response });
    });
    await limn.button('Save customer').click();
    await arrived;
    await page.locator('#limn-text').focus();
    const answered = page.waitForEvent('requestfinished', (request) => request.method() === 'POST');
    answer();
    await answered;
    await page.locator('#limn-status:not(.limn-busy)').waitFor({ state: 'attached' });
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    expect('the focus stays in the box', (await limn.focused()).id === 'limn-text');
  };
}
