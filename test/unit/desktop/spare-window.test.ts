/** When the hidden prompt window is kept. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepSpareWindow } from '../../../electron/desktop/spare-window.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('The spare window is closed an hour after the last client has disconnected, and loaded again for the next client', async () => {
  let clients: unknown[] = [];
  let changed: (name: string) => void = () => undefined;
  const kept: boolean[] = [];
  const core = {
    handlers: { 'core.status': async () => ({ clients }) },
    subscribe: (listener: (name: string) => void) => {
      changed = listener;
      return () => undefined;
    },
  };
  keepSpareWindow(core as never, { ask: async () => undefined, keepReady: (isWanted) => kept.push(isWanted) });
  const hasClients = async (count: number) => {
    clients = Array(count).fill({});
    changed('clients.changed');
    await vi.advanceTimersByTimeAsync(0);
  };
  expect(kept).toEqual([true]);
  await vi.advanceTimersByTimeAsync(59 * 60_000);
  await hasClients(1);
  await vi.advanceTimersByTimeAsync(10 * 3_600_000);
  expect(kept).toEqual([true, true]);
  await hasClients(0);
  await vi.advanceTimersByTimeAsync(59 * 60_000);
  expect(kept).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(kept).toEqual([true, true, false]);
  await hasClients(2);
  expect(kept.at(-1)).toBe(true);
});
