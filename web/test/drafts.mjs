// The scenarios of drafts that several people fill in at once. They need the server of
// cmd/limn/testdata/charts.yaml (--views).

import { expect, Limn, poll } from './page.mjs';

export const scenarios = {};

/** Two pages with the same form. */
async function pair(t, draw) {
  const one = await Limn.open({ ...t, base: t.views }, draw);
  await one.write('a guest');
  await one.page.getByLabel(/^name/i).first().waitFor();
  const two = await one.twin();
  const [a, b] = [one, two].map((l) => ({
    name: l.page.getByLabel(/^name/i).first(), note: l.page.getByLabel(/^note/i).first(), vip: l.page.getByLabel(/vip/i).first(),
  }));
  await b.name.waitFor();
  await poll('each knows of the other', async () => / 2 /.test(await one.page.locator('#limn-people').innerText()) && / 2 /.test(await two.page.locator('#limn-people').innerText()));
  return { one, two, a, b };
}

for (const draw of ['html', 'v0.9', 'react']) {
  // --- two people type at once; offline and back; who wrote; the one who submits wins ---
  scenarios[`drafts-together-${draw}`] = async (t) => {
    const { one, two, a, b } = await pair(t, draw);
    await one.page.context().clock.install();
    await Promise.all([a.name.pressSequentially('Ada Lovelace', { delay: 40 }), b.note.pressSequentially('by the window', { delay: 40 })]);
    await poll('the name there', async () => (await b.name.inputValue()) === 'Ada Lovelace');
    await poll('the note here', async () => (await a.note.inputValue()) === 'by the window');
    expect('no letter is lost', (await a.name.inputValue()) === 'Ada Lovelace' && (await b.note.inputValue()) === 'by the window');
    await a.name.pressSequentially('!', { delay: 40 });
    await poll('who types, and where', async () => /typing in “Name”/.test(await two.page.locator('#limn-people').innerText()));
    if (t.shots) await two.page.screenshot({ path: `${t.shots}/drafts-${draw}.png`, fullPage: true });
    const mark = draw === 'html' ? two.page.locator('.limn-field', { has: b.name }).locator('[id^="datasync-"]') : two.page.locator('[id^="limn-wrote-"]').first();
    await poll('beside the input', async () => /(is typing…|window\.)$/.test(await mark.innerText()));
    if (t.shots) await two.page.screenshot({ path: `${t.shots}/drafts-${draw}-mark.png`, fullPage: true });
    await poll('all of it', async () => (await b.name.inputValue()) === 'Ada Lovelace!');
    await two.page.clock.fastForward(4100); // longer than somebody is said to type
    await poll('who wrote', async () => (await mark.innerText()) === 'Changed last in another window.');
    const gap = await mark.evaluate((e, input) => Math.max(e.getBoundingClientRect().top - input.getBoundingClientRect().bottom, e.getBoundingClientRect().left - input.getBoundingClientRect().right), await b.name.elementHandle());
    expect(`at the input, not ${gap} px away`, gap < 16);
    const heard = await b.name.evaluate((e) => (e.getAttribute('aria-describedby') ?? '').split(' ').map((id) => e.getRootNode().getElementById(id)?.textContent).join(''));
    expect(`it is heard: ${heard}`, heard.includes('Changed last in another window.'));
    expect('not of one\'s own', (await a.name.getAttribute('data-wrote')) === null);
    await poll('and then no more', async () => !/typing/.test(await two.page.locator('#limn-people').innerText()));
    const people = () => two.page.locator('#limn-people').innerText();
    await poll('who changed it last', async () => /Somebody changed “Name” last\./.test(await people()));
    await a.name.press('Backspace');
    await a.vip.click();
    await poll('the newest', async () => /Somebody (changed “VIP” last|is typing in “VIP”)\./.test(await people()));
    await b.name.focus();
    await two.page.clock.fastForward(4100);
    await poll('who changed the one with the focus', async () => /Somebody changed “Name” last\./.test(await people()));
    expect('not of one\'s own', !/“Name”/.test(await one.page.locator('#limn-people').innerText()));
    await poll('the box there', () => b.vip.isChecked());
    await poll('the name is as before', async () => (await b.name.inputValue()) === 'Ada Lovelace');

    await two.page.context().setOffline(true); // both pages are of one context
    const failed = [one, two].map((l) => l.page.waitForEvent('requestfailed'));
    await b.note.fill('by the door');
    await a.name.fill('Ada King');
    await Promise.all(failed);
    expect('nothing arrives', (await a.note.inputValue()) === 'by the window' && (await b.name.inputValue()) === 'Ada Lovelace');
    await two.page.context().setOffline(false);
    for (const l of [one, two]) await l.page.clock.fastForward(4000); // both try again
    await poll('what was typed offline is there', async () => (await a.note.inputValue()) === 'by the door' && (await b.name.inputValue()) === 'Ada King');

    await b.name.press('End');
    await b.name.pressSequentially(', Countess', { delay: 10 });
    await poll('the name here', async () => (await a.name.inputValue()) === 'Ada King, Countess');
    await one.page.route('**/events', (route) => route.abort()); // what is typed now is not sent
    await a.note.fill('by the stairs');
    await two.button(/^submit/i).click();
    await poll('what was on the screen is submitted', async () => {
      const state = await one.page.evaluate(() => fetch(`/v1/conversations/${document.body.dataset.conversation}/state`).then((r) => r.json()));
      return state.committed?.guest?.name === 'Ada King, Countess' && state.committed.guest.note === 'by the door' && state.committed.guest.vip === true;
    });
    await poll('the other is told', async () => (await one.page.getByLabel(/^name/i).count()) === 0 || !(await a.name.isEditable().catch(() => false)));
    const lost = one.page.locator('.limn-lost');
    await poll('the other is told what was submitted', async () => (await lost.locator('li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')).sort().join('; ')
      === 'Name You wrote: Ada King Submitted: Ada King, Countess; Note You wrote: by the stairs Submitted: by the door');
    if (t.shots) await one.page.screenshot({ path: `${t.shots}/drafts-${draw}-lost.png`, fullPage: true });
    await one.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await one.page.bringToFront();
    await lost.getByRole('button', { name: 'Copy what you wrote' }).click();
    await poll('those words can be copied', async () => (await one.page.evaluate(() => navigator.clipboard.readText())).split('\n').sort().join() === 'Name: Ada King,Note: by the stairs');
    expect('who submits is told nothing', (await two.page.locator('.limn-lost').count()) === 0);
    await lost.getByRole('button', { name: 'Dismiss' }).click();
    expect('it can be closed', (await lost.count()) === 0);
  };
}

