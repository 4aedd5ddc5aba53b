/**
 * Concurrent edits of one file: no change is lost, and readers see complete files.
 *
 * @module-tag exhaustive
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyInstall, installStatus } from '../../../electron/core/clients/install/install.ts';
import { planInstall } from '../../../electron/core/clients/plan-install.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { install, putFile, uninstall } from '../../fixtures/round-trip.ts';

/** Runs another program's change immediately before the next such disk operation. */
function beforeNext(name: 'renameSync' | 'fchmodSync', change: () => void): void {
  const real = fs[name] as (...args: unknown[]) => void;
  const set = (operation: typeof real) => {
    Object.assign(fs, { [name]: operation });
    syncBuiltinESMExports();
  };
  set((...args) => {
    set(real);
    change();
    real(...args);
  });
}

const text = '{"mcpServers": {"a": {"command": "x"}}}';
const theirs = '{"mcpServers": {"a": {"command": "x"}, "theirs": {"command": "y"}}}';
let host: TestHost;
let file: string;
beforeEach(async () => {
  host = testHost({ platform: 'linux' });
  file = await putFile(host, 'cursor', text);
});
afterEach(() => host.dispose());

const changed = { failure: { code: 'CLIENT_FILE_CHANGED' } };
const stateOf = async () => (await installStatus(host)).find(({ client }) => client === 'cursor')?.state;

test("A file that is replaced during the write keeps the other program's content", async () => {
  const plan = await planInstall(host, 'cursor', {});
  beforeNext('fchmodSync', () => {
    fs.writeFileSync(`${file}.theirs`, theirs);
    fs.linkSync(`${file}.theirs`, `${file}.link`);
    fs.unlinkSync(file);
    fs.linkSync(`${file}.link`, file);
    fs.unlinkSync(`${file}.link`);
    fs.unlinkSync(`${file}.theirs`);
  });
  await expect(applyInstall(host, plan)).rejects.toMatchObject(changed);
  expect(fs.readFileSync(file, 'utf8')).toBe(theirs);
  expect(await stateOf()).toBe('absent');
  expect(fs.readdirSync(join(file, '..'))).toEqual(['mcp.json']);
});

test('Content that is written to the old file during the rename is restored', async () => {
  const plan = await planInstall(host, 'cursor', {});
  beforeNext('fchmodSync', () => {
    // The next rename is that of the client's file.
    beforeNext('renameSync', () => fs.writeFileSync(file, theirs));
  });
  await expect(applyInstall(host, plan)).rejects.toMatchObject(changed);
  expect(fs.readFileSync(file, 'utf8')).toBe(theirs);
  expect(await stateOf()).toBe('absent');
});

test('Toolkeep waits for a process that has only truncated the old file', async () => {
  const plan = await planInstall(host, 'cursor', {});
  beforeNext('fchmodSync', () => {
    beforeNext('renameSync', () => {
      const handle = fs.openSync(file, 'w');
      setTimeout(() => {
        fs.writeSync(handle, theirs);
        fs.closeSync(handle);
      }, 100);
    });
  });
  await expect(applyInstall(host, plan)).rejects.toMatchObject(changed);
  expect(fs.readFileSync(file, 'utf8')).toBe(theirs);
});

test('Concurrent edits of one file lose no change, and readers in other processes never see a partial file', async () => {
  const count = 40;
  const script = join(import.meta.dirname, '../../fixtures/editor.ts');
  const child = spawn(process.execPath, [script, host.homeDir, host.dataDir, 'cursor', `add:${count}`], {
    env: { ...process.env, TMPDIR: host.cwd },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  let reads = 0;
  const reader = (async () => {
    for (; child.exitCode === null; reads += 1) {
      JSON.parse(fs.readFileSync(file, 'utf8'));
      await new Promise(setImmediate);
    }
  })();
  expect(await ended).toBe(0);
  await reader;
  expect(reads).toBeGreaterThan(count);
  const names = Object.keys(JSON.parse(fs.readFileSync(file, 'utf8')).mcpServers).filter((name) => name !== 'toolkeep');
  const wanted = ['b', 'c'].flatMap((name) => Array.from({ length: count }, (_, index) => `${name}-${index}`));
  expect(names.sort()).toEqual(['a', ...wanted].sort());
}, 90_000);

test('Concurrent changes to two clients keep all records and backups', async () => {
  const clients = ['cursor', 'windsurf', 'kiro', 'junie', 'lm-studio'];
  const bytes = new Map(clients.map((client) => [client, `{"mcpServers": {"of": {"command": "${client}"}}}`]));
  for (const [client, content] of bytes) await putFile(host, client, content);
  await Promise.all(clients.map((client) => install(host, client)));
  for (const client of clients) expect((await uninstall(host, client)).toString()).toBe(bytes.get(client));
});
