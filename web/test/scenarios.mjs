// The scenarios, against a running limn server. Each gets t: browser, base, shots.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { draws, expect, Limn, opening, poll } from './page.mjs';
import { scenarios as live } from './live.mjs';
import { scenarios as local } from './local.mjs';
import { scenarios as language } from './language.mjs';
import { scenarios as preferences } from './preferences.mjs';
import { scenarios as recover } from './recover.mjs';
import { scenarios as conversations } from './conversations.mjs';
import { scenarios as drafts } from './drafts.mjs';
import { scenarios as share } from './share.mjs';
import { scenarios as files } from './files.mjs';
import { scenarios as dev } from './dev.mjs';
import { scenarios as map } from './map.mjs';
import { scenarios as chat } from './chat.mjs';
import { scenarios as catalog } from './catalog.mjs';
import { scenarios as embed } from './embed.mjs';
import { scenarios as gateway } from './gateway.mjs';
import { scenarios as inspect } from './inspect.mjs';
import { scenarios as tools } from './tools.mjs';
import { scenarios as workspace } from './workspace.mjs';

const require = createRequire(import.meta.url);
export const scenarios = { ...chat, ...tools, ...files, ...map, ...dev, ...preferences, ...language, ...recover, ...conversations, ...workspace, ...embed, ...catalog, ...drafts, ...share, ...live, ...local, ...gateway, ...inspect };
const short = (draw) => draw.replace('.', '');

// --- the walk: a message, a table, a refused and an accepted submit, a reload ---
for (const draw of draws) {
  scenarios[`walk-${short(draw).replace('v0', 'v0')}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    await limn.openTable();
    expect('the table beside the chat', await limn.page.evaluate(() => {
      const chat = document.querySelector('#limn-chat').getBoundingClientRect();
      const surfaces = document.querySelector('#limn-surfaces').getBoundingClientRect();
      return surfaces.left >= chat.right && surfaces.width > chat.width;
    }));
    await limn.shot(`${draw}-1-open`);

    const first = limn.cells.first();
    const label = await limn.label(first);
    expect('a label on the first cell', label !== '');
    await limn.cells.nth(1).fill('half filled');
    await limn.submitButton.click();
    const column = label.replace(/[,\s]*(row)?\s*\d+.*$/i, '').replace(/^\d+\s*/, '');
    await limn.waitText(new RegExp(`${escape(column)}[^.]*(is required|must|needs)|check[^.]*${escape(column)}`, 'i'));
    await limn.page.waitForTimeout(300);
    await limn.shot(`${draw}-2-refused`);
    expect('what was typed to be still there', (await limn.cells.nth(1).inputValue()) === 'half filled');

    await limn.fillAll();
    const value = await first.inputValue();
    await limn.submit();
    const locked = await show(limn);
    expect(`"${value}" to be shown in the locked form`, locked.includes(value));
    await limn.shot(`${draw}-3-locked`);

    const said = await limn.page.locator('#limn-transcript li').allTextContents();
    await limn.reload();
    await limn.waitText(/answered|captured|saved|thank/i);
    expect('the same locked form after a reload', (await show(limn)).replace(/\s+/g, ' ') === locked.replace(/\s+/g, ' '));
    expect('no open cell after a reload', (await limn.cells.count()) === 0);
    expect('the same transcript after a reload', JSON.stringify(await limn.page.locator('#limn-transcript li').allTextContents()) === JSON.stringify(said));
    await limn.clean();
  };
}

// --- half a typed word stays when a frame updates the surface ---
for (const draw of draws) {
  scenarios[`typing-survives-update-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    await limn.openTable();
    const other = await limn.twin();
    await other.cells.first().waitFor();
    const cell = limn.cells.nth(1);
    await cell.click();
    await limn.page.keyboard.type('Ann');
    await limn.page.keyboard.press('ArrowLeft'); // the caret is inside the word
    const before = await limn.seq;
    await other.submitButton.click(); // refused: draws errors on both pages
    await limn.page.bringToFront(); // behind the other page it draws one frame a second
    await limn.page.waitForFunction((n) => window.limn.seq() > n, before);
    await poll('the focus to stay, or to come back', async () => (await limn.focused()).value === 'Ann');
    await limn.page.keyboard.type('x');
    expect('the word and the caret to survive', (await cell.inputValue()) === 'Anxn');
    await limn.shot(`${draw}-typing`);
    await limn.clean();
  };
}

