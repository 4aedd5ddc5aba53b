/**
 * Core, the bridge or a server ends during a batch: a repeat of the request reports each call truly, and nothing runs twice.
 *
 * @module-tag exhaustive
 */
import { expect, it } from 'vitest';
import { allKills, callsPerPlan, killBatches, type Victim } from './kill-batches.ts';

/** Every step takes an hour. */
const everyNth = 53;

it.each<Victim>(['core', 'bridge', 'server'])('A killed %s', { timeout: 240_000 }, async (victim) => {
  const kills = allKills(victim).filter((_kill, index) => index % everyNth === 5);
  const { ranTwice, untrue, ...report } = await killBatches(kills);
  expect({ ranTwice, untrue }).toEqual({ ranTwice: 0, untrue: [] });
  expect(report).toMatchObject({ kills: kills.length, calls: kills.length * callsPerPlan });
  expect(report.statuses.ok).toBeGreaterThan(0);
});
