/**
 * Compares the examples that the tests of this folder run with the inventory.
 *
 * @module-tag exhaustive
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examples } from './examples.ts';

test('Every example of the inventory is run by exactly one test', () => {
  const run = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/^ *example\('([^']+)'/gm)])
    .map(([, id]) => id);
  expect(run.toSorted()).toEqual(examples.map(({ id }) => id).toSorted());
});
