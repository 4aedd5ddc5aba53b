/** Circuit breakers: calls to a tool that keeps failing are refused for a while, without effect on other tools. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createToolBreakers } from '../../../electron/core/calls/breakers.ts';
import { fail } from '../../../shared/failure.ts';
import { commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { failureOf, textOf } from '../servers/server-harness.ts';

afterEach(() => vi.useRealTimers());

async function trial() {
  const config = (env: Record<string, string> = {}) => ({ servers: { bad: { ...commands.misbehaving(), env } } });
  const core = await startCore([], { config: config() });
  await expect.poll(() => core.view('bad').toolCount).toBe(6);
  return { ...core, config, code: async () => (await failureOf(core.call('bad', 'exit'))).code };
}

test('A tool is refused with the last cause after three failures, while other tools of its server run', async () => {
  const { call, code } = await trial();
  expect([await code(), await code(), await code()]).toEqual(Array(3).fill('SERVER_CRASHED'));
  const failure = await failureOf(call('bad', 'exit'));
  expect(failure).toMatchObject({ code: 'TOOL_BREAKER_OPEN', message: expect.stringContaining('Last failure: ') });
  expect(textOf(await call('bad', 'echo', { text: 'well' }))).toBe('well');
});

test('A refused tool runs at once after the user restarts or changes its server', async () => {
  const { core, host, config, view, code } = await trial();
  const open = async () => {
    for (let count = 0; count < 3; count += 1) await code();
    return code();
  };
  expect(await open()).toBe('TOOL_BREAKER_OPEN');
  await core.handlers['servers.restart']({ server: 'bad' });
  expect(await code()).toBe('SERVER_CRASHED');

  expect(await open()).toBe('TOOL_BREAKER_OPEN');
  const before = view('bad').pid;
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify(config({ A: '1' })));
  await core.handlers['config.reload']();
  await expect.poll(() => view('bad').status === 'ready' && view('bad').pid !== before).toBe(true);
  expect(await code()).toBe('SERVER_CRASHED');
});

test('The breaker lets one call through after 30 seconds, and its outcome decides', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const breakers = createToolBreakers();
  let isWell = false;
  const run = () =>
    breakers
      .run({ server: 's', tool: 't' }, async () => {
        if (!isWell) throw fail('SERVER_TIMEOUT', 'too slow');
        return 'well';
      })
      .catch((error) => error.failure.code);
  for (let count = 0; count < 3; count += 1) expect(await run()).toBe('SERVER_TIMEOUT');
  expect(await run()).toBe('TOOL_BREAKER_OPEN');
  vi.setSystemTime(Date.now() + 29_000);
  expect(await run()).toBe('TOOL_BREAKER_OPEN');
  vi.setSystemTime(Date.now() + 2_000);
  expect([await run(), await run()]).toEqual(['SERVER_TIMEOUT', 'TOOL_BREAKER_OPEN']);
  vi.setSystemTime(Date.now() + 31_000);
  isWell = true;
  expect([await run(), await run()]).toEqual(['well', 'well']);
});

test('A tool whose server answers with errors is never refused', async () => {
  const { call } = await trial();
  for (let count = 0; count < 6; count += 1)
    expect(await failureOf(call('bad', 'fail'))).toMatchObject({ code: 'TOOL_EXECUTION_ERROR' });
  expect(textOf(await call('bad', 'echo', { text: 'well' }))).toBe('well');
});

test("A user's denial, a cancelled call and an error result do not count as failures of the tool", async () => {
  const breakers = createToolBreakers();
  const outcomes = ['CANCELLED', 'APPROVAL_DENIED', 'ELICITATION_DECLINED', 'SECRET_MISSING'] as const;
  for (const code of outcomes)
    for (let count = 0; count < 4; count += 1) {
      const run = breakers.run({ server: 's', tool: 't' }, () => Promise.reject(fail(code, 'no')));
      expect((await failureOf(run)).code).toBe(code);
    }
  for (let count = 0; count < 4; count += 1)
    expect(await breakers.run({ server: 's', tool: 't' }, async () => ({ isError: true }))).toEqual({ isError: true });
});
