// The scenarios of the two tools: a table and a process map, in every drawing.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { draws, expect, Limn, opening, poll } from './page.mjs';

export const scenarios = {};
const each = (name, run) => {
  for (const draw of draws) scenarios[`${name}-${draw.replace('.', '')}`] = (t) => run(t, draw);
};
const process = 'First finance reviews the invoice, then IT signs off, then CFO approves.';

// --- typing sends nothing; what was typed is there after a reload ---
each('typing-sends-nothing', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.openTable();
  const sent = [];
  limn.page.on('request', (r) => { if (!/\/stream/.test(r.url())) sent.push(`${r.method()} ${new URL(r.url()).pathname}`); });
  for (let i = 0; i < 6; i++) await limn.cells.nth(i).pressSequentially(`half ${i}`, { delay: 5 });
  await limn.page.waitForTimeout(600); // longer than any debounce of the page
  expect(`no request while typing, got ${sent}`, sent.length === 0);
  await limn.reload();
  await limn.cells.first().waitFor();
  for (let i = 0; i < 6; i++) expect(`cell ${i} to have come back`, (await limn.cells.nth(i).inputValue()) === `half ${i}`);
  await limn.clean();
});

// --- chat goes on while a tool is open, and opens no other one ---
each('chat-beside-a-tool', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.openTable();
  await limn.cells.nth(1).fill('half typed');
  await limn.write(process);
  await limn.button(/^open it beside/i).click(); // what is typed is work in the table
  await poll('the map', async () => (await limn.surfaces.locator('[data-surface], turbo-frame').count()) === 2);
  await limn.write('What is a stakeholder?');
  const count = await limn.surfaces.locator('[data-surface], turbo-frame').count();
  expect(`the map beside the table, got ${count} surfaces`, count === 2);
  expect('the typed text to be there', (await limn.cells.nth(1).inputValue()) === 'half typed');
  await limn.clean();
});

// --- from the first cell of 20 rows it is not far to Check, and what is typed is not far on a phone ---
each('table-keys', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.openTable();
  await limn.still();
  await limn.cells.first().focus();
  const said = () => limn.page.evaluate(() => {
    const read = (n) => n.nodeType === 3 ? n.data : n.localName === 'style' ? '' : [...(n.shadowRoot ? [n.shadowRoot] : []), ...n.childNodes].map(read).join('');
    let el = document.activeElement, name = '';
    for (; el; el = el.shadowRoot?.activeElement) name = read(el).trim() || name;
    return name;
  });
  let presses = 0;
  while (presses < 40 && !/^Check$/.test(await said())) {
    await limn.page.keyboard.press('Tab');
    presses++;
  }
  expect(`25 Tab presses at most, not ${presses}`, presses <= 25);
  const phone = await Limn.open(t, draw, { viewport: { width: 390, height: 844 } });
  await phone.openTable();
  const screens = (await phone.cells.first().evaluate((el) => el.getBoundingClientRect().top + scrollY)) / 844;
  expect(`the first row within two screens, not at ${screens}`, screens < 2);
  t.info(`${draw}: ${presses} Tab presses, the first row at ${screens.toFixed(2)} screens`);
  await limn.clean();
});

// --- a process is a picture and words, and both follow what is written ---
each('process-picture', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.write(process);
  const own = draw === 'v0.9'; // its page knows Limn's catalog
  const picture = limn.surfaces.locator({ html: '.limn-map svg', 'v0.9': '.limn-map svg' }[draw] ?? 'img[src*="/main.picture.svg?"]').first();
  const seen = () => picture.evaluate(async (el) => {
    if (el.tagName !== 'IMG') return el.textContent;
    await el.decode();
    const answer = await fetch(el.src);
    return answer.text();
  });
  await picture.waitFor();
  const size = await picture.boundingBox();
  expect(`a picture of some size, got ${JSON.stringify(size)}`, size.width > 100 && size.height > 150);
  expect('the steps in the picture', /Sign off.*IT.*Approve.*CFO/s.test(await seen()));
  if (draw === 'html') await limn.surfaces.locator('.limn-words summary').first().click();
  if (!own) await limn.waitText(/\(finance\) \u200e?→ Sign off \(IT\)/);
  await limn.shot(`${draw}-picture`);
  await limn.cells.first().fill('Receive the invoice');
  await limn.button(/^add step/i).click();
  if (!own) await limn.waitText(/Receive the invoice \(finance\) \u200e?→ Sign off \(IT\)/);
  await poll('the picture to follow', async () => /Receive the.*invoice/s.test(await seen()));
  if (draw === 'html') expect('the words to stay open', await limn.surfaces.locator('.limn-words').first().evaluate((el) => el.open));
  await limn.clean();
});

