// Limn's own components: a grid, a map and a chart, in Limn's page and in the two clients
// that docs/howto/components.md prints.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, Limn, opening, poll } from './page.mjs';
import { touch } from './map.mjs';

export const scenarios = {};
const process = 'First finance reviews the invoice, then IT signs off, then CFO approves.';
const file = (name) => readFile(fileURLToPath(new URL(`../../docs/howto/${name}`, import.meta.url)), 'utf8');
const web = fileURLToPath(new URL('..', import.meta.url));

/** A snippet of the documentation, of at most 30 lines. */
async function snippet(doc, name) {
  const text = (await file(doc)).match(new RegExp(`\n\`\`\`jsx?\n// ${name}\n([^]*?)\n\`\`\``))?.[1] ?? '';
  const lines = text.split('\n').length;
  expect(`${name} in ${doc}, in ${lines} lines`, text && lines <= 30);
  return text;
}

const starts = {
  lit: `import { showIn } from './lit-client.js';
    const place = document.createElement('main');
    document.body.append(place);
    showIn(place, '').then((limn) => { window.limn = limn; });`,
  react: `import { createRoot } from 'react-dom/client';
    import { Surfaces } from './Surfaces.jsx';
    const opened = (limn) => { window.limn = limn; };
    createRoot(document.body.appendChild(document.createElement('main'))).render(<Surfaces base="" onOpen={opened} />);`,
};

/** A page of a program of one's own with the client of the documentation. */
async function client(t, kind, viewport = { width: 900, height: 900 }) {
  const files = { './limn.js': await snippet('page.md', 'limn.js'), './lit-client.js': await snippet('components.md', 'lit-client.js'), './Surfaces.jsx': await snippet('components.md', 'Surfaces.jsx') };
  const { outputFiles } = await build({
    bundle: true, write: false, format: 'iife', jsx: 'automatic', target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' },
    stdin: { loader: 'jsx', resolveDir: web, contents: starts[kind] },
    plugins: [{ name: 'snippets', setup: (b) => {
      b.onResolve({ filter: /^\.\/(limn\.js|lit-client\.js|Surfaces\.jsx)$/ }, ({ path }) => ({ path, namespace: 'doc' }));
      b.onLoad({ filter: /.*/, namespace: 'doc' }, ({ path }) => ({ contents: files[path], loader: 'jsx', resolveDir: web }));
    } }],
  });
  const context = await t.browser.newContext({ viewport });
  t.contexts.push(context);
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (e) => problems.push(e.message));
  page.on('console', (m) => m.type() === 'error' && problems.push(m.text()));
  const at = new URL(`/a-page-with-${kind}`, t.base).href;
  const head = '<!doctype html><html lang="en"><title>Own page</title><style>body { font: 1rem system-ui; color-scheme: light dark; margin: 1rem }</style><body>';
  await page.route(at, (route) => route.fulfill({ contentType: 'text/html', body: `${head}<script>${outputFiles[0].text.replaceAll('</script', '<\\/script')}</script>` }));
  await page.goto(at);
  await page.waitForFunction(() => window.limn);
  return {
    page, problems, root: page.locator('main'),
    say: (text) => page.evaluate((words) => window.limn.say(words), text),
    state: () => page.evaluate(() => fetch(`/v1/conversations/${window.limn.id}/state`).then((r) => r.json())),
    shot: (name) => t.shots && page.screenshot({ path: `${t.shots}/${name}.png`, fullPage: true }),
  };
}

/** The same for Limn's page. */
async function own(t, options) {
  const limn = await Limn.open(t, 'v0.9', options);
  return {
    page: limn.page, problems: limn.problems, root: limn.surfaces, limn,
    say: (text) => limn.write(text),
    state: () => limn.page.evaluate(() => fetch(`/v1/conversations/${document.body.dataset.conversation}/state`).then((r) => r.json())),
    shot: (name) => limn.shot(name),
  };
}

