/** The lock under which bridges start a Core. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCoreStarter } from '../../../electron/bridge/start-core.ts';
import { testHost } from '../../fixtures/host.ts';

it('A bridge without a Core to start says so, and releases the lock for other bridges', () => {
  const { dataDir, dispose } = testHost();
  onTestFinished(dispose);
  // There is no headless Core next to the module in the checkout, and no app has used this data folder.
  const starter = createCoreStarter(dataDir);
  onTestFinished(starter.done);
  expect(starter.start()).toMatch(/Toolkeep's files are missing|needs Node 24/);
  expect(existsSync(join(dataDir, 'run', 'start.lock'))).toBe(false);
});

it('A bridge waits for an installer that the app started, although the app has exited', () => {
  const { dataDir, dispose } = testHost();
  onTestFinished(dispose);
  const lock = join(dataDir, 'run', 'start.lock');
  mkdirSync(join(dataDir, 'run'), { recursive: true });
  const gone = 2 ** 22 + 1;
  const starter = createCoreStarter(dataDir);
  onTestFinished(starter.done);
  const held = `${gone} ${Date.now() + 20_000}`;
  writeFileSync(lock, held);
  expect(starter.start()).toBeUndefined();
  expect(readFileSync(lock, 'utf8')).toBe(held);
  // The time has passed, or comes from a different clock.
  for (const until of [Date.now() - 1, Date.now() + 3_600_000]) {
    writeFileSync(lock, `${gone} ${until}`);
    expect(createCoreStarter(dataDir).start()).toMatch(/files are missing|needs Node 24/);
  }
});

it('A lock that a killed bridge left behind is broken, even if another process now has the ID of that bridge', () => {
  const { dataDir, dispose } = testHost();
  onTestFinished(dispose);
  const lock = join(dataDir, 'run', 'start.lock');
  mkdirSync(join(dataDir, 'run'), { recursive: true });
  writeFileSync(lock, String(process.ppid));
  expect(createCoreStarter(dataDir).start()).toBeUndefined();
  expect(readFileSync(lock, 'utf8')).toBe(String(process.ppid));
  // The time is from before a restart of the computer, or from a different clock.
  for (const minutes of [-5, 5]) {
    writeFileSync(lock, String(process.ppid));
    const time = new Date(Date.now() + minutes * 60_000);
    utimesSync(lock, time, time);
    expect(createCoreStarter(dataDir).start()).toMatch(/files are missing|needs Node 24/);
  }
});