// --- two cancels in a row: the next message is chat, the one after opens again ---
each('cancel-twice', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  for (let i = 0; i < 2; i++) {
    await limn.openTable();
    await limn.surfaces.getByRole('button', { name: /^cancel/i }).first().click();
    await limn.waitLocked();
  }
  await limn.write(opening);
  await limn.page.waitForTimeout(300);
  expect('no table after two cancels', (await limn.cells.count()) === 0);
  await limn.openTable();
  await limn.clean();
});

// --- opting out and back in by words ---
each('opt-out-by-words', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.write('Please stop showing me tables.');
  await limn.write(opening);
  await limn.page.waitForTimeout(300);
  expect('no table after the opt-out', (await limn.cells.count()) === 0);
  await limn.write('You can show tables again.');
  await limn.openTable();
  await limn.clean();
});

// --- 50 rows from a spreadsheet, two bad cells, another order ---
const people = (n) => Array.from({ length: n }, (_, i) => [[7, 21].includes(i + 1) ? '' : `Person ${i + 1}`, `Role ${i % 5}`, ['High', 'low', 'MEDIUM'][i % 3], `x${i}`]);
const sheet = (rows) => [['Name', 'Role', 'Influence', 'Extension'], ...rows].map((r) => r.join('\t')).join('\n');

each('paste-50-rows', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.write('We have 50 stakeholders to list.');
  await (await limn.openBox()).waitFor();
  if (draw === 'html') { // into a cell, as people do: more rows than there are go through the box
    const cell = limn.cells.first();
    await cell.focus();
    await cell.evaluate((el, text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      el.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, sheet(people(50)));
  } else {
    await (await limn.openBox()).fill(sheet(people(50)));
    await limn.button('Preview').click();
  }
  const add = limn.button(/^add these 50 rows/i);
  await add.waitFor();
  await limn.shot(`paste-${draw}-1-preview`);
  await add.click();
  await limn.waitText(/50 rows added/i);
  await limn.shot(`paste-${draw}-2-added`);

  await limn.submitButton.click();
  await limn.waitText(/row 7/i);
  await limn.still();
  await limn.shot(`paste-${draw}-3-asked`);
  for (const n of [7, 21]) await limn.surfaces.getByRole('textbox', { name: new RegExp(`^Name\\b.*\\b${n}$`) }).first().fill(`Mended ${n}`);

  if (draw === 'v0.9') await limn.surfaces.getByRole('textbox', { name: /^Name\b.*\b2$/ }).first().press('Alt+ArrowUp');
  else await limn.button(/^move up/i).first().click(); // of the second row: the first one leads nowhere
  const first = limn.surfaces.getByRole('textbox', { name: /^Name\b.*\b1$/ }).first();
  await poll('the second person to be the first now', async () => (await first.inputValue()) === 'Person 2');
  await poll('the mended cell to be kept', async () => (await limn.surfaces.getByRole('textbox', { name: /^Name\b.*\b7$/ }).first().inputValue()) === 'Mended 7');

  await limn.submit();
  await limn.waitText(/50 stakeholders|captured 50/i);
  await limn.shot(`paste-${draw}-4-done`);
  await limn.clean();
});

// --- one message is one drawing, however many components and rows it brings ---
const openRows = async (t, draw, n) => {
  const limn = await Limn.open(t, draw);
  if (draw === 'v0.9') await limn.basic(); // a grid is one component
  await limn.write(`We have ${n} stakeholders to list.`);
  await (await limn.openBox()).fill(sheet(people(n)));
  await limn.button('Preview').click();
  await limn.button(/^add these/i).waitFor();
  return limn;
};

