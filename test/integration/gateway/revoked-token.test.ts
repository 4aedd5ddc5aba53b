/** The calls in progress of an HTTP client when the user revokes its token. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { testHost } from '../../fixtures/host.ts';
import { openClient } from './clients.ts';
import { coreOverHttp } from './core-over-http.ts';

let running: Awaited<ReturnType<typeof coreOverHttp>>;
beforeAll(async () => {
  const host = testHost();
  writeFileSync(
    join(host.dataDir, 'config.json'),
    JSON.stringify({ approvals: { ask: 'dangerous', destinations: 'any' } }),
  );
  host.store.set('servers', [serverConfig('content', commands.content())]);
  running = await coreOverHttp(host);
});
afterAll(() => running.close());

const revoked = 'The user revoked the token of this client.';
const bridge = () => ({ command: '', args: [], env: {} });

test.each([
  ['v1', revoked],
  ['v2 pinned to 2026-07-28', 'was canceled'],
] as const)(
  'The calls of a client are answered when its token is revoked, also on an event stream: %s',
  async (kind, recorded) => {
    const { handlers } = running.core;
    const { url } = running;
    const { token } = await handlers['tokens.create']({ name: kind });
    const client = await openClient(kind, 'http', { url: new URL(url), token, bridge });
    const run = (ms: number) => ({ server: 'content', tool: 'slow', arguments: { ms, steps: 50 } });
    const streaming = Promise.withResolvers<void>();
    const onprogress = () => streaming.resolve();
    const calls = [client.call('execute_tool', run(60_000)), client.call('execute_tool', run(20_000), { onprogress })];
    const ends = calls.map((call) => expect(call).rejects.toThrow(revoked));
    await streaming.promise;
    await handlers['tokens.revoke']({ name: kind });
    await Promise.all(ends);
    await vi.waitFor(async () => expect(await handlers['calls.active']()).toEqual([]));
    const [last] = await handlers['history.list']({ limit: 1 });
    expect(last).toMatchObject({ code: 'CANCELLED', message: expect.stringContaining(recorded) });
    await client.close().catch(() => undefined);
  },
);
