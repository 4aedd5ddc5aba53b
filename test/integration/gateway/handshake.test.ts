/** The handshake on the local socket: neither end reveals anything to an end that cannot prove its identity. */
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, connect as openSocket, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reachCore, readCoreFile } from '../../../electron/bridge/reach-core.ts';
import { type LocalEndpoint, listenLocal } from '../../../electron/core/gateway/local-endpoint.ts';
import { type CoreRequest, handshakeVersion, transcript } from '../../../shared/protocol/bridge-protocol.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

let dataDir: string;
let core: LocalEndpoint | undefined;
let fake: Server | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolkeep-handshake-'));
});
afterEach(async () => {
  await core?.close();
  core = undefined;
  await new Promise((resolve) => (fake ? fake.close(resolve) : resolve(undefined)));
  fake = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

const onMcp = vi.fn((stream: { end(text: string): void }) => stream.end('served\n'));
const start = async (options: Partial<Parameters<typeof listenLocal>[1]> = {}, env = {}) => {
  onMcp.mockClear();
  core = await listenLocal(
    { dataDir, platform: process.platform, version: '0', env },
    { onMcp, onRpc: (wire) => wire.close(), ...options },
  );
  return core;
};
const key = () => readFileSync(join(dataDir, 'run/core.key'));
const mcp: CoreRequest = { purpose: 'mcp' };

/** Sends raw lines to Core. */
function raw(address: string) {
  const socket = openSocket(address);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    send: (message: unknown) =>
      void socket.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    async line(at: number): Promise<Record<string, unknown>> {
      await vi.waitFor(() => expect(received.split('\n').length).toBeGreaterThan(at + 1));
      return JSON.parse(received.split('\n')[at] ?? '');
    },
    closed,
    destroy: () => socket.destroy(),
  };
}

it('A client with the key is served, and its socket carries the following messages', async () => {
  await start();
  const reached = await reachCore(dataDir, { ...mcp, profile: 'work', mode: 'full' });
  expect(reached?.reply).toEqual({ ok: true });
  expect(onMcp).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ profile: 'work', mode: 'full' }));
  const served = new Promise((resolve) => reached?.socket.once('data', (chunk) => resolve(String(chunk))));
  reached?.socket.resume();
  expect(await served).toBe('served\n');
});

it('The key is new at each start, readable only by its user, and deleted at an orderly shutdown', async () => {
  await start();
  const first = key();
  expectMode(join(dataDir, 'run/core.key'), 0o600);
  // A tool that reads text files cannot return it: no byte of it is text.
  expect(key().every((byte) => (byte & 0xc0) === 0x80)).toBe(true);
  await core?.close();
  expect(readCoreFile(dataDir)).toBeUndefined();
  expect(() => key()).toThrow();
  await start();
  expect(key()).not.toBe(first);
});

describe('A listener in the place of Core', () => {
  async function listenInstead(answer: (line: string) => string | undefined): Promise<string[]> {
    await start();
    const { address = '' } = core ?? {};
    const secret = key();
    const about = readFileSync(join(dataDir, 'run/core.json'));
    await core?.close();
    core = undefined;
    // Simulates the state after a crash: the files exist, and another program has the address.
    writeFileSync(join(dataDir, 'run/core.key'), secret);
    writeFileSync(join(dataDir, 'run/core.json'), about);
    const heard: string[] = [];
    fake = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        heard.push(String(chunk));
        const reply = answer(String(chunk));
        if (reply === undefined) socket.end();
        else socket.write(reply);
      });
    });
    await new Promise<void>((resolve) => fake?.listen(address, resolve));
    return heard;
  }

  it.each([
    ['claims success', () => '{"ok":true}\n'],
    ['sends a proof without the key', () => `${JSON.stringify({ nonce: 'x'.repeat(43), proof: 'x'.repeat(43) })}\n`],
    ['reflects the nonce', (line: string) => `${JSON.stringify({ nonce: JSON.parse(line).nonce, proof: '' })}\n`],
    ['hangs up', () => undefined],
  ])('that %s receives only a nonce', async (_what, answer) => {
    const heard = await listenInstead(answer);
    expect(await reachCore(dataDir, { ...mcp, client: 'canary' })).toBeUndefined();
    expect(heard).toHaveLength(1);
    expect(Object.keys(JSON.parse(heard[0] ?? ''))).toEqual(['toolkeep', 'nonce']);
  });
});

