// The scenarios of the conversation: cards, folds, the composer and what can be done with messages.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { accessible, draws, expect, Limn, poll } from './page.mjs';

export const scenarios = {};

async function customer(limn) {
  await limn.write('I want to add a customer');
  await limn.cells.first().waitFor();
  await limn.page.getByLabel(/^company/i).first().fill('Ada & Co');
  await limn.page.getByLabel(/^email/i).first().fill('ada@example.org');
}

/** A page without script on a new conversation. */
async function plain(t) {
  const context = await t.browser.newContext({ javaScriptEnabled: false });
  t.contexts.push(context);
  const page = await context.newPage();
  await page.goto(t.base);
  if (!(await page.locator('body[data-draw]').count())) await page.getByRole('button', { name: /new conversation/i }).first().click();
  const send = async (text) => {
    await page.locator('#limn-text').fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  return { page, send };
}

// --- what was submitted is a card in the conversation, in the same place after a reload ---
scenarios['card-html'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const card = limn.page.locator('#limn-transcript .limn-submitted');
  const order = () => limn.page.locator('#limn-transcript > li').evaluateAll((list) => list.map((li) => li.className.split(' ')[0]));
  await customer(limn);
  await limn.button(/^save/i).click();
  await card.waitFor();
  const text = await card.innerText();
  expect(`what was submitted, and when: ${text}`, /Submitted.*\d\d?:\d\d/.test(text) && text.includes('Ada & Co') && text.includes('ada@example.org'));
  expect('no control', (await card.locator(':is(input:not([type=hidden]), select, textarea)').count()) === 0);
  expect('nothing beside the conversation', (await limn.surfaces.locator('turbo-frame').count()) === 0);
  await limn.page.locator('li.limn-assistant', { hasText: /saved/i }).waitFor();
  const before = await order();
  expect(`the card before what is said about it: ${before}`, before.at(-2) === 'limn-done-item');
  await card.getByText('Show all').click();
  expect('the rest in the fold', /Interested in/.test(await card.innerText()));
  await accessible(limn.page);
  await limn.reload();
  expect('the same order after a reload', JSON.stringify(await order()) === JSON.stringify(before));

  await customer(limn); // a canceled one, and back
  await limn.button(/^cancel/i).click();
  const canceled = limn.page.locator('#limn-transcript .limn-canceled');
  await canceled.getByRole('button', { name: /^undo/i }).click();
  await limn.surfaces.getByLabel(/^company/i).waitFor();
  expect('what was typed', (await limn.surfaces.getByLabel(/^company/i).inputValue()) === 'Ada & Co');
  expect('no card of what is open', (await canceled.count()) === 0);
  await limn.clean();
};

scenarios['card-noscript'] = async (t) => {
  const { page, send } = await plain(t);
  await send('I want to add a customer');
  await page.getByLabel(/^company/i).first().fill('Ada & Co');
  await page.locator('button:visible', { hasText: /^save/i }).first().click();
  const card = page.locator('#limn-transcript .limn-submitted');
  expect('a card', (await card.innerText()).includes('Ada & Co') && (await card.locator('input:not([type=hidden])').count()) === 0);
  await card.getByText('Show all').click();
  expect('the rest', /Interested in/.test(await card.innerText()));
};

// --- the box for pasting is folded away until it is used ---
scenarios['paste-folds-html'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.openTable();
  const fold = limn.surfaces.locator('.limn-fold');
  expect('a closed fold', !(await fold.evaluate((el) => el.open)));
  const top = await limn.cells.first().evaluate((el) => el.getBoundingClientRect().top);
  expect(`the first cell near the top, not at ${top} px`, top < 400);
  await (await limn.openBox()).fill('Ann\tBoss\tHigh');
  await limn.button('Preview').click();
  await limn.button(/^add this row/i).click();
  await limn.waitText(/one row added/i);
  await poll('the fold to close when its text is added', async () => !(await fold.evaluate((el) => el.open)));
  await limn.clean();
};

// --- a pasted cell of several lines is one cell, though it has quotation marks in it: the server reads it ---
scenarios['paste-quoted-html'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.openTable();
  const cell = limn.cells.first();
  await cell.focus();
  await cell.evaluate((el) => {
    const data = new DataTransfer();
    data.setData('text/plain', '"Ann ""Boss""\nof finance"\tBoss\tHigh\nCy\tCFO\tLow\nDot\tCTO\tLow');
    el.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await limn.button(/^add these 3 rows/i).waitFor();
  expect('nothing in the cell', (await cell.inputValue()) === '');
  await limn.clean();
};

// --- the composer is in sight wherever the page is scrolled, and grows ---
scenarios.composer = async (t) => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }, { width: 320, height: 640 }]) {
    const limn = await Limn.open(t, 'html', { viewport });
    const box = limn.page.locator('#limn-text');
    const seen = () => box.evaluate((el) => {
      const at = el.getBoundingClientRect();
      return at.top >= 0 && at.bottom <= innerHeight && document.elementFromPoint(at.left + 20, at.top + at.height / 2) === el;
    });
    const wide = () => limn.page.evaluate(() => document.scrollingElement.scrollWidth);
    expect(`${viewport.width}: the composer at the start`, await seen());
    expect(`${viewport.width}: no sideways scrolling at the start`, (await wide()) <= viewport.width);
    for (let i = 0; i < 8; i++) await limn.write('help');
    expect(`${viewport.width}: the composer below a long conversation`, await seen());
    expect('the newest message in sight', await limn.page.locator('#limn-transcript > li').last().evaluate((el) => el.getBoundingClientRect().bottom <= innerHeight));
    await customer(limn);
    await limn.back();
    for (const part of [0, 0.5, 1]) {
      await limn.page.evaluate((p) => scrollTo(0, p * document.scrollingElement.scrollHeight), part);
      expect(`${viewport.width}: the composer at ${part} of the page`, await seen());
    }
    expect(`${viewport.width}: no sideways scrolling with a form, ${await wide()}`, (await wide()) <= viewport.width);
    const low = await box.evaluate((el) => el.clientHeight);
    await box.fill('one\ntwo\nthree\nfour');
    expect('a higher box', (await box.evaluate((el) => el.clientHeight)) > low * 1.8);
    await box.fill('');
    expect('a low box', (await box.evaluate((el) => el.clientHeight)) === low);
    if (viewport.width < 960) await limn.page.locator('#limn-reopen').click();
    await limn.button(/^save/i).click();
    await limn.page.locator('#limn-transcript .limn-submitted').waitFor();
    await limn.page.locator('li.limn-assistant', { hasText: /is saved/i }).waitFor();
    await limn.page.waitForTimeout(300);
    const text = await limn.page.locator('#limn').innerText();
    expect(`one "The customer is saved.": ${text}`, text.split('The customer is saved.').length === 2);
    expect(`${viewport.width}: no sideways scrolling with a card`, (await wide()) <= viewport.width);
    await limn.clean();
  }
};

