/** A server with `sandbox: auto` may use this without a question. */
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { mountsOf } from '../../../electron/core/servers/sandbox/mounts.ts';
import { predictedLimits } from '../../../electron/core/servers/sandbox/predicted-limits.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost();
  return () => host.dispose();
});

const limits = (args: string[], env: Record<string, string> = {}, command = 'node') =>
  predictedLimits({ command, args, cwd: undefined, env }, host);

function inHome(...names: string[]): string[] {
  return names.map((name) => {
    const folder = join(host.homeDir, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  });
}

it('Folders in the arguments and variables are writable, and programs are not', () => {
  const [notes = '', data = '', library = '', scripts = '', logs = ''] = inHome(
    ...['notes', 'data', 'library', 'scripts', 'logs'],
  );
  const script = join(scripts, 'server.js');
  writeFileSync(script, '');
  const env = { MEMORY_FILE_PATH: join(data, 'memory.json'), PYTHONPATH: library, MISSING: join(data, 'a/b') };
  const { files } = limits([script, notes, `--data=${data}`, join(logs, 'new.log')], env);
  expect(files).toEqual({ read: [library], write: [notes, data, logs] });
});

it('A new file in the home folder is created, and neither a hidden file nor a folder is', () => {
  const [list = '', hidden = '', folder = ''] = ['list.json', '.list.json', 'lists'].map((name) =>
    join(host.homeDir, name),
  );
  expect(limits([list, hidden], { FOLDER: folder }).files.write).toEqual([list]);
  expect([list, hidden, folder].map((path) => existsSync(path))).toEqual([true, false, false]);
});

it('Neither the home folder nor hidden, system or own files are predicted', () => {
  const [keys = '', nested = ''] = inHome('.ssh', 'work/.git');
  const wide = [host.homeDir, '/', join(host.homeDir, '..'), '/etc', '/usr/share', host.dataDir];
  const link = join(host.homeDir, 'link');
  symlinkSync(keys, link);
  const { files } = limits([...wide, keys, nested, link], {
    A: keys,
    B: join(keys, 'new'),
    C: join(host.dataDir, 'vault'),
  });
  expect(files).toEqual({ read: [], write: [] });
});

it('A link that the server may have made in an earlier start shows it no other files', () => {
  const [data = '', documents = ''] = inHome('data', 'documents');
  const link = join(data, 'memory.json');
  expect(limits([], { MEMORY_FILE_PATH: link }).files.write).toEqual([data]);
  symlinkSync(documents, link);
  expect(limits([link], { MEMORY_FILE_PATH: link, PYTHONPATH: link }).files).toEqual({ read: [], write: [] });
  // The user's own link leads elsewhere, too, but the server never changed the folder in which it is.
  const own = join(host.homeDir, 'own');
  symlinkSync(documents, own);
  expect(limits([], { FOLDER: own }).files.write).toEqual([own]);
});

it('Below a folder that the server changes, no path of its configuration leads out of it', () => {
  const [work = '', documents = ''] = inHome('work', 'documents');
  const link = join(work, 'link');
  symlinkSync(documents, link);
  const problems: string[] = [];
  const mounted = (launch: { command: string; args: string[] }, read: string[], cwd?: string) => {
    const { args } = mountsOf({ ...launch, cwd: cwd ?? host.homeDir, env: {} }, cwd, {
      ...{ host, server: 'a', onProblem: (kind: string) => problems.push(kind) },
      limits: { files: { read, write: [work] }, network: { allow: [] } },
    });
    return args.includes(documents);
  };
  for (const name of ['program', 'script.js']) writeFileSync(join(documents, name), '');
  const node = { command: process.execPath, args: [] };
  expect(mounted(node, [link])).toBe(false);
  expect(mounted({ ...node, args: [link, `--in=${link}`, join(link, 'script.js')] }, [])).toBe(false);
  expect(mounted({ command: join(link, 'program'), args: [] }, [])).toBe(false);
  expect(mounted(node, [], link)).toBe(false);
  expect(problems.length).toBeGreaterThan(3);
  expect(mounted(node, [documents])).toBe(true);
});

it('Neither sockets nor the folders of all programs are predicted', async () => {
  const socket = join(host.homeDir, 'socket');
  const listening = createServer().listen(socket);
  await once(listening, 'listening');
  const { files } = limits([socket], { A: socket, B: join(tmpdir(), 'missing.json'), C: '/run' });
  listening.close();
  expect(files).toEqual({ read: [], write: [] });
});

it('The hosts of addresses, packages and well-known tokens are predicted', () => {
  const env = {
    GITHUB_PERSONAL_ACCESS_TOKEN: 'x',
    BASE_URL: 'https://Git.Example.com:8443/api/v4?x=y',
    HOOK: 'wss://live.example.org/socket',
  };
  expect(limits(['-y', 'server', '--api', 'http://api.example.net/'], env, '/usr/bin/npx').network.allow).toEqual([
    ...['api.github.com', 'github.com', 'api.example.net', 'git.example.com:8443'],
    'live.example.org',
  ]);
});

it('Neither addresses of this computer nor bare addresses are predicted', () => {
  const urls = [
    'http://localhost:7333/mcp',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://0x7f000001/',
    'http://2130706433/',
  ];
  expect(limits([...urls, 'https://', 'https://user@', 'http://a..b/', 'http://-/']).network.allow).toEqual([]);
});
