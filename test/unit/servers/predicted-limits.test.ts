/** A server with `sandbox: auto` may use this without a question. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
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
  const [notes = '', data = '', library = '', scripts = ''] = inHome('notes', 'data', 'library', 'scripts');
  const script = join(scripts, 'server.js');
  writeFileSync(script, '');
  const env = { MEMORY_FILE_PATH: join(data, 'memory.json'), PYTHONPATH: library, MISSING: join(data, 'a/b') };
  const { files } = limits([script, notes, `--data=${data}`], env);
  expect(files).toEqual({ read: [library], write: [notes, data] });
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

it('The hosts of addresses, packages and well-known tokens are predicted', () => {
  const env = {
    GITHUB_PERSONAL_ACCESS_TOKEN: 'x',
    BASE_URL: 'https://Git.Example.com:8443/api/v4?x=y',
    HOOK: 'wss://live.example.org/socket',
  };
  expect(limits(['-y', 'server', '--api', 'http://api.example.net/'], env, '/usr/bin/npx').network.allow).toEqual([
    ...['registry.npmjs.org', 'api.github.com', 'github.com', 'api.example.net', 'git.example.com:8443'],
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
