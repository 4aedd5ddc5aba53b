/**
 * Measures. `npm run bench` runs every part, `npm run bench -- search tokens` those whose names begin so, `--json FILE`
 * writes the figures as JSON beside. A part is a file that exports `part`; to add one, write the file and name it below.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReport, type Part } from './report.ts';

/** In the order in which they run. Each is loaded only when it does, so that none weighs on another's figures. */
const parts: Record<string, () => Promise<{ part: Part }>> = {
  'search-quality': () => import('./search-quality.ts'),
  'search-speed': () => import('./search-speed.ts'),
  'search-tuning': () => import('./search-tuning.ts'),
  approvals: () => import('./approvals.ts'),
  day: () => import('./day.ts'),
  calls: () => import('./calls.ts'),
  'mcp-hub': () => import('./mcp-hub.ts'),
  start: () => import('./start.ts'),
  'unhealthy-servers': () => import('./unhealthy-servers.ts'),
  tokens: () => import('./tokens.ts'),
  economy: () => import('./economy.ts'),
  install: () => import('./install.ts'),
  prompt: () => import('./prompt.ts'),
  catalog: () => import('./catalog.ts'),
  window: () => import('./window.ts'),
  restarts: () => import('./restarts.ts'),
  fuzz: () => import('./fuzz.ts'),
};

/** Take minutes: they run only when asked for by their whole name. */
const slow = ['search-tuning', 'install', 'restarts', 'fuzz'];

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
const wanted = Object.keys(parts).filter((name) => {
  if (slow.includes(name)) return positionals.includes(name);
  return positionals.length === 0 || positionals.some((start) => name.startsWith(start));
});
if (wanted.length === 0) {
  console.error(`No part begins with ${positionals.join(' or ')}. There are: ${Object.keys(parts).join(', ')}.`);
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
    // One part that fails must not hide the figures of the others, nor pass unseen.
    report.note(`FAILED: ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report.figures(), null, 2)}\n`);
