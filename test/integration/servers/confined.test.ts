/**
 * Confined servers, in bubblewrap's sandbox. `confined-refusals` is about systems that cannot confine a server.
 *
 * @module-tag exhaustive
 * @module-tag bubblewrap
 * @module-tag socat
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serversText } from '../../../electron/cli/text/servers.ts';
import { createCore } from '../../../electron/core/core.ts';
import type { NetworkHost } from '../../../electron/core/types.ts';
import type { Sandbox } from '../../../shared/model/sandbox.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { oddAnswers } from '../../fixtures/odd-answers.ts';
import { groupMembers, isAlive, textOf, tryServer } from './server-harness.ts';

const style = { good: String, bad: String, warn: String, dim: String, bold: String } as never;
const command = { command: process.execPath, args: [join(import.meta.dirname, '../../fixtures/confined.mjs')] };

function confined(sandbox: Sandbox, host: TestHost) {
  const asked: string[] = [];
  const mayReach = async ({ host, port }: NetworkHost) => asked.push(`${host}:${port}`) === 0;
  const trial = tryServer(command, { host, server: { sandbox }, mayReach });
  const use = async (name: string, of = '') => textOf(await trial.call(name, { of }));
  return { ...trial, use, asked };
}

/** A test of a started server. */
function confinedTest(
  title: string,
  sandbox: (host: TestHost) => Sandbox | Promise<Sandbox>,
  run: (trial: Trial) => Promise<void>,
) {
  test(title, async () => {
    const env = { XDG_CONFIG_HOME: '/config', https_proxy: 'http://proxy:1', SSH_AUTH_SOCK: '/agent' };
    const host = testHost({ env });
    await run(confined(await sandbox(host), host));
  });
}
type Trial = ReturnType<typeof confined>;

const reach = (...allow: string[]): Sandbox => ({ files: { read: [], write: [] }, network: { allow } });

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const folderIn = (host: TestHost, name: string) => {
  const folder = join(host.homeDir, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'file'), `content of ${name}`);
  return folder;
};

