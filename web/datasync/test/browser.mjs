// Two people and an agent on one form, in Chromium: the HTML adapter and both official
// renderers. The network is a function of this process, which loses and holds messages.
//
//   node datasync/test/browser.mjs
//
// LIMN_CHROMIUM names the browser (default: one that is found).

import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { launch } from '../../test/chromium.mjs';
import { Hub } from './hub.mjs';
import { bundle, load } from './load.mjs';

const datasync = await load();
const options = `{
  actor: new URLSearchParams(location.search).get('actor'), hold: 600,
  watch: [{ path: '/', mode: 'onChanged', quiet: 60 }], send: (message) => window.relay(message),
  onPresence: (others) => { document.title = others.map((p) => p.name).join(); },
  onReplaced: (list) => window.told.push(...list.map((r) => r.path + ' ' + r.was + ' ' + r.now + ' ' + r.by.name)),
}`;
const ready = 'window.session = session; window.told ??= [];';
const messages = `[
  { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: basicCatalog.id } },
  { version: 'v0.9', updateComponents: { surfaceId: 's', components: [
    { id: 'root', component: 'Column', children: ['name', 'bio', 'yes', 'rows'] },
    { id: 'name', component: 'TextField', label: 'Name', value: { path: '/name' } },
    { id: 'bio', component: 'TextField', label: 'Bio', value: { path: '/bio' } },
    { id: 'yes', component: 'CheckBox', label: 'Yes', value: { path: '/yes' } },
    { id: 'rows', component: 'List', children: { componentId: 'row', path: '/rows' } },
    { id: 'row', component: 'TextField', label: 'Row', value: { path: 'n' } },
  ] } },
]`;