// --- a text whose letters take three bytes each is sent whole: a request that may outlive the page has room for 64 KiB ---
scenarios['drafts-long'] = async (t) => {
  const { a, b } = await pair(t, 'html');
  await a.note.fill('字'.repeat(21_800));
  await poll('all of it there', async () => (await b.note.inputValue()).length === 21_800);
};

// --- alone, nothing is sent while somebody types ---
scenarios['drafts-alone'] = async (t) => {
  const limn = await Limn.open({ ...t, base: t.views }, 'html');
  await limn.write('a guest');
  const name = limn.page.getByLabel(/^name/i).first();
  await name.waitFor();
  await limn.page.waitForTimeout(800);
  const posts = [];
  limn.page.on('request', (r) => r.method() === 'POST' && posts.push(r.url()));
  await name.pressSequentially('Ada', { delay: 40 });
  await limn.page.waitForTimeout(1500);
  expect(`nothing is posted: ${posts}`, posts.length === 0);
  await limn.reload();
  await poll('it is there after a reload', async () => (await limn.page.getByLabel(/^name/i).first().inputValue()) === 'Ada');
};

/** Another page of the same person, with a network of its own, and a clock that is behind by some minutes. */
async function elsewhere(limn, behind = 0) {
  const context = await limn.t.browser.newContext({ viewport: { width: 1200, height: 900 }, storageState: await limn.page.context().storageState() });
  limn.t.contexts.push(context);
  await context.clock.install({ time: Date.now() - behind * 60_000 });
  return limn.twin(limn.draw, context);
}

