// Bundles the package as a page would, for tests in Node.

import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** The bundle of one module of this package, as text. */
export async function bundle(entry = '../index.ts', format = 'esm') {
  const { outputFiles: [file] } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))], bundle: true, minify: true, charset: 'utf8',
    legalComments: 'none', write: false, format, globalName: 'datasync', target: 'es2022', logLevel: 'warning',
  });
  return file.text;
}

/** Its exports. */
export const load = async () => import(`data:text/javascript;base64,${Buffer.from(await bundle()).toString('base64')}`);
