// The elements that show Limn in a page of another program.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, poll } from './page.mjs';

export const scenarios = {};

/** A page of the same origin with the elements in it; prepare may come before it is loaded. */
async function host(t, body, prepare) {
  const context = await t.browser.newContext({ viewport: { width: 1000, height: 800 } });
  t.contexts.push(context);
  const page = await context.newPage();
  await prepare?.(page);
  const at = new URL('/a-page-of-another-program', t.base).href;
  await page.route(at, (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Shop</title><style>limn-chat { height: 30rem } :root { --limn-accent: rgb(170, 0, 90) }</style><script>window.told = []; for (const name of ['limn-ready', 'limn-outcome']) addEventListener(name, (e) => told.push({ name, ...e.detail }));</script><script src="/assets/embed.js"></script><h1>Shop</h1>${body}` }));
  await page.goto(at);
  return page;
}

// --- a form alone: it opens by a message, grows, tells what became of it ---
scenarios['embed-surface'] = async (t) => {
  const page = await host(t, '<limn-surface say="I want to add a customer"></limn-surface>');
  const inside = page.frameLocator('limn-surface iframe');
  const save = inside.getByRole('button', { name: /^save customer/i });
  await save.waitFor();
  expect('no conversation around it', !(await inside.locator('#limn-text').isVisible()) && !(await inside.locator('#limn-header').isVisible()));
  const high = () => page.locator('limn-surface').evaluate((el) => [el.shadowRoot.firstChild.clientHeight, el.shadowRoot.firstChild.contentDocument.documentElement.scrollHeight]);
  await poll(`a frame as high as the form: ${await high()}`, async () => (([frame, form]) => frame > 400 && form <= frame + 1)(await high()));
  expect('the colour of the page', (await save.evaluate((el) => getComputedStyle(el).backgroundColor)) === 'rgb(170, 0, 90)');
  await save.click();
  await inside.locator('.limn-error:not(:empty)').first().waitFor();
  await poll('the refusal told', () => page.evaluate(() => told.some((e) => e.name === 'limn-outcome' && e.kind !== 'done')));
  await inside.getByLabel(/^company/i).fill('Ada');
  await save.click();
  await poll('the success told', () => page.evaluate(() => told.some((e) => e.name === 'limn-outcome' && e.kind === 'done' && /^form:customer/.test(e.surface ?? 'form:customer'))));
  await inside.locator('.limn-submitted').waitFor();
  expect('what was saved is shown', await inside.locator('.limn-submitted').isVisible());
};

// --- the chat: one conversation, whose id the page keeps; the page says things for the user ---
scenarios['embed-chat'] = async (t) => {
  const page = await host(t, '<limn-chat></limn-chat>');
  const inside = page.frameLocator('limn-chat iframe');
  await inside.locator('#limn-text').waitFor();
  const ready = () => page.evaluate(() => told.find((e) => e.name === 'limn-ready'));
  await poll('the conversation told', async () => !!(await ready())?.conversation);
  await page.locator('limn-chat').evaluate((el) => el.say('thanks'));
  await inside.locator('li.limn-user[data-seq]', { hasText: 'thanks' }).waitFor();
  const { conversation } = await ready();
  await page.evaluate((id) => document.querySelector('limn-chat').replaceWith(Object.assign(document.createElement('div'), { innerHTML: `<limn-chat conversation="${id}"></limn-chat>` })), conversation);
  await inside.locator('li.limn-user[data-seq]', { hasText: 'thanks' }).waitFor();
};

// --- both of them on a first visit: one conversation, though the server is slow to begin it ---
scenarios['embed-both'] = async (t) => {
  const asked = [];
  let early = 0;
  const page = await host(t, '<limn-chat></limn-chat><limn-surface></limn-surface><limn-surface></limn-surface>', (page) => page.route(/\/\?embed=/, async (route) => {
    if (asked.push(route.request().url()) === 1) {
      await new Promise((r) => setTimeout(r, 1000));
      early = asked.length;
    }
    await route.continue();
  }));
  await poll('all three ready', () => page.evaluate(() => told.filter((e) => e.name === 'limn-ready').length === 3));
  const ids = await page.evaluate(() => [...new Set(told.map((e) => e.conversation))]);
  expect(`one conversation, not ${ids.join()}`, ids.length === 1);
  expect(`nothing asked before the first answer, not ${asked.join()}`, early === 1);
  await page.locator('limn-surface').first().evaluate((el) => el.say('I want to add a customer'));
  await page.frameLocator('limn-chat iframe').getByRole('button', { name: /^save customer/i }).waitFor();
  await page.locator('limn-surface').first().evaluate((el) => el.after(el.cloneNode()));
  await poll('a fourth ready', () => page.evaluate(() => told.filter((e) => e.name === 'limn-ready').length === 4));
  expect('the same conversation later', await page.evaluate((id) => told.every((e) => e.name !== 'limn-ready' || e.conversation === id), ids[0]));
};

// --- the first is taken away before the server answers: the next begins ---
scenarios['embed-first-gone'] = async (t) => {
  let first = true;
  const page = await host(t, '<limn-chat></limn-chat><limn-surface></limn-surface>', (page) => page.route(/\/\?embed=/, (route) => {
    if (!first) return route.continue();
    first = false; // and stays without an answer
    return page.evaluate(() => document.querySelector('h1').after(document.querySelector('limn-chat')));
  }));
  await poll('both ready', () => page.evaluate(() => told.filter((e) => e.name === 'limn-ready').length === 2));
  expect('one conversation', await page.evaluate(() => new Set(told.map((e) => e.conversation)).size === 1));
};

// --- what the page says is sent in its order: before the frame has loaded, while a message is sent, beside what the user types ---
scenarios['embed-say'] = async (t) => {
  const page = await host(t, '<limn-chat></limn-chat><input>', (page) => page.route(/\/\?embed=/, async (route) => {
    await page.locator('limn-chat').evaluate((el) => ['thanks', 'hello'].map((text) => el.say(text)));
    await route.continue();
  }, { times: 1 }));
  const inside = page.frameLocator('limn-chat iframe');
  const said = (...texts) => poll(`said ${texts.join()}`, async () => `${await inside.locator('li.limn-user[data-seq]').evaluateAll((list) => list.map((li) => li.firstChild.textContent))}` === `${texts}`);
  await said('thanks', 'hello');
  const box = inside.locator('#limn-text');
  await box.fill('half');
  await page.locator('input').focus();
  await page.locator('limn-chat').evaluate((el) => ['thanks a lot', 'good morning'].map((text) => el.say(text)));
  await said('thanks', 'hello', 'thanks a lot', 'good morning');
  expect('what the user types to stay', (await box.inputValue()) === 'half');
  expect('the focus to stay', await page.evaluate(() => document.activeElement.localName === 'input'));
  await page.locator('limn-chat').evaluate((el) => {
    document.body.append(el); // its frame loads once more
    el.say('what is the weather?');
  });
  await said('thanks', 'hello', 'thanks a lot', 'good morning', 'what is the weather?');
};

// --- what the page says is sent again when it was not taken: once, in its order; blank words are nothing to wait for ---
scenarios['embed-say-away'] = async (t) => {
  const page = await host(t, '<limn-chat></limn-chat>');
  const inside = page.frameLocator('limn-chat iframe');
  const box = inside.locator('#limn-text');
  await box.waitFor();
  await poll('ready', () => page.evaluate(() => told.some((e) => e.name === 'limn-ready')));
  const keys = [];
  let away = 2;
  await page.route('**/messages', async (route) => {
    keys.push(`${route.request().postDataJSON().text} ${route.request().headers()['idempotency-key']}`);
    if (!away) return route.continue();
    if (--away) return route.fulfill({ status: 429, contentType: 'application/problem+json', body: '{"title":"busy","code":"BUSY"}' });
    await route.fetch(); // taken, and the answer is lost
    return route.fulfill({ status: 502, body: '' });
  });
  await page.locator('limn-chat').evaluate((el) => ['thanks', '', ' ', 'hello'].map((text) => el.say(text)));
  await inside.locator('#limn-status', { hasText: 'busy' }).waitFor();
  const said = inside.locator('li.limn-user[data-seq]');
  await poll('both said', async () => `${await said.evaluateAll((list) => list.map((li) => li.firstChild.textContent))}` === 'thanks,hello');
  expect(`one key: ${keys.join()}`, keys.filter((key) => key.startsWith('thanks')).every((key) => key === keys[0]));
  await poll('nothing waits', async () => (await inside.locator('.limn-pending').count()) === 0);
};

/** The files that the documentation prints, each at most 30 lines. */
async function snippets(...names) {
  const files = {};
  for (const [how, name] of names.map((one) => one.split('/'))) {
    const doc = await readFile(fileURLToPath(new URL(`../../docs/howto/${how}.md`, import.meta.url)), 'utf8');
    const text = doc.match(new RegExp(`\n\`\`\`jsx?\n// ${name}\n([^]*?)\n\`\`\``))?.[1] ?? '';
    const lines = text.split('\n').length;
    expect(`${name} in the documentation, in ${lines} lines`, text && lines <= 30);
    files[`./${name}`] = text;
  }
  return files;
}

