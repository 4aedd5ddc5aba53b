/**
 * A client starts the installed app, with the six variables that the official SDK passes to a server.
 *
 * @module-tag stand-in
 * @module-tag exhaustive
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../fixtures/eventually.ts';
import { installBinary } from './installed-app.ts';

let home: string;
let binary: string;
let resources: string;
let started: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'toolkeep-installed-'));
  ({ binary, resources, startLog: started } = await installBinary(home));
});
async function endCore(): Promise<void> {
  const { pid } = coreFile() ?? {};
  if (pid) process.kill(pid, 'SIGTERM');
  await eventually(() => coreFile() === undefined, 'the Core has ended').catch(
    () => pid && process.kill(pid, 'SIGKILL'),
  );
}
afterEach(async () => {
  await endCore();
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const dataDir = () => join(home, '.toolkeep');
function coreFile(): { pid: number } | undefined {
  const file = join(dataDir(), 'run', 'core.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
/** The commands that were started, each `app` or `node` with its arguments. */
const starts = () => readFileSync(started, 'utf8').trim().split('\n');

/** Lists the tools of the gateway with the six variables that the official SDK passes to a server. */
async function listTools(command: string, args: string[], env: Record<string, string> = {}) {
  const client = new Client({ name: 'Claude Desktop', version: '1' });
  const six = { HOME: home, LOGNAME: 'me', PATH: process.env.PATH ?? '', SHELL: '/bin/sh', TERM: 'dumb', USER: 'me' };
  await client.connect(new StdioClientTransport({ command, args, env: { ...six, ...env } }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.length;
}

/** Starts the app as the user does, and quits it once its Core serves. Resolves when it has ended. */
async function openOnce(): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, DISPLAY: ':99', XDG_CURRENT_DESKTOP: 'GNOME' };
  const app = spawn(binary, [], { env, stdio: 'ignore' });
  await eventually(() => coreFile() !== undefined, 'the app serves');
  const ended = once(app, 'exit');
  app.kill('SIGTERM');
  await ended;
  rmSync(started);
}

it('An app that the user has opened before starts hidden, on the display of its session', async () => {
  await openOnce();
  expect(JSON.parse(readFileSync(join(dataDir(), 'run', 'app.json'), 'utf8'))).toMatchObject({
    command: binary,
    args: ['--hidden'],
    env: { DISPLAY: ':99', XDG_CURRENT_DESKTOP: 'GNOME' },
  });
  expect(await listTools(join(dataDir(), 'bin', 'toolkeep-bridge'), [])).toBe(5);
  expect(starts()).toEqual([expect.stringContaining('node'), 'app --hidden']);
});

it('An app that is still quitting is started again once it has ended', async () => {
  await openOnce();
  const held = `exec 9> '${join(home, 'instance.lock')}'; flock 9; echo held; sleep 4`;
  const lock = spawn('sh', ['-c', held], { detached: true });
  await once(lock.stdout, 'data');
  expect(await listTools(join(dataDir(), 'bin', 'toolkeep-bridge'), [])).toBe(5);
  expect(starts().filter((line) => line === 'app --hidden').length).toBeGreaterThan(1);
});

it('An app that was never opened runs as a headless Core if the session has no display', async () => {
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  expect(await listTools(binary, [join(resources, 'bridge.cjs')], env)).toBe(5);
  expect(starts().at(-1)).toMatch(/^node .*app\.asar\/dist\/headless\.js --on-demand$/);
});

it('A headless Core starts at once if the app knows no display', async () => {
  await openOnce();
  const file = join(dataDir(), 'run', 'app.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), env: {} }));
  expect(await listTools(join(dataDir(), 'bin', 'toolkeep-bridge'), [])).toBe(5);
  expect(starts().filter((line) => line.startsWith('app'))).toEqual([]);
  expect(starts().at(-1)).toContain('headless.js');
});

it('A headless Core replaces an app that ends because its display is gone', async () => {
  await openOnce();
  const file = join(dataDir(), 'run', 'app.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), env: { DISPLAY: ':gone' } }));
  expect(await listTools(join(dataDir(), 'bin', 'toolkeep-bridge'), [])).toBe(5);
  expect(starts().slice(1)).toEqual(['app --hidden', expect.stringContaining('headless.js')]);
});

it('A bridge that runs on its own program starts the app, or a headless Core on the binary of the app', async () => {
  await openOnce();
  const copy = join(dataDir(), 'bin', 'bridge.cjs');
  copyFileSync(join(resources, 'bridge.cjs'), copy);
  expect(await listTools(process.execPath, [copy])).toBe(5);
  expect(starts()).toEqual(['app --hidden']);
  await endCore();

  const file = join(dataDir(), 'run', 'app.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), env: {} }));
  expect(await listTools(process.execPath, [copy])).toBe(5);
  expect(starts().slice(1)).toEqual([expect.stringMatching(/^node .*app\.asar\/dist\/headless\.js --on-demand$/)]);
});
