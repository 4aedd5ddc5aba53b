/** Servers of both transports in one registry: search, rules, calls, and no calls to failed servers. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../electron/core/config/schema.ts';
import { commands } from '../../fixtures/commands.ts';
import { startHttpFixture } from '../../fixtures/http-server.ts';
import { externalProject, shopTools, toolNames } from '../plugins/external-project.ts';

describe('Servers', () => {
  it('over stdio and HTTP share one registry, and each call uses the transport of its server', async () => {
    const http = await startHttpFixture();
    try {
      await using folder = await externalProject(({ configure }) =>
        configure({
          servers: {
            near: commands.misbehaving('normal'),
            far: { type: 'http', url: http.url('/legacy') },
            modern: { type: 'http', url: http.url('/modern') },
          },
        }),
      );
      for (const server of ['near', 'far', 'modern'])
        await expect.poll(async () => (await toolNames(folder, server)).length).toBeGreaterThan(0);
      const views = await folder.core.handlers['servers.list']();
      expect(views.map(({ id, transport }) => [id, transport])).toEqual([
        ['near', 'stdio'],
        ['far', 'http'],
        ['modern', 'http'],
      ]);
      const run = async (server: string, tool: string) => {
        const call = { server, tool, arguments: { text: 'hello' } };
        return JSON.stringify(await folder.core.handlers['tools.execute'](call));
      };
      const before = http.requests.length;
      expect(await run('near', 'echo')).toContain('hello');
      expect(http.requests).toHaveLength(before);
      for (const server of ['far', 'modern']) {
        const sent = http.requests.length;
        await run(server, 'text');
        expect(http.requests.length).toBeGreaterThan(sent);
      }
    } finally {
      await http.close();
    }
  });

  it('that fail to start twice are not retried, and the others continue', async () => {
    await using folder = await externalProject(({ configure, host }) =>
      configure({
        servers: {
          bad: commands.misbehaving('crash-at-initialize', `pids=${host.cwd}/pids`),
          good: commands.misbehaving('normal'),
        },
      }),
    );
    const pids = join(folder.host.cwd, 'pids');
    const starts = () => (existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').length : 0);
    const { handlers } = folder.core;
    const call = () => handlers['tools.execute']({ server: 'bad', tool: 'echo', arguments: {} });
    const bad = async () => (await handlers['servers.list']()).find(({ id }) => id === 'bad');
    await expect.poll(async () => (await bad())?.status).toBe('failed');
    await expect
      .poll(async () => {
        await Promise.allSettled([call()]);
        return (await bad())?.breaker;
      })
      .toBe('open');
    const started = starts();
    await expect(call()).rejects.toMatchObject({ failure: { code: 'SERVER_BREAKER_OPEN' } });
    expect(starts()).toBe(started);
    expect((await bad())?.failure).toMatchObject({ code: 'SERVER_CRASHED' });
    const echo = { server: 'good', tool: 'echo', arguments: { text: 'fine' } };
    expect(await handlers['tools.execute'](echo)).toMatchObject({ content: [{ text: 'fine' }] });
  });

  it('never offer tools that the rules disable', async () => {
    await using folder = await externalProject(({ configure }) =>
      configure({ toolRules: [{ server: 'shop', pattern: ['*', '!list_*'], enabled: false }] }),
    );
    await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(4);
    const { handlers } = folder.core;
    const hits = await handlers['tools.search']({ query: 'order' });
    expect(hits.map(({ tool }) => tool)).toEqual(['list_orders']);
    await expect(handlers['tools.execute']({ server: 'shop', tool: 'add_note', arguments: {} })).rejects.toMatchObject({
      failure: { code: 'TOOL_DISABLED' },
    });
    expect(await handlers['tools.execute']({ server: 'shop', tool: 'list_orders', arguments: {} })).toBeDefined();
  });

  it('are discovered again periodically, because some do not report changes', async () => {
    await using folder = await externalProject(({ configure }) => configure({ refreshInterval: '150ms' }));
    await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(4);
    folder.offer([...shopTools, { name: 'count_orders', inputSchema: { type: 'object' } }]);
    await expect.poll(() => toolNames(folder, 'shop')).toContain('count_orders');
    folder.offer(shopTools.slice(1));
    await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(3);
  });

  it.each([
    [{ NODE_ENV: 'development' }, 30_000],
    [{ NODE_ENV: 'staging' }, 120_000],
    [{ NODE_ENV: 'production' }, 600_000],
    [{ NODE_ENV: 'production', TOOLKEEP_ENV: 'staging' }, 120_000],
    [{ NODE_ENV: 'anything' }, 600_000],
    [{}, 600_000],
  ])('are discovered again at the interval of the environment %j: %i ms', (env, intervalMs) => {
    expect(defaultConfig(env).refreshIntervalMs).toBe(intervalMs);
  });
});
