/** The settings file: private, complete, and replaced when it is damaged. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createNodeHost } from '../../../electron/host/host.ts';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

async function open(home: string) {
  const env = { HOME: home, TOOLKEEP_NO_SHELL_ENV: '1', TOOLKEEP_NO_KEYRING: '1' };
  const host = await createNodeHost({ env });
  host.release();
  return host.store;
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'toolkeep-settings-'));
  homes.push(home);
  return home;
}

const fileOf = (home: string) => join(home, '.toolkeep', 'settings.json');

test('Settings survive a restart, readable by the user only', async () => {
  const home = newHome();
  const store = await open(home);
  store.set('disabledServers', ['github']);
  store.set('windowState', { width: 800 });
  expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600);

  const later = await open(home);
  expect(later.get('disabledServers')).toEqual(['github']);
  expect(later.get('windowState')).toEqual({ width: 800 });
  expect(later.get('enableRequests')).toBe('ask');
});

test('Mutating a setting that was read or written does not change the stored setting', async () => {
  const store = await open(newHome());
  const given = ['github'];
  store.set('disabledServers', given);
  given.push('slack');
  expect(() => (store.get('disabledServers') as string[]).push('jira')).toThrow(TypeError);
  expect(store.get('disabledServers')).toEqual(['github']);
});

test.each(['{"servers": [', '[]'])('A damaged settings file is kept under another name: %s', async (damaged) => {
  const home = newHome();
  await open(home);
  writeFileSync(fileOf(home), damaged);

  const store = await open(home);
  expect(store.get('servers')).toEqual([]);
  const aside = readdirSync(join(home, '.toolkeep')).find((name) => name.startsWith('settings.damaged-'));
  expect(readFileSync(join(home, '.toolkeep', aside ?? ''), 'utf8')).toBe(damaged);

  store.set('disabledServers', ['github']);
  expect((await open(home)).get('disabledServers')).toEqual(['github']);
});
