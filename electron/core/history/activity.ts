/** Recent activity: calls per day, and the slowest tools. */
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
): Pick<Activity, 'days' | 'slowest'> & { from: number } {
  const byDay = new Map<string, Activity['days'][number]>();
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  for (const at = new Date(first); at <= now; at.setDate(at.getDate() + 1))
    byDay.set(dayOf(at), { day: dayOf(at), ok: 0, failed: 0, refused: 0 });
  const byTool = new Map<string, Activity['slowest'][number]>();
  for (const record of records) {
    if (record.kind !== 'call') continue;
    const { outcome, server, tool, durationMs, waitedMs = 0 } = record;
    const counts = byDay.get(dayOf(new Date(record.at)));
    if (!counts) continue;
    counts[outcome === 'tool-error' ? 'failed' : outcome] += 1;
    if (outcome === 'refused') continue;
    const key = toolKey(server, tool);
    const known = byTool.get(key) ?? { server, tool, calls: 0, averageMs: 0 };
    known.averageMs += (durationMs - waitedMs - known.averageMs) / (known.calls + 1);
    known.calls += 1;
    byTool.set(key, known);
  }
  const slowest = [...byTool.values()].sort((a, b) => b.averageMs - a.averageMs).slice(0, slowestCount);
  return { days: [...byDay.values()], slowest, from: first.getTime() };
}
