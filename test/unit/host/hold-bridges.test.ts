/** The lock that keeps bridges from starting a Core. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { holdBridges } from '../../../electron/host/running-core.ts';
import { testHost } from '../../fixtures/host.ts';

function lockOf() {
  const { dataDir, dispose } = testHost();
  onTestFinished(dispose);
  mkdirSync(join(dataDir, 'run'), { recursive: true });
  return { dataDir, lock: join(dataDir, 'run', 'start.lock') };
}

it('This process holds the bridges, and for an installer also for a while after it has ended', () => {
  const { dataDir, lock } = lockOf();
  holdBridges(dataDir)();
  expect(existsSync(lock)).toBe(false);
  const before = Date.now();
  holdBridges(dataDir, { forMs: 20_000 });
  const [pid, until = 0] = readFileSync(lock, 'utf8').split(' ').map(Number);
  expect(pid).toBe(process.pid);
  expect(until).toBeGreaterThanOrEqual(before + 20_000);
});

it('The lock is not taken away from the installer', () => {
  const { dataDir, lock } = lockOf();
  const release = holdBridges(dataDir, { forMs: 20_000 });
  writeFileSync(lock, '4242');
  release();
  expect(readFileSync(lock, 'utf8')).toBe('4242');
});
