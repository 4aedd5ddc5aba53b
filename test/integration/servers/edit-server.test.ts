/** Tests, copies and new names of the user's own servers. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCore } from '../../../electron/core/core.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { memorySealer, testHost } from '../../fixtures/host.ts';
import { isAlive, numbersIn } from './server-harness.ts';

it("A test reports the number of a server's tools, and leaves neither a server nor a process", async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const pids = join(host.homeDir, 'pids');
  const { core } = await startCore([], { host });
  const many = serverConfig('many', commands.misbehaving('many-tools', 'tools=1200', 'page=500', `pids=${pids}`));
  const trial = await core.handlers['servers.test']({ server: many });
  expect(trial).toMatchObject({ toolCount: 1200 });
  expect(trial.failure).toBeUndefined();
  expect(await core.handlers['servers.list'](undefined)).toEqual([]);
  expect(numbersIn(pids).filter(isAlive)).toEqual([]);
});

it('A test reports why a server does not start', async () => {
  const { core } = await startCore([]);
  const broken = serverConfig('broken', commands.misbehaving('crash-at-start'));
  const { failure } = await core.handlers['servers.test']({ server: broken });
  expect(failure).toMatchObject({ code: 'SERVER_CRASHED', message: expect.stringContaining('broken on purpose') });
});

it('A copy starts with the secrets of the original, which no UI receives', async () => {
  const key = 'sk-abcdefghij0123456789';
  const original = serverConfig('one', { ...commands.misbehaving('normal'), env: { API_KEY: key } });
  const { core, host, call } = await startCore([original]);
  const shown = await core.handlers['servers.config']({ server: 'one' });
  expect(JSON.stringify(shown)).not.toContain(key);
  const server = { ...shown, name: 'two' };
  expect(await core.handlers['servers.test']({ server, basedOn: 'one' })).not.toHaveProperty('failure');
  await core.handlers['servers.save']({ server, basedOn: 'one' });
  expect(JSON.stringify(await call('two', 'env', { name: 'API_KEY' }))).toContain(key);
  expect(host.store.get('servers').map(({ name }) => name)).toEqual(['one', 'two']);
});

it('A new name applies in rules, overrides, profiles and grants', async () => {
  const { core, host, view } = await startCore([serverConfig('one', commands.misbehaving('normal'))]);
  const { handlers } = core;
  await handlers['servers.restart']({ server: 'one' });
  await handlers['rules.save']({ rules: [{ server: 'one', pattern: ['pid'], confirm: 'always', active: true }] });
  await handlers['tools.setPolicy']({ server: 'one', tool: 'echo', enabled: false });
  await handlers['profiles.save']({ profile: { name: 'work', servers: ['one'], tags: [] } });
  await handlers['grants.allowActs']({ server: 'one' });
  await handlers['servers.rename']({ server: 'one', name: 'uno' });
  expect(view('uno')).toMatchObject({ id: 'uno' });
  expect(host.store.get('rules')).toMatchObject([{ server: 'uno' }]);
  expect(await handlers['rules.overrides'](undefined)).toMatchObject([{ server: 'uno', tool: 'echo', enabled: false }]);
  expect(host.store.get('profiles')).toMatchObject([{ servers: ['uno'] }]);
  expect(await handlers['grants.list'](undefined)).toMatchObject([{ server: 'uno' }]);
  await expect(handlers['servers.rename']({ server: 'uno', name: 'uno' })).rejects.toThrow('already');
});

it.each(['saved', 'imported', 'in a setup file', 'renamed'])(
  'A server that is %s under the name of a removed one gets neither its grants nor its approvals',
  async (how) => {
    const one = serverConfig('one', commands.misbehaving('normal'));
    const other = serverConfig('one', commands.content());
    const { core, host } = await startCore([one, serverConfig('two', commands.github())]);
    const { handlers } = core;
    await handlers['servers.restart']({ server: 'one' });
    await handlers['grants.allowActs']({ server: 'one' });
    await handlers['grants.allowActs']({ server: 'two' });
    await handlers['tools.setPolicy']({ server: 'one', tool: 'echo', confirm: 'never' });
    await handlers['tools.setPolicy']({ server: 'one', tool: 'pid', enabled: false });
    await handlers['servers.remove']({ server: 'one' });
    if (how === 'saved') await handlers['servers.save']({ server: other });
    if (how === 'renamed') await handlers['servers.rename']({ server: 'two', name: 'one' });
    if (how === 'imported') {
      const file = join(host.homeDir, 'mcp.json');
      writeFileSync(file, JSON.stringify({ mcpServers: { one: commands.content() } }));
      const { entries } = await handlers['import.plan']({ sources: [file] });
      await handlers['import.apply']({ entries: entries.map(({ id }) => id), sources: [file], moveSecrets: false });
    }
    if (how === 'in a setup file') {
      const setup = { toolkeep: 'setup', version: 1, servers: [other], rules: [], profiles: [] };
      await handlers['setup.import']({ setup, replace: false, dryRun: false, accept: [] });
    }
    const granted = (await handlers['grants.list'](undefined)).map(({ server }) => server);
    expect(granted).toEqual([how === 'renamed' ? 'one' : 'two']);
    expect(host.store.get('servers').map(({ name }) => name)).toContain('one');
    expect(host.store.get('overrides')).toEqual([]);
  },
);

it('The files that still have a server are known before it is removed', async () => {
  const { core, host } = await startCore([serverConfig('own', commands.content())]);
  const file = join(host.homeDir, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { one: commands.misbehaving() } }));
  const { entries } = await core.handlers['import.plan']({ sources: [file] });
  await core.handlers['import.apply']({ entries: entries.map(({ id }) => id), sources: [file], moveSecrets: false });
  const copies = (server: string) => core.handlers['servers.copies']({ server });
  expect([await copies('one'), await copies('own')]).toEqual([{ files: [file] }, { files: [] }]);
  writeFileSync(file, JSON.stringify({ mcpServers: { toolkeep: commands.content() } }));
  expect(await copies('one')).toEqual({ files: [] });
});

it('A removed server that is restored keeps its grants and lists its tools again', async () => {
  const { core } = await startCore([serverConfig('one', commands.misbehaving('normal'))]);
  await core.handlers['grants.allowActs']({ server: 'one' });
  await core.handlers['servers.remove']({ server: 'one' });
  await core.handlers['servers.restore']({ server: 'one' });
  expect(await core.handlers['grants.list'](undefined)).toMatchObject([{ server: 'one' }]);
  await expect.poll(async () => (await core.handlers['tools.list']({})).length).toBeGreaterThan(0);
});

const remote = (name: string, ...secrets: string[]): ServerConfig => ({
  ...{ name, enabled: false },
  connection: {
    type: 'http',
    url: 'http://127.0.0.1:9/',
    headers: Object.fromEntries(secrets.map((secret, index) => [`X-${index}`, `\${${secret}}`])),
  },
});

/** A Core with a persistent vault that holds these secrets. */
async function startWithSecrets(servers: ServerConfig[], secrets: string[]) {
  const host = testHost({ sealer: { ...memorySealer(), persistent: true } });
  onTestFinished(host.dispose);
  const { core } = await startCore(servers, { host });
  const { handlers } = core;
  for (const name of secrets) await handlers['secrets.set']({ name, value: `value of ${name}` });
  const names = async () =>
    (await handlers['secrets.list']()).secrets.flatMap(({ name, isSet }) => (isSet ? name : []));
  return { core, handlers, host, names, vault: join(host.dataDir, 'vault.json') };
}

