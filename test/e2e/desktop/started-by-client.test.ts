/**
 * A client starts the installed app. The packaged layout is real. Its binary is a script that behaves like Electron's: Node
 * with ELECTRON_RUN_AS_NODE, otherwise the app on the stand-in, which needs a display.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort, until } from './driver.ts';

const root = join(import.meta.dirname, '../../..');

let home: string;
let installed: string;
let started: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'gatehouse-installed-'));
  installed = join(home, 'opt');
  started = join(home, 'started.log');
  const resources = join(installed, 'resources');
  mkdirSync(join(resources, 'app.asar'), { recursive: true });
  cpSync(join(root, 'dist', 'bridge.cjs'), join(resources, 'bridge.cjs'));
  for (const part of ['dist', 'build', 'node_modules'])
    symlinkSync(join(root, part), join(resources, 'app.asar', part));
  const asNode = join(installed, 'as-node.cjs');
  writeFileSync(
    asNode,
    `Object.defineProperty(process.versions, 'electron', { value: '45.4.1' });
     process.resourcesPath = ${JSON.stringify(resources)};
     process.execPath = ${JSON.stringify(join(installed, 'gatehouse-app'))};`,
  );
  const node = process.execPath;
  writeFileSync(
    join(installed, 'gatehouse-app'),
    `#!/bin/sh
if [ "$ELECTRON_RUN_AS_NODE" = 1 ]; then
  echo "node $*" >> '${started}'
  exec '${node}' -r '${asNode}' "$@"
fi
echo "app $*" >> '${started}'
if [ -z "$DISPLAY" ]; then echo 'Missing X server or $DISPLAY' >&2; exit 1; fi
export GATEHOUSE_STAND_IN_PACKAGED='${installed}' GATEHOUSE_STAND_IN_BINARY="$0" GATEHOUSE_STAND_IN_PORT=${await freePort()}
export GATEHOUSE_NO_KEYRING=1 GATEHOUSE_NO_SHELL_ENV=1 TMPDIR='${home}'
exec '${node}' '${join(root, 'test/stand-in/run.ts')}' '${join(root, 'dist/main.js')}' "$@"
`,
  );
  chmodSync(join(installed, 'gatehouse-app'), 0o755);
});
afterEach(async () => {
  const { pid } = coreFile() ?? {};
  if (pid) process.kill(pid, 'SIGTERM');
  await until(() => coreFile() === undefined, 'the Core has ended').catch(() => pid && process.kill(pid, 'SIGKILL'));
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const dataDir = () => join(home, '.gatehouse');
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

/** Starts the app as the user does, and quits it once its Core serves. */
async function openOnce(): Promise<void> {
  const { spawn } = await import('node:child_process');
  const env = { PATH: process.env.PATH ?? '', HOME: home, DISPLAY: ':99', XDG_CURRENT_DESKTOP: 'GNOME' };
  const app = spawn(join(installed, 'gatehouse-app'), [], { env, stdio: 'ignore' });
  await until(() => coreFile() !== undefined, 'the app serves');
  app.kill('SIGTERM');
  await until(() => coreFile() === undefined, 'the app has ended');
  rmSync(started);
}

it('An app that the user has opened before starts hidden, on the display of its session', async () => {
  await openOnce();
  expect(JSON.parse(readFileSync(join(dataDir(), 'run', 'app.json'), 'utf8'))).toMatchObject({
    command: join(installed, 'gatehouse-app'),
    args: ['--hidden'],
    env: { DISPLAY: ':99', XDG_CURRENT_DESKTOP: 'GNOME' },
  });
  expect(await listTools(join(dataDir(), 'bin', 'gatehouse-bridge'), [])).toBe(5);
  expect(starts()).toEqual([expect.stringContaining('node'), 'app --hidden']);
});

it('An app that was never opened runs as a headless Core if the session has no display', async () => {
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  expect(await listTools(join(installed, 'gatehouse-app'), [join(installed, 'resources', 'bridge.cjs')], env)).toBe(5);
  expect(starts().at(-1)).toMatch(/^node .*app\.asar\/dist\/headless\.js --on-demand$/);
});

it('A headless Core replaces an app whose display is gone', async () => {
  await openOnce();
  const file = join(dataDir(), 'run', 'app.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), env: {} }));
  expect(await listTools(join(dataDir(), 'bin', 'gatehouse-bridge'), [])).toBe(5);
  expect(starts().at(-1)).toContain('headless.js');
});
