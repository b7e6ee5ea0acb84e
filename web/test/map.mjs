// The editor of a process in the HTML drawing: the scenarios of the component, over the
// fields of the form.

import { Limn, expect, poll } from './page.mjs';

export const scenarios = {};

const process = 'First finance reviews the invoice, then IT signs off, then CFO approves.';

/** A process that is edited, and what its tests look at. */
async function open(t, options) {
  const limn = await Limn.open(t, 'html', options);
  await limn.write(process);
  const root = limn.surfaces.locator('.limn-editor');
  const step = (name) => root.getByRole('button', { name });
  await step(/^Sign off/).first().waitFor();
  const link = (name) => root.locator(`.limn-link[aria-label^="${name}"]`);
  const arrows = (n) => poll(`${n} connections`, async () => (await root.locator('.limn-map .limn-arrow').count()) === n);
  return { limn, page: limn.page, root, step, link, arrows, field: (name) => limn.page.locator(`[name="/draft/${name}"]:not([type=hidden])`) };
}

const named = (page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

// --- what is done on the picture is in the fields, and what is typed there is in the picture ---
scenarios['map-fields'] = async (t) => {
  const c = await open(t);
  expect('the picture of the server makes room', await c.limn.surfaces.locator('.limn-canvas[data-steps]').isHidden());
  await c.step(/^Sign off/).first().click();
  const panel = c.root.locator('.limn-panel');
  await panel.getByLabel('Outcome', { exact: true }).fill('Signed');
  expect('in its field', (await c.field('steps/s2/outcome').inputValue()) === 'Signed');
  await c.field('steps/s2/name').fill('Countersign');
  await c.step(/^Countersign · IT/).first().waitFor();

  // A step between two: the server adds a step and a connection, one after the other.
  await c.link('From Review').focus();
  await c.page.keyboard.press('Enter');
  await panel.getByLabel('Kind', { exact: true }).selectOption({ label: 'approval' });
  await panel.getByRole('button', { name: 'Insert a step here' }).click();
  await c.arrows(3);
  await panel.getByLabel('Step', { exact: true }).fill('Archive');
  await c.link('From Review the invoice to Archive').waitFor({ state: 'attached' });
  await c.link('From Archive to Countersign').waitFor({ state: 'attached' });
  expect('four steps in the list', (await c.limn.surfaces.locator('.limn-steps > ol > li').count()) === 4);
  await c.page.keyboard.press('Control+z'); // the name
  await c.page.keyboard.press('Control+z'); // the step
  await c.arrows(2);
  await c.link('From Review the invoice to Countersign').waitFor({ state: 'attached' });
  await c.root.getByRole('button', { name: 'Redo', exact: true }).click();
  await c.arrows(3);
  await c.root.getByRole('button', { name: 'Undo', exact: true }).click();
  await c.arrows(2);

  // What was done is what is sent and what comes back.
  await c.limn.reload();
  await c.step(/^Countersign · IT/).first().waitFor();
  expect('kept', (await c.field('steps/s2/outcome').inputValue()) === 'Signed');
  await c.limn.clean();
};

// --- steps are connected, once; what is missing shows on the picture ---
scenarios['map-connect'] = async (t) => {
  const c = await open(t);
  await c.step(/^Approve/).focus();
  await c.page.keyboard.press('c');
  for (let i = 0; i < 2; i++) await c.page.keyboard.press('ArrowLeft');
  if (!/^Review/.test(await named(c.page))) for (let i = 0; i < 2; i++) await c.page.keyboard.press('ArrowUp');
  await c.page.keyboard.press('Enter');
  await c.arrows(3);
  await c.limn.surfaces.locator('.limn-table tbody tr').nth(2).waitFor();
  expect('the connection in the table', (await c.limn.surfaces.locator('.limn-table tbody tr').nth(2).locator('select').nth(1).inputValue()) === 's1');
  await c.link('From Approve').focus();
  await c.page.keyboard.press('Delete');
  await c.arrows(2);
  await poll('gone from the table', async () => (await c.limn.surfaces.locator('.limn-table tbody tr').count()) === 2);
  await c.limn.button(/^check$/i).click();
  await c.root.locator('.limn-bad').first().waitFor();
  await c.limn.clean();
};

// --- on a phone: a finger takes a step to another lane, and what it does there is in the field ---
scenarios['map-phone'] = async (t) => {
  const c = await open(t, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await c.root.getByRole('button', { name: 'Lanes by owner' }).tap();
  const lane = c.root.locator('.limn-lane[data-lane="CFO"]');
  await lane.waitFor({ state: 'attached' });
  await touch(c.page, c.step(/^Sign off/).first(), lane);
  await c.step(/^Sign off · CFO/).waitFor();
  expect('in its field', (await c.field('steps/s2/owner').inputValue()) === 'CFO');
  await c.limn.shot('map-phone');
  expect('nothing wider than the screen', await c.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await c.limn.clean();
};

/** A finger goes from the middle of one element to the middle of another. */
export async function touch(page, from, to) {
  await from.evaluate((el) => el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }));
  const [a, b] = [await from.boundingBox(), await to.boundingBox()];
  const cdp = await page.context().newCDPSession(page);
  const at = (type, x, y) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const [x, y] = [a.x + a.width / 2, a.y + a.height / 2];
  await at('touchStart', x, y);
  for (let i = 1; i <= 6; i++) await at('touchMove', x + i * (b.x + b.width / 2 - x) / 6, y + i * (Math.min(b.y + b.height / 2, y + 300) - y) / 6);
  await at('touchEnd');
}