it('Removing a server removes the secrets that no other server uses, and Undo restores them', async () => {
  const one = remote('one', 'secret:one/key', 'secret:shared', 'input:pin', 'secret:never-set', 'secret:work/token');
  const before = { description: 'Notes.', connection: remote('one', 'secret:one/old').connection };
  const origin = { registry: 'r', name: 'io.github.acme/one', version: '1', option: 'http', target: 't', inputs: {} };
  const previous = { ...before, registry: origin, accepted: {}, secrets: ['one/key'] };
  const own = ['one/input:pin', 'one/key', 'one/old', 'previous:one/key'];
  const { handlers, host, names, vault } = await startWithSecrets(
    [{ ...one, previous }, remote('two', 'secret:shared')],
    [...own, 'shared', 'one/unused', 'work/token'],
  );
  const all = await names();
  await handlers['servers.remove']({ server: 'one' });
  expect(await names()).toEqual(['one/unused', 'shared', 'work/token']);
  const stored = readFileSync(vault, 'utf8');
  for (const name of own) expect(stored).not.toContain(`"${name}"`);
  await handlers['servers.restore']({ server: 'one' });
  expect(await names()).toEqual(all);
  expect(host.store.get('servers')).toContainEqual(expect.objectContaining({ name: 'one', previous }));
});

it('A removed server can be restored after a restart, but not after 30 days', async () => {
  const one = remote('one', 'secret:one/key');
  const { core, handlers, host, vault } = await startWithSecrets([one], ['one/key']);
  await handlers['servers.remove']({ server: 'one' });
  await core.close();
  const again = await createCore(host);
  expect(await again.handlers['servers.removed'](undefined)).toMatchObject([{ server: 'one' }]);
  expect(readFileSync(vault, 'utf8')).not.toContain('one/key');
  await again.handlers['servers.restore']({ server: 'one' });
  expect(readFileSync(vault, 'utf8')).toContain('one/key');
  expect(await again.handlers['servers.removed'](undefined)).toEqual([]);
  await again.handlers['servers.remove']({ server: 'one' });
  await again.close();
  const day = 24 * 3600_000;
  host.store.set(
    'removedServers',
    host.store.get('removedServers').map((entry) => ({ ...entry, removedAt: Date.now() - 31 * day })),
  );
  const last = await createCore(host);
  onTestFinished(() => last.close());
  expect(await last.handlers['servers.removed'](undefined)).toEqual([]);
});

