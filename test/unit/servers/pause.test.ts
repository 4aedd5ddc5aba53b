/** The clock of a pause that ends automatically. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPause } from '../../../electron/core/servers/pause.ts';
import { memoryStore } from '../../fixtures/host.ts';

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

const hour = 3_600_000;

function start(store = memoryStore()) {
  const servers = { isPaused: false };
  const events: string[] = [];
  const pause = createPause(servers, { emit: (name) => void events.push(name) }, store);
  return { servers, events, pause, store };
}

it('A pause with an end ends at that time, and says so', () => {
  const { servers, events, pause } = start();
  pause.set(true, 60);
  expect(pause.until).toBe(hour);
  vi.advanceTimersByTime(hour - 1);
  expect(servers.isPaused).toBe(true);
  events.length = 0;
  vi.advanceTimersByTime(1);
  expect([servers.isPaused, pause.until]).toEqual([false, undefined]);
  expect(events).toEqual(['state.changed', 'core.changed', 'list.changed']);
});

it('A new pause, a resume and the end of Core stop the clock of the earlier pause', () => {
  const { servers, events, pause } = start();
  pause.set(true, 15);
  pause.set(true);
  vi.advanceTimersByTime(hour);
  expect([servers.isPaused, pause.until]).toEqual([true, undefined]);
  pause.set(true, 15);
  pause.set(false);
  pause.set(true, 60);
  vi.advanceTimersByTime(hour / 2);
  expect(servers.isPaused).toBe(true);
  pause.close();
  events.length = 0;
  vi.advanceTimersByTime(hour);
  expect(events).toEqual([]);
});

it('A pause lasts when Core starts again, until its end, unless that has passed meanwhile', () => {
  const first = start();
  first.pause.set(true, 60);
  first.pause.close();
  vi.setSystemTime(hour - 1);
  const second = start(first.store);
  expect([second.servers.isPaused, second.pause.until]).toEqual([true, hour]);
  second.pause.close();
  vi.setSystemTime(hour);
  expect(start(first.store).servers.isPaused).toBe(false);
  second.pause.set(true);
  vi.setSystemTime(1000 * hour);
  const last = start(first.store);
  expect([last.servers.isPaused, last.pause.until]).toEqual([true, undefined]);
  last.pause.set(false);
  expect(start(first.store).servers.isPaused).toBe(false);
});

it('While the computer sleeps, the time of a pause goes on', () => {
  const { servers, pause } = start();
  pause.set(true, 60);
  // The timers do not run meanwhile.
  vi.setSystemTime(2 * hour);
  expect(servers.isPaused).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(servers.isPaused).toBe(false);
});