/** Takes the network from a page: offline, Chromium goes on with a stream that is open. */
async function cut(limn) {
  await limn.page.context().setOffline(true);
  await limn.page.evaluate(() => window.__sources.forEach((source) => {
    source.close();
    source.dispatchEvent(new Event('error'));
  }));
}

const values = (limn) => limn.cells.evaluateAll((list) => list.map((c) => c.value));

for (const draw of ['html', 'v0.9', 'react']) {
  // --- rows: two add and move at once, a third types offline into one that goes ---
  scenarios[`drafts-rows-${draw}`] = async (t) => {
    const one = await Limn.open({ ...t, base: t.views }, draw);
    await one.write('We have 3 risks.');
    await one.cells.nth(2).waitFor();
    const two = await one.twin(), three = await elsewhere(one);
    const all = [one, two, three];
    const show = async (want, who = all) => {
      let last = '';
      await poll('', async () => (last = (await Promise.all(who.map(values))).map((list) => list.join()).join(' and ')) === who.map(() => want).join(' and ')).catch(() => expect(`all have ${want}, not ${last}`, false));
    };
    await show(',,');
    await poll('they know of each other', async () => (await Promise.all(all.map((l) => l.page.locator('#limn-people').innerText()))).every((text) => / 3 /.test(text)));
    await Promise.all([one.cells.nth(0).fill('fire'), two.cells.nth(1).fill('flood'), three.cells.nth(2).fill('theft')]);
    await show('fire,flood,theft');
    await poll('who wrote is at the cell', async () => (await two.cells.nth(0).getAttribute('data-wrote')) !== null && (await one.cells.nth(0).getAttribute('data-wrote')) === null);

    await Promise.all([one.button(/^add row/i).click(), two.moveDown(0)]);
    await show('flood,fire,theft,');

    await cut(three);
    await three.cells.nth(2).fill('theft of keys');
    await one.button(/^remove/i).nth(2).click();
    await show('flood,fire,', [one, two]);
    await two.button(/^add row/i).click();
    await show('flood,fire,,', [one, two]);
    await one.cells.nth(3).fill('rain'); // a new row, not the one that is gone
    await show('flood,fire,,rain', [one, two]);
    await three.page.context().setOffline(false);
    await three.page.clock.fastForward(4000); // it tries again
    await show('flood,fire,,rain');
    await poll('who typed is told', async () => /theft of keys.* was removed meanwhile/.test(await three.page.locator('#limn-status').innerText()));
    if (t.shots) await three.page.screenshot({ path: `${t.shots}/drafts-rows-${draw}.png`, fullPage: true });
    await three.button(/^undo remove/i).click();
    await show('flood,fire,theft of keys,,rain');

    await cut(three); // buttons of rows that are pressed offline
    await three.button(/^add row/i).click();
    await three.button(/^add row/i).click();
    await three.moveDown(0);
    const said = 'There is no connection. This is done as soon as it is back.';
    await poll('it is said', async () => (await three.page.locator('#limn-status').innerText()).includes(said));
    await one.cells.nth(0).fill('high water');
    await show('high water,fire,theft of keys,,rain', [one, two]);
    await three.page.context().setOffline(false);
    await three.page.clock.fastForward(4000); // it tries again
    await show('fire,high water,theft of keys,,rain,,');

    if (draw === 'html') { // a button whose answers are all lost counts once
      let lost = 0;
      const posts = (url) => url.origin === new URL(t.views).origin;
      await three.page.route(posts, async (route) => {
        if (!/x-www-form-urlencoded/.test(route.request().headers()['content-type'] ?? '')) return route.continue();
        await route.fetch();
        lost++;
        await route.abort();
      });
      await three.button(/^add row/i).click();
      for (let n = 1; n < 5; n++) {
        await poll(`${n} lost`, async () => lost === n);
        await three.page.clock.fastForward(4000);
      }
      await show('fire,high water,theft of keys,,rain,,,', [one, two]);
      await three.page.unroute(posts);
      await three.page.clock.fastForward(4000); // it is pressed again by itself
      await poll('it is done', async () => (await three.page.locator('#limn-status').innerText()).includes(said) === false);
      await show('fire,high water,theft of keys,,rain,,,');
      await one.button(/^remove/i).nth(7).click();
      await show('fire,high water,theft of keys,,rain,,');
    }

    const buttons = await Promise.all([one, two].map((l) => l.button(/^remove/i).nth(3).elementHandle()));
    await Promise.all(buttons.map((b) => b.evaluate((e) => e.click()))); // the same row, twice
    await show('fire,high water,theft of keys,rain,,');
  };
}

