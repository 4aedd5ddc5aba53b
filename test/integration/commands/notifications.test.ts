/** Notifications of real events: they state facts, and end with the situation. */
import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../shared/model/notification.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

const list = async ({ core }: CoreTrial): Promise<Notification[]> => core.handlers['notifications.list']();
const crasher = serverConfig('db', { command: process.execPath, args: ['-e', 'process.exit(3)'] });

describe('A failed server', () => {
  it('is reported once, also over a restart of Core, until it runs', async () => {
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

it('A call that nobody could approve is reported with its client', async () => {
  const trial = await startCore([serverConfig('github', commands.github())]);
  await trial.core.handlers['servers.restart']({ server: 'github' });
  const client = await trial.legacyClient({}, 'lazy');
  const call = { name: 'execute_tool', arguments: { server: 'github', tool: 'delete_repo', arguments: { repo: 'a' } } };
  await client.callTool(call);
  await client.callTool(call);
  const about = { client: 'old', server: 'github', tool: 'delete_repo', asked: 'approval', reason: 'no-ui' };
  await expect.poll(() => list(trial)).toMatchObject([{ kind: 'not-answered', times: 2, ...about }]);
});
