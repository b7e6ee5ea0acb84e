// The page of limn dev, while its file changes: on the server of --dev (see run.mjs).

import { readFile, writeFile } from 'node:fs/promises';
import { expect, Limn } from './page.mjs';

export const scenarios = {};

// --- the file is changed, broken and mended: the open form follows, and what was typed stays ---
scenarios['dev-file'] = async (t) => {
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
};