const opens = { page: own, lit: (t) => client(t, 'lit'), react: (t) => client(t, 'react') };
const cell = (c, column, n) => c.root.getByLabel(`${column} ${n}`, { exact: true });
const paste = (at, text) => at.evaluate((el, words) => {
  const data = new DataTransfer();
  data.setData('text/plain', words);
  el.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true }));
}, text);
const focused = (page) => page.evaluate(() => {
  let el = document.activeElement;
  while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
  return el?.getAttribute('aria-label') ?? '';
});

for (const [kind, open] of Object.entries(opens)) {
  // --- a table: keys, paste, move, sort, remove, submit; what was typed is captured ---
  scenarios[`catalog-grid-${kind}`] = async (t) => {
    const c = await open(t);
    await c.say(opening);
    await cell(c, 'Name', 1).click();
    expect('one grid and no input of the basic catalog for its cells', (await c.root.locator('.limn-grid').count()) === 1);
    await c.page.keyboard.type('Ada');
    await c.page.keyboard.press('Enter');
    await poll('the focus one row down', async () => (await focused(c.page)) === 'Name 2');
    await c.page.keyboard.type('Bob');
    await c.page.keyboard.press('ArrowRight');
    await poll('the focus beside it', async () => (await focused(c.page)) === 'Role 2');
    await c.page.keyboard.type('Boss');
    await c.page.keyboard.press('Escape');
    expect('what was typed is taken back', (await cell(c, 'Role', 2).inputValue()) === '');
    await paste(cell(c, 'Name', 3), 'Cy\tCFO\tHigh\nDot\tCTO\tlow\n"Eve ""E"""\tClerk\tMedium\n');
    expect('the pasted cells', (await cell(c, 'Name', 5).inputValue()) === 'Eve "E"' && (await cell(c, 'Influence', 4).inputValue()) !== '');
    await c.shot(`catalog-${kind}-1-typed`);

    // A range is selected with the keyboard, copied and cleared.
    await cell(c, 'Name', 3).focus();
    await c.page.keyboard.press('Shift+ArrowDown');
    expect('two cells selected', (await c.root.locator('td.limn-selected').count()) === 2);
    const copied = await cell(c, 'Name', 3).evaluate((el) => {
      const data = new DataTransfer();
      el.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true, composed: true }));
      return data.getData('text/plain');
    });
    expect(`both copied, got ${JSON.stringify(copied)}`, copied === 'Cy\nDot');

    await cell(c, 'Name', 1).press('Alt+ArrowDown');
    await poll('the row moved down', async () => (await cell(c, 'Name', 1).inputValue()) === 'Bob' && (await cell(c, 'Name', 2).inputValue()) === 'Ada');
    await poll('the focus with it', async () => (await focused(c.page)) === 'Name 2');
    const [from, to] = [await c.root.locator('tbody th').nth(4).boundingBox(), await c.root.locator('tbody th').nth(0).boundingBox()];
    await c.page.mouse.move(from.x + 8, from.y + 8);
    await c.page.mouse.down();
    await c.page.mouse.move(to.x + 8, to.y + 20);
    await c.page.mouse.move(to.x + 8, to.y + 4);
    await c.page.mouse.up();
    await poll('the row dragged to the top', async () => (await cell(c, 'Name', 1).inputValue()) === 'Eve "E"');

    const sort = c.root.getByRole('button', { name: 'Name', exact: true });
    const shown = () => c.root.locator('[aria-label^="Name "]').evaluateAll((list) => list.map((el) => el.value).filter(Boolean).join());
    await sort.click();
    expect(`sorted, got ${await shown()}`, (await shown()) === 'Ada,Bob,Cy,Dot,Eve "E"');
    await sort.click();
    expect('sorted down', (await shown()) === 'Eve "E",Dot,Cy,Bob,Ada');
    await sort.click();
    expect('as it was', (await shown()) === 'Eve "E",Bob,Ada,Cy,Dot');

    await cell(c, 'Role', 8).fill('of nobody');
    const check = c.root.getByRole('button', { name: /^check/i });
    await check.click();
    await c.root.locator('td.limn-bad').first().waitFor();
    await c.shot(`catalog-${kind}-2-refused`);
    await c.root.locator('.limn-problems').click();
    await poll('the focus on the first problem', async () => /^Name 8$/.test(await focused(c.page)));
    expect('what is wrong, in words', /Name/.test(await c.root.locator('.limn-why').first().textContent()));
    await c.root.getByRole('button', { name: 'Remove, row 8' }).click();
    await poll('the row gone', async () => (await cell(c, 'Role', 8).inputValue()) === '');
    await check.click();
    await c.root.getByRole('button', { name: /accept|submit|as it is/i }).first().click();
    await poll('the grid only shows', async () => (await c.root.locator('.limn-grid input').count()) === 0);
    await c.shot(`catalog-${kind}-3-done`);
    const kept = JSON.stringify((await c.state()).committed);
    for (const name of ['Ada', 'Bob', 'Cy', 'Dot', 'Eve \\"E\\"', 'CFO']) expect(`${name} captured, got ${kept}`, kept.includes(name));
    expect(`no problems, got ${c.problems}`, c.problems.length === 0);
  };

  // --- a process: the picture, the panel of a step, a step after it ---
  scenarios[`catalog-map-${kind}`] = async (t) => {
    const c = await open(t);
    await c.say(process);
    const step = (name) => c.root.getByRole('button', { name });
    await step(/^Sign off/).click();
    const panel = c.root.locator('.limn-panel');
    await panel.getByLabel('Owner', { exact: true }).fill('Security');
    await poll('the picture to follow', async () => /Security/.test(await c.root.locator('.limn-map svg').textContent()));
    await c.shot(`catalog-${kind}-4-map`);
    await panel.getByLabel('Step', { exact: true }).press('Escape');
    await poll('the panel closed, the focus on the step', async () => /^Sign off/.test(await focused(c.page)));
    await c.page.keyboard.press('Enter');
    await panel.getByRole('button', { name: /after this/ }).click();
    await poll('a step more', async () => (await c.root.locator('.limn-grid').first().locator('tbody tr').count()) === 4);
    await panel.getByLabel('Step', { exact: true }).fill('Archive');
    await step(/^Archive/).waitFor();
    await poll('connected', async () => (await c.root.locator('.limn-map .limn-arrow').count()) === 3);
    expect('no connection of nothing', (await c.root.locator('.limn-grid').nth(1).locator('tbody tr').count()) === 3);
    await c.shot(`catalog-${kind}-5-map-more`);
    await panel.getByRole('button', { name: 'Remove' }).click();
    await poll('a step less', async () => (await c.root.locator('.limn-grid').first().locator('tbody tr').count()) === 3);
    expect(`no problems, got ${c.problems}`, c.problems.length === 0);
  };
}

