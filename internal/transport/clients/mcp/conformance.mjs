// The official suite @modelcontextprotocol/conformance against a server with the door mcp:
// node conformance.mjs URL. Run by TestConformance. conformance.yml lists the cases that do not
// apply.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

// Node.js 20 has no fs.globSync, which only the suite's reports of SDKs use.
const hooks = `export async function resolve(s, c, next) {
  if (s !== 'fs' || !c.parentURL?.includes('/conformance/')) return next(s, c);
  const source = "export * from 'node:fs'; export { default } from 'node:fs'; import * as fs from 'node:fs'; " +
    "export const globSync = fs.globSync ?? (() => []);";
  return { url: 'data:text/javascript,' + encodeURIComponent(source), shortCircuit: true };
}`;
const preload = `import { register } from 'node:module'; register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hooks))});`;
const module = (source) => `data:text/javascript,${encodeURIComponent(source)}`;

const out = mkdtempSync(join(tmpdir(), 'conformance-'));
try {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', module(preload),
    file('node_modules/@modelcontextprotocol/conformance/dist/index.js'), 'server', '--url', new URL('/mcp', process.argv[2]).href,
    '--suite', 'all', '--expected-failures', file('conformance.yml'), '-o', out], { maxBuffer: 64 << 20 });
  console.log(stdout.slice(stdout.indexOf('=== SUMMARY')));
} catch (error) {
  console.error(error.stdout?.slice(error.stdout.indexOf('=== SUMMARY')), error.stderr);
  process.exitCode = 1;
} finally {
  rmSync(out, { recursive: true });
}