describe('A confined server', () => {
  confinedTest(
    'sees an empty home folder, and neither the files of the user nor those of Toolkeep',
    () => true,
    async ({ host, use, handle }) => {
      const secret = join(folderIn(host, '.ssh'), 'file');
      writeFileSync(join(host.dataDir, 'vault'), 'sealed');
      expect(await use('home')).toBe(JSON.stringify([host.homeDir, []]));
      expect(await use('read', secret)).toBe('ENOENT');
      expect(await use('read', join(host.dataDir, 'vault'))).toBe('ENOENT');
      expect(await use('write', '/usr/toolkeep-test')).toBe('EROFS');
      expect(await use('list', '/run')).toBe('ENOENT');
      const inside = await use('write', join(host.homeDir, 'new'));
      expect([inside, readdirSync(host.homeDir)]).toEqual(['undefined', ['.ssh']]);
      expect(handle.state.isConfined).toBe(true);
      await handle.stop();
      expect(handle.state).not.toHaveProperty('isConfined');
    },
  );

  confinedTest(
    'reads and writes what its configuration allows',
    (host) => ({
      files: { read: [folderIn(host, 'reads')], write: [folderIn(host, 'notes').replace(host.homeDir, '~')] },
      network: { allow: [] },
    }),
    async ({ host, use }) => {
      const file = (folder: string) => join(host.homeDir, folder, 'file');
      expect(await use('read', file('reads'))).toBe('content of reads');
      expect(await use('write', file('reads'))).toBe('EROFS');
      expect(await use('write', file('notes'))).toBe('undefined');
      expect(readFileSync(file('notes'), 'utf8')).toBe('written by the server');
      expect(await use('list', host.homeDir)).toBe('notes reads');
    },
  );

  confinedTest(
    'gets a minimal environment',
    () => true,
    async ({ use }) => {
      expect(await use('environment', 'TMPDIR')).toBe('/tmp');
      expect(await use('environment', 'TOOLKEEP_DEPTH')).toBe('1');
      for (const name of ['https_proxy', 'TOOLKEEP_HOME_SECRET'])
        expect(await use('environment', name)).toBe('not set');
    },
  );

  confinedTest(
    'without allowed hosts has no network',
    () => true,
    async ({ use }) => {
      const { port, requests } = await webServer();
      expect(await use('connect', `127.0.0.2:${port}`)).toMatch(/^failed: /);
      expect(await use('connect', 'example.com:80')).toMatch(/^failed: /);
      expect(requests).toEqual([]);
    },
  );

  const system = ['/opt', '/usr/local', '/usr/share'].find((folder) => isWritable(folder));
  const onlyThere: typeof confinedTest = (title, ...given) =>
    system === undefined ? test.skip(title) : confinedTest(title, ...given);
  onlyThere(
    'reaches no socket in a system folder',
    () => true,
    async ({ use }) => {
      const folder = mkdtempSync(join(system ?? '', 'toolkeep-test-'));
      mkdirSync(join(folder, 'run'));
      writeFileSync(join(folder, 'file'), 'beside the socket');
      const sockets = [join(folder, 'run/socket'), join(folder, 'socket')];
      const servers = sockets.map((path) => createSocketServer((one) => one.end()).listen(path));
      onTestFinished(() => {
        for (const one of servers) one.close();
        rmSync(folder, { recursive: true, force: true });
      });
      await Promise.all(servers.map((one) => once(one, 'listening')));
      for (const socket of sockets) expect(await use('connect', socket)).toMatch(/^failed: /);
      expect(await use('read', join(folder, 'file'))).toBe('beside the socket');
    },
  );

  let allowed: WebServer | undefined;
  confinedTest(
    'reaches only the allowed hosts, through a proxy that reports the others',
    async () => {
      allowed = await webServer();
      return reach(`127.0.0.2:${allowed.port}`, 'localhost');
    },
    async ({ use, handle }) => {
      const other = await webServer();
      expect(await use('fetch', `http://127.0.0.2:${allowed?.port}/a?b=c`)).toBe('200 hello');
      expect(await use('tunnel', `127.0.0.2:${allowed?.port}`)).toContain('hello');
      // Node.js reads these answers, and throws when they are passed on.
      for (const odd of oddAnswers) {
        expect(await use('fetch', `http://127.0.0.2:${allowed?.port}/?raw=${encodeURIComponent(odd)}`)).toBe(
          'ECONNRESET',
        );
        allowed?.requests.pop();
      }
      await expect.poll(() => allowed?.requests).toEqual(['/a?b=c', '/']);
      expect(await use('fetch', `http://127.0.0.2:${other.port}/`)).toBe('403 ');
      expect(await use('tunnel', `127.0.0.2:${other.port}`)).toBe('403');
      expect(await use('connect', `127.0.0.2:${other.port}`)).toBe('failed: ECONNREFUSED');
      expect(await use('tunnel', 'example.com:443')).toBe('403');
      expect(handle.state.warnings).toEqual(['It tried to reach example.com:443, which its `sandbox` does not allow.']);
      // An allowed name that leads to this computer.
      expect(await use('tunnel', 'localhost:443')).toBe('403');
      expect(other.requests).toEqual([]);
    },
  );

  confinedTest(
    'gets another answer for a host whose name leads to no address than for one that is refused',
    () => reach('nowhere.invalid'),
    async ({ use, handle }) => {
      expect(await use('tunnel', 'nowhere.invalid:443')).toBe('502');
      expect(await use('fetch', 'http://nowhere.invalid/')).toBe('502 ');
      expect(handle.state.warnings).toEqual(['It could not reach nowhere.invalid: the name leads to no address.']);
      expect(await use('tunnel', 'other.invalid:443')).toBe('403');
    },
  );

  confinedTest(
    'sees the authorities that the environment of the user names, and none that only its own entry names',
    () => true,
    async ({ host }) => {
      const [authority, key] = ['authority', 'key'].map((name) => join(folderIn(host, `.${name}`), 'file'));
      const env = { ...host.env, NODE_EXTRA_CA_CERTS: authority };
      const own = { ...command, env: { SSL_CERT_FILE: key ?? '' } };
      const { call } = tryServer(own, { host: { ...host, env }, server: { sandbox: true } });
      expect(textOf(await call('read', { of: authority }))).toBe('content of .authority');
      expect(textOf(await call('read', { of: key }))).toBe('ENOENT');
    },
  );

  const ownRequests: string[] = [];
  let own: AddressInfo | undefined;
  confinedTest(
    "never reaches Toolkeep's own ports, although its configuration lists them",
    async () => {
      const server = createServer(({ url = '' }, response) => {
        ownRequests.push(url);
        response.end('own');
      });
      await once(server.listen(0), 'listening');
      onTestFinished(() => void server.close());
      own = server.address() as AddressInfo;
      return reach(`127.0.0.1:${own.port}`, `127.0.0.2:${own.port}`, `0.0.0.0:${own.port}`);
    },
    async ({ use }) => {
      for (const address of ['127.0.0.1', '127.0.0.2', '0.0.0.0']) {
        expect(await use('fetch', `http://${address}:${own?.port}/`)).toBe('403 ');
        expect(await use('tunnel', `${address}:${own?.port}`)).toBe('403');
      }
      expect(ownRequests).toEqual([]);
    },
  );

  let local: WebServer | undefined;
  confinedTest(
    'reaches no address through a wildcard, which allows only names',
    async () => {
      local = await webServer();
      return reach(`*.0.0.2:${local.port}`, `*.2:${local.port}`);
    },
    async ({ use }) => {
      expect(await use('fetch', `http://127.0.0.2:${local?.port}/`)).toBe('403 ');
      expect(local?.requests).toEqual([]);
    },
  );

  confinedTest(
    'with `auto` asks about hosts, except about addresses and names of this computer',
    () => 'auto',
    async ({ use, asked, handle }) => {
      const { port, requests } = await webServer();
      expect(await use('tunnel', 'api.example.com:443')).toBe('403');
      for (const target of [`127.0.0.2:${port}`, `localhost:${port}`, `2130706434:${port}`, '[::1]:443', 'a_b.c:1'])
        expect(await use('tunnel', target), target).toBe('403');
      expect([asked, requests]).toEqual([['api.example.com:443'], []]);
      expect(handle.state.isConfined).toBe(true);
    },
  );

  confinedTest(
    'with `auto` keeps its own folder, which no other server sees',
    () => 'auto',
    async ({ use, host, handle }) => {
      const file = join(await use('environment', 'XDG_CACHE_HOME'), '../kept');
      expect(await use('write', file)).toBe('undefined');
      expect(await use('list', join(host.dataDir, 'sandboxes'))).toBe('ENOENT');
      await handle.stop();
      expect(await use('read', file)).toBe('written by the server');
      const other = tryServer(command, { host, server: { name: 'other', sandbox: 'auto' } });
      expect(textOf(await other.call('read', { of: file }))).toBe('ENOENT');
    },
  );

  confinedTest(
    'lists the same tools as an unconfined one',
    () => true,
    async ({ handle }) => {
      const list = (of: Trial['handle']) => of.request({ method: 'tools/list' });
      const direct = tryServer(command);
      expect(await list(handle)).toEqual(await list(direct.handle));
      expect(direct.handle.state).not.toHaveProperty('isConfined');
      const shell = { command: '/bin/sh', args: ['-c', 'exec "$0" "$@"', command.command, ...command.args] };
      for (const server of [shell, commands.everything(), commands.memory()]) {
        const [one, other] = [tryServer(server), tryServer(server, { server: { sandbox: true } })];
        expect(await list(other.handle)).toEqual(await list(one.handle));
      }
    },
  );

  confinedTest(
    'sees the folders that its arguments name',
    () => true,
    async ({ host }) => {
      const folder = folderIn(host, 'documents');
      const files = tryServer(commands.filesystem(folder), { host, server: { sandbox: true } });
      const path = join(folder, 'file');
      expect(textOf(await files.call('read_text_file', { path }))).toBe('content of documents');
      const change = { path, content: 'changed' };
      expect((await files.call('write_file', change)).isError).toBe(true);
      expect(readFileSync(path, 'utf8')).toBe('content of documents');
      const free = tryServer(commands.filesystem(folder), { host, server: { sandbox: 'auto' } });
      await free.call('write_file', change);
      expect(readFileSync(path, 'utf8')).toBe('changed');
    },
  );

  for (const victim of ['its leader', 'its group'])
    confinedTest(
      `leaves no process when ${victim} is killed`,
      () => reach('example.com'),
      async ({ use, handle }) => {
        await use('spawn');
        const { pid = 0 } = handle.state;
        const all = descendants(pid);
        expect(groupMembers(pid)).toContain(pid);
        expect(commandsOf(all)).toEqual(expect.arrayContaining(['bwrap', 'socat', 'sleep']));
        process.kill(victim === 'its leader' ? pid : -pid, 'SIGKILL');
        await eventually(() => commandsOf(all).length === 0, 'the end of every process');
        await eventually(() => handle.state.status === 'failed', 'the failure');
        expect(handle.state).not.toHaveProperty('isConfined');
      },
    );

  confinedTest(
    'leaves no process and no socket when it is stopped',
    () => reach('example.com'),
    async ({ use, handle }) => {
      await use('spawn');
      const line = readFileSync(`/proc/${handle.state.pid}/cmdline`, 'utf8').split('\0');
      const socket = line.find((argument) => argument.includes('/run/proxy/')) ?? '';
      expect(existsSync(socket)).toBe(true);
      const all = descendants(handle.state.pid ?? 0);
      await handle.stop();
      expect(commandsOf(all)).toEqual([]);
      await eventually(() => !existsSync(dirname(socket)), 'the removal of the socket');
    },
  );
});

