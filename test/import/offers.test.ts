/** What turns up in other apps while a Core runs: told at once, on offer until it is taken or waved off. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { EventName } from '../../shared/contract.ts';
import type { ImportPlan, InstallStatus } from '../../shared/model.ts';
import { type CoreTrial, startCore } from '../fixtures/core.ts';

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
const offersIn = async (trial: CoreTrial) =>
  (await plan(trial)).entries.filter(({ isOffer }) => isOffer).map(({ server }) => server.name);
async function take(trial: CoreTrial, ...names: string[]) {
  const { entries } = await plan(trial);
  const ids = entries.filter(({ server }) => names.includes(server.name)).map(({ id }) => id);
  return await trial.core.handlers['import.apply']({ entries: ids, moveSecrets: false });
}
/** How often that event came since. */
function counted({ core }: CoreTrial, wanted: EventName): () => number {
  let count = 0;
  core.subscribe((name) => {
    if (name === wanted) count += 1;
  });
  return () => count;
}
/** The first look at the files must be over before anything changes. */
const settled = () => delay(600);

test('what there is at the first import is no offer; what an app gets later is, until it is taken', async () => {
  const trial = await startCore([]);
  put(trial, cursor, ['one', 'two']);
  expect(await offersIn(trial)).toEqual([]);
  expect(await take(trial, 'one')).toMatchObject({ imported: ['one'] });
  expect(await offersIn(trial)).toEqual([]);
  put(trial, cursor, ['one', 'two', 'three']);
  expect(await offersIn(trial)).toEqual(['three']);
  await take(trial, 'three');
  expect(await offersIn(trial)).toEqual([]);
});

test('an offer that is waved off stays in the plan and is none any more', async () => {
  const trial = await startCore([]);
  put(trial, cursor, ['one']);
  await take(trial, 'one');
  put(trial, cursor, ['one', 'two']);
  expect(await offersIn(trial)).toEqual(['two']);
  await trial.core.handlers['import.dismiss'](undefined);
  expect(await offersIn(trial)).toEqual([]);
  expect((await plan(trial)).entries.map(({ server, state }) => `${server.name} ${state}`)).toEqual([
    'one known',
    'two new',
  ]);
});

test('an import that is undone is not on offer: the person has just said no to it', async () => {
  const trial = await startCore([]);
  put(trial, cursor, ['one', 'two', 'left']);
  await take(trial, 'one', 'two');
  expect(await trial.core.handlers['import.undo'](undefined)).toEqual({ removed: ['one', 'two'] });
  expect(trial.host.settings.servers).toEqual([]);
  expect(await offersIn(trial)).toEqual([]);
  await expect(async () => trial.core.handlers['import.undo'](undefined)).rejects.toThrow('nothing to undo');
});

test('each undo takes back one import, the last first, and no server of another origin', async () => {
  const trial = await startCore([
    { name: 'own', connection: { type: 'stdio', command: 'x', args: [], env: {} }, enabled: false },
  ]);
  put(trial, cursor, ['one', 'two']);
  await take(trial, 'one');
  await take(trial, 'two');
  expect(await trial.core.handlers['import.undo'](undefined)).toEqual({ removed: ['two'] });
  expect(await trial.core.handlers['import.undo'](undefined)).toEqual({ removed: ['one'] });
  expect(trial.host.settings.servers.map(({ name }) => name)).toEqual(['own']);
});

test('an import is not undone while a server of it was moved out of its app, for then it would be nowhere', async () => {
  const trial = await startCore([]);
  const { handlers } = trial.core;
  put(trial, cursor, ['one']);
  put(trial, claude, ['two']);
  await take(trial, 'one', 'two');
  const choice = { client: 'cursor', action: 'install', moveServers: true } as const;
  const { token, moved } = await handlers['install.plan'](choice);
  expect(moved).toEqual(['one']);
  await handlers['install.apply']({ ...choice, token });
  const undo = async () => handlers['import.undo'](undefined);
  await expect(undo).rejects.toMatchObject({
    failure: { message: expect.stringContaining('Cursor has no one'), hint: expect.stringContaining('undo cursor') },
  });
  expect(trial.host.settings.servers.map(({ name }) => name).sort()).toEqual(['one', 'two']);
  await handlers['install.undo']({ client: 'cursor' });
  expect((await undo()).removed.sort()).toEqual(['one', 'two']);
});

test('a running Core tells at once that an app has a new server', async () => {
  const trial = await startCore([]);
  put(trial, cursor, ['one']);
  await take(trial, 'one');
  await settled();
  const told = counted(trial, 'import.changed');
  put(trial, cursor, ['one', 'two']);
  await expect.poll(told).toBeGreaterThan(0);
  expect(await offersIn(trial)).toEqual(['two']);
});

test('a running Core tells at once that an app lost our entry, and entering again repairs it', async () => {
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
  expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers).toHaveProperty('gatehouse');
});

test('only the change that was shown is made', async () => {
  const trial = await startCore([]);
  const { handlers } = trial.core;
  const file = put(trial, cursor, ['one']);
  const choice = { client: 'cursor', action: 'install' } as const;
  const shown = await handlers['install.plan'](choice);
  expect(shown).not.toHaveProperty('change');
  const refused = { failure: { code: 'CLIENT_FILE_CHANGED' } };
  // The same token for another wish, and the same wish on another file.
  await expect(async () =>
    handlers['install.apply']({ ...choice, mode: 'full', token: shown.token }),
  ).rejects.toMatchObject(refused);
  put(trial, cursor, ['one', 'two']);
  const before = readFileSync(file, 'utf8');
  await expect(async () => handlers['install.apply']({ ...choice, token: shown.token })).rejects.toMatchObject(refused);
  expect(readFileSync(file, 'utf8')).toBe(before);
});