scenarios['drawn-once-v09'] = async (t) => {
  const limn = await openRows(t, 'v0.9', 20);
  await limn.page.evaluate(() => {
    let drawn = document.querySelector('a2ui-surface').shadowRoot.firstElementChild;
    while (!Object.hasOwn(drawn, 'performUpdate')) drawn = Object.getPrototypeOf(drawn);
    const update = drawn.performUpdate;
    window.__drawings = new Map(); // how often each element was drawn
    drawn.performUpdate = function () {
      if (this.isUpdatePending) window.__drawings.set(this, (window.__drawings.get(this) ?? 0) + 1);
      update.call(this);
    };
  });
  const check = async (what) => {
    const count = () => limn.page.evaluate(() => [...window.__drawings.values()].reduce((a, b) => a + b, 0));
    for (let before = -1, now = 0; before !== now;) { // until it is quiet
      await limn.page.waitForTimeout(150);
      [before, now] = [now, await count()];
    }
    const seen = await limn.page.evaluate(() => {
      const all = [...window.__drawings];
      window.__drawings.clear();
      return { elements: all.length, most: Math.max(...all.map(([, times]) => times)), gone: all.filter(([element]) => !element.isConnected).length };
    });
    // Once for the message, once for the new components in it, once for what is in their labels.
    expect(`no element to be drawn often, ${what}: ${JSON.stringify(seen)}`, seen.elements > 100 && seen.most <= 4);
    return seen.gone;
  };
  await limn.button(/^add these 20 rows/i).click();
  await limn.waitText(/20 rows added/i);
  await check('20 rows');
  for (const n of [21, 22, 23]) {
    await limn.button(/^add row/i).click();
    await limn.surfaces.getByRole('textbox', { name: new RegExp(`^Name\\b.*\\b${n}$`) }).first().waitFor();
    const gone = await check(`row ${n}`);
    expect(`those that left not to be drawn any more, got ${gone}`, gone === 0);
  }
  await limn.clean();
};

scenarios['drawn-once-v08'] = async (t) => {
  const limn = await openRows(t, 'v0.8', 20);
  await limn.page.evaluate(() => {
    const { processor } = document.querySelector('a2ui-surface');
    const roots = [...processor.getSurfaces().values()].map((surface) => surface.rootComponentId);
    const build = processor.buildNodeRecursive;
    window.__trees = 0;
    processor.buildNodeRecursive = function (id, ...rest) {
      if (roots.includes(id)) window.__trees++;
      return build.call(this, id, ...rest);
    };
  });
  await limn.button(/^add these 20 rows/i).click();
  await limn.waitText(/20 rows added/i);
  const trees = await limn.page.evaluate(() => window.__trees);
  expect(`one tree for the frame, got ${trees}`, trees === 1);
  await limn.clean();
};

// --- a reload in the middle: the preview, the choices sent, the text not sent ---
each('reload-in-the-middle', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.openTable();
  await (await limn.openBox()).fill(sheet(people(4)));
  await limn.button('Preview').click();
  await limn.button(/^add these 4 rows/i).waitFor();
  const cell = () => limn.surfaces.getByRole('textbox', { name: /^Role\b.*\b2$/ }).first();
  await cell().pressSequentially('not sent');
  await limn.page.waitForTimeout(500);
  await limn.reload();
  await limn.button(/^add these 4 rows/i).waitFor();
  expect('the unsent text', (await cell().inputValue()) === 'not sent');
  expect('the pasted text', (await limn.box.inputValue()).includes('Person 3'));
  await limn.button(/^add these 4 rows/i).click();
  await limn.waitText(/4 rows added/i);
  expect('the row with text of its own to be kept', (await cell().inputValue()) === 'not sent');
  await limn.clean();
});

