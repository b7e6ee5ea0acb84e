// The scenarios of the preferences panel: opting out and back in, in words and
// on the page, and a rule at work.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { draws, expect, Limn, opening } from './page.mjs';

const require = createRequire(import.meta.url);
export const scenarios = {};
const short = (draw) => draw.replace('.', '');

/** What a panel can do, found as a person finds it: by label and text. */
function panelOf(page) {
  const panel = page.locator('#limn-preferences');
  const status = page.locator('#limn-preferences-status');
  return {
    panel,
    note: page.locator('#limn-preferences-note'),
    tables: panel.getByLabel('Tables', { exact: true }),
    maps: panel.getByLabel('Process maps', { exact: true }),
    rules: panel.locator('#limn-rules li'),
    open: () => page.getByText('Preferences', { exact: false }).first().click(),
    async save() {
      await panel.getByRole('button', { name: 'Save' }).first().click();
      await status.getByText('Saved.').waitFor();
    },
    async addRule(what, which, words) {
      await panel.getByLabel('What', { exact: true }).selectOption(what);
      await panel.getByLabel('Which').selectOption(which);
      await panel.getByLabel('When a message has these words').fill(words);
      await panel.getByRole('button', { name: 'Add rule' }).click();
      await status.getByText('The rule is added.').waitFor();
    },
    said: (text) => status.getByText(text).waitFor(),
  };
}

/** The surfaces that are no offer of what a gate keeps closed. */
const surfaceCount = (limn) => limn.page.locator('#limn-surfaces').evaluate((el) => [...el.querySelectorAll('turbo-frame, section.limn-surface[data-surface]')].filter((s) => !(s.id || s.dataset.surface).startsWith('offer')).length);

for (const draw of draws) {
  scenarios[`preferences-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    const p = panelOf(limn.page);
    const twin = await limn.twin();
    await limn.page.bringToFront(); // behind another page it draws one frame a second
    await p.open();
    await p.tables.selectOption('Never');
    await p.save();
    await p.note.getByText('no tables').waitFor();
    await twin.page.locator('#limn-preferences-note').getByText('no tables').waitFor(); // by the stream
    await limn.write(opening);
    expect('no table for who wants none', (await surfaceCount(limn)) === 0);
    await p.tables.selectOption('Shown');
    await p.save();
    await limn.openTable();
    const cell = limn.cells.nth(1);
    await cell.fill('half typed');
    await p.maps.selectOption('Not for my next message'); // chosen and not saved
    await p.addRule('Always open', 'a process map', 'approval process');
    expect('what was chosen and not saved', (await p.maps.inputValue()) === 'once');
    expect('what was typed in the table', (await cell.inputValue()) === 'half typed');
    await limn.shot(`${draw}-preferences`);
    await limn.clean();
  };

  scenarios[`preferences-rule-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    const p = panelOf(limn.page);
    await p.open();
    await p.addRule('Never open', 'a table', 'stakeholders');
    await p.rules.getByText('Never open a table when a message has “stakeholders”').waitFor();
    await limn.write(opening);
    expect('no table against the rule', (await surfaceCount(limn)) === 0);
    await p.rules.getByRole('button', { name: 'Switch off' }).focus();
    await limn.page.keyboard.press('Enter');
    await p.said('The rule is off.');
    expect('the focus still on the switch', (await limn.focused()).text === 'Switch on');
    await limn.page.keyboard.press('Enter');
    await p.said('The rule is on.');
    await p.rules.getByRole('button', { name: 'Delete' }).click();
    await p.said('The rule is deleted.');
    expect('the focus near the deleted rule', (await limn.focused()).id === 'limn-rules-title');
    await limn.openTable();
    await limn.clean();
  };
}

scenarios['preferences-words'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const p = panelOf(limn.page);
  await p.open();
  await limn.write('Never open a table again.');
  await p.note.getByText('no tables').waitFor();
  expect('the panel shows it', (await p.tables.inputValue()) === 'never');
  await limn.write(opening);
  expect('no table', (await surfaceCount(limn)) === 0);
  await limn.write('You can use tables again.');
  await limn.page.waitForFunction(() => document.querySelector('#limn-preferences-note').textContent === '');
  expect('the panel shows that too', (await p.tables.inputValue()) === '');
  await limn.openTable();
  await limn.clean();
};

scenarios['preferences-refused'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const p = panelOf(limn.page);
  await p.open();
  await p.panel.getByLabel('When a message has these words').fill('(');
  await p.panel.getByLabel('Use them as a regular expression').check();
  await p.panel.getByRole('button', { name: 'Add rule' }).click();
  await p.said(/not a regular expression/);
  expect('what was typed', (await p.panel.getByLabel('When a message has these words').inputValue()) === '(');
  expect('no rule', (await p.rules.count()) === 0);
};

scenarios['preferences-noscript'] = async (t) => {
  const context = await t.browser.newContext({ javaScriptEnabled: false });
  t.contexts.push(context);
  const page = await context.newPage();
  await page.goto(t.base);
  const p = panelOf(page);
  await p.open();
  await p.panel.getByLabel('When a message has these words').fill('stakeholders');
  await p.panel.getByRole('button', { name: 'Add rule' }).click();
  await p.rules.getByText('Never open a table when a message has “stakeholders”').waitFor();
  await page.locator('#limn-preferences summary').first().click(); // it lies over the box in the middle
  await page.locator('#limn-text').fill(opening);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  expect('no table', (await page.locator('turbo-frame table').count()) === 0);
  await p.open();
  await p.rules.getByRole('button', { name: 'Delete' }).click();
  expect('no rule', (await p.rules.count()) === 0);
  await page.locator('#limn-preferences summary').first().click();
  await page.locator('#limn-text').fill(opening);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('turbo-frame table').waitFor();
};

scenarios['preferences-phone'] = async (t) => {
  const source = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    const limn = await Limn.open(t, 'html', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme });
    const p = panelOf(limn.page);
    await p.open();
    await p.addRule('Never open', 'a table', 'a rather long list of words that has to be broken somewhere');
    await p.addRule('Always open', 'a process map', 'approval process');
    await limn.shot(`preferences-360-${colorScheme}`);
    const width = await limn.page.evaluate(() => document.scrollingElement.scrollWidth);
    expect(`no sideways scrolling, ${width} px`, width <= 360);
    await limn.page.evaluate(source);
    const found = await limn.page.evaluate(() => window.axe.run('#limn-preferences', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 120)} ${v.nodes[0].failureSummary}`)));
    expect(`no violations: ${found.join('\n')}`, found.length === 0);
    await limn.clean();
  }
};
