/** A starting Core waits for the data folder, unless a Core that keeps running uses it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { onceFree } from '../../../electron/host/running-core.ts';
import { fail } from '../../../shared/failure.ts';
import { testHost } from '../../fixtures/host.ts';

let dataDir: string;
let socket: string;
beforeEach(() => {
  const host = testHost();
  onTestFinished(host.dispose);
  dataDir = host.dataDir;
  socket = process.platform === 'win32' ? `\\\\.\\pipe\\toolkeep-${process.pid}` : join(dataDir, 'core.sock');
  mkdirSync(join(dataDir, 'run'), { recursive: true });
  // This process is alive, but it is not the Core that wrote the file.
  writeFileSync(join(dataDir, 'run', 'core.json'), JSON.stringify({ pid: process.pid, socket }));
});

/** Resolves with the number of attempts until the folder is free. */
async function open(): Promise<number> {
  let attempts = 0;
  return onceFree(
    async () => {
      attempts += 1;
      if (attempts < 3) throw fail('CORE_RUNNING', 'Another Core is running.');
      return attempts;
    },
    { TOOLKEEP_HOME: dataDir },
    { takesOver: true },
  );
}

describe('A Core that starts', () => {
  it('waits for a command that uses the data folder, even if another process now has the ID of a killed Core', async () => {
    expect(await open()).toBe(3);
  });

  it('fails at once if a Core listens and stays', async () => {
    const server = createServer((connection) => connection.destroy());
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    await expect(open()).rejects.toMatchObject({ failure: { code: 'CORE_RUNNING' } });
  });
});
