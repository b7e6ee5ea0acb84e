// The scenarios of languages: the page speaks the browser's, nothing is wider than the
// screen, and the preferences change it.

import { readdir, readFile } from 'node:fs/promises';
import { expect, Limn } from './page.mjs';

export const scenarios = {};

// page.new of each language that Limn speaks, which is one with a file.
const greetings = {};
const words = new URL('../../internal/words/', import.meta.url);
for (const name of (await readdir(words)).filter((file) => file.endsWith('.txt'))) {
  const [, greeting] = (await readFile(new URL(name, words), 'utf8')).match(/^page\.new = (.*)$/m);
  greetings[name.replace('.txt', '')] = greeting;
}

for (const [name, viewport] of [['desk', { width: 1200, height: 900 }], ['phone', { width: 390, height: 844 }]]) {
  scenarios[`language-${name}`] = async (t) => {
    for (const [lang, greeting] of Object.entries(greetings)) {
      const limn = await Limn.open(t, 'html', { viewport, locale: lang });
      const { page } = limn;
      expect(`the language of the page is ${lang}`, (await page.locator('html').getAttribute('lang')) === lang);
      await page.getByRole('button', { name: greeting }).waitFor();
      for (const part of ['html', '#limn-text', '#limn-message button']) {
        const fonts = await page.locator(part).evaluate((el) => getComputedStyle(el).fontFamily);
        expect(`${lang}: ${part} in the system's font, of Han characters in that of the language, not ${fonts}`, /^system-ui/.test(fonts) === (lang !== 'ja') && /sans-serif$/.test(fonts));
      }
      const narrow = async (what) => expect(`${lang}: ${what} fits the screen`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      for (const text of ['add a customer', 'We have 20 stakeholders across finance, ops, and IT.']) {
        await limn.back();
        await page.locator('#limn-text').fill(text);
        await page.locator('#limn-text').press('Enter');
        await page.locator('#limn-surfaces .limn-open').nth(text.startsWith('We') ? 1 : 0).waitFor();
        await page.locator('#limn-surfaces .limn-primary:visible').first().click();
        await page.locator('#limn-surfaces .limn-summary li:visible').first().waitFor();
        await narrow(text);
      }
      await limn.back();
      await page.locator('#limn-preferences summary').click();
      await narrow('the panel');
      await page.locator('#limn-language-pick').selectOption('de');
      const loaded = page.waitForEvent('load');
      await page.locator('#limn-language-save').click();
      await loaded;
      await limn.ready();
      await limn.back();
      await page.getByRole('button', { name: greetings.de }).waitFor();
      for (const path of ['/conversations', '/records']) {
        await page.goto(t.base + path);
        expect(`${path} is in ${lang}`, (await page.locator('html').getAttribute('lang')) === lang);
        await narrow(path);
      }
      await page.context().close();
    }
  };
}

// A language that is written from right to left mirrors the page: internal/locale says for which.
scenarios['language-mirrored'] = async (t) => {
  for (const viewport of [{ width: 1200, height: 900 }, { width: 390, height: 844 }]) {
    const limn = await Limn.open(t, 'html', { viewport });
    const { page } = limn;
    await page.addInitScript(() => addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl'; }));
    await page.reload();
    const box = (selector) => page.locator(selector).first().evaluate((el) => el.getBoundingClientRect().toJSON());
    expect('Send is on the left', (await box('#limn-message button')).x < (await box('#limn-text')).x);
    await page.locator('#limn-text').fill('add a customer');
    await page.locator('#limn-text').press('Enter');
    await page.locator('#limn-surfaces .limn-open').waitFor();
    const label = await box('#limn-surfaces label[for]'), input = await box('#limn-surfaces input:not([type=hidden])');
    expect('labels begin where their fields begin, on the right', Math.abs(label.right - input.right) < 2);
    if (viewport.width > 1000) expect('the form is on the left', (await box('#limn-surfaces .limn-open')).right < (await box('#limn-log')).x);
    expect('nothing is wider than the screen', await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await limn.shot(`mirrored-${viewport.width}`);
    await page.context().close();
  }
};
