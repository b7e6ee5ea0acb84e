// Data of the application that arrive while a person types, and operators who answer in
// conversations: on the server of --live (see run.mjs).

import { accessible, draws, expect, Limn, poll } from './page.mjs';

export const scenarios = {};

const rate = 10; // values a second

/** What the proxy says of a user. */
const as = (user, roles = '') => ({ extraHTTPHeaders: { 'X-User': user, 'X-Roles': roles } });

/** Publishes figures until it is stopped, which returns how many. */
function publisher(t) {
  let sent = 0;
  const minutes = [];
  const post = async () => {
    sent++;
    minutes.push({ at: `m${sent}`, visitors: sent % 40 });
    if (minutes.length > 20) minutes.shift();
    const figures = { visitors: sent, orders: sent * 3, minutes, pages: [{ page: '/', visitors: sent }, { page: '/docs', visitors: 2 * sent }] };
    const answer = await fetch(`${t.live}/v1/topics/sales`, {
      method: 'POST', body: JSON.stringify(figures),
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${process.env.LIMN_DATA_TOKEN}` },
    });
    if (answer.status !== 204) throw new Error(`publish: ${answer.status} ${await answer.text()}`);
  };
  /** @type {Promise<void>} */
  let done = Promise.resolve();
  const timer = setInterval(() => { done = done.then(post); done.catch(() => {}); }, 1000 / rate);
  return async () => {
    clearInterval(timer);
    await done;
    return sent;
  };
}

/** In the page: times each value from its arrival to its layout, and the animation frames. */
function measure() {
  const times = { updates: [], frames: [], long: 0, texts: 0 };
  const text = customElements.get('a2ui-text')?.prototype; // of v0.8
  if (text) {
    const updated = text.updated;
    text.updated = function (changed) {
      times.texts++;
      updated?.call(this, changed);
    };
  }
  window.__times = times;
  new PerformanceObserver((list) => { times.long += list.getEntries().length; }).observe({ entryTypes: ['longtask'] });
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }) => { // a task of its own: after all listeners and their microtasks
    void document.body.offsetHeight;
    times.updates.push(performance.now() - data);
  };
  window.__sources.at(-1).addEventListener('message', (event) => port1.postMessage(event.timeStamp));
  let last = performance.now();
  requestAnimationFrame(function tick(now) {
    times.frames.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  });
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;

/** Types into a control while values arrive: each key counts, focus and caret stay. */
async function type(limn, control) {
  const state = () => control.evaluate((el) => ({
    value: el.value, caret: el.selectionStart,
    focused: el.getRootNode().activeElement === el,
  }));
  const same = async (what, wanted) => {
    const now = JSON.stringify({ ...(await state()) });
    expect(`${what}: ${JSON.stringify(wanted)}, not ${now}`, now === JSON.stringify(wanted));
  };
  await control.click();
  const text = 'What is typed while the figures change stays as it is.';
  await limn.page.keyboard.type(text, { delay: 40 });
  await same('typed', { value: text, caret: text.length, focused: true });
  for (let i = 0; i < 10; i++) await limn.page.keyboard.press('ArrowLeft', { delay: 30 });
  const middle = text.length - 10;
  await limn.page.keyboard.type(' (all of it)', { delay: 40 });
  await same('typed in the middle', { value: `${text.slice(0, middle)} (all of it)${text.slice(middle)}`, caret: middle + 12, focused: true });
}

let publishing = Promise.resolve(); // scenarios that publish to the topic come one after the other

/** Runs when no other scenario publishes. */
function alone(run) {
  return (t) => {
    const done = publishing.then(() => run(t));
    publishing = done.catch(() => {});
    return done;
  };
}

// --- ten values a second beside a form, and beside the message box: no character is lost ---
for (const draw of draws) {
  scenarios[`live-typing-${draw.replace('.', '')}`] = alone(async (t) => {
    const limn = await Limn.open({ ...t, base: t.live }, draw, as('ben'));
    await limn.write('show the dashboard');
    await limn.waitText(/Visitors by minute/);
    await limn.page.evaluate(measure);
    const stop = publisher(t);
    try {
      await type(limn, limn.page.locator('#limn-text'));
      await limn.page.locator('#limn-text').fill('');
      await limn.write('add an order');
      const customer = limn.page.getByLabel(/^customer/i).first();
      await customer.waitFor();
      await type(limn, customer);
    } finally {
      const sent = await stop();
      t.info(`${draw}: ${sent} values sent`);
      const tab = limn.page.locator('#limn-open').getByRole('button', { name: 'Sales today' });
      if (await tab.count()) await tab.click();
      await poll(`the figure ${sent} in the view`, async () => (await limn.text()).includes(` ${sent * 3} `));
    }
    const times = await limn.page.evaluate(() => window.__times);
    expect(`updates seen: ${times.updates.length}`, times.updates.length > 20);
    if (times.texts) { // five change, and the form opens
      t.info(`${draw}: ${(times.texts / times.updates.length).toFixed(1)} texts drawn an update, of ${await limn.page.evaluate(() => { const all = (root) => [...root.querySelectorAll('*')].reduce((n, el) => n + (el.localName === 'a2ui-text') + (el.shadowRoot ? all(el.shadowRoot) : 0), 0); return all(document); })}`);
      expect('only what changed is drawn again', times.texts < 8 * times.updates.length);
    }
    t.info(`${draw}: an update from arrival to layout ${median(times.updates).toFixed(1)} ms at the median of ${times.updates.length}, worst ${Math.max(...times.updates).toFixed(0)} ms; between frames ${median(times.frames).toFixed(1)} ms at the median; ${times.long} tasks over 50 ms`);
    await limn.shot(`live-${draw}`);
    await limn.clean();
  });
}

// --- an operator finds a conversation, joins, writes and hands it back; the user sees it happen ---
for (const [name, viewport] of [['desk', { width: 1200, height: 900 }], ['phone', { width: 390, height: 844 }]]) {
  scenarios[`live-operator-${name}`] = async (t) => {
    const user = `carl-${name}-${Date.now()}`;
    const limn = await Limn.open({ ...t, base: t.live }, 'html', { viewport, ...as(user) });
    const question = `My printer is on fire, says ${user}`;
    await limn.write(question);
    expect('no list of all conversations for the user', !(await limn.page.getByRole('link', { name: 'All conversations' }).count()));
    const context = await t.browser.newContext({ viewport, ...as('anna', 'support') });
    context.setDefaultTimeout(45_000);
    t.contexts.push(context);
    const anna = await context.newPage();
    await anna.goto(`${t.live}/operator`);
    await anna.getByRole('link', { name: question }).click();
    await anna.getByLabel('Your name for the user').fill('Anna from support');
    await anna.getByRole('button', { name: 'Answer here' }).click();
    await anna.getByText('You answer here as Anna from support.').waitFor();
    await limn.page.getByText('Anna from support answers here.').waitFor();
    await limn.page.locator('#limn-text').fill('Are you there?');
    await limn.page.locator('#limn-text').press('Enter');
    await anna.locator('li.limn-user', { hasText: 'Are you there?' }).waitFor();
    expect('nothing of the user to edit', !(await anna.locator('.limn-edit').count()));
    await anna.locator('#limn-say').fill('I am. Leave the room.');
    await anna.locator('#limn-operator').getByRole('button', { name: 'Send' }).click();
    const said = limn.page.locator('li.limn-assistant', { hasText: 'Leave the room.' });
    await said.waitFor();
    expect('the name above', (await said.locator('.limn-by').textContent()) === 'Anna from support');
    expect('nothing waits', !(await limn.page.locator('.limn-pending').count()));
    await limn.shot(`operator-${name}-user`);
    if (t.shots) await anna.screenshot({ path: `${t.shots}/operator-${name}.png` });
    await anna.getByRole('button', { name: 'Hand back to the assistant' }).click();
    await limn.page.getByText('Anna from support left.').waitFor();
    await limn.page.locator('#limn-attended').waitFor({ state: 'hidden' });
    await limn.write('hello');
    await limn.clean();
  };
}

// --- the page of an operator says who answers now; an answer that was typed stays, also when another took over ---
scenarios['live-operator-away'] = async (t) => {
  const user = `emil-${Date.now()}`;
  const limn = await Limn.open({ ...t, base: t.live }, 'html', as(user));
  await limn.write('My chair squeaks');
  const support = async (name) => {
    const context = await t.browser.newContext({ viewport: { width: 1200, height: 900 }, ...as(name, 'support') });
    context.setDefaultTimeout(45_000);
    t.contexts.push(context);
    const page = await context.newPage();
    await page.goto(limn.page.url());
    return page;
  };
  const [anna, bea] = [await support('anna'), await support('bea')];
  const annaToo = await anna.context().newPage();
  await annaToo.goto(anna.url());
  const attend = async (page, name) => {
    await page.getByLabel('Your name for the user').fill(name);
    await page.getByRole('button', { name: 'Answer here' }).click();
  };
  await bea.getByLabel('Your name for the user').fill('Bea from support');
  let failures = 0; // it is asked for again
  await bea.route(bea.url(), (route) => (failures++ ? route.fulfill({ status: 503, body: '' }) : route.abort()), { times: 2 });
  await attend(anna, 'Anna from support');
  await bea.getByText('Anna from support answers here.').waitFor();
  expect(`two failures, not ${failures}`, failures === 2);
  expect('the name that was typed', (await bea.getByLabel('Your name for the user').inputValue()) === 'Bea from support');
  await annaToo.getByText('You answer here as Anna from support.').waitFor();
  const answer = 'First turn it over, then oil the four screws';
  await anna.locator('#limn-say').pressSequentially(answer);
  await limn.page.getByRole('button', { name: 'Back to the assistant' }).click();
  await anna.getByRole('button', { name: 'Answer here' }).waitFor();
  await annaToo.getByRole('button', { name: 'Answer here' }).waitFor();
  await bea.getByText('Anna from support answers here.').waitFor({ state: 'detached' });
  expect('the answer to be read and copied', (await anna.locator('#limn-say').inputValue()) === answer && !(await anna.locator('#limn-say').isEditable()));
  expect('no empty box', (await annaToo.locator('#limn-say').count()) === 0);
  await accessible(anna);
  if (t.shots) await anna.screenshot({ path: `${t.shots}/operator-away.png` });
  await attend(annaToo, 'Anna from support');
  await poll('the answer to be written on', () => anna.locator('#limn-say').isEditable());
  expect('the focus in it', await anna.evaluate(() => document.activeElement?.id === 'limn-say'));
  await anna.reload();
  expect('the answer on a page that is loaded again', (await anna.locator('#limn-say').inputValue()) === answer);
  await annaToo.getByRole('button', { name: 'Hand back to the assistant' }).click();
  await attend(anna, 'Anna from support');
  await poll('the answer in the box of the new page', async () => await anna.locator('#limn-say').isEditable() && (await anna.locator('#limn-say').inputValue()) === answer);
  await anna.locator('#limn-operator').getByRole('button', { name: 'Send' }).click();
  await limn.page.locator('li.limn-assistant', { hasText: answer }).waitFor();
  await poll('an empty box after it', async () => (await anna.locator('#limn-say').inputValue()) === '');
  await limn.clean();
};

// --- the operator's list says by itself who waits, and no more when they are answered ---
scenarios['live-operator-waits'] = async (t) => {
  const user = `dora-${Date.now()}`;
  const limn = await Limn.open({ ...t, base: t.live }, 'html', as(user));
  const question = `The cellar is wet, says ${user}`;
  await limn.write(question);
  const context = await t.browser.newContext({ viewport: { width: 1200, height: 900 }, ...as('anna', 'support') });
  context.setDefaultTimeout(45_000);
  t.contexts.push(context);
  const anna = await context.newPage();
  await anna.goto(`${t.live}/operator`);
  const link = anna.getByRole('link', { name: question });
  const line = anna.locator('.limn-conversations li', { has: link });
  expect('nobody waits whom the model answers', (await line.getAttribute('data-waiting')) === null);
  const room = await context.newPage();
  await room.goto(await link.getAttribute('href').then((at) => new URL(at, t.live).href));
  await room.getByLabel('Your name for the user').fill('Anna from support');
  await room.getByRole('button', { name: 'Answer here' }).click();
  await room.getByText('You answer here as Anna from support.').waitFor();
  await limn.page.getByText('Anna from support answers here.').waitFor();
  await limn.page.locator('#limn-text').fill('Are you there?');
  await limn.page.locator('#limn-text').press('Enter');
  await line.and(anna.locator('[data-waiting]')).waitFor();
  await line.getByText(/^Waiting for an answer since/).waitFor();
  expect(`the title counts, got ${await anna.title()}`, /^\(\d+\) All conversations/.test(await anna.title()));
  expect('who waits is first', (await anna.locator('.limn-conversations li').first().getAttribute('data-waiting')) !== null);
  await anna.locator('#limn-waits', { hasText: /waits? for an answer/ }).waitFor();
  await accessible(anna);
  if (t.shots) await anna.screenshot({ path: `${t.shots}/operator-waits.png` });
  await room.locator('#limn-say').fill('I am.');
  await room.locator('#limn-operator').getByRole('button', { name: 'Send' }).click();
  await poll('nobody waits', async () => (await line.getAttribute('data-waiting')) === null);
  await room.getByRole('button', { name: 'Hand back to the assistant' }).click();
  await limn.clean();
};
