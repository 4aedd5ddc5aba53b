/** Many calls as one, without the other parts of a Core. */
import { expect, it } from 'vitest';
import { type BatchOptions, runBatch } from '../../../electron/core/calls/batch.ts';
import type { RunningCall } from '../../../electron/core/calls/step.ts';

it('Other work runs between the checks of the calls', async () => {
  let checkedAtOnce = 0;
  let most = 0;
  const turns = setInterval(() => (checkedAtOnce = 0), 0);
  const options = {
    journals: { of: () => ({ unread: async () => undefined }) },
    resolve: () => ({}),
    check() {
      checkedAtOnce += 1;
      most = Math.max(most, checkedAtOnce);
      const until = performance.now() + 3;
      while (performance.now() < until);
      throw new Error('refused');
    },
  } as unknown as BatchOptions;
  const detached = { whileWaitingForUser: <R>(wait: Promise<R>) => wait };
  const parent = { client: { name: 'a', id: 'a' }, signal: new AbortController().signal, detached };
  const calls = Array.from({ length: 50 }, (_, index) => ({ server: 's', tool: `t${index}`, arguments: {} }));
  const batch = { calls, stopOnError: true, shown: () => ({}) };
  await expect(runBatch(options, parent as unknown as RunningCall, batch)).rejects.toThrow('50 calls of 50 cannot run');
  clearInterval(turns);
  expect(most).toBeLessThan(20);
});

it('A report stays with its client: with its entry, its bridge process, or else its connection', async () => {
  const keyOf = async (client: object) => {
    const given = Promise.withResolvers<string>();
    const of = (key: string) => {
      given.resolve(key);
      throw new Error('enough');
    };
    const parent = { client: { name: 'agent', ...client } } as unknown as RunningCall;
    const batch = { calls: [{ server: 's', tool: 't', arguments: {} }], stopOnError: true, shown: () => ({}) };
    await runBatch({ journals: { of } } as unknown as BatchOptions, parent, batch).catch(() => {});
    return given.promise;
  };
  const first = await keyOf({ id: '1' });
  expect(await keyOf({ id: '2' })).not.toBe(first);
  const bridged = await keyOf({ id: '3', bridge: 'a' });
  expect(await keyOf({ id: '4', bridge: 'b' })).not.toBe(bridged);
  expect(await keyOf({ id: '5', bridge: 'a' })).toBe(bridged);
  const entered = await keyOf({ id: '6', bridge: 'a', identity: 'entry' });
  expect(await keyOf({ id: '7', bridge: 'b', identity: 'entry' })).toBe(entered);
});
