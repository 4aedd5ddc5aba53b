/** The copy of the bridge that clients start. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyBridge } from '../../../electron/host/bridge-copy.ts';
import { testHost } from '../../fixtures/host.ts';

it('The copy of the bridge is replaced as a whole, and only if the bridge has changed', () => {
  const { dataDir, dispose } = testHost();
  onTestFinished(dispose);
  const bridge = join(dataDir, 'package-bridge.cjs');
  writeFileSync(bridge, 'version 1');
  const copy = copyBridge(bridge, dataDir);
  const { ino } = statSync(copy);
  expect(copyBridge(bridge, dataDir)).toBe(copy);
  expect(statSync(copy).ino).toBe(ino);

  writeFileSync(bridge, 'version 2');
  copyBridge(bridge, dataDir);
  expect(readFileSync(copy, 'utf8')).toBe('version 2');
  // A file that a client was about to read still has its old content.
  expect(statSync(copy).ino).not.toBe(ino);
});
