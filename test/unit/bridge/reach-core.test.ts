/** The client end of the local socket, when no Core answers behind it. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reachCore } from '../../../electron/bridge/reach-core.ts';

let dataDir: string;
let address: string;
const server = createServer();
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolkeep-reach-'));
  mkdirSync(join(dataDir, 'run'));
  address = process.platform === 'win32' ? `\\\\.\\pipe\\toolkeep-reach-${process.pid}` : join(dataDir, 'core.sock');
  writeFileSync(join(dataDir, 'run', 'core.json'), JSON.stringify({ pid: 1, socket: address }));
  writeFileSync(join(dataDir, 'run', 'core.key'), 'a key');
  await new Promise<void>((resolve) => server.listen(address, resolve));
});
afterEach(async () => {
  vi.useRealTimers();
  server.close();
  await once(server, 'close');
  rmSync(dataDir, { recursive: true, force: true });
});

it('The bridge gives up after ten seconds if Core accepts the connection but never answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const connection = once(server, 'connection') as Promise<[Socket]>;
  let isSettled = false;
  const reached = reachCore(dataDir, { purpose: 'page' }).finally(() => {
    isSettled = true;
  });
  const [socket] = await connection;
  // The request has arrived, so the other end is waiting for an answer.
  await once(socket, 'data');
  vi.advanceTimersByTime(9_999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSettled).toBe(false);
  const closed = once(socket, 'close');
  vi.advanceTimersByTime(1);
  expect(await reached).toBeUndefined();
  await closed;
});

it('A program that cannot prove that it is Core gets no request', async () => {
  const connection = once(server, 'connection') as Promise<[Socket]>;
  const reached = reachCore(dataDir, { purpose: 'page' });
  const [socket] = await connection;
  const received: string[] = [];
  socket.on('data', (chunk) => received.push(String(chunk)));
  socket.write(`${JSON.stringify({ nonce: 'n', proof: 'forged' })}\n`);
  expect(await reached).toBeUndefined();
  await once(socket, 'close');
  expect(received.join('')).not.toContain('page');
});