// --- an answer is copied; the last message is changed or sent again ---
scenarios['message-acts'] = async (t) => {
  const limn = await Limn.open(t, 'html', { permissions: ['clipboard-read', 'clipboard-write'] });
  const users = limn.page.locator('li.limn-user[data-seq]');
  await limn.write('thanks');
  await limn.page.locator('li.limn-assistant .limn-copy').last().click();
  await limn.waitText(/copied/i);
  const copied = await limn.page.evaluate(() => navigator.clipboard.readText());
  expect(`the answer, not ${copied}`, copied === (await limn.page.locator('li.limn-assistant').last().innerText()).trim());
  await limn.write('hello');
  expect('buttons at the last message alone', (await limn.page.locator('.limn-edit').count()) === 1 && (await users.last().locator('.limn-edit').count()) === 1);
  await users.last().locator('.limn-edit').click();
  expect('the message in the box', (await limn.page.locator('#limn-text').inputValue()) === 'hello' && (await limn.focused()).id === 'limn-text');
  await limn.page.keyboard.type(' again');
  await limn.page.keyboard.press('Enter');
  await users.filter({ hasText: 'hello again' }).waitFor();
  await limn.page.locator('#limn-cancel').waitFor({ state: 'hidden' });
  await users.last().locator('.limn-again').click();
  await poll('the same message once more', async () => (await users.filter({ hasText: 'hello again' }).count()) === 2);
  await limn.clean();
};

scenarios['message-acts-noscript'] = async (t) => {
  const { page, send } = await plain(t);
  await send('thanks');
  await send('hello');
  await page.locator('.limn-edit').click();
  expect('the message in the box', (await page.locator('#limn-text').inputValue()) === 'hello');
  await page.locator('.limn-again').click();
  const said = await page.locator('li.limn-user').allTextContents();
  expect(`it sent again: ${said}`, JSON.stringify(said) === '["thanks","hello","hello"]');
};