for (const draw of ['html', 'v0.9', 'react']) {
  // --- a button of a row that arrives after another user's change of rows is pressed again, on those rows ---
  scenarios[`drafts-stale-${draw}`] = async (t) => {
    const one = await Limn.open({ ...t, base: t.views }, draw);
    await one.write('We have 3 risks.');
    await one.cells.nth(2).waitFor();
    const two = await one.twin();
    const rows = (want) => poll(`both have ${want} rows`, async () => (await Promise.all([one, two].map(values))).every((list) => list.length === want));
    await rows(3);
    const answers = [];
    two.page.on('response', (r) => r.request().method() === 'POST' && (r.status() === 409 || r.headers()['limn-code']) && answers.push(r.headers()['limn-code'] ?? r.status()));
    for (const [name, before, after] of [[/^add row/i, 4, 5], [/^remove/i, 6, 5]]) {
      let go = () => {}, arrived = () => {};
      const held = new Promise((done) => { arrived = done; });
      const gate = new Promise((done) => { go = done; });
      const posts = (url) => url.origin === new URL(t.views).origin;
      await two.page.route(posts, async (route) => {
        const request = route.request();
        if (request.method() === 'POST' && /limn_(rev|component)/.test(request.postData() ?? '')) {
          arrived();
          await gate;
        }
        await route.continue();
      });
      await two.button(name).first().click();
      await held; // on its way, with the rows that two shows
      await one.button(/^add row/i).click();
      await rows(before);
      go();
      await rows(after);
      await two.page.unroute(posts);
    }
    expect(`it was refused, once each: ${answers}`, answers.join() === (draw === 'html' ? 'A2UI_C2S_SURFACE_STALE,A2UI_C2S_SURFACE_STALE' : '409,409'));
    await poll('nobody is told of it', async () => (await two.page.locator('#limn-status').innerText()) === '');
  };
}

const submittedGuest = (page) => page.evaluate(() => fetch(`/v1/conversations/${document.body.dataset.conversation}/state`).then((r) => r.json())).then((state) => state.committed?.guest);

for (const draw of ['html', 'v0.9', 'react']) {
  // --- ten minutes offline and back: what both wrote meanwhile is there, and the one who was away submits ---
  scenarios[`drafts-offline-${draw}`] = async (t) => {
    const one = await Limn.open({ ...t, base: t.views }, draw);
    await one.write('a guest');
    const fields = (l) => ({ name: l.page.getByLabel(/^name/i).first(), note: l.page.getByLabel(/^note/i).first() });
    const a = fields(one);
    await a.name.waitFor();
    const two = await elsewhere(one, 10), b = fields(two); // after ten minutes its clock is right
    await b.name.waitFor();
    const people = (l, n) => poll(`${n} are there`, async () => l.page.locator('#limn-people').innerText().then((text) => (n > 1 ? text.includes(` ${n} `) : text === '')));
    await people(two, 2);
    await a.name.fill('Ada');
    await poll('the name there', async () => (await b.name.inputValue()) === 'Ada');

    const refused = two.page.waitForResponse((r) => r.status() >= 400);
    await two.page.clock.setSystemTime(Date.now() - 5 * 60_000); // so that the next write is of the future
    await b.note.fill('with a wrong clock'); // it is sent again under another name
    await refused;
    await two.page.clock.fastForward(2000);
    await poll('what was refused', async () => (await a.note.inputValue()) === 'with a wrong clock');
    await two.page.clock.setSystemTime(Date.now() - 10 * 60_000);

    await cut(two);
    await b.note.fill('written on a train');
    for (let minute = 0; minute < 10; minute++) {
      await two.page.clock.fastForward('01:00');
      if (minute === 4) await b.note.fill('written in a tunnel');
      if (minute === 5) await a.name.fill('Ada King');
    }
    expect('nothing came', (await b.name.inputValue()) === 'Ada' && (await a.note.inputValue()) === 'with a wrong clock');
    const skew = await two.page.evaluate(() => Date.now()) - Date.now();
    expect(`ten minutes are over there, ${skew} ms`, Math.abs(skew) < 60_000);
    await two.page.context().setOffline(false);
    await two.page.clock.fastForward('00:31'); // the longest wait between two attempts
    await poll('what was written on the train', async () => (await a.note.inputValue()) === 'written in a tunnel');
    await poll('what was written at home', async () => (await b.name.inputValue()) === 'Ada King');
    await people(one, 2);
    await b.name.press('End');
    await b.name.pressSequentially('!');
    await two.button(/^submit/i).click();
    await poll('submitted', async () => {
      const guest = await submittedGuest(one.page);
      return guest?.name === 'Ada King!' && guest.note === 'written in a tunnel';
    });
  };
}

