/**
 * Runs the public MCP conformance suites against the gateway in front of a fixture server: scenarios that pass with a direct
 * connection also pass through the gateway.
 *
 * @module-tag exhaustive
 */
import { afterEach, describe, expect, test } from 'vitest';
import { httpServerConfig } from '../../fixtures/commands.ts';
import { startConformanceServer } from '../../fixtures/conformance/server.ts';
import { testHost } from '../../fixtures/host.ts';
import { runSuite, type Suite } from './conformance.ts';
import { coreOverHttp } from './core-over-http.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A Core whose only server is at `url`; resolves with the address of that server through the gateway. */
async function throughGateway(url: string): Promise<string> {
  const host = testHost();
  host.store.set('servers', [httpServerConfig('conformance', url)]);
  // No user can be asked: the suite needs the tools, not approvals.
  host.store.set('rules', [{ pattern: ['*'], confirm: 'never', destinations: 'any', active: true }]);
  // The suites drop the query of a URL.
  const core = await coreOverHttp(host, '/mcp?mode=full&server=conformance');
  closers.push(core.close);
  return core.url;
}

/** The minimum number of checks in each suite, because a suite that runs only half of them must not pass. */
const leastChecks: Record<Suite, number> = { legacy: 38, modern: 120 };

describe.each(['legacy', 'modern'] as const)('The %s conformance suite', (suite) => {
  test('A scenario that passes directly passes through the gateway', { timeout: 120_000 }, async () => {
    const server = await startConformanceServer(suite);
    closers.push(() => server.close());
    const direct = await runSuite(suite, server.url);
    const through = await runSuite(suite, await throughGateway(server.url));
    const passing = [...direct].filter(([, problem]) => problem === '').map(([check]) => check);
    expect(passing.length).toBeGreaterThanOrEqual(leastChecks[suite]);
    const lost = passing.filter((check) => through.get(check) !== '');
    expect(Object.fromEntries(lost.map((check) => [check, through.get(check) ?? 'not run']))).toEqual({});
  });
});
