/** The plug-ins in `docs/examples`, used from a copy in a folder with a config. */
import { describe, expect, it } from 'vitest';
import { externalProject, shopServer, toolNames } from './external-project.ts';
import { type Hub, startHub } from './hub.ts';

const all = ['add_note', 'delete_order', 'deploy_shop', 'list_orders'];

describe('organization-metadata.ts', () => {
  it('adds the team and cost center to every tool', async () => {
    await using folder = await externalProject(
      ({ write, host }) =>
        write(
          'config.ts',
          `import { defineConfig } from 'toolkeep/config';
           // prose-ok: the name of the example
           import organizationMetadata from './organization-metadata.ts';
           const options = { teams: { deploy: 'operations', order: 'sales' }, costCenters: { sales: '4711' } };
           export default defineConfig({
             servers: { shop: ${shopServer(host)} },
             plugins: [organizationMetadata(options)],
           });`,
        ),
      ['organization-metadata.ts'],
    );
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(all);
    const metadata = async (tool: string) =>
      (await folder.core.handlers['tools.details']({ server: 'shop', tool })).metadata;
    expect(await metadata('deploy_shop')).toEqual({ team: 'operations', costCenter: 'none' });
    expect(await metadata('list_orders')).toEqual({ team: 'sales', costCenter: '4711' });
    expect(await metadata('add_note')).toEqual({ team: 'unassigned', costCenter: 'none' });
    expect(folder.host.logged.filter(({ level }) => level !== 'info')).toEqual([]);
  });
});

describe('role-based-access.ts', () => {
  const withRoles = (...roles: string[]) =>
    externalProject(
      ({ configure }) =>
        configure({ plugins: [{ path: './role-based-access.ts', required: true, options: { roles } }] }),
      ['role-based-access.ts'],
    );
  const say = async ({ core }: Awaited<ReturnType<typeof withRoles>>, tool: string) => {
    const call = { server: 'role-based-access', tool, arguments: {} };
    const { content } = (await core.handlers['tools.execute'](call)) as { content: { text: string }[] };
    return content[0]?.text;
  };

  it('hides tools that need a role that the user does not have, in lists and in calls', async () => {
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

  it('shows everything to an administrator, including the list of refused tools', async () => {
    await using folder = await withRoles('user', 'admin');
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(all);
    await expect.poll(() => toolNames(folder, 'role-based-access')).toEqual(['my_roles', 'refused_tools']);
    expect(await say(folder, 'refused_tools')).toBe('none');
  });

  it('applies to tools that were discovered before it was added', async () => {
    await using folder = await externalProject(({ configure }) => configure({}), ['role-based-access.ts']);
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(all);
    folder.configure({ plugins: [{ path: './role-based-access.ts', required: true, options: { roles: ['user'] } }] });
    await folder.core.handlers['config.reload']();
    // Until the server is discovered again, tools that the plug-in has not processed stay hidden.
    const hits = await folder.core.handlers['tools.search']({ query: 'delete order' });
    expect(hits.map(({ tool }) => tool)).not.toContain('delete_order');
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(['add_note', 'list_orders']);
  });

  it('hides every tool while it cannot be loaded, and shows them once it is fixed', async () => {
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
        hint: 'Fix the plug-in. It is required, so no tools are available until then.',
      }),
    ]);
    folder.write('broken.ts', `export const plugin = { name: 'fixed', transformTool: (tool: unknown) => tool };`);
    await folder.core.handlers['config.reload']();
    await expect.poll(() => toolNames(folder, 'shop')).toEqual(all);
  });
});

describe('tool-hub.ts', () => {
  const withHub = (hub: Hub, options: Record<string, unknown> = {}) =>
    externalProject(
      ({ write }) =>
        write('config.json', {
          refreshInterval: false,
          plugins: [{ path: './tool-hub.ts', options: { url: hub.url, delayMs: 1, ...options } }],
          profiles: { acme: {} },
        }),
      ['tool-hub.ts'],
    );
  const inHub = { server: 'tool-hub' };
  const ready = ({ core }: Awaited<ReturnType<typeof withHub>>) =>
    expect.poll(() => core.handlers['servers.list']()).toMatchObject([{ id: 'tool-hub', status: 'ready' }]);

  it('offers each client the tools that the hub lists for it, and caches the list', async () => {
    const hub = await startHub({ '': ['weather'], acme: ['weather', 'invoices'] });
    await using folder = await withHub(hub);
    await ready(folder);
    const acme = await folder.client({ profile: 'acme', client: 'cursor' });
    const other = await folder.client();
    hub.asked.length = 0;
    expect(await acme.text('list_tools', inHub)).toContain('invoices');
    expect(await acme.text('search_tools', { query: 'invoices' })).toContain('tool-hub/invoices');
    const call = { ...inHub, tool: 'invoices', arguments: {} };
    expect(await acme.text('execute_tool', call)).toBe('/tools/invoices for acme');
    expect(await other.text('list_tools', inHub)).not.toContain('invoices');
    expect(hub.asked).toEqual(['GET /tools acme/cursor', 'POST /tools/invoices acme/cursor']);
  });

  it('requests the list from the hub each time if the cache is disabled', async () => {
    const hub = await startHub({ '': ['weather'] });
    await using folder = await withHub(hub, { ttlMs: 0 });
    await ready(folder);
    const client = await folder.client();
    hub.tools = { '': ['weather', 'tides'] };
    hub.asked.length = 0;
    expect(await client.text('search_tools', { query: 'tides' })).toContain('tool-hub/tides');
    expect(await client.text('execute_tool', { ...inHub, tool: 'tides', arguments: {} })).toBe('/tools/tides for ');
    hub.tools = { '': ['weather'] };
    expect(await client.text('list_tools', inHub)).not.toContain('tides');
    expect(hub.asked).toEqual(['GET /tools /', 'GET /tools /', 'POST /tools/tides /', 'GET /tools /']);
  });

  it('sends one request to the hub for concurrent requests', async () => {
    const hub = await startHub({ '': ['weather'] });
    await using folder = await withHub(hub, { ttlMs: 0 });
    await ready(folder);
    const client = await folder.client();
    hub.asked.length = 0;
    const gate = Promise.withResolvers<void>();
    hub.until = gate.promise;
    const answers = Promise.all(Array.from({ length: 5 }, () => client.text('list_tools', inHub)));
    await expect.poll(() => hub.asked.length).toBe(1);
    gate.resolve();
    expect(new Set(await answers).size).toBe(1);
    expect(hub.asked).toEqual(['GET /tools /']);
  });

  it('uses the last list while the hub is unreachable, and reports a refusal', async () => {
    const hub = await startHub({ '': ['weather'] });
    await using folder = await withHub(hub, { ttlMs: 0 });
    await ready(folder);
    const client = await folder.client();
    await hub.stop();
    expect(await client.text('list_tools', inHub)).toContain('weather');
    const rules = () => folder.events.flatMap(({ name, data }) => (name === 'discovery.failed' ? data.rule : []));
    expect(rules()).toEqual(['transient', 'transient', 'hub-unreachable']);
    await hub.start();
    hub.status = 403;
    expect(JSON.parse(await client.text('list_tools', inHub)).error).toMatchObject({
      code: 'PLUGIN_FAILED',
      message: expect.stringContaining('the hub answered 403'),
    });
    expect(rules().at(-1)).toBe('refused');
  });
});
