/**
 * After a kill at any step of a change, the client's file is the old or the new one, and the next run detects which.
 *
 * @module-tag exhaustive
 */
import { afterAll, expect, test } from 'vitest';
import { forgetCompiled, killAtEveryStep, killAtRandom, type Outcome } from './kill-at-every-step.ts';

afterAll(forgetCompiled);

const bad = (outcomes: Outcome[]) =>
  outcomes.filter(({ file, isTold, isTidy }) => file === 'damaged' || !isTold || !isTidy);
const kinds = (outcomes: Outcome[]) => [...new Set(outcomes.map(({ file }) => file))].sort();

test.each(['install', 'undo'] as const)(
  'SIGKILL at every step of %s leaves the old or the new file, and the next run reports which',
  async (action) => {
    const outcomes = await killAtEveryStep(action);
    expect(outcomes.length).toBeGreaterThan(15);
    expect(bad(outcomes)).toEqual([]);
    // Without both outcomes, no kill interrupted the write itself.
    expect(kinds(outcomes)).toEqual(['new', 'old']);
  },
  120_000,
);

const kills = Number(process.env.TOOLKEEP_KILLS) || 12;
test(`SIGKILL at ${kills} random moments leaves the old or the new file, and the next run detects which`, async () => {
  expect(bad(await killAtRandom(kills))).toEqual([]);
}, 600_000);
