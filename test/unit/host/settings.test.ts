/** The settings file: private, complete, and replaced when it is damaged. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createNodeHost } from '../../../electron/host/host.ts';
import type { OwnRule } from '../../../shared/model/rule.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

async function open(home: string) {
  return (await openHost(home)).store;
}

async function openHost(home: string) {
  const env = { HOME: home, TOOLKEEP_NO_SHELL_ENV: '1', TOOLKEEP_NO_KEYRING: '1' };
  const host = await createNodeHost({ env });
  host.release();
  return host;
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
  expectMode(fileOf(home), 0o600);

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

const rule: OwnRule = { pattern: ['*delete*'], confirm: 'always', active: true };
const override = { server: 'notes', tool: 'delete_note', enabled: false };

test.each([
  ['empty', () => ''],
  ['a JSON null', () => 'null'],
  ['zeros', (text: string) => '\0'.repeat(text.length)],
  ['cut', (text: string) => text.slice(0, text.length / 2)],
  [
    'without valid types',
    () => '{"rules":{},"overrides":null,"disabledServers":"notes","routing":[],"servers":[null]}',
  ],
  ['with a misspelled rule', (text: string) => text.replace('"confirm"', '"confrim"')],
])('A settings file that is %s loses no rule and no disabled tool, and is reported', async (_, damage) => {
  const home = newHome();
  const before = await open(home);
  before.set('rules', [rule]);
  before.set('overrides', [override]);
  before.set('disabledServers', ['notes']);
  writeFileSync(fileOf(home), damage(readFileSync(fileOf(home), 'utf8')));

  const { store, settingsProblem } = await openHost(home);
  expect(store.get('rules')).toEqual([rule]);
  expect(store.get('overrides')).toEqual([override]);
  expect(store.get('disabledServers')).toEqual(['notes']);
  expect(store.get('servers')).toEqual([]);
  expect(store.get('routing')).toEqual({});
  expect(settingsProblem).toMatchObject({ code: 'SETTINGS_DAMAGED', file: fileOf(home) });
  const later = await openHost(home);
  expect(later.settingsProblem).toBeUndefined();
  expect(later.store.get('overrides')).toEqual([override]);
});

test('A new home in which nothing was changed has no damaged settings at its second start', async () => {
  const home = newHome();
  expect((await openHost(home)).settingsProblem).toBeUndefined();
  expect((await openHost(home)).settingsProblem).toBeUndefined();
});

test('A settings file that was deleted loses no rule either', async () => {
  const home = newHome();
  (await open(home)).set('rules', [rule]);
  rmSync(fileOf(home));
  const { store, settingsProblem } = await openHost(home);
  expect(store.get('rules')).toEqual([rule]);
  expect(settingsProblem?.message).toContain('it does not exist');
});

test('One invalid item of a list does not remove the others', async () => {
  const home = newHome();
  const grant = { id: 'g', client: 'c', server: 's', tool: 't', fingerprint: '', conditions: [] };
  await open(home);
  const valid = { ...grant, scope: 'always', grantedAt: 1 };
  writeFileSync(
    fileOf(home),
    JSON.stringify({ overrides: [], grants: [valid, { ...valid, expiresAt: 'never' }, null] }),
  );
  const { store, settingsProblem } = await openHost(home);
  expect(store.get('grants')).toEqual([valid]);
  expect(settingsProblem?.message).toContain('"grants"');
});