// --- the drawings are the developer's business ---
scenarios['developer-menu'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const link = limn.page.locator('#limn-developer a').first();
  expect('no drawing in sight', !(await link.isVisible()));
  await limn.page.locator('#limn-developer > summary').click();
  expect('the drawings in a menu', await link.isVisible());
  await accessible(limn.page);
  await limn.page.keyboard.press('Escape');
  expect('a menu that Escape closes', !(await link.isVisible()));
  await limn.clean();
};

// --- who wants no motion sees none ---
scenarios['reduced-motion'] = async (t) => {
  const limn = await Limn.open(t, 'html', { reducedMotion: 'reduce' });
  await limn.write('hello');
  const moving = await limn.page.evaluate(() => [...document.querySelectorAll('*')].flatMap((el) => [getComputedStyle(el), getComputedStyle(el, '::before'), getComputedStyle(el, '::after')])
    .filter((style) => parseFloat(style.transitionDuration) > 0.01).length);
  expect(`no transition, not ${moving}`, moving === 0);
};

// --- what is typed goes with a message: what the user sees is what it is about ---
for (const draw of draws) {
  scenarios[`message-brings-typed-${draw}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    await customer(limn);
    const posts = [];
    limn.page.on('request', (r) => r.url().endsWith('/messages') && posts.push(r.postDataJSON()));
    await limn.write('hello');
    const state = () => limn.page.evaluate(() => fetch(`/v1/conversations/${document.body.dataset.conversation}/state`).then((r) => r.json()));
    await poll('the draft has what was typed', async () => (await state()).surfaces?.[0]?.draft?.company === 'Ada & Co');
    expect('the email, too', (await state()).surfaces[0].draft.email === 'ada@example.org');
    expect('it was beside the message', posts[0].a2uiClientDataModel?.surfaces?.['form:customer#e=1'] !== undefined);
    await limn.write('hello again');
    await poll('a second message', () => posts.length === 2);
    expect('the same is not sent twice', draw !== 'html' || posts[1].a2uiClientDataModel === undefined);
    expect('it is still on the screen', (await limn.page.getByLabel(/^company/i).first().inputValue()) === 'Ada & Co');

    const company = limn.page.getByLabel(/^company/i).first();
    await company.fill('Bell'); // a message that fails takes nothing along: the next one brings it again
    await limn.page.route('**/messages', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"title":"busy","code":"BUSY"}' }));
    await limn.page.locator('#limn-text').fill('once more');
    await limn.page.locator('#limn-text').press('Enter');
    await limn.waitText(/busy/i);
    await limn.page.unroute('**/messages');
    await limn.page.locator('#limn-text').press('Enter');
    await poll('what was typed', async () => (await state()).surfaces[0].draft.company === 'Bell');
    await company.fill('Ada & Co'); // as it was before
    await limn.write('and back');
    await poll('what was put back', async () => (await state()).surfaces[0].draft.company === 'Ada & Co');
    await company.fill('');
    await limn.write('and cleared');
    await poll('what was cleared', async () => !(await state()).surfaces[0].draft.company);
    limn.problems.length = 0;
  };
}

// --- a message that is repeated brings nothing along: the server does not know what was typed since ---
for (const draw of ['html', 'v0.9']) {
  scenarios[`message-repeated-${draw}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    await customer(limn);
    const company = limn.page.getByLabel(/^company/i).first(), box = limn.page.locator('#limn-text');
    await limn.page.evaluate(() => window.__sources.at(-1).close()); // the page does not see that it was taken
    await limn.page.route('**/messages', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await company.fill('Bell');
    await box.fill('hello');
    await box.press('Enter');
    await limn.waitText(/could not be reached/i);
    await limn.page.unrouteAll({ behavior: 'ignoreErrors' });
    await company.fill('Cork');
    await box.press('Enter');
    await poll('an empty box', async () => (await box.inputValue()) === '');
    await limn.reload();
    await company.waitFor();
    expect(`what was typed last, not ${await company.inputValue()}`, (await company.inputValue()) === 'Cork');
  };
}

// --- a message is sent once, whatever comes between the page and the server ---
scenarios['message-once'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const box = limn.page.locator('#limn-text');
  const users = limn.page.locator('li.limn-user');
  const posts = '**/messages';

  await limn.page.route(posts, (route) => route.fulfill({ status: 200, contentType: 'text/html', body: 'Sign in' }));
  await box.fill('hello one');
  await box.press('Enter');
  await limn.waitText(/could not be reached/i);
  expect('a page of a sign-in is no answer', (await box.inputValue()) === 'hello one' && (await users.count()) === 0);
  await limn.page.unroute(posts);
  await box.press('Enter');
  await limn.page.locator('li.limn-user[data-seq]', { hasText: 'hello one' }).waitFor();
  await poll('an empty box', async () => (await box.inputValue()) === '');

  await box.fill('hello two');
  await box.evaluate((el) => el.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })));
  expect('a key of an input method sends nothing', (await users.count()) === 1);

  let taken;
  const reached = new Promise((done) => { taken = done; });
  await limn.page.route(posts, async (route) => { // taken, and the page goes before it is told
    await route.fetch();
    taken();
  });
  await box.press('Enter');
  await reached;
  await limn.page.locator('li.limn-user[data-seq]', { hasText: 'hello two' }).waitFor();
  await limn.page.unrouteAll({ behavior: 'ignoreErrors' });
  await limn.reload();
  expect('what is in the conversation is not in the box', (await box.inputValue()) === '');

  await limn.page.route(posts, async (route) => { // taken, and every answer is lost
    await route.fetch();
    await route.abort();
  });
  await box.fill('hello three');
  await box.press('Enter');
  await limn.page.locator('li.limn-user[data-seq]', { hasText: 'hello three' }).waitFor();
  await poll('the box to be free', async () => box.evaluate((el) => !el.readOnly));
  await limn.page.unrouteAll({ behavior: 'ignoreErrors' });
  await poll('an empty box', async () => (await box.inputValue()) === '');
  await poll('nothing waits', async () => (await limn.page.locator('.limn-pending').count()) === 0);
  expect(`each message once: ${await users.allInnerTexts()}`, (await users.count()) === 3);
  await limn.write('hello three');
  expect(`the same words said later are another message: ${await users.allInnerTexts()}`, (await users.count()) === 4);

  let late;
  await limn.page.route(posts, (route) => { // taken after the page has given up
    late = { key: route.request().headers()['idempotency-key'], body: route.request().postData() };
    return route.abort();
  });
  await box.fill('hello four');
  await box.press('Enter');
  await limn.waitText(/could not be reached/i);
  await limn.page.unrouteAll({ behavior: 'ignoreErrors' });
  expect('it stays in the box', (await box.inputValue()) === 'hello four');
  await limn.page.evaluate(({ key, body }) => fetch(`${document.body.dataset.api}/messages`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key }, body }), late);
  await limn.page.locator('li.limn-user[data-seq]', { hasText: 'hello four' }).waitFor();
  await poll('an empty box', async () => (await box.inputValue()) === '');
  await poll('no word of a failure', async () => !/could not be reached/i.test(await limn.page.locator('#limn-status').textContent()));
  await limn.write('hello four');
  expect(`said again, it is another message: ${await users.allInnerTexts()}`, (await users.count()) === 6);
  await limn.page.evaluate(() => { window.limn.errors.length = 0; });
};

// --- the entry of an earlier message with the same words does not say that a refused one was taken ---
scenarios['message-same-words'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const box = limn.page.locator('#limn-text');
  const users = limn.page.locator('li.limn-user[data-seq]');
  await limn.page.evaluate(() => window.__sources.at(-1).close()); // its entry comes late
  await box.fill('hello');
  await box.press('Enter');
  await poll('an empty box', async () => (await box.inputValue()) === '');
  await limn.page.route('**/messages', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"title":"busy","code":"BUSY"}' }));
  await box.fill('hello');
  await box.press('Enter');
  await limn.waitText(/busy/i);
  for (const event of (await limn.resetEvents()).filter((e) => e.type === 'message')) await limn.hear(event);
  await users.first().waitFor();
  expect('the second to stay in the box', (await box.inputValue()) === 'hello');
  await limn.page.unroute('**/messages');
  await limn.reload();
  expect('also on a page that is loaded again', (await box.inputValue()) === 'hello');
  await box.press('Enter');
  await poll('both of them', async () => (await users.count()) === 2);
  await poll('an empty box in the end', async () => (await box.inputValue()) === '');
  limn.problems.length = 0;
};
