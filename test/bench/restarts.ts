/** Kills Core 100 times at random moments, under load from three clients, and counts the outcomes of all calls. */
import { killCoreUnderLoad } from '../e2e/kill-core.ts';
import type { Part } from './report.ts';

export const part: Part = {
  about:
    'SIGKILL of Core at random moments under load from a legacy, a full-mode and a modern client with 3 concurrent calls each',
  async run(report) {
    const seed = Number(process.env.SEED) || 1;
    const { others, ...counts } = await killCoreUnderLoad({ kills: Number(process.env.KILLS) || 100, seed });
    report.table(
      `Calls (seed ${seed})`,
      Object.entries(counts).map(([count, value]) => ({ count, value })),
    );
    for (const [answer, times] of Object.entries(others)) report.note(`Other response, ${times} times: ${answer}`);
    const { unanswered, answeredTwice, ranTwice, neverRan, bridgesEnded } = counts;
    if (unanswered + answeredTwice + ranTwice + neverRan + bridgesEnded > 0)
      throw new Error('A call was lost, was answered twice or ran twice, or a bridge ended.');
  },
};
