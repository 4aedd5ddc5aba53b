/** The three layers before a tool: its schema, its annotations, and its circuit breaker. */

import { afterEach, expect, it, vi } from 'vitest';
import { createToolBreakers } from '../../../electron/core/calls/breakers.ts';
import { fail } from '../../../shared/failure.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';

afterEach(() => void vi.useRealTimers());

it('A tool needs a valid schema, needs approval if its annotations warn, and is refused alone after three failures', async () => {
  const t = await startCore([
    serverConfig('plain', commands.misbehaving('schema-bomb')),
    serverConfig('github', commands.github()),
  ]);
  await eventually(() => t.view('plain').toolCount > 0 && t.view('github').toolCount > 0, 'the tools');
  const { handlers } = t.core;
  const end = (server: string, tool: string, args = {}) =>
    t.call(server, tool, args).then(
      () => 'ran',
      (error) => error.failure?.code ?? error.message,
    );

  expect(await end('plain', 'deep')).toBe('TOOL_NOT_FOUND');
  expect(t.view('plain').warnings.join()).toContain('"deep" was skipped');

  const wantsYes = await handlers['tools.list']({ server: 'github', requiresConfirmation: true });
  expect(wantsYes.map(({ name }) => name)).toEqual(['delete_repo']);
  expect(await end('github', 'delete_repo', { repo: 'o/r' })).toBe('APPROVAL_UNAVAILABLE');
  expect(await end('github', 'list_repos')).toBe('ran');

  for (let n = 0; n < 3; n++) expect(await end('plain', 'exit')).not.toBe('TOOL_BREAKER_OPEN');
  await expect(t.call('plain', 'exit')).rejects.toMatchObject({
    failure: { code: 'TOOL_BREAKER_OPEN', message: expect.stringContaining('exited') },
  });
  expect(await end('plain', 'echo', { text: 'x' })).toBe('ran');
  // A restart by the user resets the breaker.
  await handlers['servers.restart']({ server: 'plain' });
  expect(await end('plain', 'exit')).not.toBe('TOOL_BREAKER_OPEN');
});

it("The breaker of a tool lets one call through after 30 seconds, and the user's decisions never open it", async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const breakers = createToolBreakers();
  let isWell = false;
  let reached = 0;
  const call = (tool: string, code: 'SERVER_TIMEOUT' | 'APPROVAL_DENIED' = 'SERVER_TIMEOUT') =>
    breakers
      .run({ server: 's', tool }, async () => {
        reached += 1;
        if (!isWell) throw fail(code, 'Not today.');
        return 'done';
      })
      .catch((error) => error.failure.code);
  for (let n = 0; n < 4; n++) await call('bad');
  expect(reached).toBe(3);
  vi.advanceTimersByTime(29_000);
  expect(await call('bad')).toBe('TOOL_BREAKER_OPEN');
  vi.advanceTimersByTime(1_100);
  expect(await call('bad')).toBe('SERVER_TIMEOUT');
  expect(await call('bad')).toBe('TOOL_BREAKER_OPEN');
  vi.advanceTimersByTime(30_100);
  isWell = true;
  expect([await call('bad'), await call('bad')]).toEqual(['done', 'done']);
  isWell = false;
  for (let n = 0; n < 5; n++) expect(await call('asked', 'APPROVAL_DENIED')).toBe('APPROVAL_DENIED');
});
