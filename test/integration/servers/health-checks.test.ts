/**
 * The server's setting determines the interval of its health checks.
 *
 * @module-tag exhaustive
 */

import { expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { signal } from '../../fixtures/signal.ts';

test('A keep-alive server is checked at its own interval, and replaced when it no longer answers', async () => {
  const lifecycle = { keepAlive: true, healthIntervalMs: 200 };
  const unchecked = { keepAlive: true, healthIntervalMs: 0 };
  const t = await startCore([
    serverConfig('checked', commands.misbehaving(), { lifecycle }),
    serverConfig('unchecked', commands.misbehaving(), { lifecycle: unchecked }),
  ]);
  const pidOf = (server: string) => t.view(server).pid;
  const isRunning = (server: string) => t.view(server).toolCount > 0 && pidOf(server) !== undefined;
  await eventually(() => ['checked', 'unchecked'].every(isRunning), 'the tools of both');
  const [first, silent] = [pidOf('checked'), pidOf('unchecked')];
  signal(silent, 'SIGSTOP');
  signal(first, 'SIGSTOP');
  await eventually(() => isRunning('checked') && pidOf('checked') !== first, 'the replacement');
  expect(t.view('unchecked')).toMatchObject({ status: 'ready', pid: silent });
  signal(silent, 'SIGCONT');
});
