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
  it('has nothing older than the first day, even across a change to or from daylight saving time', () => {
    const { slowest } = summarize([call(0, {}), call(6, {}), call(7, {})], 7, now);
    expect(slowest).toEqual([{ server: 'git', tool: 'log', calls: 2, averageMs: 10 }]);
  });

  it('counts the calls of today by client and server', () => {
    const { pairs } = summarize([call(0, {}), call(0, { client: 'Cursor' }), call(0, {}), call(1, {})], 7, now);
    expect(pairs).toEqual([
      { client: 'Claude', server: 'git', calls: 2 },
      { client: 'Cursor', server: 'git', calls: 1 },
    ]);
  });

  it('excludes refused calls, and the time spent waiting for the user, from averages', () => {
    const { slowest } = summarize(
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
    expect(slowest).toEqual([
      { server: 'git', tool: 'push', calls: 1, averageMs: 5_000 },
      { server: 'git', tool: 'log', calls: 2, averageMs: 2_000 },
    ]);
  });
});
