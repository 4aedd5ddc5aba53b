/** The browser gets the page's code in a private file, never in its arguments. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openPage } from '../../../electron/host/open-page.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolkeep-open-'));
  mkdirSync(join(dataDir, 'run'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true, force: true });
});

it('The browser opens a file that redirects to the page, is readable only by the user, and is removed later', async () => {
  const opened: string[] = [];
  const home = join(dataDir, 'home');
  mkdirSync(home);
  await openPage(dataDir, 'http://127.0.0.1:7777/#code=one-time.code', async (url) => void opened.push(url), home);
  const [url = ''] = opened;
  expect(url).toMatch(/^file:\/\/.*toolkeep-open-[0-9a-f]{16}\.html$/);
  expect(url).not.toContain('one-time');
  const file = fileURLToPath(url);
  // A browser from a snap does not read hidden folders.
  expect(dirname(file)).toBe(home);
  expectMode(file, 0o600);
  expect(readFileSync(file, 'utf8')).toContain('content="0;url=http://127.0.0.1:7777/#code=one-time.code"');
  vi.advanceTimersByTime(31_000);
  expect(existsSync(file)).toBe(false);
});
