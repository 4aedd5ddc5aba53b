/**
 * A client cannot approve its own call, whatever its tools can do. These are an attacker's options and their limits:
 *
 * - A client token opens only `/mcp`. The page's WebSocket and the local socket use other keys.
 * - A tool that reads every file in Toolkeep's folder gets hashes of tokens, and the key of the local socket, to which
 *   neither a browser nor a tool that reads files can connect. No key of the page is ever written to a file.
 * - A browser gets the page, which can do nothing without a code. A code is valid for one connection. Toolkeep prints it on
 *   the user's terminal, or passes it to the browser in a file that is deleted after half a minute.
 * - A program that takes the port after Toolkeep has ended gets only a nonce from the page, because it cannot prove
 * its identity
 *   (renderer/port-taken.test.ts).
 *
 * A program that runs as the user can open the local socket itself; SECURITY.md explains the consequences.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { handshakeVersion, transcript } from '../../shared/protocol/bridge-protocol.ts';
import { commands } from '../fixtures/commands.ts';
import { openPageSocket } from '../fixtures/page-socket.ts';
import { newProduct } from './product.ts';

const product = newProduct();
let origin: string;
let token: string;

beforeAll(async () => {
  product.file('.toolkeep/config.json', {
    servers: [
      { name: 'github', connection: { type: 'stdio', ...commands.github() } },
      { name: 'memory', connection: { type: 'stdio', ...commands.memory() } },
    ],
  });
  const { output } = await product.serve();
  await vi.waitFor(() => expect(output()).toContain('github: ready'), { timeout: 20_000 });
  origin = readCoreFile(join(product.home, '.toolkeep'))?.httpUrl ?? '';
  expect((await product.cli('profiles', 'save', 'work', '--servers', 'memory')).code).toBe(0);
  token = (await product.cli('token', 'create', 'agent')).stdout.trim();
});
afterAll(() => product.dispose());

async function overHttp(bearer: string, query = ''): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp${query}`), { requestInit }) as never);
  return client;
}
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const deleteRepo = (client: Client) =>
  client.callTool({
    name: 'execute_tool',
    arguments: { server: 'github', tool: 'delete_repo', arguments: { owner: 'o', repo: 'r', confirm: true } },
  });

/** The reply of the page's WebSocket to a first message. */
async function firstReply(message: unknown): Promise<string> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/wire`, { headers: { origin } });
  return new Promise((resolve, reject) => {
    socket.once('open', () => socket.send(JSON.stringify(message)));
    socket.once('message', (data) => resolve(String(data)));
    socket.once('error', reject);
  });
}

/** Every file below the home folder, as a tool that reads files sees it. */
function allFiles(): { path: string; text: string }[] {
  return readdirSync(product.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) => {
      const text = textOfFile(path);
      return text === undefined ? [] : [{ path, text }];
    });
}

/** Undefined if the file has been renamed since it was listed: Core writes a temporary file first. */
function textOfFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

describe('A client with its own token', () => {
  it('cannot run a dangerous tool, nor open a UI connection to approve the call', async () => {
    const client = await overHttp(token);
    expect(textOf(await deleteRepo(client))).toContain('APPROVAL_UNAVAILABLE');
    // Uses the token as the page's key, in every form that the page's WebSocket might accept.
    const nonce = 'n'.repeat(43);
    for (const hello of [
      { token },
      { toolkeep: handshakeVersion, id: token.slice(0, 60), nonce },
      { toolkeep: handshakeVersion, id: 'agent', nonce, token },
      { kind: 'call', id: 1, name: 'questions.list' },
    ])
      expect(JSON.parse(await firstReply(hello)).ok).toBe(false);
    await expect(openPageSocket(`${origin}/#code=agent.${token}`)).rejects.toThrow();
    await client.close();
  });

  it('cannot use the token as the key of the local socket', async () => {
    const address = readCoreFile(join(product.home, '.toolkeep'))?.socket ?? '';
    const socket = connect(address);
    const lines: string[] = [];
    socket.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')));
    const nonce = 'n'.repeat(43);
    socket.write(`${JSON.stringify({ toolkeep: handshakeVersion, nonce })}\n`);
    await expect.poll(() => lines.length).toBe(1);
    const nonces = { client: nonce, core: String(JSON.parse(lines[0] ?? '').nonce) };
    const proof = createHmac('sha256', token)
      .update(transcript('client', address, nonces))
      .digest('base64url');
    socket.write(`${JSON.stringify({ proof, request: { purpose: 'rpc', interactive: true } })}\n`);
    await expect.poll(() => lines.length).toBe(2);
    expect(JSON.parse(lines[1] ?? '').ok).toBe(false);
  });

  it('cannot fill the memory of Core through the socket of the page', async () => {
    const { hostname, port, host } = new URL(origin);
    const socket = connect(Number(port), hostname);
    const lines = ['GET /wire HTTP/1.1', `Host: ${host}`, 'Upgrade: websocket', 'Connection: Upgrade'];
    lines.push('Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`, '', '');
    let received = '';
    const ended = new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.write(lines.join('\r\n'));
    await expect.poll(() => received).toContain('101 Switching Protocols');
    // One text frame of 30 MB that never ends.
    const start = Buffer.alloc(14);
    start.writeUInt16BE(0x81ff);
    start.writeBigUInt64BE(30_000_000n, 2);
    socket.write(Buffer.concat([start, Buffer.alloc(1_000_000)]));
    await ended;
    // Core did not wait for the end of the frame: it would have refused the handshake.
    expect(received).not.toContain('"ok":false');
  });

  it("sees only the token's profile, even if it requests another one", async () => {
    const limited = JSON.parse(
      (await product.cli('token', 'create', 'ci', '--profile', 'work', '--json')).stdout,
    ).token;
    const client = await overHttp(limited);
    expect(textOf(await client.callTool({ name: 'list_mcp_servers', arguments: {} }))).not.toContain('github');
    expect(textOf(await deleteRepo(client))).toMatch(/SERVER_NOT_FOUND|NOT_IN_PROFILE/);
    await expect(overHttp(limited, '?profile=other')).rejects.toThrow(/limited to the profile/);
    await client.close();
  });

  it('loses its session when the token is rotated or revoked, and cannot take over the session of another token', async () => {
    const first = (await product.cli('token', 'create', 'short')).stdout.trim();
    const client = await overHttp(first);
    const session = (client.transport as StreamableHTTPClientTransport).sessionId ?? '';
    const stolen = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'mcp-session-id': session,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' }),
    });
    expect(stolen.status).toBe(404);
    expect((await client.listTools()).tools).toHaveLength(5);
    const second = (await product.cli('token', 'rotate', 'short')).stdout.trim();
    await expect(client.listTools()).rejects.toThrow();
    const again = await overHttp(second);
    expect((await product.cli('token', 'revoke', 'short')).code).toBe(0);
    await expect(again.listTools()).rejects.toThrow();
    expect((await product.cli('token', 'revoke', 'short')).stderr).toContain('short');
  });
});

