// One page under test: opening a drawing, writing, filling cells, and what the
// browser complained about meanwhile.

import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** How long a wait for something may take on a busy machine, in milliseconds. */
const patience = 45_000;

export const opening = 'We have 20 stakeholders across finance, ops, and IT.';
export const draws = ['html', 'v0.9', 'v0.8'];

/** Runs before the page's own scripts: keeps the streams where a test can feed them. */
function hook() {
  window.__violations = [];
  document.addEventListener('securitypolicyviolation', (e) => window.__violations.push(`${e.effectiveDirective} ${e.blockedURI} ${e.sourceFile ?? ''}:${e.lineNumber} ${e.sample}`));
  window.__sources = [];
  const Real = window.EventSource;
  window.EventSource = class extends Real {
    constructor(...args) {
      super(...args);
      window.__sources.push(this);
    }
  };
}

export class Limn {
  constructor(t, page, draw) {
    Object.assign(this, { t, page, draw, problems: [] });
    page.on('pageerror', (e) => this.problems.push(`page error: ${e.message}`));
    page.on('console', (m) => { if (m.type() === 'error' && !/status of (4\d\d|5\d\d)/.test(m.text())) this.problems.push(`console: ${m.text().slice(0, 300)}`); });
  }

  /** A new conversation in a drawing. */
  static async open(t, draw, options = {}) {
    const context = await t.browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
    context.setDefaultTimeout(patience);
    t.contexts.push(context);
    const page = await context.newPage();
    await page.addInitScript(hook);
    const limn = new Limn(t, page, draw);
    // Opened in its drawing at once: the page in HTML is not loaded first.
    await page.goto(draw === 'html' ? t.base : `${(await context.request.get(t.base)).url()}?draw=${draw}`);
    if (!(await page.locator('body[data-draw]').count())) await page.getByRole('button', { name: /new conversation/i }).or(page.getByRole('link', { name: /new conversation/i })).first().click();
    await page.locator('body[data-draw]').waitFor({ state: 'attached' });
    await limn.turn(draw);
    return limn;
  }

  /** A second page on the same conversation. */
  async twin(draw = this.draw, context = this.page.context()) {
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    await page.addInitScript(hook);
    const other = new Limn(this.t, page, draw);
    await page.goto(this.page.url());
    await other.turn(draw);
    return other;
  }

  /** Goes to another drawing of the same conversation by the links in the developer's menu. */
  async turn(draw) {
    this.draw = draw;
    const now = () => this.page.locator('body').getAttribute('data-draw');
    if ((await now()) !== draw) {
      await this.page.locator('#limn-developer > summary').click();
      const name = draw === 'html' ? /html/i : new RegExp(draw.replace('.', '\\.'), 'i');
      await this.page.locator('header').getByRole('link', { name }).first().click();
      await this.page.locator(`body[data-draw="${draw}"]`).waitFor({ state: 'attached' });
    }
    await this.ready();
  }

  /** What the stream says to a client whose cursor nobody knows: a reset, then a snapshot. */
  async resetEvents() {
    const answer = await this.page.evaluate(async () => {
      const stop = new AbortController();
      const r = await fetch(`${document.body.dataset.stream}&after=0000000000000000.1.00000000`, { headers: { Accept: 'text/event-stream' }, signal: stop.signal });
      const reader = r.body.getReader();
      let text = '';
      while (!/event: reset[\s\S]*\n\n[\s\S]*\n\n/.test(text)) { const { value, done } = await reader.read(); if (done) break; text += new TextDecoder().decode(value, { stream: true }); }
      stop.abort();
      return text;
    });
    expect('a reset for an unknown cursor', /event: ?reset/.test(answer));
    return answer.split('\n\n').filter(Boolean).map((block) => ({ type: block.match(/^event: ?(.*)$/m)?.[1] ?? 'message', data: [...block.matchAll(/^data: ?(.*)$/gm)].map((m) => m[1]).join('\n') })).filter((e) => e.data);
  }