it('A server whose secrets cannot be removed stays, with its secrets', async () => {
  const one = remote('one', 'secret:one/key');
  const { handlers, host, names, vault } = await startWithSecrets([one], ['one/key']);
  // A file cannot replace a folder.
  rmSync(vault);
  mkdirSync(join(vault, 'x'), { recursive: true });
  await expect((async () => handlers['servers.remove']({ server: 'one' }))()).rejects.toThrow();
  expect(host.store.get('servers')).toEqual([one]);
  expect(await names()).toEqual(['one/key']);
});

it('Undo can be repeated after it failed, and keeps a newer value of a secret', async () => {
  const one = remote('one', 'secret:one/key', 'secret:one/other');
  const { handlers, host, names, vault } = await startWithSecrets([one], ['one/key', 'one/other']);
  const old = JSON.parse(readFileSync(vault, 'utf8')).secrets;
  await handlers['servers.remove']({ server: 'one' });
  await handlers['secrets.set']({ name: 'one/key', value: 'newer' });
  rmSync(vault);
  mkdirSync(join(vault, 'x'), { recursive: true });
  const undo = async () => handlers['servers.restore']({ server: 'one' });
  await expect(undo()).rejects.toThrow();
  rmSync(vault, { recursive: true });
  await undo();
  expect(await names()).toEqual(['one/key', 'one/other']);
  const { secrets } = JSON.parse(readFileSync(vault, 'utf8'));
  expect([secrets['one/key'] === old['one/key'], secrets['one/other']]).toEqual([false, old['one/other']]);
  expect(host.store.get('servers')).toEqual([one]);
});

it('Undo replaces no newer server of the same name, and gives no server the secret of another one', async () => {
  const one = remote('one', 'secret:one/key');
  const { handlers, host, names } = await startWithSecrets([one], ['one/key']);
  const undo = async () => handlers['servers.restore']({ server: 'one' });
  await handlers['servers.remove']({ server: 'one' });
  await handlers['secrets.set']({ name: 'one/key', value: 'of the newer server' });
  const newer = { ...remote('one', 'secret:one/key'), description: 'Newer.' };
  await handlers['servers.save']({ server: newer });
  const refused = (message: string) => ({ failure: { code: 'INPUT_INVALID', message } });
  await expect(undo()).rejects.toMatchObject(refused('There is now another server "one".'));
  expect(host.store.get('servers')).toMatchObject([{ name: 'one', description: 'Newer.' }]);
  await handlers['servers.rename']({ server: 'one', name: 'newer' });
  await expect(undo()).rejects.toMatchObject(refused('The server "newer" now uses the secret one/key.'));
  await handlers['servers.remove']({ server: 'newer' });
  await undo();
  expect(host.store.get('servers')).toEqual([one]);
  expect(await names()).toContain('one/key');
});

it("Undo restores a server that replaces a config file's server of the same name", async () => {
  const one = { ...remote('one'), description: 'Own.' };
  const { core, host, view } = await startCore([one], { config: { servers: [remote('one')] } });
  await core.handlers['grants.allowActs']({ server: 'one' });
  await core.handlers['servers.remove']({ server: 'one' });
  // The server of the config file gets nothing that the user allowed the other one.
  expect(await core.handlers['grants.list'](undefined)).toEqual([]);
  expect(view('one').description).not.toBe('Own.');
  await core.handlers['servers.restore']({ server: 'one' });
  expect(host.store.get('servers')).toEqual([one]);
  expect(view('one').description).toBe('Own.');
});

it('A server is not removed and restored at the same time', async () => {
  const { handlers, host } = await startWithSecrets([remote('one')], []);
  const removals = await Promise.allSettled([1, 2].map(async () => handlers['servers.remove']({ server: 'one' })));
  const busy = { status: 'rejected', reason: { failure: { code: 'INPUT_INVALID', hint: 'Try again.' } } };
  expect(removals).toMatchObject([{ status: 'fulfilled' }, busy]);
  const undone = await Promise.allSettled([1, 2].map(async () => handlers['servers.restore']({ server: 'one' })));
  expect(undone).toMatchObject([{ status: 'fulfilled' }, busy]);
  expect(host.store.get('servers')).toHaveLength(1);
});
