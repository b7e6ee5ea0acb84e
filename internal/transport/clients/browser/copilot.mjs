// The scenario of copilot.jsx.
import assert from 'node:assert/strict';

export default async function visit({ page, at, saved, restart, asked }) {
  const surface = page.locator('[data-surface-id]').last();
  const name = surface.getByLabel('Your name');
  const say = async (text) => {
    await page.locator('textarea').fill(text);
    await page.locator('textarea').press('Enter');
  };
  const sign = async (who, times) => {
    await name.fill(who);
    await surface.getByRole('button', { name: 'Submit' }).dblclick();
    await page.getByText('Saved').nth(times - 1).waitFor();
    assert.equal(await saved(who), 1, 'a double click counts once');
  };

  await page.goto(at);
  await say('sign the guest book');
  await name.waitFor();
  await page.reload();
  await name.waitFor();
  await sign('Ada', 1);

  await say('sign the guest book');
  await page.locator('[data-surface-id$="=2"]').waitFor();
  await restart();
  await page.reload();
  await name.waitFor();
  await page.getByText('sign the guest book').nth(1).waitFor();
  await sign('Bob', 2);

  await say('which colour do you suggest?');
  await page.getByText('Green it is.').waitFor();
  assert.equal(await page.title(), 'Chat red or green', 'the tool runs once');

  await say('tell me a story');
  await asked;
  await page.getByTestId('copilot-send-button').click();
  await page.getByText('Stopped.').waitFor();
  await page.reload();
  await page.getByText('tell me a story').waitFor();
  await page.getByText('Stopped.').waitFor();
}
