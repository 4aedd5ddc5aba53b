/** `npm start` in the checkout, for a new contributor on a machine where Electron's binary is unavailable or crashes. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import coreFlags from '../../electron/core-flags.json' with { type: 'json' };
import { newProduct, type Product } from './product.ts';

const root = join(import.meta.dirname, '../..');
let product: Product;
beforeEach(() => {
  product = newProduct();
  // Check first, because npm start would install missing packages while other tests run.
  const look = "import { staleReason } from './build/setup.mjs'; process.stdout.write(staleReason() ?? 'complete')";
  const packages = execFileSync(process.execPath, ['--input-type=module', '-e', look], { cwd: root, encoding: 'utf8' });
  expect(packages).toBe('complete');
});
afterEach(() => product.dispose());

/** Resolves when the page is served. The process has its own process group, as in a terminal. */
async function npmStart(env: NodeJS.ProcessEnv = {}) {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...product.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk));
  await expect.poll(() => output, { timeout: 25_000 }).toContain('is ready: http://127.0.0.1:');
  return { pid: npm.pid as number, output };
}

it('Without Electron, npm start says so in one line, and serves the gateway and the window as a page', async () => {
  const { pid, output } = await npmStart();
  // Which of the two reasons applies depends on the machine.
  expect(output).toMatch(/^(?:There is no display|Electron's binary is not available).*served as a page.*$/m);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
  expect(await (await fetch(url)).text()).toContain('<title>Toolkeep');
  expect((await fetch(`${url}/mcp`, { method: 'POST' })).status).toBe(401);
  expect(product.coreFlags()).toEqual(coreFlags);
  process.kill(-pid, 'SIGINT');
  await product.nothingLeft();
});

it('All processes end when npm is ended', async () => {
  const { pid } = await npmStart();
  process.kill(pid, 'SIGTERM');
  await product.nothingLeft();
});

it('If Electron crashes at its start, npm start serves the page too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-electron-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const binary = '#!/bin/sh\necho "The channel is descriptor $NODE_CHANNEL_FD."\nkill -TRAP $$\n';
  writeFileSync(join(folder, 'electron'), binary, { mode: 0o755 });
  const { pid, output } = await npmStart({ ELECTRON_OVERRIDE_DIST_PATH: folder, DISPLAY: ':none' });
  // On some machines, the sandbox is the reason.
  expect(output).toMatch(/^(?:Electron ended at its start \(SIGTRAP\)|This system does not).*served as a page.*$/m);
  // Chromium uses descriptor 3 (electron#17044).
  if (output.includes('SIGTRAP')) expect(output).toContain('The channel is descriptor 4.');
  process.kill(-pid, 'SIGINT');
  await product.nothingLeft();
});
