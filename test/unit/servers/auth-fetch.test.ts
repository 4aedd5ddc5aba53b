/** The URLs that the sign-in to a server may contact. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthFetch, createUrlCheck, zoneOf } from '../../../electron/core/servers/oauth/auth-fetch.ts';

const received: string[] = [];
const local = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  if (request.url?.startsWith('/to?')) response.writeHead(302, { location: request.url.slice(4) }).end();
  else if (request.url === '/large') response.end('x'.repeat(70_000));
  else if (request.url === '/deep') response.end('['.repeat(5_000) + ']'.repeat(5_000));
  else if (request.url === '/none') response.writeHead(404).end('<p>'.repeat(100_000));
  else response.end('{}');
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(local.address() as AddressInfo).port}`;
});
afterAll(() => local.close());

/** Host names and their addresses, so that the test needs no network. */
const names: Record<string, string[]> = {
  'mcp.example.com': ['203.0.113.5'],
  'inside.example.com': ['10.0.0.5'],
  'mixed.example.com': ['203.0.113.5', '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'mcp.corp.internal': ['10.1.2.3'],
};
const resolve = async (host: string) => names[host] ?? [];
const refused = (server: string, url: string, init?: RequestInit) =>
  expect(createAuthFetch(server, resolve)(url, init)).rejects.toMatchObject({ failure: { code: 'URL_REFUSED' } });

test.each([
  ['8.8.8.8', 'public'],
  ['2606:4700::1111', 'public'],
  ['127.8.8.8', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd00::1', 'private'],
  ['169.254.169.254', undefined],
  ['0.0.0.0', undefined],
  ['::', undefined],
  ['fe80::1', undefined],
  ['224.0.0.1', undefined],
  ['not an address', undefined],
])('The address %s is %s', (address, zone) => {
  expect(zoneOf(address)).toBe(zone);
});

test('A remote server cannot make Toolkeep contact this computer or the local network', async () => {
  const before = received.length;
  for (const url of [
    `${origin}/admin/reboot`,
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://inside.example.com/x',
    'https://mixed.example.com/x',
    'https://metadata.example.com/x',
    'https://169.254.169.254/latest/meta-data/',
    'https://unknown.example.com/x',
    'http://mcp.example.com/x',
    'file:///etc/passwd',
    'https://bank.example@mcp.example.com/x',
    'https://:secret@mcp.example.com/x',
  ])
    await refused('https://mcp.example.com/mcp', url);
  expect(received.length).toBe(before);
});

test('A remote server that adds a local address to its name cannot reach this computer', async () => {
  const before = received.length;
  for (const url of [`${origin}/x`, 'https://127.0.0.1/x', 'https://10.1.2.3/x', 'http://mixed.example.com/x'])
    await refused('https://mixed.example.com/mcp', url);
  await refused('http://127.0.0.1:1/mcp', 'http://mixed.example.com/x');
  expect(received.length).toBe(before);
  await createUrlCheck('https://mixed.example.com/mcp', resolve)(new URL('https://mcp.example.com/x'));
});

test('A server in a private network cannot reach loopback', async () => {
  await refused('https://mcp.corp.internal/mcp', `${origin}/x`);
});

test('A local server may use its own origin and another port of this computer', async () => {
  const response = await createAuthFetch('http://127.0.0.1:1/mcp', resolve)(`${origin}/ok`);
  expect(await response.json()).toEqual({});
  expect((await createAuthFetch(`${origin}/mcp`, resolve)(`${origin}/ok`, { method: 'POST' })).status).toBe(200);
});

test('A redirect is checked like the first URL, and only GET is redirected', async () => {
  const authFetch = createAuthFetch(`${origin}/mcp`, resolve);
  expect((await authFetch(`${origin}/to?${origin}/ok`)).status).toBe(200);
  await refused(`${origin}/mcp`, `${origin}/to?https://169.254.169.254/x`);
  await refused(`${origin}/mcp`, `${origin}/to?/to?/to?/to?/to?/to?/to?/ok`);
  await refused(`${origin}/mcp`, `${origin}/to?${origin}/ok`, { method: 'POST', body: 'code=1' });
});

test('A large or deeply nested response is rejected, and a long page for "not found" is not read', async () => {
  const authFetch = createAuthFetch(`${origin}/mcp`, resolve);
  await expect(authFetch(`${origin}/large`)).rejects.toThrow('exceeds');
  await expect(authFetch(`${origin}/deep`)).rejects.toThrow('more than 1000 lists and objects');
  const missing = await authFetch(`${origin}/none`);
  expect([missing.status, await missing.text()]).toEqual([404, '']);
});

test.each([
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
  '::7f00:1',
  '::ffff:0:7f00:1',
  '::ffff:0:127.0.0.1',
  'fec0::1',
  '2001::1',
])('The address %s, which may lead to a local address, is never contacted', (address) => {
  expect(zoneOf(address)).toBeUndefined();
});
