/** A plug-in's `beforeDiscovery` changes the connection of a server that is about to start. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

/** A Core with one server and a plug-in with this source. */
async function withPlugin(source: string, server: ServerConfig = serverConfig('work', commands.misbehaving('normal'))) {
  const host = testHost();
  onTestFinished(host.dispose);
  mkdirSync(host.dataDir, { recursive: true });
  writeFileSync(join(host.dataDir, 'change.mjs'), `let count = 0;\nexport default { name: 'change', ${source} };`);
  const trial = await startCore([server], { host, config: { plugins: ['./change.mjs'], refreshInterval: false } });
  await trial.core.handlers['servers.restart']({ server: 'work' });
  return trial;
}
const textOf = ({ content }: Record<string, unknown>) => (content as { text: string }[])[0]?.text;
const warnings = (trial: CoreTrial) => trial.view('work').warnings.filter((text) => text.includes('lug-in'));

describe('beforeDiscovery', () => {
  it('changes what the server is started with, also for a call, and the status names the part but not the value', async () => {
    const trial = await withPlugin(
      `beforeDiscovery: (server, { connection }) => connection && { env: { ...connection.env, TEAM: 'from-' + server } }`,
    );
    expect(textOf(await trial.call('work', 'env', { name: 'TEAM' }))).toContain('from-work');
    expect(warnings(trial)).toEqual(['Plug-in "change" changed the connection: env.']);
    await trial.core.handlers['servers.stop']({ server: 'work' });
    expect(textOf(await trial.call('work', 'env', { name: 'TEAM' }))).toContain('from-work');
    await trial.core.handlers['servers.discover']({});
    expect(warnings(trial)).toEqual(['Plug-in "change" changed the connection: env.']);
  });

  it('is called once for a start and its list, and again for a list of the running server', async () => {
    const trial = await withPlugin(
      `beforeDiscovery(server, { connection }) { count += 1; return connection && { env: { COUNT: String(count) } }; }`,
    );
    const count = async () => textOf(await trial.call('work', 'env', { name: 'COUNT' }));
    const first = Number((await count())?.match(/\d+/)?.[0]);
    await trial.core.handlers['servers.discover']({});
    await trial.core.handlers['servers.restart']({ server: 'work' });
    expect(Number((await count())?.match(/\d+/)?.[0])).toBe(first + 2);
  });

  it.each([
    ['a part of another transport', `({ url: 'https://example.com' })`, /may only return command, args, env, cwd/],
    ['an invalid value', `({ args: 'no list' })`, /beforeDiscovery of plug-in "change" was skipped/],
  ])('that returns %s is reported, and the server starts as configured', async (_, result, message) => {
    const trial = await withPlugin(`beforeDiscovery: () => (${result})`);
    expect(trial.view('work').status).toBe('ready');
    expect(warnings(trial).join('\n')).toMatch(message);
  });

  it('that fails keeps the server from starting if the plug-in restricts access', async () => {
    const trial = await withPlugin(`onFailure: 'reject', beforeDiscovery() { throw new Error('no token'); }`);
    expect(trial.view('work')).toMatchObject({ status: 'failed', failure: { code: 'PLUGIN_FAILED' } });
  });
});
