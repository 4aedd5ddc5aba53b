/** Secrets move from the settings to the vault at import, when a server is saved, and on request. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import type { Sealer } from '../../../electron/core/host.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { memorySealer, type TestHost, testHost } from '../../fixtures/host.ts';

const keychain: Sealer = { ...memorySealer(), persistent: true, label: 'test keychain' };
const canary = 'canary-Zq81xWm';

let host: TestHost;
let core: Core;
let client: CoreClient;

async function start(sealer: Sealer, prepare: () => void = () => {}): Promise<void> {
  host = testHost({ sealer });
  prepare();
  core = await createCore(host);
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: false });
  client = connectCore(ours);
}
afterEach(async () => {
  await core.close();
  host.dispose();
});

function file(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
const hub = (token: string): ServerConfig => {
  const { command, args } = commands.misbehaving('normal');
  return serverConfig('hub', { command, args: [...args, '--api-key', `${canary}-arg`], env: { HUB_TOKEN: token } });
};
const cursor = () => {
  const { connection } = hub(`${canary}-env`);
  file(join(host.homeDir, '.cursor/mcp.json'), { mcpServers: { hub: connection } });
};
const envOf = async (name: string) => {
  const result = (await client.call('tools.execute', { server: 'hub', tool: 'env', arguments: { name } })) as {
    content: { text: string }[];
  };
  return result.content[0]?.text;
};
const settings = () => JSON.stringify(host.settings);

test('An import stores references, the vault stores the secrets, and the server gets the values', async () => {
  await start(keychain, cursor);
  const plan = await client.call('import.plan', {});
  expect(JSON.stringify(plan)).not.toContain(canary);
  expect(plan.entries[0]?.notes.join()).toContain('in plain text');
  const entries = plan.entries.map(({ id }) => id);
  expect(await client.call('import.apply', { entries })).toEqual({
    imported: ['hub'],
    moved: ['hub/HUB_TOKEN', 'hub/api-key'],
    plain: [],
  });
  expect(settings()).toContain('${secret:hub/HUB_TOKEN}');
  expect(settings()).not.toContain(canary);
  expect(readFileSync(join(host.dataDir, 'vault.json'), 'utf8')).not.toContain(canary);
  expect(await envOf('HUB_TOKEN')).toBe(`${canary}-env`);
  const again = await client.call('import.plan', {});
  expect(again.entries.map(({ state }) => state)).toEqual(['known']);
});

test.each([
  ['the vault would not last', memorySealer(), undefined],
  ['the user chose that', keychain, false],
])('An import leaves secrets in plain text and reports them if %s', async (_when, sealer, moveSecrets) => {
  await start(sealer, cursor);
  const { entries } = await client.call('import.plan', {});
  const choice = moveSecrets === undefined ? {} : { moveSecrets };
  const result = await client.call('import.apply', { entries: entries.map(({ id }) => id), ...choice });
  expect(result).toEqual({ imported: ['hub'], moved: [], plain: ['hub'] });
  expect(settings()).toContain(`${canary}-env`);
  const { plain, vault } = await client.call('secrets.list');
  expect(plain).toEqual([{ server: 'hub', secrets: ['HUB_TOKEN', 'the argument --api-key'], own: true }]);
  expect(vault).toEqual({ label: sealer.label, persistent: sealer.persistent });
});

test('A saved server contains only references', async () => {
  await start(keychain);
  await client.call('servers.save', { server: { ...hub(`${canary}-env`), sandbox: false } });
  expect(settings()).not.toContain(canary);
  expect(await envOf('HUB_TOKEN')).toBe(`${canary}-env`);
});

test('Secrets are listed with their servers, updated for running servers, and removed', async () => {
  await start(keychain);
  await client.call('servers.save', { server: { ...hub(`${canary}-env`), sandbox: false } });
  expect(await envOf('HUB_TOKEN')).toBe(`${canary}-env`);
  expect((await client.call('secrets.list')).secrets).toEqual([
    { name: 'hub/HUB_TOKEN', isSet: true, servers: ['hub'] },
    { name: 'hub/api-key', isSet: true, servers: ['hub'] },
  ]);
  await client.call('secrets.set', { name: 'hub/HUB_TOKEN', value: `${canary}-new` });
  await expect.poll(() => envOf('HUB_TOKEN')).toBe(`${canary}-new`);
  await client.call('secrets.remove', { name: 'hub/HUB_TOKEN' });
  const { secrets } = await client.call('secrets.list');
  expect(secrets[0]).toEqual({ name: 'hub/HUB_TOKEN', isSet: false, servers: ['hub'] });
  await expect(client.call('secrets.remove', { name: 'hub/HUB_TOKEN' })).rejects.toThrow('no secret "hub/HUB_TOKEN"');
});

test("A server's plain-text secrets move on request; those in a config file do not, and a hint explains why", async () => {
  await start(keychain, () => {
    host.store.set('servers', [hub(`${canary}-env`)]);
    file(join(host.dataDir, 'config.json'), { servers: { kept: { command: 'x', env: { API_KEY: canary } } } });
  });
  const { plain } = await client.call('secrets.list');
  expect(plain.map(({ server, own }) => [server, own])).toEqual([
    ['hub', true],
    ['kept', false],
  ]);
  expect(JSON.stringify(plain)).not.toContain(canary);
  expect(await client.call('secrets.moveToVault', { server: 'hub' })).toEqual({
    moved: ['hub/HUB_TOKEN', 'hub/api-key'],
  });
  expect(settings()).not.toContain(canary);
  await expect(client.call('secrets.moveToVault', { server: 'kept' })).rejects.toMatchObject({
    failure: { code: 'CONFIG_READ_ONLY', hint: expect.stringContaining('toolkeep secrets set') },
  });
});

test('No secret moves to a vault that is not persistent', async () => {
  await start(memorySealer(), () => host.store.set('servers', [hub(`${canary}-env`)]));
  await expect(client.call('secrets.moveToVault', { server: 'hub' })).rejects.toMatchObject({
    failure: { code: 'VAULT_IN_MEMORY' },
  });
  expect(settings()).toContain(canary);
});

test('An imported file that names a secret of the vault does not receive it, and the user is asked', async () => {
  await start(keychain, () => {
    const { command, args } = commands.misbehaving('normal');
    const env = { A: '${secret:hub/HUB_TOKEN}', B: `x ${'$'}{${' '.repeat(40)}secret:hub/HUB_TOKEN}` };
    file(join(host.homeDir, '.cursor/mcp.json'), { mcpServers: { thief: { command, args, env } } });
  });
  await client.call('secrets.set', { name: 'hub/HUB_TOKEN', value: `${canary}-env` });
  const { entries } = await client.call('import.plan', {});
  await client.call('import.apply', { entries: entries.map(({ id }) => id) });
  expect(settings()).not.toContain('secret:');
  const [view] = await client.call('servers.list');
  await expect
    .poll(async () => (await client.call('servers.list'))[0]?.failure?.message)
    .toBe('Not set: input "hub/HUB_TOKEN".');
  expect(view?.id).toBe('thief');
});
