/** What Core tells of the steps of a discovery, from real servers. */
import { describe, expect, it } from 'vitest';
import { outsider, shopTools } from '../extension/outsider.ts';

const phases = expect.arrayContaining([expect.objectContaining({ phase: 'discovery' })]);

describe('events', () => {
  it('tell of the start, of each new tool and of the end of a discovery (B16, C6)', async () => {
    await using folder = await outsider(({ configure }) => configure({}));
    const of = (name: string) => folder.events.filter((event) => event.name === name).map(({ data }) => data);
    await folder.core.handlers['servers.restart']({ server: 'shop' });
    expect(of('discovery.started')).toContainEqual({ server: 'shop' });
    expect(of('discovery.completed').at(-1)).toEqual({
      server: 'shop',
      toolCount: 4,
      durationMs: expect.any(Number),
      phases,
    });
    expect(of('tools.registered')).toEqual([
      {
        server: 'shop',
        tools: shopTools.map(({ name }) => ({
          tool: name,
          category: expect.any(String),
          complexity: 'simple',
        })),
      },
    ]);

    // Another look tells only what is new.
    folder.offer([...shopTools, { name: 'count_orders', inputSchema: { type: 'object' } }]);
    await folder.core.handlers['servers.restart']({ server: 'shop' });
    expect(of('tools.registered').at(-1)).toMatchObject({ tools: [{ tool: 'count_orders' }] });
  });

  it('tell of a failure with its code, its reason and the phases it went through (B16, E7)', async () => {
    await using folder = await outsider(({ configure }) =>
      configure({ servers: { ghost: { command: '/nowhere/at/all', args: [] } } }),
    );
    const failures = () => folder.events.filter(({ name }) => name === 'discovery.failed').map(({ data }) => data);
    await folder.core.handlers['servers.restart']({ server: 'ghost' });
    expect(failures().at(-1)).toEqual({
      server: 'ghost',
      code: 'SERVER_SPAWN_FAILED',
      message: expect.stringContaining('/nowhere/at/all'),
      durationMs: expect.any(Number),
      phases: expect.arrayContaining([expect.objectContaining({ phase: 'configuration' })]),
    });
  });

  it('of a plug-in’s own tools bear its name (C6)', async () => {
    const plugin = `export default { name: 'hub', execute: () => ({ content: [] }),
      provideTools: async () => [{ name: 'a', description: 'Gets a.', inputSchema: { type: 'object' } }] };`;
    await using folder = await outsider(({ configure, write }) => {
      write('hub.ts', plugin);
      configure({ plugins: ['./hub.ts'] });
    });
    await folder.core.handlers['servers.restart']({ server: 'hub' });
    expect(folder.events).toContainEqual({
      name: 'discovery.completed',
      data: expect.objectContaining({ server: 'hub', toolCount: 1 }),
    });
  });
});
