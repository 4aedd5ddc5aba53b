/** Recent activity: calls per day, who called whom today, and the slowest tools. */
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Activity } from '../../../shared/model/home.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { dayOf } from './day.ts';

const slowestCount = 5;

/** `records` are those of the whole period, newest first. */
export function summarize(
  records: readonly CallRecord[],
  days: number,
  now: Date,
): Pick<Activity, 'days' | 'pairs' | 'slowest'> & { from: number } {
  const byDay = new Map<string, Activity['days'][number]>();
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  for (const at = new Date(first); at <= now; at.setDate(at.getDate() + 1))
    byDay.set(dayOf(at), { day: dayOf(at), ok: 0, failed: 0, refused: 0 });
  const today = dayOf(now);
  const byPair = new Map<string, Activity['pairs'][number]>();
  const byTool = new Map<string, Activity['slowest'][number]>();
  for (const record of records) {
    if (record.kind !== 'call') continue;
    const { outcome, client, server, tool, durationMs, waitedMs = 0 } = record;
    const day = dayOf(new Date(record.at));
    const counts = byDay.get(day);
    if (!counts) continue;
    counts[outcome === 'tool-error' ? 'failed' : outcome] += 1;
    if (day === today) {
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
  return { days: [...byDay.values()], pairs, slowest, from: first.getTime() };
}