test('A server of the config file with `sandbox` is shown as confined only if it was started so', async () => {
  const host = testHost();
  const servers = { inside: { ...command, sandbox: true }, outside: command };
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify({ servers }));
  const core = await createCore(host);
  onTestFinished(async () => {
    await core.close();
    host.dispose();
  });
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: false });
  const client = connectCore(ours);
  const shown = async () => {
    const list = serversText(await client.call('servers.list'), 'enabled', { status: true, tools: false }, style);
    return list.split('\n').filter((line) => line.includes('Status'));
  };
  await expect.poll(async () => (await shown()).join(), { timeout: 20_000 }).not.toMatch(/Connecting|on use/);
  expect(await shown()).toEqual(['  Status: Connected, confined', '  Status: Connected']);
});

interface WebServer {
  port: number;
  requests: string[];
}

/**
 * A web server on 127.0.0.2, which answers `hello`, with the paths that were requested. It is another process, because no
 * confined server reaches a port of this one.
 */
async function webServer(): Promise<WebServer> {
  const address = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
  const child = spawn(process.execPath, ['-e', webServerCode, address], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout });
  const [port] = (await once(lines, 'line')) as [string];
  const requests: string[] = [];
  lines.on('line', (path) => requests.push(path));
  return { port: Number(port), requests };
}
const webServerCode = `const server = require('node:http').createServer(({ url }, response) => {
  console.log(url);
  const raw = new URL(url, 'http://host').searchParams.get('raw');
  if (raw === null) response.end('hello');
  else response.socket.end(raw);
}).listen(0, process.argv[1], () => console.log(server.address().port));`;

/** The processes below `pid`, and itself. */
function descendants(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] => [
    parent,
    ...pairs.flatMap(([child = 0, of]) => (of === parent ? below(child) : [])),
  ];
  return below(pid);
}

/** The names of those that still run. */
function commandsOf(pids: readonly number[]): string[] {
  return pids.filter(isAlive).map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
}
