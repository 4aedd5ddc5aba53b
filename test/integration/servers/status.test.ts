/** The status of servers, and the parts that it omits if configured. */
import { describe, expect, it } from 'vitest';
import { externalProject, toolNames } from '../plugins/external-project.ts';

describe('The status', () => {
  it('has the process, phases, calls, breaker and failure of each server', async () => {
    await using folder = await externalProject(({ configure }) => configure({}));
    await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(4);
    await folder.core.handlers['tools.execute']({ server: 'shop', tool: 'list_orders', arguments: {} });
    const [shop] = await folder.core.handlers['servers.list']();
    expect(shop).toMatchObject({
      status: 'ready',
      pid: expect.any(Number),
      startedAt: expect.any(Number),
      restarts: 0,
      breaker: 'closed',
      toolCount: 4,
      calls: { total: 1, failed: 0, averageMs: expect.any(Number) },
    });
    expect(shop?.target).toContain('misbehaving.ts');
    expect(shop?.phases.map(({ phase }) => phase)).toEqual([
      ...['configuration', 'transport', 'session', 'discovery', 'registration'],
    ]);
  });

  it('omits details about the machine if details are disabled', async () => {
    const servers = { ghost: { command: '/secret/place/of/a/server', args: [] } };
    await using folder = await externalProject(({ configure }) => configure({ servers, status: { detail: false } }));
    const list = () => folder.core.handlers['servers.list']();
    await expect.poll(async () => (await list())[0]?.status).toBe('failed');
    const [ghost] = await list();
    expect(ghost).toMatchObject({ id: 'ghost', target: '', phases: [], failure: { code: 'SERVER_SPAWN_FAILED' } });
    expect(JSON.stringify(await list())).not.toContain('/secret/place');
    folder.configure({ servers, status: { detail: true } });
    await folder.core.handlers['config.reload']();
    expect(JSON.stringify(await list())).toContain('/secret/place');
  });
});