for (const [kind, open] of Object.entries(opens)) {
  // --- a view with charts: pictures, and the same figures as tables ---
  scenarios[`catalog-chart-${kind}`] = async (t) => {
    const c = await open({ ...t, base: t.views });
    await c.say('show sales');
    await c.root.locator('.limn-chart svg').nth(2).waitFor();
    expect('no picture of the basic drawing', (await c.root.locator('img').count()) === 0);
    expect('six bars, one of them below 0', (await c.root.locator('.limn-chart').nth(0).locator('rect').count()) === 6);
    const [south, zero] = [await c.root.locator('.limn-chart').nth(0).locator('rect').nth(4).boundingBox(), await c.root.locator('.limn-zero').first().boundingBox()];
    expect(`the bar hangs from 0: ${south.y} ${zero.y}`, Math.abs(south.y - zero.y) < 2);
    expect('a line with its points', (await c.root.locator('.limn-chart').nth(1).locator('circle').count()) === 4);
    expect('three slices, named', (await c.root.locator('.limn-chart').nth(2).locator('path').count()) === 3 && /Books · 5/.test(await c.root.locator('.limn-legend').nth(2).textContent()));
    await c.shot(`catalog-${kind}-6-charts`);
    await c.root.getByText('Show as a table').first().click();
    const table = await c.root.getByRole('table').first().innerText();
    expect(`the figures, got ${table}`, /North\s+South/.test(table) && /Feb\s+90\s+-20/.test(table));
    expect(`no problems, got ${c.problems}`, c.problems.length === 0);
  };
}