// --- a surface drawn anew around the user keeps the very input, its focus and its caret ---
scenarios['whole-replace-html'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.openTable();
  await limn.cells.nth(1).click();
  await limn.page.keyboard.type('Ann');
  await limn.page.keyboard.press('ArrowLeft');
  const [stream, id] = await limn.page.evaluate(() => {
    window.__input = document.activeElement;
    window.__blurs = 0;
    window.__input.addEventListener('blur', () => window.__blurs++);
    const frame = document.activeElement.closest('turbo-frame');
    const copy = frame.cloneNode(true);
    for (const c of copy.querySelectorAll('input:not([type=hidden])')) c.removeAttribute('value');
    const title = copy.querySelector('h2');
    title.textContent = 'Drawn anew';
    const e = document.createElement('p');
    e.textContent = copy.id;
    return [`<turbo-stream action="replace" target="${e.innerHTML}"><template>${copy.outerHTML}</template></turbo-stream>`, copy.id];
  });
  await feed(limn, [stream]);
  await limn.waitText(/Drawn anew/);
  expect('the same element', await limn.page.evaluate(() => document.activeElement === window.__input && window.__input.isConnected));
  expect('no blur', (await limn.page.evaluate(() => window.__blurs)) === 0);
  expect('one frame', (await limn.page.locator(`turbo-frame[id="${id}"]`).count()) === 1);
  await limn.page.keyboard.type('x');
  expect('the caret inside the word', (await limn.cells.nth(1).inputValue()) === 'Anxn');
  await limn.clean();
};

