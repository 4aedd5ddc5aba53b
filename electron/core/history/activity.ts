/** Recent activity: who called whom today, and the slowest tools. */
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Activity } from '../../../shared/model/home.ts';
import { toolKey } from '../../../shared/tool-key.ts';

const slowestCount = 5;

/** Covers the last `days` days, today included. */
export function summarize(
  records: readonly CallRecord[],
  days: number,
  now: Date,
): Pick<Activity, 'pairs' | 'slowest'> {
  const startOf = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();
  const [first, today] = [startOf(days - 1), startOf(0)];
  const byPair = new Map<string, Activity['pairs'][number]>();
  const byTool = new Map<string, Activity['slowest'][number]>();
  for (const record of records) {
    if (record.kind !== 'call' || record.at < first) continue;
    const { outcome, client, server, tool, durationMs, waitedMs = 0 } = record;
    if (record.at >= today) {
      const key = JSON.stringify([client, server]);
      const pair = byPair.get(key) ?? { client, server, calls: 0 };
      pair.calls += 1;
      byPair.set(key, pair);
    }
    if (outcome === 'refused') continue;
    const key = toolKey(server, tool);
    const known = byTool.get(key) ?? { server, tool, calls: 0, averageMs: 0 };
    known.averageMs += (durationMs - waitedMs - known.averageMs) / (known.calls + 1);
    known.calls += 1;
    byTool.set(key, known);
  }
  const slowest = [...byTool.values()].sort((a, b) => b.averageMs - a.averageMs).slice(0, slowestCount);
  const pairs = [...byPair.values()].sort((a, b) => b.calls - a.calls);
  return { pairs, slowest };
}
