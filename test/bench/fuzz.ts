/** Generated inputs for all code that reads external data. TOOLKEEP_FUZZ_INPUTS sets their number, TOOLKEEP_FUZZ_SEED the first seed. */
import { areas, fuzz } from '../fixtures/fuzz/fuzz.ts';
import type { Part } from './report.ts';

const limitMs = 50;

export const part: Part = {
  about: 'generated inputs: no crash, no leak, and no input that blocks the event loop for 50 ms',
  async run(report) {
    const inputs = Number(process.env.TOOLKEEP_FUZZ_INPUTS) || 200_000;
    const seed = Number(process.env.TOOLKEEP_FUZZ_SEED) || Math.floor(Math.random() * 1e9);
    const results = [];
    for (const area of areas) results.push(await fuzz(area, seed, Math.ceil(inputs * area.share)));
    report.table(
      `Seed ${seed}`,
      results.map(({ area, inputs: count, failures, longestMs, longestSeed }) => ({
        area,
        inputs: count,
        failures: failures.length,
        'longest ms': longestMs,
        'at seed': String(longestSeed),
      })),
    );
    const total = results.reduce((sum, { inputs: count }) => sum + count, 0);
    report.note(`${total} inputs.`);
    for (const { area, failures } of results)
      for (const failure of failures) report.note(`FAILED: ${area}, seed ${failure.seed}: ${failure.message}`);
    for (const { area, longestMs, longestSeed } of results)
      if (longestMs > limitMs)
        report.note(`FAILED: ${area}, seed ${longestSeed} blocked the event loop for ${longestMs} ms.`);
    if (results.some(({ failures, longestMs }) => failures.length > 0 || longestMs > limitMs)) process.exitCode = 1;
  },
};