/** A page with a React program made of them. */
async function reactPage(t, files, contents, head = '') {
  const resolveDir = fileURLToPath(new URL('..', import.meta.url));
  const { outputFiles } = await build({
    bundle: true, write: false, format: 'iife', jsx: 'automatic', define: { 'process.env.NODE_ENV': '"production"' },
    stdin: { loader: 'jsx', resolveDir, contents },
    plugins: [{ name: 'snippets', setup: (b) => {
      b.onResolve({ filter: /^\.\/\w+\.jsx?$/ }, ({ path }) => (path in files ? { path, namespace: 'doc' } : undefined));
      b.onLoad({ filter: /.*/, namespace: 'doc' }, ({ path }) => ({ contents: files[path], loader: 'jsx', resolveDir }));
    } }],
  });
  const context = await t.browser.newContext();
  t.contexts.push(context);
  const page = await context.newPage();
  const at = new URL('/a-react-page', t.base).href;
  await page.route(at, (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>React</title>${head}<body><script>${outputFiles[0].text.replaceAll('</script', '<\\/script')}</script>` }));
  await page.goto(at);
  return page;
}

// --- the client by fetch and the React hook of the documentation, as they are printed ---
scenarios['embed-snippets'] = async (t) => {
  const page = await reactPage(t, await snippets('page/limn.js', 'react/useLimn.jsx'), `
    import { createRoot } from 'react-dom/client';
    import { useLimn } from './useLimn.jsx';
    function App() {
      const { transcript, messages, ready, say } = useLimn('');
      return <><button disabled={!ready} onClick={() => say('add a customer')}>Ask</button>
        <ol>{transcript.map((one, i) => <li key={i}>{one.role}: {one.text}</li>)}</ol>
        <output>{messages.filter((m) => m.createSurface).map((m) => m.createSurface.surfaceId).join()}</output></>;
    }
    createRoot(document.body).render(<App />);`);
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('user: add a customer').waitFor();
  await poll('the form as A2UI', async () => /^form:customer#e=\d+$/.test(await page.locator('output').textContent()));
};

// --- the React component of the documentation: a form, and what became of it ---
scenarios['embed-react'] = async (t) => {
  const page = await reactPage(t, await snippets('react/LimnSurface.jsx'), `
    import { useState } from 'react';
    import { createRoot } from 'react-dom/client';
    import { LimnSurface } from './LimnSurface.jsx';
    function App() {
      const [kinds, note] = useState([]);
      return <><LimnSurface say="add a customer" onOutcome={(o) => note((was) => [...was, o.kind])} /><output>{kinds.join()}</output></>;
    }
    createRoot(document.body).render(<App />);`, '<script src="/assets/embed.js"></script>');
  const inside = page.frameLocator('limn-surface iframe');
  const save = inside.getByRole('button', { name: /^save customer/i });
  await save.click();
  await poll('the refusal told', async () => /asked|refused/.test(await page.locator('output').textContent()));
  await inside.getByLabel(/^company/i).fill('Ada');
  await save.click();
  await poll('the success told', async () => /(asked|refused),done$/.test(await page.locator('output').textContent()));
};