for (const draw of ['html', 'v0.9']) {
  // --- a model patches the very field in which somebody types, and another one, because of what the other person writes ---
  scenarios[`drafts-patch-${draw}`] = async (t) => {
    const { one, two, a, b } = await pair({ ...t, views: t.writer }, draw);
    await one.page.context().clock.install();
    const answered = (word) => one.page.locator('li.limn-assistant[data-seq]', { hasText: `I wrote ${word}.` });
    await a.name.focus();
    let typed = '', after = 0, sent;
    for (let i = 0; after < 20 && i < 2000; i++) {
      const letter = String.fromCharCode(97 + i % 26);
      await one.page.keyboard.type(letter);
      typed += letter;
      if (i === 8) sent = two.write('put snow into the fields');
      if (i > 8 && await answered('snow').count()) after++;
    }
    expect('the patch to come while it is typed', after === 20);
    await sent;
    const have = async (l, name, note) => (await l.name.inputValue()) === name && (await l.note.inputValue()) === note;
    await poll('the patch of the other field', async () => (await a.note.inputValue()) === 'snow');
    expect(`no letter is lost, not ${await a.name.inputValue()}`, await have(a, typed, 'snow'));
    await poll('both are there', () => have(b, typed, 'snow'));
    await one.page.clock.fastForward(2500); // longer than a field is held
    await one.page.clock.pauseAt(await one.page.evaluate(() => Date.now() + 1000)); // so that the field is held
    await one.page.keyboard.type('!');
    await one.page.clock.runFor(700);
    await poll('what follows is there', () => have(b, `${typed}!`, 'snow'));

    await two.write('put rain into the name'); // having seen all that is there
    await answered('rain').waitFor();
    expect(`the words stay while it is typed, not ${await a.name.inputValue()}`, await have(a, `${typed}!`, 'snow'));
    await one.page.keyboard.type('?');
    await one.page.clock.resume();
    await poll('what is typed after the patch counts as a whole', () => have(b, `${typed}!?`, 'snow'));
    expect(`it is still there, not ${await a.name.inputValue()}`, await have(a, `${typed}!?`, 'snow'));
    await two.button(/^submit/i).click();
    await poll('and is submitted', async () => (await submittedGuest(one.page))?.name === `${typed}!?`);
  };

  // --- a model replaces what somebody wrote, having seen it: who wrote it reads what was there ---
  scenarios[`drafts-patch-told-${draw}`] = async (t) => {
    const { one, two, a, b } = await pair({ ...t, views: t.writer }, draw);
    await a.name.fill('Ada');
    await poll('the name there', async () => (await b.name.inputValue()) === 'Ada');
    await two.write('put snow into the name');
    await poll('what the model wrote is there', async () => (await a.name.inputValue()) === 'snow');
    const status = (l) => l.page.locator('#limn-status').innerText();
    await poll('who wrote it is told', async () => /changed “Name” from “Ada” to “snow”\.$/.test(await status(one)));
    if (t.shots) await one.page.screenshot({ path: `${t.shots}/drafts-told-${draw}.png`, fullPage: true });
    expect('who wrote nothing is not', !/Ada/.test(await status(two)));
  };
}