// --- a rule in words, asked once, at work ---
each('rule-in-words', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.write('Never show tables for stakeholder lists');
  await limn.waitText(/rule/i);
  await limn.write('yes');
  await limn.write(opening);
  await limn.page.waitForTimeout(300);
  expect('no table: a rule is against it', (await limn.cells.count()) === 0);
  await limn.write('We have 12 suppliers to list.');
  await limn.cells.first().waitFor();
  await limn.clean();
});

// --- what stays incomplete can be accepted as it is ---
each('accept-as-it-is', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.write('We have 5 stakeholders to list.');
  await (await limn.openBox()).fill(sheet(people(3)));
  await limn.button('Preview').click();
  await limn.button(/^add these 3 rows/i).click();
  await limn.waitText(/3 rows added/i);
  await limn.surfaces.getByRole('textbox', { name: /^Role\b.*\b4$/ }).first().fill('A role without a name');
  for (let i = 0; i < 4 && !(await limn.button(/^accept as it is/i).count()); i++) {
    const before = await limn.seq;
    await limn.submitButton.click();
    await limn.page.waitForFunction((n) => window.limn.seq() > n, before);
    await limn.page.waitForTimeout(300);
  }
  await limn.shot(`accept-${draw}`);
  await limn.button(/^accept as it is/i).click();
  await limn.waitLocked();
  await limn.clean();
});

// --- a file instead of a paste ---
scenarios['import-a-file-html'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.write('We have 5 suppliers in a spreadsheet that I want to import.');
  const file = limn.surfaces.locator('input[type=file]').first();
  await file.setInputFiles({ name: 'suppliers.csv', mimeType: 'text/csv', buffer: Buffer.from('Name;Contact;Category\r\n"Smith, John";j@x.org;Steel\r\nAcme;a@x.org;Tools\r\nGlobex;;Paint\r\n') });
  await limn.button(/^add these 3 rows/i).waitFor();
  await limn.shot('import-html');
  await limn.button(/^add these 3 rows/i).click();
  await limn.waitText(/3 rows added/i);
  expect('the name with a comma', (await limn.surfaces.getByRole('textbox', { name: /^Name\b.*\b1$/ }).first().inputValue()) === 'Smith, John');
  await limn.clean();
};

