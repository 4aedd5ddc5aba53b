/**
 * The size of the project. Each number may only fall: a change that adds removes as much first, or its commit states why the
 * budget rises. `test/unit/architecture/measure.ts` defines the measures; `walks` (test/bench) has the budget of a warm call.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { arrows } from './architecture/arrows.ts';
import { allArrows, filesWithImports, linesOf, longFunctions, sharedNames } from './architecture/measure.ts';

const root = join(import.meta.dirname, '../..');
const read = (...patterns: string[]) =>
  new Map(
    globSync(patterns, { cwd: root }).map((file) => [
      file.replaceAll('\\', '/'),
      readFileSync(join(root, file), 'utf8'),
    ]),
  );
const product = read('{electron,renderer,shared}/**/*.{ts,tsx}');

it.each([
  ['lines of TypeScript in electron, renderer and shared', 91_378, () => linesOf(product)],
  ['lines of CSS', 4_886, () => linesOf(read('renderer/**/*.css'))],
  ['lines of tests, with fixtures and benchmarks', 77_687, () => linesOf(read('test/**/*.{ts,tsx,mjs,cjs}'))],
  ['files that import 15 or more of ours', 64, () => filesWithImports(product, 15)],
  ['exported names with two meanings', 97, () => sharedNames(product)],
  ['functions with 100 or more lines', 50, () => longFunctions(product, 100)],
  ['dependencies between the modules of Core', 58, () => arrows(product)],
  ['dependencies between all modules', 76, () => allArrows(product)],
])('%s: at most %d', (_what, budget, measure) => {
  const measured = measure();
  const count = typeof measured === 'number' ? measured : measured.length;
  expect(count, typeof measured === 'number' ? undefined : measured.join('\n')).toBeLessThanOrEqual(budget);
});
