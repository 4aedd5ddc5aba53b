/** How long a command waits for servers that are connecting. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type OpenCore, settled } from '../../../electron/cli/core.ts';
import type { Terminal } from '../../../electron/cli/terminal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hanging = { id: 'hanging', status: 'starting' };
const terminal = { canAsk: false, err: () => undefined, errStyle: { dim: String } } as unknown as Terminal;

/** Milliseconds that a command waits for a server that never connects. */
async function waited(options: { running: boolean; upForMs: number }, server?: string): Promise<number> {
  const startedAt = Date.now();
  const core = {
    running: options.running,
    client: {
      call: async (name: string) =>
        name === 'core.status'
          ? { startedAt: startedAt - options.upForMs, standstill: [] }
          : [hanging, { id: 'good', status: 'ready' }],
    },
  } as unknown as OpenCore;
  const work = settled(core, terminal, server).then(() => Date.now() - startedAt);
  await vi.runAllTimersAsync();
  return work;
}

it('A server that hangs delays a command by two seconds once Core has run for a while', async () => {
  expect(await waited({ running: true, upForMs: 60_000 })).toBeLessThan(2_100);
});

it('While Core starts, a command waits for its servers until Core has run for ten seconds', async () => {
  const ms = await waited({ running: true, upForMs: 3_000 });
  expect(ms).toBeGreaterThan(6_900);
  expect(ms).toBeLessThan(7_100);
});

it('A command waits up to a minute for a server that it names, and for all servers in its own Core', async () => {
  expect(await waited({ running: true, upForMs: 60_000 }, 'hanging')).toBeGreaterThan(59_900);
  expect(await waited({ running: false, upForMs: 0 })).toBeGreaterThan(59_900);
});
