// A conversation is shared: links for reading, for writing and for another device, with the
// dialog and without script.

import { expect, Limn, poll } from './page.mjs';

export const scenarios = {};

/** A browser of somebody else. */
async function other(t, options = {}) {
  const context = await t.browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  context.setDefaultTimeout(45_000);
  t.contexts.push(context);
  return context.newPage();
}

for (const [name, options] of [['desk', {}], ['phone', { viewport: { width: 390, height: 800 } }]]) {
  scenarios[`share-${name}`] = async (t) => {
    const limn = await Limn.open(t, 'html', options);
    const { page } = limn;
    await limn.write('add a customer');
    await page.getByLabel('Company').waitFor();
    const open = page.getByRole('link', { name: 'Share' });
    const dialog = page.getByRole('dialog', { name: 'Share' });
    const made = dialog.getByRole('textbox', { name: 'Link' });

    await limn.back();
    await open.click();
    await dialog.waitFor();
    await limn.shot(`share-${name}-1-dialog`);
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await made.waitFor();
    await limn.shot(`share-${name}-2-made`);
    const link = await made.inputValue();
    expect('one link to be listed', (await dialog.getByRole('button', { name: /^Revoke/ }).count()) === 1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await poll('no address in the page behind', async () => !(await page.content()).includes(link));

    const reader = await other(t, options);
    await reader.goto(link);
    await reader.getByRole('button', { name: 'Open the conversation' }).click();
    await reader.locator('#limn-shared').waitFor();
    const company = reader.getByLabel('Company');
    expect('the form to be locked', await company.isDisabled());
    expect('no composer', !(await reader.locator('#limn-text').isVisible()));
    await limn.write('hello');
    await new Limn(t, reader, 'html').back();
    await reader.getByText('hello', { exact: true }).waitFor();
    await new Limn(t, reader, 'html').shot(`share-${name}-3-reader`);
    await limn.write('add a customer'); // what arrives later is locked as well
    await poll('what arrives to be locked', async () => !(await reader.locator('#limn-surfaces :is(input, textarea, button):enabled').count()));

    await limn.back();
    await open.click();
    await dialog.getByRole('button', { name: /^Revoke/ }).click();
    await poll('no link to be listed', async () => !(await dialog.getByRole('button', { name: /^Revoke/ }).count()));
    await reader.getByText('There is nothing at this address.').or(reader.getByText('no such conversation')).first().waitFor();
    await reader.reload();
    expect('the reader to be out', !(await reader.getByText('hello', { exact: true }).count()));

    await dialog.getByRole('button', { name: 'Continue on another device' }).click();
    await made.waitFor();
    const mine = await made.inputValue();
    await dialog.getByRole('link', { name: 'Back to the conversation' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const device = await other(t, options);
    await device.goto(mine);
    await device.getByRole('button', { name: 'Open the conversation' }).click();
    await device.locator('#limn-workspace .limn-open').waitFor();
    await poll('the composer to be in sight', async () => {
      await new Limn(t, device, 'html').back();
      return device.locator('#limn-text').isVisible();
    });
    await device.locator('#limn-text').fill('from my phone');
    await device.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('from my phone').waitFor();
    await limn.shot(`share-${name}-4-device`);
    await limn.clean();
  };
}

scenarios['share-plain'] = async (t) => {
  const page = await other(t, { javaScriptEnabled: false });
  await page.goto(t.base);
  await page.getByRole('link', { name: 'Share' }).click();
  await page.getByLabel('They may').selectOption('write');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  const guest = await other(t, { javaScriptEnabled: false });
  await guest.goto(link);
  await guest.getByRole('button', { name: 'Open the conversation' }).click();
  await guest.locator('#limn-text').fill('hello from a guest');
  await guest.getByRole('button', { name: 'Send', exact: true }).click();
  await guest.getByText('hello from a guest').waitFor();
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await guest.reload();
  expect('the guest to be out', !(await guest.getByText('hello from a guest').count()));
};
