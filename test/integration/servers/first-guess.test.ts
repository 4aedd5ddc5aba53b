/** A handshake in the wrong era fails in many ways; each of them leaves the other era to try. */
import { expect, test } from 'vitest';
import type { Era } from '../../../electron/core/servers/types.ts';
import { commands } from '../../fixtures/commands.ts';
import { testHost } from '../../fixtures/host.ts';
import { noAnswers, type Reply, startOddHttp } from '../../fixtures/odd-http.ts';
import { failureOf, tryServer } from './server-harness.ts';

const first: [tried: Era, method: string][] = [
  ['modern', 'server/discover'],
  ['legacy', 'initialize'],
];
const other = { modern: 'legacy', legacy: 'modern' };

/** A host that remembers the era of the server. */
function remembering(era: Era) {
  const host = testHost();
  host.store.set('eras', { trial: { era } });
  return host;
}
const withHeaders = (url: string, headers: Record<string, string>) => ({
  server: { connection: { type: 'http' as const, url, headers } },
});

test.each(
  Object.entries(noAnswers).flatMap(([name, reply]) =>
    first.map(([era, method]) => [name, era, method, reply] as const),
  ),
)('After %s in the %s era, the other one is tried', async (_name, era, method, reply) => {
  const { url } = await startOddHttp({ [method]: reply });
  const { handle, call } = tryServer(url, { host: remembering(era) });
  expect((await handle.start()).era).toBe(other[era]);
  expect((await call('get')).content).toEqual([{ type: 'text', text: 'run 1' }]);
});

test('An unknown server that closes the connection is tried in the other era', async () => {
  const { url, methods } = await startOddHttp({ 'server/discover': ({ response }) => void response.destroy() });
  expect((await tryServer(url).handle.start()).era).toBe('legacy');
  expect(methods.slice(0, 2)).toEqual(['server/discover', 'initialize']);
});

test.each([
  ['Authorization', 401],
  ['Authorization', 403],
  ['X-Api-Key', 401],
] as const)('With the %s of the user, HTTP %i for the first guess leaves the other era', async (name, status) => {
  const refuse: Reply = ({ refuse }) => refuse(status);
  const headers = { [name]: 'Bearer 4f9a8b7c6d5e4f3a2b1c' };
  for (const [era, method] of first) {
    const { url } = await startOddHttp({ [method]: refuse });
    const { handle } = tryServer(url, { host: remembering(era), ...withHeaders(url, headers) });
    expect((await handle.start()).era).toBe(other[era]);
  }
});

test('Without a credential of the user, HTTP 403 is final', async () => {
  const { url, methods } = await startOddHttp({ 'server/discover': ({ refuse }) => refuse(403) });
  expect((await failureOf(tryServer(url).handle.start())).code).toBe('SERVER_AUTH_REQUIRED');
  expect(methods).toEqual(['server/discover']);
});

test.each<Record<string, string>>([{ 'retry-after': '0' }, {}])(
  'HTTP 429 waits and repeats the handshake (%j)',
  async (headers) => {
    let refused = 0;
    const { url, methods } = await startOddHttp({
      'server/discover': ({ refuse }) => (refused++ === 0 ? refuse(429, {}, headers) : false),
    });
    expect((await tryServer(url).handle.start()).era).toBe('modern');
    expect(methods.filter((method) => method === 'server/discover')).toHaveLength(2);
  },
);

test('A stdio server that ends at initialize is tried in the other era if it worked before, or names the request', async () => {
  const known = tryServer(commands.modernOnly('exit'), { host: remembering('legacy') });
  expect((await known.handle.start()).era).toBe('modern');
  const unknown = tryServer(commands.modernOnly('exit'));
  expect((await unknown.handle.start()).era).toBe('modern');
});
