/** The lock of a bridge that starts a Core. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCoreStarter } from '../../../electron/bridge/start-core.ts';
import { testHost } from '../../fixtures/host.ts';

it('A bridge with nothing to start says so, and leaves the start to other bridges', () => {
  const { dataDir, dispose } = testHost();
  onTestFinished(dispose);
  // There is no headless Core next to the module in the checkout, and no app has used this data folder.
  const starter = createCoreStarter(dataDir);
  onTestFinished(starter.done);
  expect(starter.start()).toMatch(/Gatehouse's files are missing|needs Node 24/);
  expect(existsSync(join(dataDir, 'run', 'start.lock'))).toBe(false);
});
