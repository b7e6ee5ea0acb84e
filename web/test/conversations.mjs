// The list of conversations: named, archived, brought back, searched and deleted, with
// script and without, at the width of a desk and of a phone.

import { expect, Limn } from './page.mjs';

export const scenarios = {};

for (const [name, options] of [['desk', {}], ['phone', { viewport: { width: 390, height: 800 } }], ['plain', { javaScriptEnabled: false, viewport: { width: 390, height: 800 } }]]) {
  scenarios[`conversations-${name}`] = async (t) => {
    const context = await t.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(30_000);
    t.contexts.push(context);
    const page = await context.newPage();
    const limn = new Limn(t, page, 'html');
    const base = t.base;
    const first = await context.request.post(`${base}/v1/conversations`); // its cookie is the context's
    const says = async (id, text) => context.request.post(`${base}/v1/conversations/${id}/messages`, { data: { text }, headers: { Prefer: 'wait=10' } });
    await says((await first.json()).id, 'hello there, I have a question about the offer for the summer fair');
    for (const text of ['add a customer', 'good morning']) await says((await (await context.request.post(`${base}/v1/conversations`)).json()).id, text);

    const list = page.locator('.limn-conversations > li');
    await page.goto(`${base}/conversations`);
    expect('three conversations', (await list.count()) === 3);
    await limn.shot(`conversations-${name}-1-list`);

    const row = (title) => list.filter({ has: page.getByRole('link', { name: title, exact: true }) });
    await row('add a customer').locator('summary').click();
    await limn.shot(`conversations-${name}-2-open`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Acme & Sons');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Acme & Sons').waitFor();

    await page.getByRole('searchbox').fill('ACME');
    await page.getByRole('search').getByRole('button').click();
    await row('Acme & Sons').waitFor();
    expect('one conversation to be found', (await list.count()) === 1);
    await row('Acme & Sons').locator('summary').click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('No conversation has all of these words.').waitFor();
    await page.getByRole('link', { name: 'Archived' }).click();
    await row('Acme & Sons').waitFor();
    await limn.shot(`conversations-${name}-3-archived`);
    await row('Acme & Sons').locator('summary').click();
    await page.getByRole('button', { name: 'Move back' }).click();
    await page.getByText('Nothing is archived.').waitFor();
    await page.getByRole('link', { name: 'Current' }).click();
    expect('three conversations again', (await list.count()) === 3);

    await row('good morning').locator('summary').click();
    await page.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Delete “good morning”?' }).waitFor();
    await limn.shot(`conversations-${name}-4-ask`);
    await page.getByRole('link', { name: 'Keep it' }).click();
    await row('good morning').locator('summary').click();
    await page.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await row('Acme & Sons').waitFor();
    expect('two conversations left', (await list.count()) === 2);
    const box = await page.locator('main').boundingBox();
    if (name !== 'desk') expect('nothing wider than the phone', box.width <= 390);
  };
}
