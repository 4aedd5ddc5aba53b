/** MCP Apps through the gateway: two servers whose apps have the same address, for clients with and without apps. */

import { join } from 'node:path';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { isForApps } from '../../../electron/core/tools/apps.ts';
import { serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { textOf } from '../servers/server-harness.ts';

const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const charts = (title: string) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, '../../fixtures/charts.mjs'), title],
});

async function trial() {
  const t = await startCore([serverConfig('sales', charts('Sales')), serverConfig('costs', charts('Costs'))]);
  await eventually(() => ['sales', 'costs'].every((name) => t.view(name).toolCount === 3), 'the tools');
  return t;
}

describe.each(['legacy', 'modern'] as const)('A %s client that shows apps', (era) => {
  const connect = async (mode: 'lazy' | 'full' | 'hybrid') => {
    const t = await trial();
    const client =
      era === 'legacy' ? await t.legacyClient({ extensions }, mode) : await t.modernClient({ extensions }, mode);
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as Record<string, unknown>;
    return { client, call };
  };

  it('lists the tools with apps beside the meta-tools, each with an address of its own', async () => {
    const { client, call } = await connect('lazy');
    const { tools } = await client.listTools();
    const address = (server: string) => `ui://${server}/chart/view.html`;
    expect(
      tools
        .slice(5)
        .map(({ name, _meta: { ui, 'ui/resourceUri': old, 'openai/outputTemplate': other } = {} }) => [
          name,
          { ui, old, other },
        ]),
    ).toEqual(
      ['costs', 'sales'].flatMap((server) => [
        [`${server}-draw`, { ui: { resourceUri: address(server) }, old: address(server) }],
        [`${server}-export`, { other: address(server) }],
      ]),
    );
    expect(textOf((await call('costs-draw')) as never)).toBe('Costs draw');
  });

  it('reads the app of each server at that address', async () => {
    const { client } = await connect('lazy');
    const listed = (await client.listResources()).resources.map(({ uri }) => uri);
    for (const [server, title] of [
      ['sales', 'Sales'],
      ['costs', 'Costs'],
    ]) {
      const uri = `ui://${server}/chart/view.html`;
      expect(listed).toContain(uri);
      expect((await client.readResource({ uri })).contents).toEqual([
        { uri, text: `<h1>${title}</h1>`, _meta: { ui: { csp: {} } } },
      ]);
    }
  });

  it('finds the app in the result of execute_tool, whose own metadata stays', async () => {
    const { call } = await connect('lazy');
    const result = await call('execute_tool', { server: 'sales', tool: 'draw', arguments: {} });
    expect(result._meta).toMatchObject({ kept: true, ui: { resourceUri: 'ui://sales/chart/view.html' } });
  });

  it('finds the app of the right server through the links and metadata of a result', async () => {
    const { client, call } = await connect('hybrid');
    const ways = [
      () => call('execute_tool', { server: 'costs', tool: 'export', arguments: { links: true } }),
      () => call('costs-export', { links: true }),
    ];
    for (const way of ways) {
      const { content, _meta } = (await way()) as { content: Record<string, unknown>[]; _meta: object };
      const uri = 'ui://costs/chart/view.html';
      expect(content.slice(1)).toEqual([
        { type: 'resource_link', uri, name: 'view', _meta: { kept: true } },
        { type: 'resource_link', uri: 'ui://Costs/only-here', name: 'other' },
        { type: 'resource', resource: { uri, text: '<h1></h1>' } },
      ]);
      expect(_meta).toMatchObject({ kept: true });
      const { contents } = await client.readResource({ uri: String(content[1]?.uri) });
      expect(contents).toMatchObject([{ uri, text: '<h1>Costs</h1>' }]);
    }
    const { _meta } = await call('costs-draw', { links: true });
    expect(_meta).toMatchObject({ kept: true, ui: { resourceUri: 'ui://costs/chart/view.html', prefersBorder: true } });
  });

  it('lets an app call the tools that only apps call', async () => {
    const { client, call } = await connect('full');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('sales-reload');
    expect(textOf((await call('sales-reload')) as never)).toBe('Sales reload');
  });
});

