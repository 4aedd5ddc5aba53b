/** `GET /api/status/debug` over the real HTTP server: its content, and who may read it. */

import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveCore } from '../../../electron/http/serving.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { startHttpFixture } from '../../fixtures/http-server.ts';

const path = '/api/status/debug';

async function serve(config: object = {}, env: Record<string, string> = {}) {
  const host = testHost();
  Object.assign(host.env, env);
  const remote = await startHttpFixture();
  const servers = {
    github: { ...commands.github() },
    broken: { ...commands.misbehaving('crash-at-start') },
    remote: { type: 'http', url: remote.url('/modern') },
  };
  const profiles = { work: { servers: ['github'] } };
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify({ servers, profiles, ...config }));
  const serving = await serveCore(host, { rendererDir: host.dataDir });
  onTestFinished(async () => {
    await serving.close();
    await remote.close();
    host.dispose();
  });
  const create = async (name: string, profile?: string) =>
    (await serving.core.handlers['tokens.create']({ name, kind: 'status', profile })).token;
  return { serving, token: await create('all'), limited: await create('limited', 'work') };
}
type Served = Awaited<ReturnType<typeof serve>>;

/** Uses Node's own client, because `fetch` does not let a caller set the Host header. */
function get({ serving }: Served, headers: Record<string, string>, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string; headers: object }>();
  const sent = httpRequest(`${serving.origin}${path}`, { method, headers }, (response) => {
    let body = '';
    response.on('data', (chunk) => {
      body += chunk;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
  });
  sent.once('error', reject).end();
  return promise;
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('The debug status groups servers and tools by transport with their discoveries, and omits those that a token may not see', async () => {
  const served = await serve();
  const views = () => served.serving.core.handlers['servers.list']();
  await eventually(async () => {
    const list = await views();
    return list.filter(({ toolCount }) => toolCount > 0).length === 2 && list.some(({ failure }) => failure);
  }, 'the discoveries');
  const { status, body, headers } = await get(served, bearer(served.token));
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' });
  const { transports } = JSON.parse(body);
  expect(Object.keys(transports).sort()).toEqual(['http', 'stdio']);
  const { servers, discovery } = transports.stdio;
  const [broken, github] = [...servers].sort((a, b) => a.name.localeCompare(b.name));
  expect(github).toMatchObject({ name: 'github', status: 'ready', discovery: { completed: 1, failed: 0 } });
  expect(github.process.pid).toBeGreaterThan(0);
  const { tools, ...issue } = { tools: github.tools, name: 'create_issue', enabled: true };
  expect(tools).toContainEqual({ ...issue, discoveredAt: expect.stringMatching(/^20\d\d-.*Z$/) });
  expect(Date.now() - Date.parse(tools[0].discoveredAt)).toBeLessThan(120_000);
  expect(broken).toMatchObject({ name: 'broken', status: 'failed', discovery: { completed: 0 } });
  expect(broken.discovery.failed).toBeGreaterThan(0);
  expect(discovery).toMatchObject({ servers: 2, tools: github.toolCount, completed: 1 });
  expect(transports.http.servers[0]).toMatchObject({ name: 'remote', status: 'ready' });
  expect(transports.http.servers[0]).not.toHaveProperty('process');
  // Commands, URLs and paths of the machine are not part of it.
  expect(body).not.toContain(process.execPath);
  expect(body).not.toContain('http://');

  const narrow = JSON.parse((await get(served, bearer(served.limited))).body);
  expect(narrow.transports.stdio.servers.map(({ name }: { name: string }) => name)).toEqual(['github']);
  expect(narrow.transports).not.toHaveProperty('http');
});

test('The debug status is refused without a token, with another Host or from another Origin', async () => {
  const served = await serve();
  const { token } = served;
  const refused = [
    { headers: {}, status: 401 },
    { headers: bearer('guess'), status: 401 },
    { headers: { authorization: `Basic ${token}` }, status: 401 },
    { headers: { ...bearer(token), host: 'evil.example' }, status: 403 },
    { headers: { ...bearer(token), host: '127.0.0.1:1' }, status: 403 },
    { headers: { ...bearer(token), origin: 'https://evil.example' }, status: 403 },
    { headers: { ...bearer(token), origin: 'null' }, status: 403 },
  ];
  for (const { headers, status } of refused) {
    const answer = await get(served, headers as Record<string, string>);
    expect(answer.status, JSON.stringify(headers)).toBe(status);
    expect(answer.body).not.toContain('transports');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect((await get(served, bearer(token), 'POST')).status).toBe(405);
  const query = await fetch(`${served.serving.origin}${path}?token=${token}`);
  expect(query.status).toBe(401);
});

test('The environment can close the debug status', async () => {
  const closed = await serve({}, { TOOLKEEP_DEBUG_STATUS: 'false' });
  expect((await get(closed, bearer(closed.token))).status).toBe(404);
});

test('The configuration can disable the debug status', async () => {
  const hidden = await serve({ status: { detail: false } });
  expect((await get(hidden, bearer(hidden.token))).status).toBe(404);
  const off = await serve({ http: { enabled: false } });
  expect((await get(off, bearer(off.token))).status).toBe(403);
});

test('The debug status refuses the token of a client, and the MCP endpoint that of the status', async () => {
  const served = await serve();
  const { handlers } = served.serving.core;
  const { token } = await handlers['tokens.create']({ name: 'client' });
  const refused = await get(served, bearer(token));
  expect(refused.status).toBe(401);
  expect(refused.body).toContain('toolkeep token create NAME --status');
  const headers = { ...bearer(served.token), accept: 'application/json, text/event-stream' };
  expect((await fetch(`${served.serving.origin}/mcp`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  const { token: rotated } = await handlers['tokens.rotate']({ name: 'all' });
  expect((await get(served, bearer(rotated))).status).toBe(200);
});