// --- 5,000 rows: scrolled, typed into, moved, pasted into, corrected and sent, each once ---
scenarios['five-thousand-rows-html'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.write('I need a table for 6,000 stakeholders.');
  await limn.waitText(/at most 5000 rows/i);
  const rows = Array.from({ length: 5000 }, (_, i) => `Person ${i + 1}\tRole ${i % 9}\tHigh`).join('\n');
  await (await limn.openBox()).evaluate((el, text) => { // as a paste does; typing so much would take the driver a minute
    el.value = text;
    el.dispatchEvent(new Event('input', { bubbles: true }));
  }, rows);
  await limn.button('Preview').click();
  await limn.button(/^add these 5000 rows/i).click();
  await limn.waitText(/Rows 1–\d+ of 5000/);
  const region = limn.surfaces.locator('.limn-scroll');
  const row = (n) => limn.surfaces.locator('.limn-scroll tbody:not(.limn-space) tr:not([hidden], .limn-away)', { has: limn.page.locator(`th:text-is("${n}")`) });
  const name = (n) => row(n).locator('input[type=text]').first();
  const scroll = async (part) => {
    const started = Date.now();
    await region.evaluate((el, to) => { el.scrollTop = to * el.scrollHeight; }, part);
    await row(Math.max(1, Math.min(5000, Math.round(part * 5000)))).waitFor();
    t.info(`scrolled to ${Math.round(part * 100)} % in ${Date.now() - started} ms`);
  };
  const few = async () => (await limn.surfaces.locator('.limn-scroll tbody tr').count()) <= 260;

  await name(2).fill('Second'); // unsent
  await scroll(1);
  expect('few rows on the page', await few());
  expect('the last row', (await name(5000).inputValue()) === 'Person 5000');
  await name(4990).fill('Changed');
  await limn.shot('rows-5000-end');
  await scroll(0.5);
  await limn.shot('rows-5000-middle');
  await row(2500).locator('.limn-up').click();
  await poll('the row to have moved', async () => (await name(2499).inputValue()) === 'Person 2500');
  expect('the rows to have changed places', (await name(2500).inputValue()) === 'Person 2499');

  // a paste into cells goes on below the rows that are there
  await name(2520).evaluate((el, text) => {
    el.focus();
    const data = new DataTransfer();
    data.setData('text/plain', text);
    el.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, Array.from({ length: 150 }, (_, i) => `Pasted ${i + 1}`).join('\n'));
  await poll('the paste', async () => (await name(2520).inputValue()) === 'Pasted 1');

  await scroll(0);
  expect('what was typed first', (await name(2).inputValue()) === 'Second');
  await limn.reload();
  await row(2499).waitFor(); // where the server's page is
  await scroll(0);
  await poll('the unsent text after a reload', async () => (await name(2).inputValue()) === 'Second');
  await scroll(1);
  await poll('the unsent text of the last rows', async () => (await name(4990).inputValue()) === 'Changed');

  // Enter goes on below the window; an error far away is found
  await scroll(0.3);
  await name(1500).focus();
  for (let i = 0; i < 5; i++) await limn.page.keyboard.press('Enter');
  await poll('the row below to have the focus', async () => (await limn.focused()).value === 'Person 1505');
  await name(1500).fill('');
  await scroll(0.9);
  const own = (key) => limn.surfaces.locator(`button[value*="/buttons/${key}:"]:visible`).last();
  await own('submit').click();
  await poll('the empty name to have the focus', async () => (await limn.page.evaluate(() => document.activeElement?.getAttribute('name'))) ?.endsWith('/r1500/name') === true);
  await limn.shot('rows-5000-error');
  await limn.page.keyboard.type('Mended');
  await own('submit').click();
  await own('confirm').click();
  await limn.page.locator('.limn-submitted').waitFor();
  const at = await limn.page.evaluate(() => document.body.dataset.api);
  const list = await limn.page.evaluate(async (api) => {
    const { committed } = await (await fetch(`${api}/state`)).json();
    return JSON.stringify(committed);
  }, at);
  for (const want of ['Second', 'Changed', 'Mended', 'Pasted 1"', 'Pasted 150"', 'Person 5000"']) expect(`${want} to be committed once, in ${list.length} bytes`, list.split(`"${want.replace(/"?$/, '"')}`).length === 2);
  expect('a row that nobody touched', list.includes('"Person 3333"'));
  for (const gone of ['"Person 2"', '"Person 4990"', '"Person 1500"']) expect(`${gone} to be gone`, !list.includes(gone));
  await limn.page.locator('.limn-all > summary').click();
  await limn.page.locator('.limn-all .limn-scroll').evaluate((el) => { el.scrollTop = el.scrollHeight; });
  await limn.waitText(/Rows \d+–5000 of 5000/);
  await limn.clean();
};

// --- two tabs scroll apart; rows that one takes away or adds move those of the other, and nothing typed goes ---
scenarios['two-tabs-scroll-apart-html'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.write('We have 300 stakeholders to list.');
  await (await limn.openBox()).fill(Array.from({ length: 300 }, (_, i) => `Person ${i + 1}\tRole\tHigh`).join('\n'));
  await limn.button('Preview').click();
  await limn.button(/^add these 300 rows/i).click();
  await limn.waitText(/Rows 1–\d+ of 300/);
  const other = await limn.twin();
  const row = (at, n) => at.surfaces.locator('.limn-scroll tbody:not(.limn-space) tr:not([hidden], .limn-away)', { has: at.page.locator(`th:text-is("${n}")`) });
  const name = (at, n) => row(at, n).locator('input[type=text]').first();
  const scroll = (at, part) => at.surfaces.locator('.limn-scroll').evaluate((el, to) => { el.scrollTop = to * el.scrollHeight; }, part);
  await scroll(limn, 0.6);
  await name(limn, 185).click();
  await limn.page.keyboard.press('End');
  await limn.page.keyboard.type(' typed');
  await name(limn, 186).fill('Unsent');
  await name(limn, 185).focus();
  await other.page.bringToFront();
  await name(other, 1).waitFor();
  await row(other, 2).locator('.limn-remove').click();
  await other.waitText(/of 299/);
  await limn.page.bringToFront();
  await poll('the row to have a new number', async () => (await name(limn, 184).inputValue().catch(() => '')) === 'Person 185 typed');
  expect('the focus to stay', (await limn.focused()).value === 'Person 185 typed');
  expect('the other unsent text', (await name(limn, 185).inputValue()) === 'Unsent');
  await other.page.bringToFront();
  await other.button('Add row').click();
  await name(other, 300).waitFor();
  await name(other, 300).fill('Newest');
  await limn.page.bringToFront();
  await limn.waitText(/of 300/);
  await poll('the view to stay', () => row(limn, 184).isVisible()); // once the rows around it are there again
  await limn.page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await limn.page.evaluate(() => window.axe.run('#limn-surfaces', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then((r) => r.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary}`)));
  expect(`no violations, not ${found.join('; ')}`, !found.length);
  await limn.page.route(/\/rows\?/, (r) => r.fulfill({ status: 503, body: '' }));
  await scroll(limn, 0);
  await limn.page.waitForTimeout(500);
  expect('no row without the server', !(await row(limn, 1).count()));
  await limn.page.unroute(/\/rows\?/);
  await limn.page.route(/\/rows\?/, (r) => r.fulfill({ status: 200, contentType: 'text/html', body: 'Sign in' }));
  await limn.waitText(/could not be reached/i);
  expect('a page of a sign-in is no answer', (await limn.surfaces.locator('.limn-scroll tbody:not(.limn-space) tr').count()) > 50);
  await limn.page.unroute(/\/rows\?/);
  await name(limn, 1).waitFor(); // asked for again, by itself
  await row(limn, 3).locator('.limn-remove').click(); // sends what is typed, too
  await limn.waitText(/of 299/);
  await other.page.bringToFront();
  await scroll(other, 0.6);
  await poll('what the other tab sent', async () => (await name(other, 183).inputValue().catch(() => '')) === 'Person 185 typed');
  await scroll(other, 1);
  await poll('the unsent text at the end', async () => (await name(other, 299).inputValue().catch(() => '')) === 'Newest');
  await limn.clean();
  await other.clean();
};

// --- the pages of a table without script: typed, turned, typed, sent ---
scenarios['table-pages-noscript'] = async (t) => {
  const context = await t.browser.newContext({ javaScriptEnabled: false });
  t.contexts.push(context);
  const page = await context.newPage();
  await page.goto(t.base);
  if (!(await page.locator('body[data-draw]').count())) await page.getByRole('button', { name: /new conversation/i }).first().click();
  await page.locator('textarea[name="text"], input[name="text"]').first().fill('We have 60 stakeholders to list.');
  await page.getByRole('button', { name: /send/i }).first().click();
  await page.locator('.limn-fold > summary').click();
  await page.locator('textarea[name="/draft/paste"]').fill(Array.from({ length: 60 }, (_, i) => `Person ${i + 1}\tRole\tHigh`).join('\n'));
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByRole('button', { name: /^add these 60 rows/i }).click();
  await page.locator('input[name$="/r2/name"]').fill('Second');
  await page.getByRole('button', { name: 'Next rows' }).click();
  expect('the last page', (await page.locator('.limn-pager').innerText()).includes('Rows 51–60 of 60'));
  await page.locator('input[name$="/r60/name"]').fill('Last');
  await page.getByRole('button', { name: 'Previous rows' }).click();
  expect('what was typed before', (await page.locator('input[name$="/r2/name"]').inputValue()) === 'Second');
  await page.locator('button[value*="/buttons/submit:"]:visible').last().click();
  await page.locator('button[value*="/buttons/confirm:"]:visible').last().click();
  await page.locator('.limn-submitted').waitFor();
  const api = await page.locator('body').getAttribute('data-api');
  const state = await (await context.request.get(new URL(`${api}/state`, t.base).href)).text();
  for (const want of ['"Second"', '"Last"', '"Person 59"']) expect(`${want} to be committed`, state.includes(want));
};

// --- Enter in a cell goes down; below the last row it adds one, and it never checks ---
scenarios['enter-goes-down'] = async (t) => {
  const limn = await Limn.open(t, 'html');
  await limn.write('We have 3 stakeholders across finance, ops, and IT.');
  const rows = limn.surfaces.locator('.limn-table tbody tr');
  await rows.first().waitFor();
  const before = await rows.count();
  const focused = () => limn.page.evaluate(() => {
    const cell = document.activeElement?.closest('.limn-table td');
    const row = cell?.closest('tr');
    return row ? `${[...row.parentElement.children].indexOf(row)},${[...row.children].indexOf(cell)}` : 'elsewhere';
  });
  await rows.first().locator('input:visible').first().fill('Ann');
  const column = (await focused()).split(',')[1];
  for (let i = 1; i < before; i++) {
    await limn.page.keyboard.press('Enter');
    expect(`row ${i} to have the focus, got ${await focused()}`, (await focused()) === `${i},${column}`);
  }
  await limn.page.keyboard.type('Zoe');
  await limn.page.keyboard.press('Shift+Enter');
  expect(`the row above, got ${await focused()}`, (await focused()) === `${before - 2},${column}`);
  await limn.page.keyboard.press('Enter');
  await limn.page.keyboard.press('Enter');
  await poll('a row below the last one, with the focus', async () => (await rows.count()) === before + 1 && (await focused()) === `${before},${column}`);
  expect('the typed names to be there', (await rows.first().locator('input:visible').first().inputValue()) === 'Ann'
    && (await rows.nth(before - 1).locator('input:visible').first().inputValue()) === 'Zoe');
  expect('no check', !/expected|Complete/.test(await limn.surfaces.innerText()));
  await limn.clean();
};

// --- a cancel is undone with what was typed, with and without script ---
each('cancel-undone', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.openTable();
  await limn.cells.first().fill('Ann');
  await limn.button(/^cancel$/i).click();
  await limn.page.locator('#limn').getByRole('button', { name: /^undo$/i }).click();
  await poll('the typed name to be back', async () => (await limn.cells.first().inputValue().catch(() => '')) === 'Ann');
  await limn.clean();
});
scenarios['cancel-undone-noscript'] = async (t) => {
  const context = await t.browser.newContext({ javaScriptEnabled: false });
  t.contexts.push(context);
  const page = await context.newPage();
  await page.goto(t.base);
  if (!(await page.locator('body[data-draw]').count())) await page.getByRole('button', { name: /new conversation/i }).first().click();
  await page.locator('textarea[name="text"], input[name="text"]').first().fill('We have 3 stakeholders across finance, ops, and IT.');
  await page.getByRole('button', { name: /send/i }).first().click();
  const cell = page.locator('.limn-table tbody input:visible').first();
  await cell.fill('Ann');
  await cell.press('Enter'); // nothing: no check, no row lost
  expect('the typed name to stay', (await cell.inputValue()) === 'Ann' && !/expected|Complete/.test(await page.locator('body').innerText()));
  await page.getByRole('button', { name: /^cancel$/i }).click();
  await page.getByRole('button', { name: /^undo$/i }).click();
  expect('the typed name to be back', (await cell.inputValue()) === 'Ann');
};

// --- rows that were announced are a question: submit fewer, or go on ---
each('fewer-rows', async (t, draw) => {
  const limn = await Limn.open(t, draw);
  await limn.write('We have 4 stakeholders across finance, ops, and IT.');
  await limn.cells.first().waitFor();
  await limn.cells.first().fill('Ann');
  await limn.button(/^check$/i).click();
  await limn.waitText(/4 expected, 1 filled in: submit these\?/);
  await limn.button(/^keep editing$/i).click();
  await poll('the question to be gone', async () => !(await limn.button(/^submit 1$/i).count()));
  await limn.button(/^check$/i).click();
  await limn.button(/^submit 1$/i).click();
  await limn.waitText(/1 stakeholder/);
  await limn.clean();
});
