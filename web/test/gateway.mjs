// Several agents behind one page: examples/gateway/run.sh.

import { accessible, expect, Limn } from './page.mjs';

export const scenarios = {};

for (const draw of ['html', 'v0.9']) {
  scenarios[`gateway-${draw.replace('.', '')}`] = async (t) => {
    const limn = await Limn.open({ ...t, base: t.gateway }, draw);
    await limn.page.getByText('Rain and sun, city by city').waitFor();
    if (draw === 'html') await accessible(limn.page);
    await limn.shot(`gateway-${draw}-welcome`);
    await limn.write('Will it rain?');
    await limn.surfaces.getByText('Bergen: rain, 9 °C').waitFor();
    await limn.surfaces.getByLabel('City').fill('Rome');
    await limn.button('Look it up').click();
    await limn.surfaces.getByText('Rome: sun, 24 °C').waitFor();
    expect('what was typed is still there', (await limn.surfaces.getByLabel('City').inputValue()) === 'Rome');
    await limn.shot(`gateway-${draw}-weather`);
    if (draw === 'html') await limn.surfaces.getByLabel('City').fill('Oslo'); // not sent
    await limn.write('Show my orders');
    await limn.button('Order one more').click();
    await limn.surfaces.getByText('1 ordered').waitFor();
    await limn.reload();
    await limn.surfaces.getByText('1 ordered').waitFor({ state: 'attached' });
    await limn.surfaces.getByText('Rome: sun, 24 °C').waitFor({ state: 'attached' });
    if (draw === 'html') expect('what was typed before a message is there after a reload', (await limn.surfaces.getByLabel('City').inputValue()) === 'Oslo');
    await limn.write('Take a note');
    await limn.surfaces.getByRole('textbox', { name: 'Note' }).fill('Buy tea');
    await limn.button('Add it').click();
    await limn.surfaces.getByText('Buy tea').first().waitFor();
    await limn.shot(`gateway-${draw}-notes`);
    await limn.write('@desk add a customer');
    await limn.surfaces.getByLabel(/^Company/).first().waitFor();
    await limn.shot(`gateway-${draw}-desk`);
    if (draw === 'html') await accessible(limn.page);
    await limn.clean();
  };
}

// --- without script: the form is posted, and the page shows what came of it ---
scenarios['gateway-plain'] = async (t) => {
  const limn = await Limn.open({ ...t, base: t.gateway }, 'html');
  await limn.write('Will it rain?');
  await limn.button('Look it up').waitFor();
  const context = await t.browser.newContext({ javaScriptEnabled: false, storageState: await limn.page.context().storageState() });
  t.contexts.push(context);
  const page = await context.newPage();
  await page.goto(limn.page.url());
  await page.getByLabel('City').fill('Oslo');
  await page.getByRole('button', { name: 'Look it up' }).click();
  await page.locator('#limn-surfaces').getByText('Oslo: clouds, 12 °C').waitFor();
};