for (const draw of ['v0.8', 'v0.9']) {
  // --- the basic catalog on a phone: no control over another, errors look like errors ---
  scenarios[`basic-looks-${draw.replace('.', '')}`] = async (t) => {
    const phone = { viewport: { width: 360, height: 800 } };
    const map = await Limn.open(t, draw, phone);
    if (draw === 'v0.9') await map.basic();
    await map.write(process);
    await map.surfaces.getByText('Connections', { exact: true }).first().waitFor();
    await map.still();
    const overlaps = await map.page.evaluate(() => {
      const all = [];
      const walk = (root) => {
        for (const el of root.querySelectorAll('*')) {
          if (el.matches('input, select, textarea, button, label, .dropdown-header') && el.checkVisibility()) all.push([el, el.getBoundingClientRect()]);
          if (el.shadowRoot) walk(el.shadowRoot);
        }
      };
      walk(document.querySelector('#limn-surfaces'));
      const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      return [all.length, ...all.flatMap(([el, a], i) => all.slice(i + 1).filter(([other, b]) => a.width && b.width && !el.contains(other) && over(a, b)).map(([other]) => `${el.outerHTML.slice(0, 80)} over ${other.outerHTML.slice(0, 80)}`))];
    });
    expect(`no control over another, got ${overlaps.slice(1, 4).join('; ')}`, overlaps[0] > 12 && overlaps.length === 1);
    if (draw === 'v0.9') expect('no chips where one is chosen', !(await map.surfaces.locator('.a2ui-chip').first().isVisible()) && (await map.surfaces.locator('select').count()) === 6);
    await map.clean();

    const table = await Limn.open(t, draw, phone);
    if (draw === 'v0.9') await table.basic();
    await table.write('We have 3 stakeholders to list.');
    await table.cells.first().waitFor();
    await table.surfaces.getByRole('textbox', { name: /^Role\b.*\b2$/ }).first().fill('Boss');
    await table.submitButton.click();
    const colour = (text) => table.surfaces.getByText(text, { exact: true }).last().evaluate((el) => getComputedStyle(el).color);
    await table.surfaces.getByText('Row 2: Name is required.', { exact: true }).last().waitFor();
    await poll('an error in another colour than help', async () => (await colour('Row 2: Name is required.')) !== (await colour('One row for each person. Rows you leave empty are left out.')));
    await table.shot(`${draw}-basic-looks`);
    await table.clean();
  };
}

// --- a paste adds the rows it needs; one with more than a page is previewed; pages turn ---
scenarios['catalog-pages'] = async (t) => {
  const c = await own(t);
  await c.say('We have 5 stakeholders to list.');
  await cell(c, 'Name', 1).click();
  await paste(cell(c, 'Name', 1), Array.from({ length: 12 }, (_, i) => `P${i + 1}\tRole`).join('\n'));
  await poll('seven rows more, filled', async () => (await c.root.locator('tbody tr').count()) === 12 && (await cell(c, 'Name', 12).inputValue()) === 'P12');
  await paste(cell(c, 'Name', 1), Array.from({ length: 70 }, (_, i) => `Q${i + 1}\tRole\tHigh`).join('\n'));
  const add = c.root.getByRole('button', { name: /^add these 70 rows/i });
  await add.waitFor();
  expect('nothing put in before it is looked at', (await cell(c, 'Name', 1).inputValue()) === 'P1');
  await c.shot('catalog-page-7-preview');
  await add.click();
  await c.limn.waitText(/Rows \d+–\d+ of 82/);
  await cell(c, 'Name', 1).press('Control+End');
  await poll('the last row', async () => (await cell(c, 'Name', 82).inputValue()) === 'Q70');
  expect('not all rows are in the document', (await c.root.locator('tbody tr[data-row]').count()) < 60);
  await cell(c, 'Name', 82).press('Enter');
  await poll('a new row with the focus', async () => (await focused(c.page)) === 'Name 83');
  await c.limn.clean();
};