it.each(['lazy', 'full', 'hybrid'] as const)(
  "In %s mode, an app calls its server's tools by their own names",
  async (mode) => {
    const t = await trial();
    const client = await t.legacyClient({ extensions }, mode);
    const call = async (name: string) => textOf((await client.callTool({ name, arguments: {} })) as never);
    await expect(call('reload')).rejects.toThrow('Unknown tool: reload');
    for (const [server, title] of [
      ['sales', 'Sales'],
      ['costs', 'Costs'],
      ['sales', 'Sales'],
    ]) {
      await client.readResource({ uri: `ui://${server}/chart/view.html` });
      for (const name of ['reload', 'draw']) expect(await call(name)).toBe(`${title} ${name}`);
    }
    const ofModel = { name: 'x', inputSchema: {}, _meta: { ui: { visibility: ['model'] } } };
    expect(isForApps(ofModel)).toBe(false);
    await t.core.handlers['tools.setPolicy']({ server: 'sales', tool: 'reload', enabled: false });
    expect(await call('reload')).toContain('TOOL_DISABLED');
    const model = await t.legacyClient({}, mode);
    await model.readResource({ uri: 'ui://sales/chart/view.html' });
    await expect(model.callTool({ name: 'draw', arguments: {} })).rejects.toThrow('Unknown tool: draw');
  },
);

describe('A tool that only apps call', () => {
  it('is hidden from models, and refused', async () => {
    const t = await trial();
    const lazy = await t.legacyClient({}, 'lazy');
    const ask = async (name: string, args: object) =>
      textOf((await lazy.callTool({ name, arguments: args as Record<string, unknown> })) as never);
    expect(await ask('list_tools', { server: 'sales' })).toBe('draw: Reads a chart\nexport: Reads a chart');
    expect(await ask('search_tools', { query: 'reload a chart' })).not.toContain('reload');
    for (const [name, args] of [
      ['get_tool_details', {}],
      ['execute_tool', { arguments: {} }],
    ] as const)
      expect(await ask(name, { server: 'sales', tool: 'reload', ...args })).toContain(
        'Only the app of \\"sales\\" can call',
      );
    const full = await t.legacyClient({}, 'full');
    expect((await full.listTools()).tools.map(({ name }) => name)).toEqual(
      ['costs', 'sales'].flatMap((server) => [`${server}-draw`, `${server}-export`]),
    );
    expect(textOf((await full.callTool({ name: 'sales-reload', arguments: {} })) as never)).toContain('Only the app');
  });
});

it("An app is read by its server's own address if only one server has it", async () => {
  const own = 'ui://chart/view.html';
  const t = await startCore([serverConfig('chart', charts('Chart'))]);
  await eventually(() => t.view('chart').toolCount === 3, 'the tools');
  const client = await t.legacyClient({ extensions });
  for (const uri of [own, 'ui://chart/chart/view.html'])
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri, text: '<h1>Chart</h1>' }]);
  const several = await (await trial()).legacyClient({ extensions });
  await expect(several.readResource({ uri: own })).rejects.toThrow('"sales" and "costs" both offer');
});

it('A link to an app stays unchanged if only one server has it', async () => {
  const t = await startCore([serverConfig('chart', charts('Chart'))]);
  await eventually(() => t.view('chart').toolCount === 3, 'the tools');
  const client = await t.legacyClient({ extensions });
  const { content, _meta } = await client.callTool({ name: 'chart-draw', arguments: { links: true } });
  const uri = 'ui://chart/view.html';
  expect(content).toMatchObject([{}, { uri }, {}, { resource: { uri } }]);
  expect(_meta).toMatchObject({ ui: { resourceUri: uri } });
});

it('A client that subscribes to an app gets its updates under the address that it requested', async () => {
  const client = await (await trial()).legacyClient({ extensions });
  const seen: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri));
  const uri = 'ui://costs/chart/view.html';
  await client.subscribeResource({ uri });
  await client.callTool({ name: 'costs-draw', arguments: {} });
  await eventually(() => seen.length > 0, 'the update');
  expect(seen).toEqual([uri]);
});

it('A client without apps lists only the meta-tools in lazy mode, and gets results unchanged', async () => {
  const client = await (await trial()).legacyClient({}, 'lazy');
  expect((await client.listTools()).tools).toHaveLength(5);
  const result = await client.callTool({
    name: 'execute_tool',
    arguments: { server: 'sales', tool: 'draw', arguments: {} },
  });
  expect(result._meta).toEqual({ kept: true });
});
