/** Notifications of real events: they state facts, and end with the situation. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../shared/model/notification.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';
import { externalProject, shopTools, toolNames } from '../plugins/external-project.ts';

const list = async ({ core }: Pick<CoreTrial, 'core'>): Promise<Notification[]> =>
  core.handlers['notifications.list']();
const crasher = serverConfig('db', { command: process.execPath, args: ['-e', 'process.exit(3)'] });

describe('A failed server', () => {
  it('is reported once, even across a restart of Core, until it runs', async () => {
    const host = testHost();
    const first = await startCore([crasher], { host });
    await expect.poll(() => list(first)).toMatchObject([{ kind: 'server-failed', server: 'db', isRead: false }]);
    await first.core.handlers['notifications.read']({});
    await first.core.close();

    const second = await startCore([crasher], { host });
    await second.core.handlers['servers.restart']({ server: 'db' });
    expect(await list(second)).toMatchObject([{ kind: 'server-failed', isRead: true, isOver: false }]);
    await second.core.handlers['servers.save']({ server: serverConfig('db', commands.github()) });
    await expect.poll(() => list(second)).toMatchObject([{ kind: 'server-failed', isOver: true }]);
    await second.core.close();
    host.dispose();
  });

  it('is no longer reported after it is removed', async () => {
    const trial = await startCore([crasher]);
    await expect.poll(() => list(trial)).toHaveLength(1);
    await trial.core.handlers['servers.remove']({ server: 'db' });
    await expect.poll(() => list(trial)).toMatchObject([{ isOver: true }]);
  });
});

it('A call that no user could approve is reported with its client', async () => {
  const trial = await startCore([serverConfig('github', commands.github())]);
  await trial.core.handlers['servers.restart']({ server: 'github' });
  const client = await trial.legacyClient({}, 'lazy');
  const call = { name: 'execute_tool', arguments: { server: 'github', tool: 'delete_repo', arguments: { repo: 'a' } } };
  await client.callTool(call);
  await client.callTool(call);
  const about = { client: 'old', server: 'github', tool: 'delete_repo', asked: 'approval', reason: 'no-ui' };
  await expect.poll(() => list(trial)).toMatchObject([{ kind: 'not-answered', times: 2, ...about }]);
});

it('Tools that are held are reported until the user accepts them', async () => {
  await using folder = await externalProject(({ configure }) => configure({}));
  await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(4);
  folder.offer([
    ...shopTools,
    { name: 'list_refunds', description: 'Lists refunds.', inputSchema: { type: 'object' } },
  ]);
  const { handlers } = folder.core;
  await handlers['servers.restart']({ server: 'shop' });
  const held = { kind: 'tools-held', server: 'shop', tools: ['list_refunds'] };
  await expect.poll(() => list(folder)).toMatchObject([{ ...held, isOver: false }]);
  await handlers['tools.accept']({ server: 'shop', tool: 'list_refunds' });
  await expect.poll(() => list(folder)).toMatchObject([{ ...held, isOver: true }]);
});

it('New servers in the files of clients are reported until the user has seen them', async () => {
  const trial = await startCore([]);
  const put = (...names: string[]) => {
    const entries = names.map((name) => [name, { command: process.execPath, args: ['-e', '', name] }]);
    mkdirSync(join(trial.host.homeDir, '.cursor'), { recursive: true });
    writeFileSync(
      join(trial.host.homeDir, '.cursor/mcp.json'),
      JSON.stringify({ mcpServers: Object.fromEntries(entries) }),
    );
  };
  put('one');
  await trial.core.handlers['import.dismiss']();
  expect(await list(trial)).toEqual([]);
  put('one', 'two');
  const found = { kind: 'servers-found', servers: ['two'] };
  await expect.poll(() => list(trial)).toMatchObject([{ ...found, isOver: false }]);
  await trial.core.handlers['import.dismiss']();
  await expect.poll(() => list(trial)).toMatchObject([{ ...found, isOver: true }]);
});
