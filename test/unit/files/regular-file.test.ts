/** Files that anyone may have put in their place. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRegularFile, readRegularFileSync } from '../../../electron/core/files/regular-file.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost();
});
afterEach(() => host.dispose());

test.each([0, 1, 64 * 1024, 300_000])('A file of %d bytes is read whole', async (size) => {
  const file = join(host.homeDir, 'file');
  const bytes = Buffer.alloc(size, 'x');
  writeFileSync(file, bytes);
  for (const read of [await readRegularFile(file, size), readRegularFileSync(file, size)])
    expect(Buffer.isBuffer(read) && read.equals(bytes)).toBe(true);
  if (size > 0) expect(await readRegularFile(file, size - 1)).toMatchObject({ size });
});

(process.platform === 'win32' ? test.skip : test)('A pipe that takes the place of a file is not waited for', () => {
  const pipe = join(host.homeDir, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const found = readRegularFileSync(pipe, 10);
  expect(Buffer.isBuffer(found) || found.isFIFO()).toBe(true);
});

(process.platform === 'linux' ? test : test.skip)('A file without an end is refused', async () => {
  expect(String(await readRegularFile('/proc/self/stat', 10_000))).toMatch(/^\d+ /);
  await expect(readRegularFile('/proc/self/pagemap', 10_000)).rejects.toThrow('has no end');
});
