/** The built files of the programs that run in Node. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('All bundles are ASCII, so that Node does not need two bytes of memory for each of their characters', () => {
  const dist = join(import.meta.dirname, '../../dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /^[^.].*\.c?js$/.test(file));
  const own = files.filter((file) => !file.startsWith('renderer'));
  expect(own).toEqual(expect.arrayContaining(['headless.js', 'cli.js', 'main.js', 'bridge.cjs']));
  const bytes = (file: string) => readFileSync(join(dist, file));
  expect(own.filter((file) => bytes(file).some((byte) => byte > 0x7f))).toEqual([]);
});
