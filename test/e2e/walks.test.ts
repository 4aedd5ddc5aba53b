/**
 * The amount of code that a call executes does not grow.
 *
 * @module-tag exhaustive
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('A warm call executes no more files and functions of Core than before', async () => {
  const bench = join(import.meta.dirname, '../bench/bench.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [bench, 'walks']);
  expect(stdout).toContain('execute_tool');
});
