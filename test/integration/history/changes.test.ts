/** The list of changes of a real Core, and undoing an entry. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCore } from '../../../electron/core/core.ts';
import { connectCore, withoutDecisions } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

async function start() {
  const trial = await startCore([serverConfig('github', commands.github())]);
  const { handlers } = trial.core;
  await handlers['servers.discover']({ server: 'github' });
  const list = async () => handlers['changes.list']();
  const latest = async () => {
    const [entry] = await list();
    if (!entry) throw new Error('The list is empty.');
    return entry;
  };
  return {
    ...trial,
    handlers,
    list,
    latest,
    undo: async (id: string) => handlers['changes.undo']({ id }),
    undoLatest: async () => handlers['changes.undo']({ id: (await latest()).id }),
    isEnabled: async (tool: string) => (await handlers['tools.details']({ server: 'github', tool })).enabled,
  };
}

const place = { server: 'github', tool: 'create_issue' };
const changedSince = { failure: { code: 'INPUT_INVALID', message: 'It has changed since, so it cannot be undone.' } };
const notKept = { failure: { code: 'INPUT_INVALID', message: expect.stringContaining('does not keep the values') } };

it('A disabled tool is an entry; undoing it enables the tool, says that it may widen, and is an entry itself', async () => {
  const { handlers, list, latest, undoLatest, isEnabled } = await start();
  await handlers['tools.setPolicy']({ ...place, enabled: false });
  const disabled = await latest();
  expect(disabled).toMatchObject({
    items: [{ subject: 'overrides', name: 'github/create_issue', kind: 'added', after: { enabled: false } }],
    ...{ undo: 'ready', mayWiden: true, by: 'window' },
  });
  await undoLatest();
  expect(await isEnabled(place.tool)).toBe(true);
  const [undo, original] = await list();
  expect(undo).toMatchObject({ items: [{ kind: 'removed' }], undo: 'ready', mayWiden: false, undoes: disabled.id });
  expect(original).toMatchObject({ id: disabled.id, undo: 'done' });
  await undoLatest();
  expect(await isEnabled(place.tool)).toBe(false);
});

it('A value that has changed since is never overwritten', async () => {
  const { handlers, list, undo, isEnabled } = await start();
  await handlers['tools.setPolicy']({ ...place, enabled: false });
  await handlers['tools.setPolicy']({ ...place, confirm: 'always' });
  const [, first] = await list();
  expect(first).toMatchObject({ undo: 'changed' });
  await expect(undo(first?.id ?? '')).rejects.toMatchObject(changedSince);
  expect(await isEnabled(place.tool)).toBe(false);
});

it('Many tools that are changed at once are one entry', async () => {
  const { handlers, latest, undoLatest, isEnabled } = await start();
  const tools = ['create_issue', 'list_repos'].map((tool) => ({ server: 'github', tool }));
  await handlers['tools.setPolicies']({ tools, enabled: false });
  expect((await latest()).items.map(({ name }) => name)).toEqual(['github/create_issue', 'github/list_repos']);
  await undoLatest();
  expect(await Promise.all(tools.map(({ tool }) => isEnabled(tool)))).toEqual([true, true]);
});

it('Rules, profiles, tags and an approval of a server are undone', async () => {
  const { handlers, host, latest, undoLatest, view } = await start();
  await handlers['rules.save']({ rules: [{ pattern: ['*issue*'], enabled: false, active: true }] });
  await undoLatest();
  expect(host.store.get('rules')).toEqual([]);
  await handlers['profiles.save']({ profile: { name: 'work', servers: ['github'], tags: [] } });
  await handlers['profiles.remove']({ name: 'work' });
  await undoLatest();
  expect(await handlers['profiles.list']()).toMatchObject([{ name: 'work' }]);
  await handlers['servers.tag']({ servers: ['github'], add: ['office'], remove: [] });
  expect(view('github').tags).toEqual(['office']);
  await undoLatest();
  expect(view('github').tags).toBeUndefined();
  await handlers['grants.allowActs']({ server: 'github' });
  expect(await latest()).toMatchObject({ items: [{ subject: 'grants', name: 'github' }], mayWiden: false });
  await undoLatest();
  expect(await handlers['grants.list']()).toEqual([]);
  expect(await latest()).toMatchObject({ undo: 'ready', mayWiden: true });
});

it('A server that is disabled, in both places that keep this, is one item, and is enabled again', async () => {
  const { handlers, host, latest, undoLatest, view } = await start();
  await handlers['servers.setEnabled']({ server: 'github', enabled: false });
  expect(await latest()).toMatchObject({ items: [{ subject: 'disabledServers', kind: 'added' }], mayWiden: true });
  expect((await latest()).items).toHaveLength(1);
  await undoLatest();
  expect(view('github').status).not.toBe('disabled');
  expect(host.store.get('disabledServers')).toEqual([]);
  expect(host.store.get('servers')).toMatchObject([{ enabled: true }]);
});

it('A removed server is put back, and an added one is removed', async () => {
  const { handlers, view, latest, undoLatest } = await start();
  await handlers['servers.remove']({ server: 'github' });
  expect(await latest()).toMatchObject({ items: [{ subject: 'servers', kind: 'removed' }], undo: 'ready' });
  await undoLatest();
  expect(view('github').id).toBe('github');
  await handlers['servers.save']({ server: serverConfig('second', commands.github()) });
  await undoLatest();
  expect(() => view('second')).toThrow();
});

it('A renamed server is one entry, which cannot be undone by parts', async () => {
  const { handlers, latest, undoLatest, view } = await start();
  await handlers['servers.rename']({ server: 'github', name: 'hub' });
  expect(await latest()).toMatchObject({ undo: 'none' });
  await expect(undoLatest()).rejects.toMatchObject(notKept);
  expect(view('hub').id).toBe('hub');
});

it('An undone revocation never gives a permission to another server of the same name', async () => {
  const { handlers, latest, list, undo } = await start();
  await handlers['grants.allowActs']({ server: 'github' });
  const [grant] = await handlers['grants.list']();
  await handlers['grants.revoke']({ id: grant?.id ?? '' });
  const { id } = await latest();
  await handlers['servers.remove']({ server: 'github' });
  await handlers['servers.save']({ server: serverConfig('github', commands.memory()) });
  expect((await list()).find((change) => change.id === id)).toMatchObject({ undo: 'changed' });
  await expect(undo(id)).rejects.toMatchObject(changedSince);
  expect(await handlers['grants.list']()).toEqual([]);
});

it('A server that an undone import removed is not replaced with an older one of its name', async () => {
  const { handlers, host, latest, undoLatest, view } = await start();
  await handlers['servers.remove']({ server: 'github' });
  const imported = serverConfig('github', commands.memory());
  host.store.set('servers', [imported]);
  host.store.set('imports', [{ at: Date.now(), servers: ['github'] }]);
  await handlers['config.reload']();
  await handlers['import.undo']();
  expect(await latest()).toMatchObject({ items: [{ subject: 'servers', kind: 'removed' }], by: 'setup', undo: 'none' });
  await expect(undoLatest()).rejects.toMatchObject(notKept);
  expect(() => view('github')).toThrow();
});

it('A change that was made in a terminal says so, and a wire without a user cannot undo it', async () => {
  const { core, latest, isEnabled } = await start();
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: false, isTerminal: true });
  const client = connectCore(ours);
  await client.call('tools.setPolicy', { ...place, enabled: false });
  expect(await latest()).toMatchObject({ by: 'terminal' });
  const { id } = await latest();
  const [agent, script] = linkedWires();
  core.attach(withoutDecisions(script), { answersQuestions: false, isTerminal: true });
  await expect(connectCore(agent).call('changes.undo', { id })).rejects.toMatchObject({
    failure: { code: 'UI_REQUIRED' },
  });
  expect(await isEnabled(place.tool)).toBe(false);
  await client.call('changes.undo', { id });
  expect(await isEnabled(place.tool)).toBe(true);
  agent.close();
  client.close();
});

it.each([
  ['tool', { subject: 'overrides', kind: 'changed' }],
  ['server', { subject: 'disabledServers', kind: 'removed' }],
])('A %s that the user enables in a question of a client is one item, and marked so', async (what, item) => {
  const { core, handlers, legacyClient, list, latest, isEnabled } = await start();
  if (what === 'tool') await handlers['tools.setPolicy']({ ...place, enabled: false });
  else await handlers['servers.setEnabled']({ server: 'github', enabled: false });
  const before = (await list()).length;
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: true });
  const ui = connectCore(ours);
  const client = await legacyClient({}, 'lazy');
  await client.callTool({ name: 'search_tools', arguments: { query: 'create issue' } });
  await expect.poll(() => ui.call('questions.list')).toMatchObject([{ kind: 'enable-request' }]);
  const [question] = await ui.call('questions.list');
  await ui.call('questions.answer', { id: question?.id ?? '', answer: { action: 'accept' } });
  await expect.poll(() => isEnabled(place.tool)).toBe(true);
  expect(await list()).toHaveLength(before + 1);
  expect(await latest()).toMatchObject({ by: 'question', items: [item], undo: 'ready' });
  await client.close();
  ui.close();
});

it('An installed entry of a client is undone with the client’s file', async () => {
  const { handlers, host, latest, undoLatest } = await start();
  const file = join(host.homeDir, '.cursor/mcp.json');
  mkdirSync(join(host.homeDir, '.cursor'));
  const before = '{ "mcpServers": {} }\n';
  writeFileSync(file, before);
  const { token } = await handlers['install.plan']({ client: 'cursor', action: 'install' });
  await handlers['install.apply']({ client: 'cursor', action: 'install', token });
  expect(await latest()).toMatchObject({
    items: [{ subject: 'clientFiles', name: 'Cursor', kind: 'added' }],
    ...{ undo: 'ready', mayWiden: true },
  });
  await undoLatest();
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(await latest()).toMatchObject({ items: [{ kind: 'changed' }], undo: 'none' });
});

it('An accepted tool is held again', async () => {
  const { host, core } = await start();
  const pins = join(host.dataDir, 'pins.json');
  await core.close();
  const written = JSON.parse(readFileSync(pins, 'utf8')) as { pins: Record<string, { isNew?: boolean }> };
  const pin = written.pins['github::create_issue'];
  if (pin) pin.isNew = true;
  writeFileSync(pins, JSON.stringify(written));
  const again = await createCore(host);
  const held = async () => (await again.handlers['tools.details'](place)).held;
  expect((await held())?.reason).toBe('new');
  await again.handlers['tools.accept']({ ...place, fingerprint: (await held())?.fingerprint ?? '' });
  expect(await held()).toBeUndefined();
  const [entry] = await again.handlers['changes.list']();
  expect(entry).toMatchObject({ items: [{ subject: 'pins', name: 'github/create_issue' }], undo: 'ready' });
  await again.handlers['changes.undo']({ id: entry?.id ?? '' });
  expect((await held())?.reason).toBe('new');
  await again.close();
});

it('No secret is in the list or its file, and the list is there after a restart', async () => {
  const host = testHost();
  const trial = await startCore([serverConfig('github', commands.github())], { host });
  const { handlers } = trial.core;
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const canary = 'correct-horse-battery-canary';
  const { token: made } = await handlers['tokens.create']({ name: 'n8n' });
  await handlers['secrets.set']({ name: 'api-key', value: canary });
  await handlers['profiles.save']({ profile: { name: 'p', description: token, servers: [], tags: [] } });
  await handlers['rules.save']({ rules: [{ pattern: [canary], enabled: false, active: true }] });
  const env = { PLAIN: 'plain-canary', NAMED: '${secret:api-key}' };
  const keyed = serverConfig('keyed', { ...commands.github(), env });
  await handlers['servers.save']({ server: keyed });
  await handlers['servers.remove']({ server: 'keyed' });
  const listed = JSON.stringify(await handlers['changes.list']());
  await trial.core.close();
  const written = readFileSync(join(host.dataDir, 'changes.json'), 'utf8');
  const hashes = host.store.get('clientTokens').map(({ hash }) => hash);
  for (const text of [listed, written]) {
    for (const secret of [token, canary, 'plain-canary', made, ...hashes]) expect(text).not.toContain(secret);
    for (const name of ['n8n', 'keyed']) expect(text).toContain(name);
  }
  const again = await startCore([serverConfig('github', commands.github())], { host });
  const after = JSON.stringify(await again.core.handlers['changes.list']());
  expect(after).toContain('n8n');
  host.dispose();
});