  /** Has the page's stream say something. */
  hear(event) {
    return this.page.evaluate(({ type, data }) => window.__sources.at(-1).dispatchEvent(new MessageEvent(type, { data })), event);
  }

  /** The same drawing for a client that knows the basic catalog alone. */
  async basic() {
    await this.page.goto(`${this.page.url().split('?')[0]}?draw=${this.draw}&catalog=basic`);
    await this.ready();
  }

  async ready() {
    await this.page.waitForFunction(() => window.limn && window.__sources?.length);
    if (this.draw !== 'html') await this.page.waitForFunction(() => document.body.dataset.seq !== undefined);
  }

  async reload() {
    await this.page.reload();
    await this.ready();
  }

  get surfaces() { return this.page.locator('#limn-surfaces'); }
  /** The inputs of the surfaces, but not the box for pasting. */
  get cells() {
    const texts = this.surfaces.locator('textarea:enabled').and(this.page.getByRole('textbox', { name: /^(?!rows to add|the process in words)/i }));
    return this.surfaces.locator('input:not([type=hidden], [type=file], [hidden]):enabled').or(texts);
  }
  get box() { return this.surfaces.getByRole('textbox', { name: /^(rows to add|the process in words)/i }).first(); }
  /** The box for pasting, unfolded. */
  async openBox() {
    const fold = this.surfaces.locator('.limn-fold:not([open]) > summary, .limn-fold > details:not([open]) > summary').first();
    if (this.draw !== 'v0.8') await fold.or(this.box).first().waitFor();
    if (await fold.count()) await fold.click();
    return this.box;
  }
  /** Moves a row of a table one down. */
  async moveDown(row) {
    const button = this.button(/^move down/i);
    if (await button.count()) return button.nth(row).click();
    await this.cells.nth(row).focus();
    await this.page.keyboard.press('Alt+ArrowDown');
  }
  button(name) { return this.surfaces.getByRole('button', { name }); }
  get submitButton() { return this.surfaces.getByRole('button', { name: /^(check|submit|save|send)/i }).first(); }
  get seq() { return this.page.evaluate(() => window.limn.seq()); }

  /** Writes a message; on a narrow screen the conversation is behind the surface. */
  async write(text) {
    await this.back();
    const before = await this.page.locator('li.limn-assistant[data-seq]').count();
    await this.page.locator('#limn-text').fill(text);
    await this.page.locator('#limn-text').press('Enter');
    await this.page.locator('li.limn-user[data-seq]', { hasText: text.trim() }).last().waitFor({ state: 'attached' });
    await this.page.waitForFunction((n) => document.querySelectorAll('li.limn-assistant[data-seq]').length > n, before);
  }

  async back() {
    const back = this.page.locator('#limn-open .limn-back');
    for (let i = 0; i < 5 && await back.isVisible(); i++) { // what arrives meanwhile may cover it again
      await back.click();
      await back.waitFor({ state: 'hidden', timeout: 3000 }).catch(() => {});
    }
  }

  async openTable() {
    await this.write(opening);
    await this.cells.first().waitFor();
  }

  /** Sends a table that is complete: it is checked, then confirmed. */
  async submit() {
    await this.submitButton.click();
    const confirm = this.surfaces.getByRole('button', { name: /^submit/i }).first();
    await Promise.race([confirm.waitFor(), this.waitLocked()]);
    if (await confirm.isVisible()) await confirm.click();
    await this.waitLocked();
  }

  /** The label of a cell, however the drawing gives it. */
  label(cell) {
    return cell.evaluate((el) => {
      const root = el.getRootNode();
      const by = (el.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean).map((id) => root.getElementById(id)?.textContent ?? '').join(' ');
      const near = el.labels?.[0]?.textContent || el.closest('section, a2ui-basic-textfield')?.querySelector('label')?.textContent || '';
      return (by || el.getAttribute('aria-label') || near).replace(/\(required\)/, '').replace(/\s+/g, ' ').trim();
    });
  }

