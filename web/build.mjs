// Builds the pages of the official renderers into dist/: one script each.
// Same sources and same lockfile give the same bytes.
import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const here = fileURLToPath(new URL('.', import.meta.url));
const outdir = join(here, 'dist');

// npm run build -- --packages lists the packages that the bundles have code of, and
// writes nothing.
const asked = process.argv.includes('--packages');
const names = ['v09', 'v09react', 'v08', 'draw09', 'draw08', 'drawreact', 'datasync', 'process']; // embed.go lists them, too
const { metafile } = await build({
  absWorkingDir: here, bundle: true, minify: true, charset: 'utf8', logLevel: 'warning', legalComments: 'none',
  entryPoints: Object.fromEntries(names.map((name) => [name, `./src/${name}`])),
  metafile: true, write: !asked, outdir, format: 'esm', target: 'es2022', tsconfig: 'tsconfig.json', define: { 'process.env.NODE_ENV': '"production"' },
});

// npm run build -- --sizes
const listed = process.argv.includes('--sizes') ? names.map((name) => `${name}.js`) : [];
for (const name of listed) {
  const bytes = readFileSync(join(outdir, name));
  console.log(`${name.padEnd(9)} ${String(bytes.length).padStart(8)} B ${String(gzipSync(bytes).length).padStart(8)} B gzip`);
}

if (asked) {
  const used = Object.values(metafile.outputs).flatMap((o) => Object.entries(o.inputs))
    .filter(([, input]) => input.bytesInOutput > 0).map(([file]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  console.log([...new Set(used.filter(Boolean))].sort().join('\n'));
}
