/** The events of Core for the steps of a discovery, from real servers. */
import { describe, expect, it } from 'vitest';
import { externalProject, shopTools } from '../plugins/external-project.ts';

const phases = expect.arrayContaining([expect.objectContaining({ phase: 'discovery' })]);

describe('Discovery events', () => {
  it('report the start, each new tool and the end of a discovery', async () => {
    await using folder = await externalProject(({ configure }) => configure({}));
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

    // Another discovery reports only new tools.
    folder.offer([...shopTools, { name: 'count_orders', inputSchema: { type: 'object' } }]);
    await folder.core.handlers['servers.restart']({ server: 'shop' });
    expect(of('tools.registered').at(-1)).toMatchObject({ tools: [{ tool: 'count_orders' }] });
  });

  it('report a failure with its code, reason and phases', async () => {
    await using folder = await externalProject(({ configure }) =>
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

  it("carry the plug-in's name for its own tools", async () => {
    const plugin = `export default { name: 'hub', execute: () => ({ content: [] }),
      provideTools: async () => [{ name: 'a', description: 'Gets a.', inputSchema: { type: 'object' } }] };`;
    await using folder = await externalProject(({ configure, write }) => {
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
