/** Safe edits at scale: the property tests and kill tests of the clients module with 10,000 random files and 200 kills. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Part } from './report.ts';

const root = join(import.meta.dirname, '../..');
const cases = 10_000;
const kills = 200;

export const part: Part = {
  about: `${cases} random files per property, and ${kills} kills during a write`,
  async run(report) {
    const env = { ...process.env, TOOLKEEP_CASES: String(cases), TOOLKEEP_KILLS: String(kills), NO_COLOR: '1' };
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const args = [vitest, 'run', 'test/install', '--testTimeout=600000', '--reporter=json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env, maxBuffer: 1e8 });
    const { testResults } = JSON.parse(stdout) as {
      testResults: { assertionResults: { title: string; status: string; duration: number }[] }[];
    };
    report.table(
      'every one of them holds',
      testResults
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ duration }) => duration > 1_000)
        .map(({ title, status, duration }) => ({ property: title, status, seconds: duration / 1_000 })),
    );
  },
};
