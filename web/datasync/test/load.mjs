// Bundles the package as a page would, for tests in Node and in a browser.

import { build } from 'esbuild';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A script as text, minified, which may import what is in this workspace and its packages. */
export async function bundle(contents) {
  const { outputFiles: [file] } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) }, bundle: true, minify: true, charset: 'utf8',
    define: { 'process.env.NODE_ENV': '"production"' }, legalComments: 'none', write: false, format: 'esm', target: 'es2022', logLevel: 'warning',
  });
  return file.text;
}

/** All that the package exports. */
export async function load() {
  const folder = await mkdtemp(join(tmpdir(), 'datasync-'));
  try {
    await writeFile(join(folder, 'datasync.mjs'), await bundle("export * from './index.ts'"));
    return await import(pathToFileURL(join(folder, 'datasync.mjs')).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
