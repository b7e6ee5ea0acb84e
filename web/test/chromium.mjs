// Launches the browser of the scripts here: the one that LIMN_CHROMIUM names, else the
// one that scripts/deps.sh finds or installs.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const deps = fileURLToPath(new URL('../../scripts/deps.sh', import.meta.url));
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

let found = '';

export function launch() {
  found ||= execFileSync('sh', [deps, 'chromium'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim().split('\n').at(-1) ?? '';
  return chromium.launch({ executablePath: found, headless: true, args });
}
