/**
 * A server and its secrets are stored together or not at all, even if something fails.
 *
 * @module-tag exhaustive
 */
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { finishInstallations, storeServer } from '../../../electron/core/registry/journal.ts';
import { openVault, type Vault } from '../../../electron/core/secrets/vault.ts';
import { memorySealer, type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
let vault: Vault;
beforeEach(async () => {
  host = testHost({ sealer: { ...memorySealer(), persistent: true } });
  onTestFinished(() => host.dispose());
  vault = await openVault(host);
  await vault.set('cloud/token', 'old');
});

const config = (url: string) => ({
  name: 'cloud',
  enabled: true,
  connection: { type: 'http' as const, url, headers: {} },
});
const records = () => readdirSync(join(host.dataDir, 'registry'));
const secrets = () => vault.reveal(vault.names()).then((values) => Object.fromEntries(values));

it('An installation that cannot be stored changes nothing', async () => {
  const { set } = host.store;
  const store = {
    ...host.store,
    set: (...args: Parameters<typeof set>) => (args[0] === 'servers' ? full() : set(...args)),
  };
  const full = () => {
    throw new Error('The disk is full.');
  };
  const stored = storeServer(
    { ...host, store },
    vault,
    config('https://a.example'),
    new Map([
      ['cloud/token', 'new'],
      ['cloud/key', 'k'],
    ]),
  );
  await expect(stored).rejects.toThrow('full');
  expect([await secrets(), records(), host.store.get('servers')]).toEqual([{ 'cloud/token': 'old' }, [], []]);
});

it('Nothing is stored if the name of a secret is invalid', async () => {
  const stored = storeServer(host, vault, config('https://a.example'), new Map([['${x}', 'new']]));
  await expect(stored).rejects.toMatchObject({ failure: { code: 'INPUT_INVALID' } });
  expect([await secrets(), host.store.get('servers')]).toEqual([{ 'cloud/token': 'old' }, []]);
});

it.each([
  ['removed', [], config('https://a.example')],
  ['edited', [config('https://edited.example')], config('https://a.example')],
  ['added', [config('https://added.example')], undefined],
])('A server that is %s in the meantime is not changed', async (_what, servers, old) => {
  host.store.set('servers', old ? [old] : []);
  const stored = storeServer(host, vault, config('https://b.example'), new Map([['cloud/token', 'new']]), old);
  host.store.set('servers', servers);
  await expect(stored).rejects.toMatchObject({ failure: { code: 'INSTALL_REFUSED' } });
  expect([await secrets(), records(), host.store.get('servers')]).toEqual([{ 'cloud/token': 'old' }, [], servers]);
});

it('A finished installation leaves no record', async () => {
  await storeServer(host, vault, config('https://a.example'), new Map([['cloud/token', 'new']]));
  expect([await secrets(), records(), host.store.get('servers').length]).toEqual([{ 'cloud/token': 'new' }, [], 1]);
});

it('A record that cannot be removed causes no failure, and does not undo later changes', async () => {
  const [folder, away] = [join(host.dataDir, 'registry'), join(host.dataDir, 'away')];
  const { set } = host.store;
  const store = {
    ...host.store,
    set: (...args: Parameters<typeof set>) => {
      set(...args);
      renameSync(folder, away);
      writeFileSync(folder, '');
    },
  };
  await storeServer({ ...host, store }, vault, config('https://a.example'), new Map([['cloud/token', 'new']]));
  rmSync(folder);
  renameSync(away, folder);
  expect(records()).toHaveLength(1);
  host.store.set('servers', [config('https://later.example')]);
  await vault.set('cloud/token', 'later');
  await finishInstallations(host, vault);
  expect([await secrets(), records(), host.store.get('servers')]).toEqual([
    { 'cloud/token': 'later' },
    [],
    [config('https://later.example')],
  ]);
});

it('A damaged record is removed and does nothing', async () => {
  await storeServer(host, vault, config('https://a.example'), new Map());
  writeFileSync(join(host.dataDir, 'registry/installing-1.json'), '{"config":{"name":"evil"},"sealed":{}}');
  await finishInstallations(host, vault);
  expect([records(), host.store.get('servers')]).toEqual([[], [config('https://a.example')]]);
});