  /** Fills every open cell with something valid. */
  async fillAll() {
    const cells = this.cells;
    const count = await cells.count();
    for (let i = 0; i < count; i++) {
      const cell = cells.nth(i);
      const kind = await cell.evaluate((el) => ({ type: el.type, mode: el.inputMode, id: el.id, name: el.name, value: el.value }));
      const label = await this.label(cell);
      if (['checkbox', 'radio', 'file', 'range'].includes(kind.type)) continue;
      if (kind.type === 'date') await cell.fill('2026-11-20');
      else if (kind.type === 'time') await cell.fill('09:30');
      else if (kind.type === 'datetime-local') await cell.fill('2026-11-20T09:30');
      else if (kind.type === 'number' || kind.mode === 'decimal') await cell.fill('3');
      else if (kind.type === 'email' || /mail/i.test(label)) await cell.fill(`person${i}@example.org`);
      else if (kind.type === 'url') await cell.fill('https://example.org/');
      else await cell.fill(`Text ${i + 1}`);
    }
    const selects = this.surfaces.locator('select:enabled');
    for (let i = 0; i < await selects.count(); i++) {
      await selects.nth(i).evaluate((el) => { el.selectedIndex = el.options.length - 1; el.dispatchEvent(new Event('change', { bubbles: true })); el.dispatchEvent(new Event('input', { bubbles: true })); });
    }
    return count;
  }

  /** All the user can read, through shadow roots. */
  text() {
    return this.page.evaluate(() => {
      const read = (n) => n.nodeType === 3 ? n.data : n.localName === 'style' || n.localName === 'script' ? '' : [...(n.shadowRoot ? [n.shadowRoot] : []), ...n.childNodes].map(read).join(' ');
      return read(document.querySelector('#limn')).replace(/\s+/g, ' ');
    });
  }

  async waitText(pattern) {
    const end = Date.now() + patience;
    for (;;) {
      const text = await this.text();
      if (pattern.test(text)) return text;
      if (Date.now() > end) throw new Error(`${pattern} never appeared; the page says: ${text.slice(0, 600)}`);
      await this.page.waitForTimeout(100);
    }
  }

  /** Waits until the page says the same for a while: what is clicked then is what the server sent last. */
  async still() {
    for (let before = '', now = await this.text(); before !== now;) {
      await this.page.waitForTimeout(300);
      [before, now] = [now, await this.text()];
    }
  }

  async waitLocked() {
    const end = Date.now() + patience;
    while (await this.cells.count()) {
      if (Date.now() > end) throw new Error(`the surface is still open: ${await this.cells.count()} cells, ${(await this.text()).slice(0, 400)}`);
      await this.page.waitForTimeout(100);
    }
  }

  /** What has the focus, inside shadow roots. */
  focused() {
    return this.page.evaluate(() => {
      let el = document.activeElement;
      while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
      return { tag: el?.localName ?? '', id: el?.id ?? '', value: el?.value ?? '', invalid: el?.getAttribute('aria-invalid') ?? '', text: (el?.textContent ?? '').trim().slice(0, 60), label: el?.getAttribute('aria-label') ?? '' };
    });
  }

  async shot(name) {
    if (!this.t.shots) return;
    await mkdir(this.t.shots, { recursive: true });
    await this.page.screenshot({ path: join(this.t.shots, `${name}.png`), fullPage: true });
  }

  /** Fails if the browser complained. */
  async clean() {
    const violations = await this.page.evaluate(() => window.__violations);
    if (violations.length) this.problems.push(...violations.slice(0, 5).map((v) => `policy: ${v}`));
    if (this.problems.length) throw new Error(`the browser complained:\n    ${[...new Set(this.problems)].join('\n    ')}`);
  }
}

export function expect(what, condition) {
  if (!condition) throw new Error(`expected ${what}`);
}

/** Waits until check says yes. */
export async function poll(what, check) {
  for (const end = Date.now() + patience; Date.now() < end;) {
    if (await check()) return;
    await new Promise((r) => setTimeout(r, 50));
  }
  throw new Error(`expected ${what}`);
}

/** Fails if axe finds anything on the page. */
export async function accessible(page) {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then((r) => r.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary}`)));
  expect(`no violations, not ${found.join('; ')}`, !found.length);
}
