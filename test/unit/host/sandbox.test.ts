/**
 * `npm start` on a Linux system where the sandbox of an unpackaged Electron cannot start.
 *
 * @module-tag posix
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sandboxObstacle } from '../../../build/electron.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolkeep-sandbox-'));
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});
/** A program that replaces `unshare`. */
function unshare(code: number): string {
  const file = join(folder, `unshare-${code}`);
  writeFileSync(file, `#!/bin/sh\nexit ${code}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('Without user namespaces and without a setuid helper, the sandbox is unavailable', () => {
  const options = { platform: 'linux' as const, unshare: unshare(1) };
  expect(sandboxObstacle(join(folder, 'electron'), options)).toContain('sandbox');
});

test('With user namespaces, the sandbox is available', () => {
  expect(sandboxObstacle(join(folder, 'electron'), { platform: 'linux', unshare: unshare(0) })).toBeUndefined();
});

test('On other platforms, the sandbox is always available', () => {
  expect(sandboxObstacle(join(folder, 'electron'), { platform: 'darwin', unshare: unshare(1) })).toBeUndefined();
});
