/** The calls in progress that a window lists and cancels. */
import { describe, expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { failureOf } from '../servers/server-harness.ts';

const everything = {
  name: 'every',
  enabled: true,
  connection: { type: 'stdio' as const, ...commands.everything() },
};
const slow = 'trigger-long-running-operation';

describe('A call in progress', () => {
  it('is listed with its progress until the user cancels it', async () => {
    const { core } = await startCore([everything]);
    await core.handlers['servers.restart']({ server: 'every' });
    let changes = 0;
    core.subscribe((name) => {
      if (name === 'calls.changed') changes += 1;
    });
    const call = core.handlers['tools.execute']({
      ...{ server: 'every', tool: slow, callId: 'mine' },
      arguments: { duration: 60, steps: 600 },
    });
    const outcome = failureOf(Promise.resolve(call));
    const active = async () => core.handlers['calls.active']();
    await expect
      .poll(active)
      .toMatchObject([{ client: 'Toolkeep', server: 'every', tool: slow, progress: { total: 600 } }]);
    expect(changes).toBeGreaterThan(0);
    const [shown] = await active();
    core.handlers['calls.cancel']({ id: shown?.id ?? '' });
    expect(await outcome).toMatchObject({ code: 'CANCELLED', message: 'The user canceled the call.' });
    expect(await active()).toEqual([]);
    const [record] = await core.handlers['history.list']({});
    expect(record).toMatchObject({ tool: slow, outcome: 'failed', code: 'CANCELLED' });
  });

  it('shows that it waits for the user, and its statistics exclude that time', async () => {
    const elicit = {
      name: 'asks',
      enabled: true,
      connection: { type: 'stdio' as const, ...commands.elicit() },
    };
    const { core, view } = await startCore([elicit]);
    await core.handlers['servers.restart']({ server: 'asks' });
    core.attach({ send() {}, onFrame() {}, onClose() {}, close() {} }, { answersQuestions: true });
    const call = core.handlers['tools.execute']({ server: 'asks', tool: 'confirm', arguments: {} });
    await expect.poll(async () => core.handlers['calls.active']()).toMatchObject([{ isWaitingForUser: true }]);
    await expect.poll(async () => (await core.handlers['questions.list']()).length).toBe(1);
    const [question] = await core.handlers['questions.list']();
    const asked = Date.now();
    await expect.poll(() => Date.now() - asked).toBeGreaterThan(300);
    const answer = { action: 'accept' as const, value: true };
    expect(await core.handlers['questions.answer']({ id: question?.id ?? '', answer })).toEqual({ accepted: true });
    await call;
    const record = (await core.handlers['history.list']({ kind: 'call' }))[0];
    expect(record?.waitedMs).toBeGreaterThanOrEqual(300);
    expect(record?.waitedMs).toBeLessThanOrEqual(record?.durationMs ?? 0);
    expect(view('asks').calls.averageMs).toBe((record?.durationMs ?? 0) - (record?.waitedMs ?? 0));
  });

  it('includes the wait for its approval in its duration', async () => {
    const { core, view } = await startCore([everything]);
    await core.handlers['servers.restart']({ server: 'every' });
    await core.handlers['rules.save']({ rules: [{ pattern: ['echo'], confirm: 'always', active: true }] });
    core.attach({ send() {}, onFrame() {}, onClose() {}, close() {} }, { answersQuestions: true });
    const call = core.handlers['tools.execute']({ server: 'every', tool: 'echo', arguments: { message: 'hello' } });
    await expect.poll(async () => (await core.handlers['questions.list']()).length).toBe(1);
    const [question] = await core.handlers['questions.list']();
    const asked = Date.now();
    await expect.poll(() => Date.now() - asked).toBeGreaterThan(300);
    await core.handlers['questions.answer']({ id: question?.id ?? '', answer: { action: 'accept', scope: 'once' } });
    await call;
    const record = (await core.handlers['history.list']({ kind: 'call' }))[0];
    expect(record?.waitedMs).toBeGreaterThanOrEqual(300);
    expect(record?.waitedMs).toBeLessThanOrEqual(record?.durationMs ?? 0);
    expect(view('every').calls.averageMs).toBeGreaterThanOrEqual(0);
  });
});
