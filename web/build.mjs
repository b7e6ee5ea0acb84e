// Builds the browser side into dist/: one script a drawing, one style sheet,
// one sprite of icons.
// Same sources and same lockfile give the same bytes.
import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { sprite } from './icons.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const outdir = join(here, 'dist');
const shared = {
  absWorkingDir: here, bundle: true, minify: true, charset: 'utf8', logLevel: 'warning', legalComments: 'none',
};

await Promise.all([
  build({
    ...shared,
    entryPoints: { html: 'src/html.ts', v09: 'src/v09.ts', v08: 'src/v08.ts', upload: 'src/upload.js' },
    outdir, format: 'esm', target: 'es2022', tsconfig: 'tsconfig.json',
  }),
  build({ ...shared, entryPoints: ['src/limn.css'], outfile: join(outdir, 'limn.css'), target: 'chrome123' }),
]);

writeFileSync(join(outdir, 'icons.svg'), sprite());

const listed = process.argv.includes('--sizes') ? ['html.js', 'v09.js', 'v08.js', 'limn.css', 'icons.svg'] : [];
for (const name of listed) {
  const bytes = readFileSync(join(outdir, name));
  console.log(`${name.padEnd(9)} ${String(bytes.length).padStart(8)} B ${String(gzipSync(bytes).length).padStart(8)} B gzip`);
}
