/**
 * Watching clients' files: real changes, including renames and links.
 *
 * @module-tag exhaustive
 */
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchSources } from '../../../electron/core/clients/watch-sources.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
let stop: () => void;
let changes: number;
beforeEach(async () => {
  host = testHost({ platform: 'linux' });
  changes = 0;
});
afterEach(() => {
  stop();
  host.dispose();
});

const start = async () => {
  const watching = watchSources(host, () => {
    changes += 1;
  });
  stop = watching.close;
  await watching.ready;
};
const told = (count: number) => vi.waitFor(() => expect(changes).toBe(count), { timeout: 8000, interval: 50 });
const file = () => join(host.homeDir, '.cursor', 'mcp.json');

test('A change, an atomic replacement, a removal and a new creation are each reported once', async () => {
  mkdirSync(join(host.homeDir, '.cursor'));
  writeFileSync(file(), '{}');
  await start();
  for (const text of ['{"a":1}', '{"a":12}', '{"a":123}']) writeFileSync(file(), text);
  await told(1);
  writeFileSync(`${file()}.tmp`, '{"b":1}');
  renameSync(`${file()}.tmp`, file());
  await told(2);
  unlinkSync(file());
  await told(3);
  writeFileSync(file(), '{"c":1}');
  await told(4);
});

test('The target of a link is watched', async () => {
  mkdirSync(join(host.homeDir, '.cursor'));
  mkdirSync(join(host.homeDir, 'dotfiles'));
  writeFileSync(join(host.homeDir, 'dotfiles', 'mcp.json'), '{}');
  symlinkSync('../dotfiles/mcp.json', file());
  await start();
  writeFileSync(join(host.homeDir, 'dotfiles', 'mcp.json'), '{"a":1}');
  await told(1);
});

test('A client that is installed later is detected', async () => {
  await start();
  mkdirSync(join(host.homeDir, '.cursor'));
  await delay(600);
  writeFileSync(file(), '{"a":1}');
  await told(1);
});

test('A folder that is removed and created again is watched', async () => {
  mkdirSync(join(host.homeDir, '.cursor'));
  writeFileSync(file(), '{}');
  await start();
  rmSync(join(host.homeDir, '.cursor'), { recursive: true });
  mkdirSync(join(host.homeDir, '.cursor'));
  writeFileSync(file(), '{"a":1}');
  await told(1);
  await delay(600);
  writeFileSync(file(), '{"a":12}');
  await told(2);
});

test('A client that is removed and installed again is detected', async () => {
  mkdirSync(join(host.homeDir, '.cursor'));
  writeFileSync(file(), '{}');
  await start();
  rmSync(join(host.homeDir, '.cursor'), { recursive: true });
  await told(1);
  await delay(600);
  mkdirSync(join(host.homeDir, '.cursor'));
  await delay(600);
  writeFileSync(file(), '{"a":1}');
  await told(2);
});

test('Other files are never reported, and nothing is reported after stopping', async () => {
  mkdirSync(join(host.homeDir, '.cursor'));
  await start();
  writeFileSync(join(host.homeDir, '.cursor', 'other.json'), 'x');
  writeFileSync(join(host.homeDir, 'notes.txt'), 'x');
  await delay(600);
  stop();
  writeFileSync(file(), '{}');
  await delay(600);
  expect(changes).toBe(0);
});
