// The page of limn dev, while its file changes: on the server of --dev (see run.mjs).

import { readFile, writeFile } from 'node:fs/promises';
import { draws, expect, Limn } from './page.mjs';

export const scenarios = {};

let changing = Promise.resolve(); // there is one file: scenarios change it one after the other

/** Runs when no other scenario changes the file: the open forms of all conversations follow it. */
function alone(run) {
  const done = changing.then(run);
  changing = done.catch(() => {});
  return done;
}

// --- the file is changed, broken and mended: the open form follows, and what was typed stays ---
scenarios['dev-file'] = (t) => alone(async () => {
  const good = await readFile(t.file, 'utf8');
  const limn = await Limn.open({ ...t, base: t.dev }, 'html');
  await limn.write('add a customer');
  const company = limn.surfaces.getByLabel(/^Company/);
  await company.fill('Half typed');
  await limn.surfaces.getByLabel('Paying').check();
  const kept = async (when) => {
    await limn.page.waitForFunction(() => [...document.querySelectorAll('#limn-surfaces input')].some((i) => i.value === 'Half typed'));
    expect(`the choice ${when}`, await limn.surfaces.getByLabel('Paying').isChecked());
  };
  try {
    await writeFile(t.file, good.replace('label: Email', 'label: Mail address'));
    await limn.surfaces.getByLabel('Mail address').waitFor();
    await kept('after a change');
    await writeFile(t.file, good.replace('type: email', 'type: emial'));
    const note = limn.page.locator('#limn-dev');
    await note.getByText(/:\d+:\d+: unknown field type "emial"/).waitFor();
    await note.getByText(/did you mean `email`/).waitFor();
    await limn.shot('dev-broken');
    await kept('while it is broken');
  } finally {
    await writeFile(t.file, good);
  }
  await limn.surfaces.getByLabel('Email').waitFor();
  await limn.page.locator('#limn-dev').waitFor({ state: 'detached' });
  await kept('at the end');
});

// --- what was typed stays in the drawings of A2UI, too; and what was canceled stays so ---
for (const draw of draws.filter((one) => one !== 'html')) {
  scenarios[`dev-draft-${draw.replace('.', '')}`] = (t) => alone(async () => {
    const good = await readFile(t.file, 'utf8');
    const limn = await Limn.open({ ...t, base: t.dev }, draw);
    await limn.write('add a customer');
    await limn.surfaces.getByLabel(/^Company/).fill('Half typed');
    try {
      await writeFile(t.file, good.replace('label: Email', 'label: Mail address'));
      await limn.surfaces.getByLabel('Mail address').waitFor();
      expect('what was typed', (await limn.surfaces.getByLabel(/^Company/).inputValue()) === 'Half typed');
    } finally {
      await writeFile(t.file, good);
    }
    await limn.surfaces.getByLabel('Email').waitFor();
  });
}

scenarios['dev-cancel'] = (t) => alone(async () => {
  const limn = await Limn.open({ ...t, base: t.dev }, 'html');
  await limn.write('add a customer');
  await limn.surfaces.getByLabel(/^Company/).fill('Acme');
  await limn.surfaces.getByRole('button', { name: 'Cancel' }).click();
  await limn.page.locator('.limn-canceled').waitFor();
  await limn.write('hello'); // an answer after the one that a page would have asked for
  expect('it stays canceled', await limn.page.locator('.limn-canceled').count() === 1 && !(await limn.surfaces.getByLabel(/^Company/).count()));
});
