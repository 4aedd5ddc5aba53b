/** New servers in clients' files while a Core runs: marked as unseen until they are imported or dismissed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ImportPlan } from '../../../shared/model/import.ts';
import type { InstallStatus } from '../../../shared/model/install.ts';
import type { EventName } from '../../../shared/protocol/contract.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';

const cursor = '.cursor/mcp.json';
const claude = '.config/Claude/claude_desktop_config.json';

function put({ host }: CoreTrial, path: string, names: string[]): string {
  const file = join(host.homeDir, path);
  mkdirSync(dirname(file), { recursive: true });
  const entries = names.map((name) => [name, { command: process.execPath, args: ['-e', '', name], disabled: true }]);
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return file;
}

const plan = async ({ core }: CoreTrial) => (await core.handlers['import.plan']({})) as ImportPlan;
const unseenIn = async (trial: CoreTrial) =>
  (await plan(trial)).entries.filter(({ isUnseen }) => isUnseen).map(({ server }) => server.name);
async function take(trial: CoreTrial, ...names: string[]) {
  const { entries } = await plan(trial);
  const ids = entries.filter(({ server }) => names.includes(server.name)).map(({ id }) => id);
  return await trial.core.handlers['import.apply']({ entries: ids, moveSecrets: false });
}
/** Counts an event. */
function counted({ core }: CoreTrial, wanted: EventName): () => number {
  let count = 0;
  core.subscribe((name) => {
    if (name === wanted) count += 1;
  });
  return () => count;
}
/** Waits for the first check of the files. */
const settled = () => delay(600);

test('Servers at the first import are not marked as unseen; later servers are, until they are imported', async () => {
  const trial = await startCore([]);
  put(trial, cursor, ['one', 'two']);
  expect(await unseenIn(trial)).toEqual([]);
  expect(await take(trial, 'one')).toMatchObject({ imported: ['one'] });
  expect(await unseenIn(trial)).toEqual([]);
  put(trial, cursor, ['one', 'two', 'three']);
  expect(await unseenIn(trial)).toEqual(['three']);
  await take(trial, 'three');
  expect(await unseenIn(trial)).toEqual([]);
});

test('A dismissed entry stays in the plan', async () => {
  const trial = await startCore([]);
  put(trial, cursor, ['one']);
  await take(trial, 'one');
  put(trial, cursor, ['one', 'two']);
  expect(await unseenIn(trial)).toEqual(['two']);
  await trial.core.handlers['import.dismiss'](undefined);
  expect(await unseenIn(trial)).toEqual([]);
  expect((await plan(trial)).entries.map(({ server, state }) => `${server.name} ${state}`)).toEqual([
    'one known',
    'two new',
  ]);
});

test('Servers of an undone import are not marked as unseen', async () => {
  const trial = await startCore([]);
  put(trial, cursor, ['one', 'two', 'left']);
  await take(trial, 'one', 'two');
  expect(await trial.core.handlers['import.undo'](undefined)).toEqual({ removed: ['one', 'two'] });
  expect(trial.host.settings.servers).toEqual([]);
  expect(await unseenIn(trial)).toEqual([]);
  await expect(async () => trial.core.handlers['import.undo'](undefined)).rejects.toThrow('nothing to undo');
});

test('Each undo reverts one import, the latest first, and changes no other server', async () => {
  const trial = await startCore([
    { name: 'own', connection: { type: 'stdio', command: 'x', args: [], env: {} }, enabled: false },
  ]);
  put(trial, cursor, ['one', 'two']);
  await take(trial, 'one');
  await take(trial, 'two');
  const lastImport = async () => (await trial.core.handlers['import.plan']({})).lastImport;
  expect(await lastImport()).toEqual(['two']);
  expect(await trial.core.handlers['import.undo'](undefined)).toEqual({ removed: ['two'] });
  expect(await lastImport()).toEqual(['one']);
  expect(await trial.core.handlers['import.undo'](undefined)).toEqual({ removed: ['one'] });
  expect(await lastImport()).toEqual([]);
  expect(trial.host.settings.servers.map(({ name }) => name)).toEqual(['own']);
});

test("An import cannot be undone if one of its servers was removed from its client's file", async () => {
  const trial = await startCore([]);
  const { handlers } = trial.core;
  const file = put(trial, cursor, ['one']);
  const tiny = join(import.meta.dirname, '../../fixtures/tiny.mjs');
  writeFileSync(file, JSON.stringify({ mcpServers: { one: { command: process.execPath, args: [tiny] } } }));
  put(trial, claude, ['two']);
  await take(trial, 'one', 'two');
  await expect.poll(() => trial.view('one').toolCount).toBe(1);
  const choice = { client: 'cursor', action: 'install', moveServers: true } as const;
  const { token, moved } = await handlers['install.plan'](choice);
  expect(moved).toEqual(['one']);
  await handlers['install.apply']({ ...choice, token });
  const undo = async () => handlers['import.undo'](undefined);
  await expect(undo).rejects.toMatchObject({
    failure: {
      message: expect.stringContaining('Cursor no longer contains one'),
      hint: expect.stringContaining('undo cursor'),
    },
  });
  expect(trial.host.settings.servers.map(({ name }) => name).sort()).toEqual(['one', 'two']);
  await handlers['install.undo']({ client: 'cursor' });
  expect((await undo()).removed.sort()).toEqual(['one', 'two']);
});

test('A running Core reports a new server of a client', async () => {
  const trial = await startCore([]);
  put(trial, cursor, ['one']);
  await take(trial, 'one');
  await settled();
  const told = counted(trial, 'import.changed');
  put(trial, cursor, ['one', 'two']);
  await expect.poll(told).toBeGreaterThan(0);
  expect(await unseenIn(trial)).toEqual(['two']);
});

test("A running Core reports that a client removed Toolkeep's entry, and installing again restores it", async () => {
  const trial = await startCore([]);
  const { handlers } = trial.core;
  const file = put(trial, claude, ['one']);
  const choice = { client: 'claude-desktop', action: 'install' } as const;
  const enter = async () => {
    const { token } = await handlers['install.plan'](choice);
    return handlers['install.apply']({ ...choice, token });
  };
  const state = async () => {
    const statuses = (await handlers['install.status'](undefined)) as InstallStatus[];
    return statuses.find(({ client }) => client === 'claude-desktop')?.state;
  };
  expect(await enter()).toEqual({ file, changed: true });
  expect(await state()).toBe('installed');
  await settled();
  const told = counted(trial, 'import.changed');
  put(trial, claude, []);
  await expect.poll(told).toBeGreaterThan(0);
  expect(await state()).toBe('wiped');
  await enter();
  expect(await state()).toBe('installed');
  expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers).toHaveProperty('toolkeep');
});

test('Only the previewed change is applied', async () => {
  const trial = await startCore([]);
  const { handlers } = trial.core;
  const file = put(trial, cursor, ['one']);
  const choice = { client: 'cursor', action: 'install' } as const;
  const shown = await handlers['install.plan'](choice);
  expect(shown).not.toHaveProperty('change');
  const refused = { failure: { code: 'CLIENT_FILE_CHANGED' } };
  // Reject the same token for another change, and for the same change to another file.
  await expect(async () =>
    handlers['install.apply']({ ...choice, mode: 'full', token: shown.token }),
  ).rejects.toMatchObject(refused);
  put(trial, cursor, ['one', 'two']);
  const before = readFileSync(file, 'utf8');
  await expect(async () => handlers['install.apply']({ ...choice, token: shown.token })).rejects.toMatchObject(refused);
  expect(readFileSync(file, 'utf8')).toBe(before);
});
