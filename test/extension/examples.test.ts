/** The plug-ins of `docs/examples`, used as somebody who copied them would: files in a folder of their own, a config beside. */
import { describe, expect, it } from 'vitest';
import { outsider, shopServer, toolNames } from './outsider.ts';

const all = ['add_note', 'delete_order', 'deploy_shop', 'list_orders'];

describe('organisation-metadata.ts', () => {
  it('tells for every tool which team answers for it and which cost centre pays (B17)', async () => {
    await using folder = await outsider(
      ({ write, host }) =>
        write(
          'config.ts',
          `import { defineConfig } from 'gatehouse/config';
           import organisationMetadata from './organisation-metadata.ts';
           const options = { teams: { deploy: 'operations', order: 'sales' }, costCentres: { sales: '4711' } };
           export default defineConfig({
             servers: { shop: ${shopServer(host)} },
             plugins: [organisationMetadata(options)],
           });`,
        ),
      ['organisation-metadata.ts'],
    );
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(all);
    const metadata = async (tool: string) =>
      (await folder.core.handlers['tools.details']({ server: 'shop', tool })).metadata;
    expect(await metadata('deploy_shop')).toEqual({ team: 'operations', costCentre: 'none' });
    expect(await metadata('list_orders')).toEqual({ team: 'sales', costCentre: '4711' });
    expect(await metadata('add_note')).toEqual({ team: 'unassigned', costCentre: 'none' });
    expect(folder.host.logged.filter(({ level }) => level !== 'info')).toEqual([]);
  });
});

describe('role-based-access.ts', () => {
  const withRoles = (...roles: string[]) =>
    outsider(
      ({ configure }) =>
        configure({ plugins: [{ path: './role-based-access.ts', required: true, options: { roles } }] }),
      ['role-based-access.ts'],
    );
  const say = async ({ core }: Awaited<ReturnType<typeof withRoles>>, tool: string) => {
    const call = { server: 'role-based-access', tool, arguments: {} };
    const { content } = (await core.handlers['tools.execute'](call)) as { content: { text: string }[] };
    return content[0]?.text;
  };

  it('keeps from a person what needs a role they do not have, for agents and for calls (B17, C8)', async () => {
    const before = Date.now();
    await using folder = await withRoles('user');
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(['add_note', 'list_orders']);
    const servers = await folder.core.handlers['servers.list']();
    const plugin = servers.find(({ id }) => id === 'role-based-access');
    expect(plugin?.startedAt).toBeGreaterThanOrEqual(before);
    expect(plugin?.transport).toBe('plugin');
    expect(servers.find(({ id }) => id === 'shop')?.transport).toBe('stdio');
    await expect
      .poll(() => toolNames(folder, 'role-based-access'), { message: 'the gate before its own tools' })
      .toEqual(['my_roles']);
    const call = { server: 'shop', tool: 'delete_order', arguments: { id: '1' } };
    await expect(folder.core.handlers['tools.execute'](call)).rejects.toMatchObject({
      failure: { code: 'TOOL_NOT_FOUND' },
    });
    expect(await folder.core.handlers['tools.search']({ query: 'delete order' })).not.toContainEqual(
      expect.objectContaining({ tool: 'delete_order' }),
    );
    expect(await say(folder, 'my_roles')).toBe('user');
  });

  it('offers everything to an administrator, and tells only them what others do not see (B17, C8)', async () => {
    await using folder = await withRoles('user', 'admin');
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(all);
    await expect.poll(() => toolNames(folder, 'role-based-access')).toEqual(['my_roles', 'refused_tools']);
    expect(await say(folder, 'refused_tools')).toBe('none');
  });

  it('has its say on tools that were discovered before it was there', async () => {
    await using folder = await outsider(({ configure }) => configure({}), ['role-based-access.ts']);
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(all);
    folder.configure({ plugins: [{ path: './role-based-access.ts', required: true, options: { roles: ['user'] } }] });
    await folder.core.handlers['config.reload']();
    // Until the server is discovered again, nothing is offered that the plug-in has not seen.
    const hits = await folder.core.handlers['tools.search']({ query: 'delete order' });
    expect(hits.map(({ tool }) => tool)).not.toContain('delete_order');
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(['add_note', 'list_orders']);
  });

  it('closes the gate while it cannot be loaded, and opens it once mended', async () => {
    await using folder = await withRoles('user');
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(['add_note', 'list_orders']);
    const file = folder.write('broken.ts', 'export default () => { throw new Error("no roles today"); }');
    folder.configure({ plugins: [{ path: './broken.ts', required: true }] });
    await folder.core.handlers['config.reload']();
    await expect.poll(() => toolNames(folder, 'shop')).toEqual([]);
    const { valid, problems } = await folder.core.handlers['config.validate']();
    expect(valid).toBe(false);
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'PLUGIN_FAILED',
        file,
        message: `The plug-in ${file} cannot be used: no roles today`,
        hint: 'Mend the plug-in. It is required, so no tool is offered until then.',
      }),
    ]);
    folder.write('broken.ts', `export const plugin = { name: 'mended', transformTool: (tool: unknown) => tool };`);
    await folder.core.handlers['config.reload']();
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(all);
  });
});