// --- a process is edited on its picture: by pointer and by keys, in lanes, near and far, and taken back ---
scenarios['catalog-map-edit'] = async (t) => {
  const c = await own(t, { viewport: { width: 1600, height: 1000 } });
  await c.say(process);
  const step = (name) => c.root.getByRole('button', { name });
  const link = (name) => c.root.locator(`.limn-link[aria-label^="${name}"]`);
  const arrows = (n) => poll(`${n} connections`, async () => (await c.root.locator('.limn-map .limn-arrow').count()) === n);
  const undo = c.root.getByRole('button', { name: 'Undo', exact: true }), redo = c.root.getByRole('button', { name: 'Redo', exact: true });
  const drag = async (from, to, at = {}) => {
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    await c.page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await c.page.mouse.down();
    await c.page.mouse.move(a.x + a.width / 2 + 20, a.y + a.height / 2 + 5);
    await c.page.mouse.move(b.x + (at.x ?? b.width / 2), b.y + (at.y ?? b.height / 2), { steps: 4 });
    await c.shot('catalog-map-drag');
    await c.page.mouse.up();
  };
  await step(/^Sign off/).first().waitFor();
  expect('nothing to take back', await undo.isDisabled());
  await c.shot('catalog-map-edit-1');

  // Connect: by the pointer, by keys, from the panel; once each.
  await drag(step(/^Review/), step(/^Approve/));
  await arrows(3);
  await drag(step(/^Review/), step(/^Approve/));
  await undo.click();
  await arrows(2);
  await redo.click();
  await arrows(3);
  await undo.click();
  await arrows(2);
  await step(/^Approve/).focus();
  await c.page.keyboard.press('c');
  await c.root.getByText(/^Connecting Approve/).waitFor();
  for (let i = 0; i < 2; i++) await c.page.keyboard.press('ArrowLeft');
  if (!/^Review/.test(await focused(c.page))) for (let i = 0; i < 2; i++) await c.page.keyboard.press('ArrowUp');
  expect(`the first step has the focus, not ${await focused(c.page)}`, /^Review/.test(await focused(c.page)));
  await c.page.keyboard.press('Enter');
  await arrows(3);
  await c.root.getByText(/^Approve .*leads to Review/).waitFor();
  await c.shot('catalog-map-edit-2-back');
  await link('From Approve').focus();
  await c.page.keyboard.press('Delete');
  await arrows(2);

  // The kind of a connection, and a step between two.
  await link('From Review').focus();
  await c.page.keyboard.press('Enter');
  const panel = c.root.locator('.limn-panel');
  await panel.getByLabel('Kind', { exact: true }).selectOption({ label: 'approval' });
  await c.root.locator('.limn-edge', { hasText: 'approval' }).first().waitFor();
  await panel.getByRole('button', { name: 'Insert a step here' }).click();
  await arrows(3);
  await panel.getByLabel('Step', { exact: true }).fill('Archive');
  await link('From Review the invoice to Archive').waitFor({ state: 'attached' });
  await link('From Archive to Sign off').waitFor({ state: 'attached' });
  await c.shot('catalog-map-edit-3-inserted');
  await c.page.keyboard.press('Control+z'); // the name
  await c.page.keyboard.press('Control+z'); // the step
  await arrows(2);
  await link('From Review the invoice to Sign off').waitFor({ state: 'attached' });
  await redo.click();
  await arrows(3);
  await undo.click();
  await arrows(2);

  // Lanes: a step changes its owner by the pointer, and by keys.
  await c.root.getByRole('button', { name: 'Lanes by owner' }).click();
  const lane = (name) => c.root.locator(`.limn-lane[data-lane="${name}"]`);
  await lane('IT').waitFor({ state: 'attached' });
  await c.shot('catalog-map-edit-4-lanes');
  await drag(step(/^Review/), lane('IT'));
  await step(/^Review the invoice · IT/).waitFor();
  await undo.click();
  await step(/^Review the invoice · finance/i).waitFor();
  await step(/^Sign off/).focus();
  const down = (await lane('IT').boundingBox()).width > (await lane('IT').boundingBox()).height;
  await c.page.keyboard.press(down ? 'Alt+ArrowDown' : 'Alt+ArrowRight');
  await step(/^Sign off · CFO/).waitFor();
  await c.root.getByText('Sign off is now done by CFO.').waitFor();
  expect('the focus stays', /^Sign off/.test(await focused(c.page)));
  await c.page.keyboard.press('Control+z');
  await step(/^Sign off · IT/).waitFor();

  // Near and far.
  const wide = async () => (await c.root.locator('.limn-canvas svg').boundingBox()).width;
  const before = await wide();
  await c.page.keyboard.press('+');
  expect('nearer', (await wide()) > before * 1.2);
  const box = await c.root.locator('.limn-canvas').boundingBox();
  await c.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await c.page.keyboard.down('Control');
  await c.page.mouse.wheel(0, -300);
  await c.page.keyboard.up('Control');
  expect('nearer by the wheel', (await wide()) > before * 2);
  const scrolled = () => c.root.locator('.limn-canvas').evaluate((el) => el.scrollLeft + el.scrollTop);
  const was = await scrolled();
  await c.page.mouse.move(box.x + 8, box.y + 8);
  await c.page.mouse.down();
  await c.page.mouse.move(box.x + 60, box.y + 60, { steps: 3 });
  await c.page.mouse.up();
  expect('moved by the pointer', (await scrolled()) < was);
  await c.root.getByRole('button', { name: 'Fit', exact: true }).click();
  expect('all of it in sight', await c.root.locator('.limn-canvas').evaluate((el) => el.scrollWidth <= el.clientWidth && el.scrollHeight <= el.clientHeight + 1));
  await c.limn.clean();
};

