// The scenario of assistant.jsx.
import assert from 'node:assert/strict';

export default async function visit({ page, at, saved, restart, asked }) {
  const form = page.getByRole('form', { name: 'Sign the guest book' });
  const surfaces = page.getByRole('region', { name: 'surface' });
  const say = async (text) => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const sign = async (who, times) => {
    await form.getByLabel('Your name').fill(who);
    await form.getByRole('button', { name: 'Submit' }).dblclick();
    await page.getByText('Saved').nth(times - 1).waitFor();
    assert.equal(await saved(who), 1, 'a double click counts once');
  };

  await page.goto(at);
  await say('sign the guest book');
  await form.waitFor();
  await surfaces.getByText('Your name').waitFor();
  await page.reload();
  await form.waitFor();
  await surfaces.getByText('Your name').waitFor();
  await sign('Ada', 1);

  await say('sign the guest book');
  await form.waitFor();
  await restart();
  await page.reload();
  await page.getByText('sign the guest book').nth(1).waitFor();
  await form.waitFor();
  await sign('Bob', 2);

  await say('which colour do you suggest?');
  await page.getByText('Green it is.').waitFor();
  assert.equal(await page.title(), 'Chat red or green', 'the tool runs once');

  await say('tell me a story');
  await asked;
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  await page.reload();
  await page.getByText('tell me a story').waitFor();
  await page.getByText('Stopped.').waitFor();
}
