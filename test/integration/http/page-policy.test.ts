/** The content security policy of the page: one policy, in the headers of every response. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    handleMcp: async (_request, response) => void response.writeHead(404).end(),
    handleDebugStatus: (_request, response) => void response.writeHead(404).end(),
    onWire: () => undefined,
    log: () => undefined,
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
