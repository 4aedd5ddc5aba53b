/** When the app looks for new versions. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpdateSchedule } from '../../../electron/desktop/update-schedule.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe('The schedule of updates', () => {
  const check = vi.fn<() => void>();
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    check.mockReset();
  });

  it('checks once within two minutes, but not immediately, and then once a day', () => {
    createUpdateSchedule(check).start();
    vi.advanceTimersByTime(29_000);
    expect(check).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(2 * minuteMs);
    expect(check).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(21 * hourMs);
    expect(check).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(6 * hourMs);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('varies its times, so that not all apps check at once', () => {
    const times = [0, 0.5, 0.999].map((random) => {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      const startedAt = Date.now();
      let askedAt = 0;
      const schedule = createUpdateSchedule(() => {
        askedAt = Date.now() - startedAt;
        schedule.stop();
      });
      schedule.start();
      vi.advanceTimersByTime(2 * minuteMs);
      return askedAt;
    });
    expect(times).toEqual([30_000, 60_000, 89_940]);
  });

  it('never checks before it is started or after it is stopped', () => {
    const schedule = createUpdateSchedule(check);
    vi.advanceTimersByTime(48 * hourMs);
    schedule.start();
    schedule.stop();
    vi.advanceTimersByTime(48 * hourMs);
    expect(check).toHaveBeenCalledTimes(0);
  });
});
