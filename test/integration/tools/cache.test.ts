/** The effect of the cache for users and agents: when lists are fetched again, and what remains after a restart. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../../electron/core/core.ts';
import { type ExternalProject, externalProject, shopTools, toolNames } from '../plugins/external-project.ts';

const names = shopTools.map(({ name }) => name).sort();
const another = { name: 'count_orders', description: 'Counts.', inputSchema: { type: 'object' } };
const discoveries = ({ events }: ExternalProject) => events.filter(({ name }) => name === 'discovery.completed').length;

/** An agent that requests the tools of the server "shop". */
async function askFor({ core }: ExternalProject): Promise<void> {
  const [agent, gateway] = duplexPair();
  core.gateway.serveStream(gateway, {});
  const say = (message: object) => agent.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'agent', version: '1' };
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: { name: 'list_tools', arguments: { server: 'shop' } } });
  let heard = '';
  for await (const chunk of agent) {
    heard += chunk;
    if (heard.includes('"id":2')) break;
  }
  agent.destroy();
  expect(heard).toContain('list_orders');
}

describe('The catalog cache', () => {
  it('answers from disk after a restart, before any server starts, and discovers only what changed', async () => {
    await using folder = await externalProject(({ configure }) => configure({}));
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(names);
    await folder.core.close();
    folder.core = await createCore(folder.host);
    expect(await toolNames(folder, 'shop')).toEqual(names);
    await delay(100);
    const [shop] = await folder.core.handlers['servers.list']();
    expect(shop).toMatchObject({ status: 'idle', toolCount: 4 });
  });

  it('drops a server that was removed while Core was not running', async () => {
    await using folder = await externalProject(({ configure }) => configure({}));
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(names);
    await folder.core.close();
    const file = join(folder.host.dataDir, 'catalog.json');
    expect(readFileSync(file, 'utf8')).toContain('list_orders');
    folder.configure({ servers: [] });
    folder.core = await createCore(folder.host);
    await folder.core.close();
    expect(readFileSync(file, 'utf8')).not.toContain('list_orders');
    folder.core = await createCore(folder.host);
  });

  it('writes nothing to disk while it is disabled', async () => {
    await using folder = await externalProject(({ configure }) => configure({ cache: { enabled: false } }));
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(names);
    await folder.core.close();
    expect(existsSync(join(folder.host.dataDir, 'catalog.json'))).toBe(false);
    folder.core = await createCore(folder.host);
    expect(await toolNames(folder, 'shop')).toEqual([]);
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(names);
  });

  it('is refreshed when an agent reads an entry older than the TTL, and not before', async () => {
    await using folder = await externalProject(({ configure }) => configure({ cache: { ttl: 3600 } }));
    await expect.poll(() => discoveries(folder)).toBe(1);
    await askFor(folder);
    await delay(100);
    expect(discoveries(folder)).toBe(1);

    folder.configure({ cache: { ttl: 0 } });
    await folder.core.handlers['config.reload']();
    folder.offer([...shopTools, another]);
    await askFor(folder);
    await expect.poll(() => toolNames(folder, 'shop')).toContain('count_orders');
  });

  it('is refreshed when a server reconnects', async () => {
    await using folder = await externalProject(({ configure }) => configure({}));
    await expect.poll(() => discoveries(folder)).toBe(1);
    await folder.core.handlers['servers.stop']({ server: 'shop' });
    folder.offer([another]);
    // A stopped server starts on the next call, and its tools stay listed.
    expect(await toolNames(folder, 'shop')).toEqual(names);
    await folder.core.handlers['tools.execute']({ server: 'shop', tool: 'list_orders', arguments: {} });
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(['count_orders']);
  });

  it('changes with a reload only where the configuration changed', async () => {
    await using folder = await externalProject(({ configure, host }) => {
      const command = { command: process.execPath, args: shopArgs(host.cwd) };
      configure({ servers: { one: command, two: command } });
    });
    const command = { command: process.execPath, args: shopArgs(folder.host.cwd) };
    await expect.poll(() => discoveries(folder)).toBe(2);
    const started = async (name: string) =>
      (await folder.core.handlers['servers.list']()).find(({ id }) => id === name)?.startedAt;
    const before = await started('one');
    // The change applies without a reload request.
    folder.configure({ servers: { one: command, two: { ...command, env: { A: '1' } }, three: command } });
    await expect.poll(() => toolNames(folder, 'three').catch(() => [])).toEqual(names);
    await expect.poll(() => discoveries(folder)).toBe(4);
    expect(await started('one')).toBe(before);
    folder.configure({ servers: { one: command } });
    await expect.poll(async () => (await folder.core.handlers['servers.list']()).map(({ id }) => id)).toEqual(['one']);
    expect(await folder.core.handlers['tools.list']({})).toHaveLength(4);
    expect(discoveries(folder)).toBe(4);
  });
});

const shopArgs = (cwd: string) => [
  join(import.meta.dirname, '../../fixtures/misbehaving.ts'),
  'normal',
  `tools-file=${cwd}/offered.json`,
];