// --- the same on a phone, in the dark and without motion ---
scenarios['catalog-map-phone'] = async (t) => {
  const c = await own(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark', reducedMotion: 'reduce', hasTouch: true, isMobile: true });
  await c.say(process);
  await c.limn.show?.();
  const step = c.root.getByRole('button', { name: /^Review/ });
  await step.waitFor();
  expect('no motion', (await step.locator('rect').evaluate((el) => getComputedStyle(el).transitionDuration)) === '0s');
  await c.shot('catalog-map-phone-1');
  await step.tap();
  const panel = c.root.locator('.limn-panel');
  await panel.getByLabel('Connect to…').selectOption({ label: 'Approve' });
  await poll('connected', async () => (await c.root.locator('.limn-map .limn-arrow').count()) === 3);
  await c.shot('catalog-map-phone-2');
  await c.root.getByRole('button', { name: 'Lanes by owner' }).tap();
  await c.root.locator('.limn-lane').first().waitFor({ state: 'attached' });
  await touch(c.page, c.root.getByRole('button', { name: /^Sign off/ }), c.root.locator('.limn-lane[data-lane="CFO"]'));
  await c.root.getByRole('button', { name: /^Sign off · CFO/ }).waitFor();
  await c.shot('catalog-map-phone-3-lanes');
  expect('nothing wider than the screen', await c.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await c.limn.clean();
};

// --- 5,000 rows: only those in view are in the document; keys, selection and copy go across ---
for (const kind of ['page', 'react']) {
  scenarios[`catalog-rows-${kind}`] = async (t) => {
    const c = await opens[kind](t);
    await c.say('We have 6000 stakeholders to list.');
    await cell(c, 'Name', 1).waitFor();
    await c.root.getByText(/paste or import/i).first().click().catch(() => {});
    await paste(cell(c, 'Name', 1), Array.from({ length: 5000 }, (_, i) => `Person ${i + 1}\tRole ${i % 9}\tHigh`).join('\n'));
    await c.root.getByRole('button', { name: /^add these 5000 rows/i }).click();
    await poll('all rows', async () => (await c.root.locator('table').first().getAttribute('aria-rowcount')) === '5001', 60_000);
    const rows = () => c.root.locator('tbody tr[data-row]').count();
    expect(`few rows in the document, got ${await rows()}`, (await rows()) < 60);
    const scroll = c.root.locator('.limn-scroll').first();

    // The wheel: frames while what is here goes by. How long they take is told, for a quiet machine.
    const slow = await scroll.evaluate(async (el) => {
      const frames = [];
      const { port1, port2 } = new MessageChannel();
      for (let i = 0; i < 60; i++) {
        el.scrollTop += 120;
        const started = await new Promise((done) => { requestAnimationFrame(() => done(performance.now())); }); // before the table's own
        await new Promise((done) => { // after the layout of this frame
          port2.onmessage = done;
          port1.postMessage(0);
        });
        void document.body.offsetHeight;
        frames.push(performance.now() - started);
      }
      return frames.sort((a, b) => a - b);
    });
    t.info(`${kind}: what a frame takes while scrolling: a quarter of them ${slow[15].toFixed(1)} ms, median ${slow[30].toFixed(1)} ms, 95 % ${slow[57].toFixed(1)} ms, worst ${slow[59].toFixed(1)} ms`);

    // Far away: the rows come from the server.
    await scroll.evaluate((el) => { el.scrollTop = el.scrollHeight / 2; });
    await poll('rows of the middle', async () => {
      const all = await c.root.locator('tbody tr[data-row]').evaluateAll((list) => list.map((tr) => Number(tr.getAttribute('aria-rowindex')) - 1));
      return all.some((n) => n > 2300 && n < 2700);
    });
    await c.shot(`catalog-rows-${kind}-middle`);
    const n = await c.root.locator('tbody tr[data-row]').evaluateAll((list) => Number(list[14].getAttribute('aria-rowindex')) - 1);
    expect('the right row there', (await cell(c, 'Name', n).inputValue()) === `Person ${n}`);
    await cell(c, 'Name', n).click();
    await cell(c, 'Name', n).fill('Changed');
    for (let i = 0; i < 3; i++) await c.page.keyboard.press('Shift+PageDown');
    const copied = await cell(c, 'Name', n).evaluate((el) => {
      const data = new DataTransfer();
      el.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true, composed: true }));
      return data.getData('text/plain').split('\n');
    });
    expect(`a selection over more rows than are in sight, got ${copied.length}`, copied.length > 25 && copied[0] === 'Changed' && copied.at(-1) === `Person ${n + copied.length - 1}`);
    expect('the cell with the focus stays', (await focused(c.page)) === `Name ${n}`);
    await c.page.keyboard.press('Escape');
    await c.page.keyboard.press('PageDown');
    await poll('the focus a page on', async () => Number((await focused(c.page)).replace('Name ', '')) > n + 5);
    await scroll.evaluate((el) => { el.scrollTop = el.scrollHeight; });
    await cell(c, 'Name', 5000).waitFor();
    await scroll.evaluate((el) => { el.scrollTop = 0; });
    await cell(c, 'Name', 1).waitFor();
    await cell(c, 'Name', 1).click();
    await cell(c, 'Name', 1).fill('First');
    await c.page.keyboard.press('Control+z');
    expect('taken back', (await cell(c, 'Name', 1).inputValue()) === 'Person 1');
    await c.root.getByRole('button', { name: /^check/i }).click();
    await c.root.getByRole('button', { name: /accept|submit|as it is/i }).first().click();
    await poll('the grid only shows', async () => (await c.root.locator('.limn-grid input').count()) === 0, 60_000);
    const kept = JSON.stringify((await c.state()).committed);
    for (const name of ['Person 1"', 'Changed"', 'Person 5000"']) expect(`${name} captured`, kept.includes(name));
    const problems = c.problems.filter((p) => !/409|changed since/.test(p)); // a page that is asked for while the form changes is asked for again
    expect(`no problems, got ${problems}`, problems.length === 0);
  };
}
