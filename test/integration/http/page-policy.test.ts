/** The HTTP server: the page's content security policy, and the time limit of requests. */
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Loopback, listenLoopback } from '../../../electron/http/http.ts';
import { createPageKeys } from '../../../electron/http/page-keys.ts';

const source = join(import.meta.dirname, '../../../renderer/index.html');
const folder = mkdtempSync(join(tmpdir(), 'toolkeep-page-'));
let server: Loopback;

beforeAll(async () => {
  cpSync(source, join(folder, 'index.html'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'main.js'), '');
  server = await listenLoopback({
    keys: createPageKeys(),
    servesPage: () => true,
    rendererDir: folder,
    async handleMcp(request, response) {
      await buffer(request);
      response.flushHeaders();
      await delay(300);
      response.end('received late');
    },
    handleDebugStatus: (_request, response) => void response.writeHead(404).end(),
    onWire: () => undefined,
    log: () => undefined,
    bodyTimeoutMs: 100,
  });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test.each(['/', '/assets/main.js'])('%s may load only from its own origin, and no page may frame it', async (path) => {
  const { status, headers } = await fetch(server.origin + path);
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
  );
  expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${server.port} ws://localhost:${server.port}`);
});

test('The page does not have a second policy', () => {
  expect(readFileSync(source, 'utf8').toLowerCase()).not.toContain('content-security-policy');
});

test('A request whose body does not arrive in time ends, and an answer may take longer', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 5\r\n\r\nab`);
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  await once(socket, 'close');
  expect(text).toContain('408 Request Timeout');
  expect(text).not.toContain('received');
  expect(await (await fetch(`${server.origin}/mcp`, { method: 'POST', body: 'abcde' })).text()).toBe('received late');
});
