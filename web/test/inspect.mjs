// The inspector: beside a conversation, in a window of its own, and the playground.

import { accessible, expect, Limn, poll } from './page.mjs';

export const scenarios = {};
const kinds = { desk: {}, dark: { colorScheme: 'dark' }, phone: { viewport: { width: 390, height: 800 } } };

/** A conversation with a form that opened, was refused, and a question to the model. */
async function story(t, options) {
  const limn = await Limn.open(t, 'html', options);
  await limn.write('add a customer');
  await limn.page.getByLabel('Company').waitFor();
  await limn.button(/^save/i).click();
  await limn.waitText(/Company is required/);
  await limn.write('what is the weather?');
  return limn;
}

/** Opens the inspector of its conversation in the same tab. */
async function inspected(limn, turn) {
  const address = await limn.page.locator('#limn-inspect').getAttribute('href');
  await limn.page.goto(new URL(`${address}${turn ? `#turn=${turn}` : ''}`, limn.page.url()).href);
  await limn.page.getByRole('tabpanel').waitFor();
}

const heading = (page, n) => page.getByRole('heading', { name: new RegExp(`^Turn ${n}\\b`) });
const tab = (page, name) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

for (const [name, options] of Object.entries(kinds)) {
  scenarios[`inspect-${name}`] = async (t) => {
    const limn = await story(t, options);
    const { page } = limn;
    await inspected(limn, 2);
    await heading(page, 2).waitFor();
    const turns = page.getByRole('navigation', { name: 'Turns' }).getByRole('button');
    expect('three turns', (await turns.count()) === 3);
    expect('the turn to be marked', (await turns.nth(1).getAttribute('aria-current')) === 'true');

    const drawing = page.frameLocator('iframe.inspect-frame');
    await drawing.getByLabel('Company').waitFor();
    await drawing.getByText('Company is required.').first().waitFor();
    expect('no script to run in the drawing', (await page.locator('iframe.inspect-frame').getAttribute('sandbox')) === 'allow-same-origin');
    await page.getByLabel('What the user of v0.9 sees').getByText('Company is required').waitFor();
    await limn.shot(`inspect-${name}-1-screen`);
    await accessible(page);

    await tab(page, 'State').click();
    await page.getByRole('row', { name: /new .*\/surfaces\/0\/errors/ }).or(page.locator('tr.inspect-add', { hasText: '/surfaces/0/errors' })).first().waitFor();
    await page.locator('.inspect-node .inspect-mark', { hasText: 'new' }).first().waitFor();
    await limn.shot(`inspect-${name}-2-state`);
    await accessible(page);

    await tab(page, 'Messages').click();
    for (const version of ['v0.8', 'v0.9', 'v1.0']) await page.getByRole('region', { name: `A2UI ${version}` }).waitFor();
    const first = page.getByRole('region', { name: 'A2UI v0.9' });
    await first.getByText('as they were sent').waitFor();
    await first.locator('summary', { hasText: 'updateComponents' }).click();
    await first.locator('pre', { hasText: '"updateComponents"' }).waitFor();
    expect('no column to run into the next', await page.locator('.inspect-columns > section').evaluateAll((list) => list.every((s) => s.scrollWidth <= s.clientWidth)));
    await limn.shot(`inspect-${name}-3-messages`);
    await accessible(page);

    await tab(page, 'Problems').click();
    await page.getByRole('tabpanel').getByText('FIELD_REQUIRED').waitFor();
    await turns.nth(2).click();
    await heading(page, 3).waitFor();
    await tab(page, 'Model').click();
    await page.getByRole('cell', { name: 'json_schema' }).or(page.locator('td', { hasText: 'json_schema' })).first().waitFor();
    await page.getByLabel('user', { exact: true }).last().getByText('what is the weather?').waitFor();
    await limn.shot(`inspect-${name}-4-model`);
    await accessible(page);
    expect('no wider than the window', await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await limn.clean();
  };
}

// --- the slider and the keys replay the conversation, and new turns are seen as they come ---
scenarios['inspect-replay'] = async (t) => {
  const limn = await story(t, {});
  const other = await limn.twin();
  const { page } = limn;
  await inspected(limn);
  await heading(page, 3).waitFor();
  await tab(page, 'State').click();
  await page.getByRole('slider', { name: 'Turn' }).fill('1');
  await heading(page, 1).waitFor();
  expect('the tab to stay', (await tab(page, 'State').getAttribute('aria-selected')) === 'true');
  await tab(page, 'State').press('ArrowRight');
  expect('arrows to change the tab', (await tab(page, 'Messages').getAttribute('aria-selected')) === 'true');
  await page.locator('main').press('j');
  await heading(page, 2).waitFor();
  await page.locator('main').press('ArrowLeft');
  await heading(page, 1).waitFor();
  await page.locator('main').press('1');
  expect('a number to choose the tab', (await tab(page, 'Screen').getAttribute('aria-selected')) === 'true');
  await page.getByRole('button', { name: 'Play' }).click();
  await heading(page, 3).waitFor();
  await page.getByRole('button', { name: 'Play' }).waitFor();

  await other.write('hello');
  await heading(page, 4).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Bug report' }).click();
  expect('a report', (await download).suggestedFilename() === 'limn-report.json');
  await page.getByRole('link', { name: 'Inspector' }).click();
  await page.getByRole('link', { name: 'add a customer' }).first().waitFor();
  await accessible(page);
  await limn.clean();
};

// --- a timeline longer than one answer keeps what was asked for as it grows, and has no gap; a look that failed is forgotten ---
scenarios['inspect-long'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const { page } = limn;
  let seq = 300, lost = false;
  await page.route(/\/v1\/inspect\/conversations\/long/, (route) => {
    const url = new URL(route.request().url());
    const n = Number(/turns\/(\d+)/.exec(url.pathname)?.[1]);
    const at = '2026-01-01T00:00:00Z';
    if (lost) return route.abort();
    if (n) return route.fulfill({ json: { n, at, summary: `turn ${n}`, renderings: [], html: '', ops: [], state: {} } });
    if (Number(url.searchParams.get('since')) === seq) return route.fulfill({ status: 204 });
    const to = Math.min(seq, Number(url.searchParams.get('before') ?? Infinity) - 1), from = Math.max(1, to - 199);
    return route.fulfill({ json: { conversation: 'long', title: 'Long', seq, floor: 0, turns: Array.from({ length: to - from + 1 }, (_, i) => ({ n: from + i, at, summary: `turn ${from + i}` })) } });
  });
  const rows = () => page.locator('.inspect-n').allTextContents();
  const earlier = page.getByRole('button', { name: 'Earlier turns' });
  const whole = async () => `${await rows()}` === `${Array.from({ length: seq }, (_, i) => i + 1)}`;
  await page.goto(`${t.base}/inspect?conversation=long`);
  await heading(page, 300).waitFor();
  await earlier.click();
  await poll('all 300 turns', whole);
  seq = 301;
  await heading(page, 301).waitFor();
  expect(`all 301 turns, not ${(await rows()).length}`, await whole());
  seq = 700;
  await heading(page, 700).waitFor();
  while (await earlier.isVisible()) {
    const before = await rows();
    await earlier.click();
    await poll('more turns', async () => (await rows()).length !== before.length);
  }
  expect('all 700 turns', await whole());

  const line = page.locator('#inspect-say');
  lost = true;
  await poll('the failure said', async () => (await line.textContent()) !== '');
  lost = false;
  await poll('the failure forgotten', async () => (await line.textContent()) === '');
};

// --- a server that wants a token: the page asks for it, once for the tab ---
scenarios['inspect-token'] = async (t) => {
  const limn = await story(t, {});
  const { page } = limn;
  await page.route('**/v1/inspect/**', (route) => (route.request().headers().authorization === 'Bearer sesame' ? route.continue({ headers: { ...route.request().headers(), authorization: '' } })
    : route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"title":"No","status":401,"code":"HTTP_UNAUTHORIZED"}' })));
  await page.goto(`${t.base}/inspect`);
  const box = page.getByLabel('Token', { exact: true }).and(page.locator('input'));
  for (const wrong of ['“sesame”', 'open']) {
    await box.fill(wrong);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('That token does not open it.').waitFor();
    await box.and(page.locator(':invalid')).waitFor(); // empty
  }
  await accessible(page);
  await box.fill('sesame');
  await box.press('Enter');
  await page.getByRole('link', { name: 'add a customer' }).first().click();
  await heading(page, 3).or(page.getByRole('heading', { name: /^Turn \d/ })).first().waitFor();
  await page.goto(`${t.base}/inspect/playground`);
  await page.getByRole('tabpanel').waitFor();
  expect('not to be asked again', (await box.count()) === 0);
};

// --- the drawings of the playground are there after each return to them, and listen once ---
scenarios['inspect-playground-return'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const { page } = limn;
  await page.addInitScript(() => {
    window.__listeners = 0;
    const add = window.addEventListener;
    window.addEventListener = function (type, ...rest) {
      if (type === 'message') window.__listeners++;
      return add.call(this, type, ...rest);
    };
  });
  await page.goto(`${t.base}/inspect/playground`);
  const company = (of) => page.frameLocator(`iframe[title="What the user of ${of} sees"]`).getByText('Company').first();
  for (let i = 0; i < 3; i++) {
    for (const of of ['the HTML drawing', 'A2UI v0.8', 'A2UI v0.9', 'A2UI v0.9 with React']) await company(of).waitFor();
    await tab(page, 'Messages').click();
    await tab(page, 'Screen').click();
  }
  expect(`one listener, not ${await page.evaluate(() => window.__listeners)}`, await page.evaluate(() => window.__listeners === 1));
  await limn.clean();
};

// --- beside the conversation, in its page ---
scenarios['inspect-panel'] = async (t) => {
  const limn = await story(t, {});
  const { page } = limn;
  const open = async () => {
    await page.locator('#limn-developer > summary').click();
    await page.locator('#limn-inspect').click();
  };
  await open();
  const inner = page.frameLocator('#limn-inspector iframe');
  await inner.getByRole('heading', { name: /^Turn 3\b/ }).waitFor();
  await limn.shot('inspect-panel');
  await limn.write('hello');
  await inner.getByRole('heading', { name: /^Turn 4\b/ }).waitFor();
  await accessible(page);
  await page.locator('#limn-inspector > button').click();
  expect('the panel to be gone', (await page.locator('#limn-inspector').count()) === 0);
  expect('the focus where it came from', await page.evaluate(() => document.activeElement?.closest('#limn-developer') !== null));
  await limn.clean();
};

for (const [name, options] of Object.entries(kinds)) {
  scenarios[`inspect-playground-${name}`] = async (t) => {
    const limn = await Limn.open(t, 'html', options);
    const { page } = limn;
    await page.goto(`${t.base}/inspect/playground`);
    const box = page.getByRole('textbox', { name: 'Source' });
    const drawn = (of) => page.frameLocator(`iframe[title="What the user of ${of} sees"]`);
    const drawing = drawn('the HTML drawing');
    const official = ['A2UI v0.8', 'A2UI v0.9', 'A2UI v0.9, Limn’s components', 'A2UI v0.9 with React'].map(drawn);
    await drawing.getByLabel('Company').waitFor();
    for (const one of official) await one.getByText('Company').first().waitFor();
    await page.getByLabel('What the user of v1.0 sees').getByText('Company').first().waitFor();
    await limn.shot(`playground-${name}-1-directives`);
    await accessible(page);

    await page.getByRole('combobox', { name: 'Story' }).selectOption({ label: 'form' });
    await page.getByText('No problems').waitFor();
    await box.fill('name: shop\nforms:\n  - {name: order, title: Order, fields: [{name: what, label: What you want, type: text}]}\n');
    await drawing.getByLabel('What you want').waitFor();
    for (const one of official) await one.getByText('What you want').first().waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('directives');
    await box.fill('{"assistant_text":"","directives":[{"type":"ui.show_table","payload":{"name":"stakeholders"}}]}');
    await drawn('A2UI v0.9, Limn’s components').locator('.limn-grid').waitFor();
    expect('no grid of its own without them', (await drawn('A2UI v0.9').locator('.limn-grid').count()) === 0);
    await limn.shot(`playground-${name}-2-table`);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('app');
    await box.fill('name: shop\nforms:\n  - {name: order, tittle: Order, fields: [{name: what, label: What, type: text}]}\n');
    const found = page.getByRole('list', { name: 'Problems' });
    await found.getByText('unknown key "tittle"').waitFor();
    await limn.shot(`playground-${name}-2-problem`);
    await found.getByRole('button', { name: '3:19' }).click();
    expect('the caret at the problem', await box.evaluate((el) => el.value.slice(el.selectionStart).startsWith('tittle')));
    await accessible(page);

    await page.getByRole('combobox', { name: 'Story' }).selectOption({ label: 'A greeting' });
    await page.getByLabel('What the user of v1.0 sees').getByText('"Your name" = "Ada"').waitFor();
    await tab(page, 'Messages').click();
    await page.getByRole('region', { name: 'A2UI v0.8' }).getByText('beginRendering').waitFor();
    await poll('the text to stay after a reload', async () => {
      await page.reload();
      return /Your name/.test(await box.inputValue());
    });
    await limn.clean();
  };
}
