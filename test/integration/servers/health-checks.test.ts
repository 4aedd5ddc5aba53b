/** The server's setting determines the interval of its health checks. */
import { expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from './server-harness.ts';

test('A keep-alive server is checked at its own interval, and replaced when it no longer answers', async () => {
  const lifecycle = { keepAlive: true, healthIntervalMs: 200 };
  const unchecked = { keepAlive: true, healthIntervalMs: 0 };
  const t = await startCore([
    serverConfig('checked', commands.misbehaving(), { lifecycle }),
    serverConfig('unchecked', commands.misbehaving(), { lifecycle: unchecked }),
  ]);
  const pidOf = (server: string) => t.view(server).pid ?? 0;
  await eventually(() => ['checked', 'unchecked'].every((server) => t.view(server).toolCount > 0), 'the tools of both');
  const [first, silent] = [pidOf('checked'), pidOf('unchecked')];
  process.kill(silent, 'SIGSTOP');
  process.kill(first, 'SIGSTOP');
  await eventually(() => pidOf('checked') !== first && t.view('checked').status === 'ready', 'the replacement');
  expect(t.view('unchecked')).toMatchObject({ status: 'ready', pid: silent });
  process.kill(silent, 'SIGCONT');
});
