// The scenarios of the two tools: a table and a process map, in every drawing.

import { draws, expect, Limn, opening } from './page.mjs';

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
  await limn.write('What is a stakeholder?');
  const count = await limn.surfaces.locator('[data-surface], turbo-frame').count();
  expect(`one surface, got ${count}`, count === 1);
  expect('the typed text to be there', (await limn.cells.nth(1).inputValue()) === 'half typed');
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
