/**
 * Runs the benchmarks. `npm run bench` runs every part; `npm run bench -- search tokens` runs the parts whose names start with
 * these words; `--json FILE` also writes the figures as JSON. To add a part, write a file that exports `part` and list it below.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReport, type Part } from './report.ts';

/** In the order in which they run. Each part is loaded only when it runs, so it does not affect other parts' figures. */
const parts: Record<string, () => Promise<{ part: Part }>> = {
  'search-quality': () => import('./search-quality.ts'),
  'search-speed': () => import('./search-speed.ts'),
  'search-tuning': () => import('./search-tuning.ts'),
  approvals: () => import('./approvals.ts'),
  day: () => import('./day.ts'),
  calls: () => import('./calls.ts'),
  start: () => import('./start.ts'),
  tokens: () => import('./tokens.ts'),
  walks: () => import('./walks.ts'),
  'fuzz-doors': () => import('./doors.ts'),
};

/** Slow parts, which run only if their full names are given. */
const slow = ['search-tuning', 'fuzz-doors'];

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
const wanted = Object.keys(parts).filter((name) => {
  if (slow.includes(name)) return positionals.includes(name);
  return positionals.length === 0 || positionals.some((start) => name.startsWith(start));
});
if (wanted.length === 0) {
  console.error(`No part begins with ${positionals.join(' or ')}. The parts are: ${Object.keys(parts).join(', ')}.`);
  process.exitCode = 1;
}

const report = createReport((line) => console.log(line));
for (const name of wanted) {
  const { part } = (await parts[name]?.()) ?? {};
  if (part === undefined) continue;
  report.begin(name, part.about);
  try {
    await part.run(report);
  } catch (error) {
    // If one part fails, the others still run, and the failure is reported.
    report.note(`FAILED: ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report.figures(), null, 2)}\n`);
