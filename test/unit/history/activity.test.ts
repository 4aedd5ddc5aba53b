import { describe, expect, it } from 'vitest';
import { summarize } from '../../../electron/core/history/activity.ts';
import type { CallRecord } from '../../../shared/model/call.ts';

const now = new Date(2026, 2, 31, 12);
const call = (daysAgo: number, more: object) =>
  ({
    ...{
      id: 'x',
      at: now.getTime() - daysAgo * 86_400_000,
      kind: 'call',
      client: 'Claude',
      server: 'git',
      tool: 'log',
    },
    ...{ arguments: '', outcome: 'ok', durationMs: 10 },
    ...more,
  }) as CallRecord;

describe('The activity of the last days', () => {
  it('has every day of the period, even across a change to or from daylight saving time, and nothing older', () => {
    const { days, from } = summarize([call(0, {}), call(6, { outcome: 'refused' }), call(7, {})], 7, now);
    expect(days.map(({ day }) => day)).toEqual([
      ...['2026-03-25', '2026-03-26', '2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'],
    ]);
    expect(days[0]).toMatchObject({ ok: 0, failed: 0, refused: 1 });
    expect(days[6]).toMatchObject({ ok: 1, failed: 0, refused: 0 });
    expect(days.reduce((sum, { ok, refused }) => sum + ok + refused, 0)).toBe(2);
    expect(from).toBe(new Date(2026, 2, 25).getTime());
  });

  it('counts the calls of today by client and server', () => {
    const { pairs } = summarize([call(0, {}), call(0, { client: 'Cursor' }), call(0, {}), call(1, {})], 7, now);
    expect(pairs).toEqual([
      { client: 'Claude', server: 'git', calls: 2 },
      { client: 'Cursor', server: 'git', calls: 1 },
    ]);
  });

  it('counts tool errors as failures, and excludes the time spent waiting for the user from averages', () => {
    const { days, slowest } = summarize(
      [
        call(0, { durationMs: 90_000, waitedMs: 89_000 }),
        call(0, { durationMs: 3_000, outcome: 'tool-error' }),
        call(0, { tool: 'push', durationMs: 5_000, outcome: 'failed' }),
        call(0, { tool: 'never', durationMs: 60_000, outcome: 'refused' }),
        call(0, { kind: 'approval', outcome: 'denied' }),
      ],
      1,
      now,
    );
    expect(days).toEqual([{ day: '2026-03-31', ok: 1, failed: 2, refused: 1 }]);
    expect(slowest).toEqual([
      { server: 'git', tool: 'push', calls: 1, averageMs: 5_000 },
      { server: 'git', tool: 'log', calls: 2, averageMs: 2_000 },
    ]);
  });
});