describe('Core refuses', () => {
  const nonce = 'n'.repeat(43);
  const hello = { toolkeep: handshakeVersion, nonce };

  it.each([
    ['no JSON', 'GET / HTTP/1.1'],
    ['the old token', { toolkeep: 1, token: 'x'.repeat(43), purpose: 'mcp' }],
    ['no nonce', { toolkeep: handshakeVersion }],
    ['a nonce that is too short to be random', { toolkeep: handshakeVersion, nonce: 'a' }],
    ['a line without end', 'x'.repeat(9000)],
  ])('%s', async (_what, line) => {
    const { address } = await start();
    const peer = raw(address);
    peer.send(line);
    expect((await peer.line(0)).ok).toBe(false);
    await peer.closed;
    expect(onMcp).not.toHaveBeenCalled();
  });

  it("a request without a proof, with Core's own proof, or with a proof for another address", async () => {
    const { address } = await start();
    for (const forge of [
      () => undefined,
      () => 'x'.repeat(43),
      (challenge: Record<string, unknown>) => challenge.proof,
      (challenge: Record<string, unknown>) =>
        createHmac('sha256', key())
          .update(transcript('client', '/another/socket', { client: nonce, core: String(challenge.nonce) }))
          .digest('base64url'),
    ]) {
      const peer = raw(address);
      peer.send(hello);
      const challenge = await peer.line(0);
      peer.send({ proof: forge(challenge), request: mcp });
      expect((await peer.line(1)).ok).toBe(false);
      await peer.closed;
    }
    expect(onMcp).not.toHaveBeenCalled();
  });

  it('a proof that was valid on another connection', async () => {
    const { address } = await start();
    const first = raw(address);
    first.send(hello);
    const { nonce: coreNonce } = await first.line(0);
    const nonces = { client: nonce, core: String(coreNonce) };
    const proof = createHmac('sha256', key())
      .update(transcript('client', address, nonces))
      .digest('base64url');
    const second = raw(address);
    second.send(hello);
    await second.line(0);
    second.send({ proof, request: mcp });
    expect((await second.line(1)).ok).toBe(false);
    first.destroy();
  });
});

it('A request for the page or to yield is answered on the socket', async () => {
  const onYield = vi.fn();
  await start({ onYield, pageUrl: () => 'http://127.0.0.1:1/#code=x' });
  expect((await reachCore(dataDir, { purpose: 'page' }))?.reply.pageUrl).toBe('http://127.0.0.1:1/#code=x');
  expect((await reachCore(dataDir, { purpose: 'yield' }))?.reply.ok).toBe(true);
  expect(onYield).toHaveBeenCalledTimes(1);
});

it('A Core that the user started does not yield', async () => {
  await start();
  await expect(reachCore(dataDir, { purpose: 'yield' })).rejects.toThrow('keeps running');
});

describe('A data folder whose path is too long for a socket', { tags: ['posix'] }, () => {
  let outer: string;
  beforeEach(() => {
    outer = mkdtempSync(join(tmpdir(), 'gh-'));
    dataDir = join(outer, 'x'.repeat(120));
    mkdirSync(dataDir);
  });
  afterEach(() => rmSync(outer, { recursive: true, force: true }));

  it("has its socket in the user's runtime folder", async () => {
    const { address } = await start({}, { XDG_RUNTIME_DIR: outer });
    expect(address.startsWith(join(outer, 'toolkeep/'))).toBe(true);
    expectMode(join(outer, 'toolkeep'), 0o700);
    expect((await reachCore(dataDir, mcp))?.reply.ok).toBe(true);
  });

  it('does not follow a link that another program created there, nor change its target', async () => {
    const victim = join(outer, 'victim');
    mkdirSync(victim, { mode: 0o755 });
    symlinkSync(victim, join(outer, 'toolkeep'));
    const { address } = await start({}, { XDG_RUNTIME_DIR: outer });
    expect(address.startsWith(outer)).toBe(false);
    expectMode(victim, 0o755);
  });
});