const drawings = {
  html: {
    body: `<form><label>Name <input name="/name"></label> <label>Bio <textarea name="/bio"></textarea></label>
      <label><input type="checkbox" name="/yes"> Yes</label> <label>Secret <input type="password" name="/secret"></label>
      <select name="/size" aria-label="Size"><option value="">–</option><option>S</option><option>L</option></select>
      <label><input type="checkbox" name="/days" value="mo"> Mo</label> <label><input type="checkbox" name="/days" value="tu"> Tu</label>
      <label><input type="radio" name="/way" value="air"> Air</label> <label><input type="radio" name="/way" value="sea"> Sea</label></form>`,
    script: `import { attachForm } from './index.ts';
      const session = attachForm(document.querySelector('form'), { surface: 's', ...${options} }); ${ready}`,
  },
  lit: {
    body: '<a2ui-surface></a2ui-surface>',
    script: `import { attach } from './index.ts';
      import { MessageProcessor } from '@a2ui/web_core/v0_9';
      import { basicCatalog } from '@a2ui/lit/v0_9';
      const processor = new MessageProcessor([basicCatalog], () => {}, { version: 'v0.9' });
      processor.processMessages(${messages});
      const surface = processor.model.surfacesMap.get('s');
      document.querySelector('a2ui-surface').surface = surface;
      const session = attach(surface, { lists: ['/rows'], ...${options} }); ${ready}`,
  },
  react: {
    body: '<main></main>',
    script: `import { attach } from './index.ts';
      import { createElement } from 'react';
      import { createRoot } from 'react-dom/client';
      import { MessageProcessor } from '@a2ui/web_core/v0_9';
      import { A2uiSurface, basicCatalog } from '@a2ui/react/v0_9';
      const processor = new MessageProcessor([basicCatalog], () => {}, { version: 'v0.9' });
      processor.processMessages(${messages});
      const surface = processor.model.surfacesMap.get('s');
      createRoot(document.querySelector('main')).render(createElement(A2uiSurface, { surface }));
      const session = attach(surface, { lists: ['/rows'], ...${options} }); ${ready}`,
  },
};

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A hub with two pages of a drawing. */
async function open(t, { body, script }) {
  const code = await bundle(script);
  const w = { pages: {}, down: new Set(), lose: false };
  w.hub = new Hub(datasync, (name, message) => {
    if (!w.lose && !w.down.has(name)) void w.pages[name]?.evaluate((m) => window.session?.receive(m), message).catch(() => {});
  });
  w.connect = async (name) => {
    w.down.delete(name);
    await w.pages[name].evaluate((people) => {
      window.session.connect();
      window.session.setPeers(people);
    }, [{ actor: 'ann', name: 'Ann' }, { actor: 'bob', name: 'Bob' }]);
  };
  w.cut = async (name) => {
    w.down.add(name);
    await w.pages[name].evaluate(() => window.session.disconnect());
  };
  for (const name of ['ann', 'bob']) {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = (w.pages[name] = await context.newPage());
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (e) => { w.error = e; });
    await page.exposeFunction('relay', (message) => { if (!w.lose && !w.down.has(name)) w.hub.take(name, message); });
    await page.route('http://drafts.test/**', (route) => (route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: code })
      : route.fulfill({ contentType: 'text/html', body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>${body}<script type="module" src="/page.js"></script>` })));
    await page.goto(`http://drafts.test/?actor=${name}`);
    await page.waitForFunction(() => window.session);
    w.hub.join(name);
    await w.connect(name);
  }
  return { ...w, w, ann: w.pages.ann, bob: w.pages.bob };
}

const shows = async (locator, want) => {
  for (const end = Date.now() + 8000; ;) {
    const value = await locator.inputValue();
    if (value === want) return;
    if (Date.now() > end) assert.equal(value, want);
    await new Promise((done) => setTimeout(done, 20));
  }
};
const field = (page, label) => { // the Lit renderer ties no labels to inputs
  const i = ['Name', 'Bio', 'Yes'].indexOf(label);
  return i < 0 ? page.getByLabel(label, { exact: true }) : page.locator('input, textarea').nth(i);
};

for (const [name, drawing] of Object.entries(drawings)) {
  test(`${name}: two people and an agent in one form`, async (t) => {
    const { w, hub, ann, bob } = await open(t, drawing);
    assert.equal(await ann.title(), 'Bob');
    await field(ann, 'Name').pressSequentially('Ann', { delay: 15 });
    await shows(field(bob, 'Name'), 'Ann');
    await field(bob, 'Bio').pressSequentially('old', { delay: 15 });
    await shows(field(ann, 'Bio'), 'old');

    // what comes while she types takes no character away
    await field(ann, 'Bio').focus();
    await ann.keyboard.press('End');
    for (const [i, c] of [...' and tall'].entries()) {
      await ann.keyboard.type(c);
      if (i % 3 === 0) hub.write(['/bio', `robot ${i}`], ['/name', `Robot ${i}`]);
    }
    await shows(field(ann, 'Bio'), 'old and tall');
    await shows(field(bob, 'Bio'), 'old and tall');
    await shows(field(bob, 'Name'), 'Robot 6');
    await field(ann, 'Name').focus();

    // away for a while, both write, and back
    await w.cut('ann');
    await field(ann, 'Bio').fill('from the train');
    await field(ann, 'Yes').check();
    await field(bob, 'Name').fill('Bob');
    await shows(field(bob, 'Name'), 'Bob');
    await new Promise((done) => setTimeout(done, 300));
    assert.equal(await field(bob, 'Yes').isChecked(), false);
    await w.connect('ann');
    await shows(field(ann, 'Name'), 'Bob');
    await shows(field(bob, 'Bio'), 'from the train');
    await bob.waitForFunction(() => [...document.querySelectorAll('*')].flatMap(function deep(e) { return [e, ...(e.shadowRoot ? [...e.shadowRoot.querySelectorAll('*')].flatMap(deep) : [])]; }).some((e) => e.checked));

    // a message is lost, a reload in between, and at the end all have the same
    w.lose = true;
    await field(ann, 'Name').fill('Anna');
    await new Promise((done) => setTimeout(done, 200));
    await field(ann, 'Bio').fill('not sent');
    w.lose = false;
    w.down.add('ann');
    await ann.reload();
    await ann.waitForFunction(() => window.session);
    await shows(field(ann, 'Name'), 'Anna');
    await shows(field(ann, 'Bio'), 'not sent');
    await w.connect('ann');
    await shows(field(bob, 'Name'), 'Anna');
    await shows(field(bob, 'Bio'), 'not sent');
    for (const page of [ann, bob]) {
      const value = await page.evaluate(() => JSON.stringify(window.session.value()));
      assert.equal(value, hub.doc.json());
    }
    assert.ifError(w.error);
  });
}

for (const name of ['lit', 'react']) {
  test(`${name}: rows in a list`, async (t) => {
    const { w, hub, ann, bob } = await open(t, drawings[name]);
    const values = async (page) => {
      const fields = (await page.locator('input, textarea').all()).slice(3);
      return (await Promise.all(fields.map((f) => f.inputValue()))).join(' ');
    };
    const list = async (page, want) => {
      for (const end = Date.now() + 8000; ;) {
        const got = await values(page).catch(() => '');
        if (got === want) return;
        if (Date.now() > end) assert.equal(got, want);
        await new Promise((done) => setTimeout(done, 20));
      }
    };
    hub.write(...['one', 'two', 'three'].map((n, i) => [`/rows/r${i}`, { n }, `a${i}`]));
    await list(ann, 'one two three');
    await list(bob, 'one two three');
    await w.cut('bob');
    await bob.evaluate(() => window.session.move('/rows', 'r2', 'r0'));
    await bob.locator('input, textarea').last().fill('TWO');
    await ann.evaluate(() => window.session.remove('/rows', 'r0'));
    await ann.evaluate(() => window.session.insert('/rows', 'r9', { n: 'nine' }));
    await list(ann, 'two three nine');
    await w.connect('bob');
    for (const page of [ann, bob]) await list(page, 'three TWO nine');
    assert.ifError(w.error);
  });
}

test('html: kinds of inputs, the cursor, marks and an input method', async (t) => {
  const { w, hub, ann, bob } = await open(t, drawings.html);
  const told = () => bob.evaluate(() => window.told);
  await ann.selectOption('select', 'L');
  for (const label of ['Yes', 'Mo', 'Tu', 'Sea']) await field(ann, label).check();
  await field(ann, 'Mo').uncheck();
  await field(ann, 'Secret').fill('hidden');
  await bob.waitForFunction(() => document.querySelector('[value=sea]').checked && document.querySelector('[value=tu]').checked && !document.querySelector('[value=mo]').checked && document.querySelector('select').value === 'L');
  assert.equal(await bob.evaluate(() => JSON.stringify(window.session.value())), '{"days":{"@list":["tu"]},"size":"L","way":"sea","yes":true}');

  // the cursor stays where it is in the text
  const name = field(ann, 'Name');
  hub.write(['/name', 'Ann Smith']);
  await shows(name, 'Ann Smith');
  await name.focus();
  await name.evaluate((e) => e.setSelectionRange(4, 6));
  hub.write(['/name', 'Dr Ann Smith']);
  await shows(name, 'Dr Ann Smith');
  assert.deepEqual(await name.evaluate((e) => [e.selectionStart, e.selectionEnd]), [7, 9]);

  // who wrote, for the eye and the ear
  assert.deepEqual(await name.evaluate((e) => [e.dataset.wrote, document.getElementById(e.getAttribute('aria-describedby')).textContent]), ['agent', 'Last changed by agent']);
  await field(bob, 'Name').fill('Bob');
  await shows(name, 'Bob');
  assert.equal(await name.getAttribute('data-wrote'), 'Bob');
  await name.fill('Ann');
  assert.equal(await name.getAttribute('data-wrote'), null);
  await shows(field(bob, 'Name'), 'Ann');
  assert.deepEqual(await told(), ['/name Bob Ann Ann']);

  // half a word of an input method is neither sent nor replaced
  const sent = hub.doc.json();
  const bio = field(ann, 'Bio');
  await bio.focus();
  const client = await ann.context().newCDPSession(ann);
  await client.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  hub.write(['/bio', 'robot']);
  await new Promise((done) => setTimeout(done, 900)); // longer than typing is held
  assert.equal(await bio.inputValue(), 'に');
  assert.equal(hub.doc.json(), sent.replace('{', '{"bio":"robot",'));
  await client.send('Input.insertText', { text: '日本' });
  await shows(bio, '日本');
  await shows(field(bob, 'Bio'), '日本');

  // a value that the page came with can be cleared
  await ann.evaluate(() => { document.querySelector('form').insertAdjacentHTML('beforeend', '<input name="/late" aria-label="Late" value="first">'); });
  await field(ann, 'Late').fill('');
  await field(bob, 'Yes').focus();
  await bob.waitForFunction(() => window.session.value('/late') === '');

  // a part that was drawn anew shows what the document has
  await bob.evaluate(() => {
    const old = document.querySelector('[name="/name"]');
    old.parentElement.innerHTML = 'Name <input name="/name" value="from the server">';
    window.session.draw();
  });
  await shows(field(bob, 'Name'), 'Ann');
  assert.equal(await field(bob, 'Name').getAttribute('data-wrote'), 'Ann');

  // what is deleted is empty again
  hub.write(['/size', undefined], ['/way', undefined], ['/days', undefined]);
  await bob.waitForFunction(() => document.querySelector('select').value === '' && !document.querySelector('[value=sea]').checked && !document.querySelector('[value=tu]').checked);
  assert.ifError(w.error);
});