describe('An agent that reads every file and controls a browser', () => {
  it('finds no token, code or key that opens the page', async () => {
    const code = new URL(await product.pageUrl()).hash.slice('#code='.length);
    const socket = await openPageSocket(`${origin}/#code=${code}`);
    const files = allFiles();
    expect(files.length).toBeGreaterThan(5);
    for (const { path, text } of files) {
      for (const secret of [token, ...code.split('.')]) expect(text.includes(secret), path).toBe(false);
      if (/core\.(json|key)$/.test(path)) expect(statSync(path).mode & 0o077, path).toBe(0);
    }
    // Tries every string in a file that looks like a secret as a code.
    const candidates = new Set(files.flatMap(({ text }) => text.match(/[\w-]{32,64}/g) ?? []).slice(0, 200));
    const [id] = code.split('.');
    for (const candidate of candidates)
      await expect(openPageSocket(`${origin}/#code=${id}.${candidate}`)).rejects.toThrow();
    socket.close();
  });

  it('cannot use the code of an address again', async () => {
    const address = await product.pageUrl();
    (await openPageSocket(address)).close();
    await expect(openPageSocket(address)).rejects.toThrow();
  });

  it('gets no code from the output of a Core without a terminal', async () => {
    for (const { text } of allFiles()) expect(text).not.toContain('#code=');
    const second = await product.cli('serve', '--no-open');
    expect(second.stderr).toMatch(/already running: http:\/\/127\.0\.0\.1:\d+$/m);
  });
});