// --- unsent text survives a reload ---
for (const draw of draws) {
  scenarios[`reload-keeps-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    await limn.openTable();
    await limn.cells.nth(0).fill('Ada');
    await limn.cells.nth(1).click();
    await limn.page.keyboard.type('half a wo');
    await limn.page.locator('#limn-text').fill('an unsent message');
    await limn.reload(); // at once: leaving the page must be enough
    await limn.cells.first().waitFor();
    await poll('the first cell', async () => (await limn.cells.nth(0).inputValue()) === 'Ada');
    await poll('the half word', async () => (await limn.cells.nth(1).inputValue()) === 'half a wo');
    expect('the unsent message', (await limn.page.locator('#limn-text').inputValue()) === 'an unsent message');
    const before = await limn.seq;
    await limn.submitButton.click(); // refused, or not: either way the text went to the server
    await limn.page.waitForFunction((n) => window.limn.seq() > n, before);
    await limn.cells.nth(1).fill('half a word');
    await limn.reload();
    await limn.cells.first().waitFor();
    await poll('newer text than the one submitted', async () => (await limn.cells.nth(1).inputValue()) === 'half a word');
    await limn.clean();
  };
}

// --- a message the renderer rejects is reported, and the next surface still works ---
const broken = {
  'v0.9': (id, catalog) => [
    { version: 'v0.9', createSurface: { surfaceId: id, catalogId: catalog } },
    { version: 'v0.9', updateComponents: { surfaceId: id, components: [{ id: 'root', component: 'Text', text: 'x', nonsense: true }] } },
    { version: 'v0.9', updateDataModel: { surfaceId: id, path: '/a', value: 1 } },
  ],
  'v0.8': (id) => [
    { surfaceUpdate: { surfaceId: id, components: [{ id: 'r', component: { Column: { children: { explicitList: ['missing'] } } } }] } },
    { beginRendering: { surfaceId: id, root: 'r' } },
  ],
};
for (const draw of ['v0.9', 'v0.8']) {
  scenarios[`render-error-reported-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    const reports = [];
    limn.page.on('request', (r) => {
      if (r.method() !== 'POST' || !r.url().endsWith('/events')) return;
      const body = JSON.parse(r.postData());
      if (body.error) reports.push(body);
    });
    const messages = broken[draw]('broken#e=1', 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json');
    await feed(limn, messages);
    await poll('a report', () => reports.length > 0);
    const { error, version } = reports[0];
    expect('the surface in the report', error.surfaceId === 'broken#e=1');
    expect('a code and a message', Boolean(error.code) && Boolean(error.message));
    expect('the envelope of the version', draw === 'v0.9' ? version === 'v0.9' : version === undefined);
    await limn.page.waitForTimeout(300);
    expect('one report for one broken frame', reports.length === 1);
    for (let i = 2; i < 12; i++) await feed(limn, broken[draw](`broken#e=${i}`, 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json'));
    await limn.page.waitForTimeout(500);
    expect(`at most 5 reports a minute, not ${reports.length}`, reports.length === 5);
    expect('the errors to be kept for tests', (await limn.page.evaluate(() => window.limn.errors.length)) >= 10);
    limn.problems = limn.problems.filter((p) => !/A2UI Validation Error/.test(p));
    await limn.clean();
  };
}

// --- a component that comes after the one it is inside of is drawn then ---
scenarios['late-child-v09'] = async (t) => {
  const limn = await Limn.open(t, 'v0.9');
  const id = 'late#e=1';
  const text = (name) => ({ id: name, component: 'Text', text: `The ${name} one` });
  const components = (...list) => ({ version: 'v0.9', updateComponents: { surfaceId: id, components: list } });
  await feed(limn, [{ version: 'v0.9', createSurface: { surfaceId: id, catalogId: 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json' } }, components(text('early'))]);
  await feed(limn, [components(text('second'), { id: 'root', component: 'Column', children: ['early', 'second', 'late', 'row'] })]);
  await limn.waitText(/The early one.*The second one/);
  await feed(limn, [components(text('late'), { id: 'row', component: 'Row', children: ['last'] })]);
  await limn.waitText(/The early one.*The late one/);
  await feed(limn, [components(text('last'))]);
  await limn.waitText(/The early one.*The late one.*The last one/);
  await limn.clean();
};

// --- a reset throws the renderer away, a snapshot follows ---
for (const draw of draws) {
  scenarios[`reset-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    await limn.openTable();
    await limn.cells.nth(0).fill('Kept');
    // A cursor nobody knows is what a client has after a restore.
    await limn.page.evaluate(() => {
      const old = window.__sources.at(-1);
      old.close();
      document.body.dataset.lost = 'yes';
    });
    for (const event of await limn.resetEvents()) await limn.hear(event);
    await limn.cells.first().waitFor();
    await poll('unsent text to survive the reset', async () => (await limn.cells.nth(0).inputValue()) === 'Kept');
    expect('one surface', (await limn.surfaces.locator('.limn-surface').count()) === 1);
    expect('no doubled entries', await limn.page.evaluate(() => { const all = [...document.querySelectorAll('#limn-transcript li')].map((li) => `${li.dataset.seq}${li.className}${li.textContent}`); return new Set(all).size === all.length; }));
    await limn.clean();
  };
}

// --- between a reset and its snapshot there are no surfaces: a button that waits and what is typed are still there after it ---
scenarios['reset-between'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.openTable();
  const rows = limn.surfaces.locator('.limn-table tbody tr');
  const before = await rows.count();
  const posts = '**/actions';
  await limn.page.route(posts, (route) => route.abort());
  await limn.button(/^add row/i).click();
  await limn.waitText(/There is no connection/);
  await limn.hear({ type: 'reset', data: '{}' });
  await limn.page.evaluate(() => dispatchEvent(new Event('online')));
  await limn.page.unroute(posts);
  for (const event of (await limn.resetEvents()).filter((e) => e.type === 'message')) await limn.hear(event);
  await poll('the row', async () => (await rows.count()) === before + 1);

  let go = () => {}, arrived = () => {};
  const gate = new Promise((done) => { go = done; }), reached = new Promise((done) => { arrived = done; });
  await limn.page.route(posts, async (route) => {
    const response = await route.fetch();
    arrived();
    await gate;
    await route.fulfill({ response });
  });
  await limn.button(/^add row/i).click();
  await reached;
  await poll('another row', async () => (await rows.count()) === before + 2);
  await limn.cells.nth(0).fill('Kept');
  const [reset, snapshot] = await limn.resetEvents();
  await limn.hear(reset);
  const answered = limn.page.waitForEvent('requestfinished', (request) => request.method() === 'POST');
  go();
  await answered;
  await poll('the answer', async () => (await limn.page.locator('#limn-status.limn-busy').count()) === 0);
  await limn.hear(snapshot);
  expect('what was typed', (await limn.cells.nth(0).inputValue()) === 'Kept');
  limn.problems = limn.problems.filter((p) => !/ERR_FAILED|Failed to fetch/.test(p));
  await limn.clean();
};

// --- what a model says is read while it comes, and the frame replaces it ---
for (const draw of draws) {
  scenarios[`saying-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    const feed = (type, body) => limn.page.evaluate(([type, data]) => window.__sources.at(-1).dispatchEvent(new MessageEvent(type, { data })), [type, JSON.stringify(body)]);
    const said = () => limn.page.locator('#limn-transcript li.limn-assistant').allTextContents();
    const reads = async (...want) => expect(`${want} to be read`, JSON.stringify(await said()) === JSON.stringify(want));
    await feed('delta', { event: 'e1', at: 0, text: 'Thr' });
    await feed('delta', { event: 'e1', at: 3, text: 'ee <b>rows</b>' });
    await reads('Three <b>rows</b>');
    await feed('delta', { event: 'e2', at: 0, text: 'Another' });
    await feed('delta', { event: 'e1', at: 0, text: 'Two' }); // begins anew
    await reads('Two', 'Another');
    const seq = await limn.page.evaluate(() => Number(document.body.dataset.seq || 0) + 1);
    await feed('message', { kind: 'frame', seq, event: 'e1', transcript: [{ seq, role: 'assistant', text: 'Two rows.' }], messages: [] });
    await reads('Two rows.', 'Another');
    const stop = limn.page.locator('#limn-cancel');
    const status = () => limn.page.locator('#limn-status').textContent();
    expect('a way to stop it, in every tab', (await stop.isVisible()) && (await status()) === 'Working…');
    await feed('message', { kind: 'frame', seq: seq + 1, event: 'e2', transcript: [{ seq: seq + 1, role: 'assistant', text: 'Another\n\nStopped.' }], outcome: { kind: 'failed', code: 'LLM_CANCELED', message: 'Stopped.' }, messages: [] });
    await reads('Two rows.', 'Another\n\nStopped.');
    expect('what the chat says not to be said twice', (await status()) === '' && !(await stop.isVisible()));
    await limn.clean();
  };
}

// --- a reload does not forget what was sent and is not answered ---
scenarios['sent-reload'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  const pending = limn.page.locator('li.limn-user.limn-pending');
  const stop = limn.page.locator('#limn-cancel');
  await limn.page.route('**/messages', (route) => route.fulfill({ status: 202, contentType: 'application/json', body: '{"event":"e1","cursor":"c"}' }));
  for (const text of ['what now?', 'and then?']) {
    await limn.page.locator('#limn-text').fill(text);
    await limn.page.locator('#limn-message button').click();
    await pending.filter({ hasText: text }).waitFor();
    await limn.page.waitForFunction(() => !document.querySelector('#limn-text').value);
  }
  await limn.page.reload();
  await pending.nth(1).waitFor();
  expect('both, in order', JSON.stringify(await pending.allTextContents()) === '["what now?","and then?"]');
  expect('a way to stop it', await stop.isVisible());
  const seq = await limn.page.evaluate(() => Number(document.body.dataset.seq || 0) + 1);
  const answer = (n, ask, text) => limn.page.evaluate((data) => window.__sources.at(-1).dispatchEvent(new MessageEvent('message', { data })),
    JSON.stringify({ kind: 'frame', seq: seq + n, event: `e${n}`, transcript: [{ seq: seq + n, role: 'user', text: ask }, { seq: seq + n, role: 'assistant', text }], outcome: { kind: 'done' }, messages: [] }));
  await answer(0, 'what now?', 'This.');
  expect('one answered, one waits', (await pending.count()) === 1 && (await stop.isVisible()));
  await answer(1, 'and then?', 'That.');
  expect('all answered', (await pending.count()) === 0 && !(await stop.isVisible()) && (await limn.page.locator('#limn-status').textContent()) === '');
  await limn.page.reload();
  await limn.page.waitForTimeout(300);
  expect('nothing left of them', (await pending.count()) === 0 && !(await stop.isVisible()));
  await limn.clean();
};

// --- one click, one submission; a failed request keeps what was typed ---
scenarios['double-submit'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.openTable();
  await limn.page.route('**/actions', async (route) => { await new Promise((r) => setTimeout(r, 400)); await route.continue(); });
  let posts = 0;
  limn.page.on('request', (r) => { if (r.method() === 'POST' && /\/actions$/.test(r.url())) posts++; });
  await limn.submitButton.dblclick();
  await limn.cells.first().press('Enter');
  await limn.page.waitForTimeout(1200);
  expect(`one post, not ${posts}`, posts === 1);
  await limn.clean();
};

scenarios['offline'] = async (t) => {
  await Promise.all(draws.map(async (draw) => { // side by side: each waits 6 s for the last try
    const limn = await Limn.open(t, draw);
    await limn.openTable();
    await limn.cells.first().fill('kept');
    await limn.page.route(/\/(messages|events|actions)$/, (route) => route.abort());
    await limn.page.locator('#limn-text').fill('hello?');
    await limn.page.locator('#limn-message button').click();
    await limn.submitButton.click();
    await limn.page.waitForFunction(() => /could not be reached/.test(document.querySelector('#limn-status').textContent), undefined, { timeout: 20_000 });
    await limn.page.waitForFunction(() => !document.querySelector('#limn-text').readOnly, undefined, { timeout: 20_000 });
    expect('the message still in the box', (await limn.page.locator('#limn-text').inputValue()) === 'hello?');
    expect('the cell still filled', (await limn.cells.first().inputValue()) === 'kept');
    const keys = [];
    await limn.page.unroute(/\/(messages|events|actions)$/);
    limn.page.on('request', (r) => { if (r.url().endsWith('/messages')) keys.push(r.headers()['idempotency-key']); });
    await limn.page.locator('#limn-message button').click();
    await limn.page.locator('li.limn-user[data-seq]', { hasText: 'hello?' }).waitFor();
    expect('an Idempotency-Key', /^[0-9a-f-]{36}$/.test(keys[0] ?? ''));
    limn.problems = limn.problems.filter((p) => !/ERR_FAILED|Failed to fetch/.test(p));
    await limn.clean();
  }));
};

// --- the stream is lost and comes back ---
scenarios['connection-lost'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.page.context().setOffline(true);
  await limn.page.evaluate(() => { const s = window.__sources.at(-1); Object.defineProperty(s, 'readyState', { value: 0, configurable: true }); s.dispatchEvent(new Event('error')); });
  await limn.waitText(/connection lost/i);
  await limn.page.context().setOffline(false);
  await limn.page.evaluate(() => { const s = window.__sources.at(-1); delete s.readyState; s.dispatchEvent(new Event('open')); });
  expect('a quiet status line', (await limn.page.locator('#limn-status').textContent()) === '');
};

// --- accessibility ---
scenarios.axe = async (t) => {
  const source = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
  const ours = new Map();
  const theirs = new Map();
  const count = (into, key, example) => into.set(key, { n: (into.get(key)?.n ?? 0) + 1, example: into.get(key)?.example ?? example });
  for (const draw of draws) {
    for (const colorScheme of ['light', 'dark']) {
      const limn = await Limn.open(t, draw, { colorScheme });
      await limn.openTable();
      await limn.submitButton.click();
      await limn.waitText(/is required|please check|still open|needs at least/i);
      await limn.page.waitForTimeout(300);
      await limn.page.evaluate(source);
      const found = await limn.page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations.map((v) => ({ id: v.id, impact: v.impact, nodes: v.nodes.map((n) => ({ target: JSON.stringify(n.target), html: n.html.slice(0, 160), why: n.failureSummary?.split('\n')[1]?.trim() })) }))));
      for (const v of found) {
        for (const n of v.nodes) {
          const renderer = /a2ui-/.test(n.target) && !/^\["[^[]*limn-hidden/.test(n.target);
          count(renderer ? theirs : ours, `${draw} ${v.id} (${v.impact})`, `${n.target} ${n.why ?? ''}`);
        }
      }
      await limn.shot(`${draw}-${colorScheme}`);
    }
  }
  const lines = (from) => [...from].map(([key, { n, example }]) => `${key} ×${n}, such as ${example.slice(0, 200)}`);
  for (const line of lines(theirs)) t.info(`inside the renderer: ${line}`);
  if (ours.size) throw new Error(`violations of ours, light and dark together:\n${lines(ours).join('\n')}`);
};

// --- a phone ---
scenarios['phone-360'] = async (t) => {
  for (const draw of draws) {
    const limn = await Limn.open(t, draw, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await limn.openTable();
    const seen = await limn.page.evaluate(() => {
      const box = (id) => document.getElementById(id).getBoundingClientRect();
      return { width: document.scrollingElement.scrollWidth, chat: box('limn-log').bottom, surfaces: box('limn-surfaces').top };
    });
    await limn.shot(`${draw}-360`);
    expect(`${draw}: no sideways scrolling, ${seen.width} px`, seen.width <= 360);
    expect(`${draw}: the chat ${draw === 'html' ? 'behind' : 'above'} the surfaces`, draw === 'html' ? seen.chat === 0 : seen.chat <= seen.surfaces);
    await limn.cells.first().tap();
    await limn.page.keyboard.type('Ada');
    expect(`${draw}: typing`, (await limn.cells.first().inputValue()) === 'Ada');
    await limn.clean();
  }
};

// --- the keyboard alone ---
for (const draw of draws) {
  scenarios[`keyboard-${short(draw)}`] = async (t) => {
    const limn = await Limn.open(t, draw);
    const { page } = limn;
    await tabTo(limn, (f) => f.id === 'limn-text');
    await page.keyboard.type('one line');
    await page.keyboard.press('Shift+Enter');
    expect('a new line', (await page.locator('#limn-text').inputValue()) === 'one line\n');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(opening);
    await page.keyboard.press('Enter');
    await limn.cells.first().waitFor();
    expect('the focus still in the box', (await limn.focused()).id === 'limn-text');
    await tabTo(limn, (f) => f.tag === 'input');
    await page.keyboard.type('Ada');
    expect('the first cell', (await limn.cells.first().inputValue()) === 'Ada');
    await limn.surfaces.getByRole('textbox', { name: /^Role\b.*\b2$/ }).first().focus();
    await page.keyboard.type('of nobody');
    await limn.submitButton.focus();
    await page.keyboard.press('Enter');
    await limn.waitText(/is required|please check|still open|needs at least/i);
    const mends = (f) => (f.tag === 'input' && f.value === '') || f.tag === 'a';
    await poll('the focus on the field to mend', async () => mends(await limn.focused()));
    const removes = page.getByRole('button', { name: /^remove/i });
    const rows = await removes.count();
    const seq = await page.evaluate(() => window.limn.seq());
    await removes.first().focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction((n) => window.limn.seq() > n, seq);
    await poll('one row less', async () => (await removes.count()) === rows - 1);
    const next = (f) => f.tag === 'button' && f.text !== 'Check';
    await poll('the focus on the next Remove', async () => next(await limn.focused()));
    await limn.fillAll();
    await limn.submitButton.focus();
    await page.keyboard.press('Enter');
    await limn.waitText(/20 expected, 19 filled in/i);
    await limn.clean();
  };
}

// --- helpers ---

async function tabTo(limn, wanted) {
  for (let i = 0; i < 80; i++) {
    await limn.page.keyboard.press('Tab');
    if (wanted(await limn.focused())) return;
  }
  throw new Error('80 times Tab did not get there');
}

/** What the surfaces show, values of inputs too. */
function show(limn) {
  return limn.page.evaluate(() => {
    const read = (n) => n.nodeType === 3 ? n.data : n.localName === 'style' || n.type === 'hidden' ? '' : 'value' in n && n.localName !== 'li' && n.localName !== 'button' ? ` ${n.value} ` : [...(n.shadowRoot ? [n.shadowRoot] : []), ...n.childNodes].map(read).join(' ');
    return [...document.querySelectorAll('#limn-surfaces, .limn-done')].map(read).join(' ');
  });
}

function feed(limn, messages) {
  return limn.page.evaluate((m) => {
    window.__seq = (window.__seq ?? 1e6) + 1;
    window.__sources.at(-1).dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ kind: 'frame', seq: window.__seq, transcript: [], messages: m }) }));
  }, messages);
}

const escape = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
