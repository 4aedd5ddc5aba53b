/** An idle Core or desktop app returns to the system what its work has left behind. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { releaseMemory } from '../../../electron/host/release-memory.ts';

let stop: () => void;
let cpuMs: number;
beforeEach(() => {
  cpuMs = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: cpuMs * 1_000, system: 0 }));
  stop = releaseMemory();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets two seconds pass in which the process works for `ms`; returns whether that collected a new piece of garbage. */
async function collectsAfter(ms: number): Promise<boolean> {
  const garbage = new WeakRef({});
  // A weak reference keeps its object until the turn ends.
  await new Promise(setImmediate);
  cpuMs += ms;
  vi.advanceTimersByTime(2_000);
  return garbage.deref() === undefined;
}

it('collects garbage once, when the work is done', async () => {
  expect(await collectsAfter(200)).toBe(false);
  expect(await collectsAfter(10)).toBe(true);
  expect(await collectsAfter(10)).toBe(false);
});

it('collects nothing while it works, or after little work', async () => {
  expect(await collectsAfter(60)).toBe(false);
  expect(await collectsAfter(10)).toBe(false);
  for (const ms of [200, 50, 500]) expect(await collectsAfter(ms)).toBe(false);
});
