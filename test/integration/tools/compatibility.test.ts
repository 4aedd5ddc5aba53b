/** The limits of connected clients that make a tool incompatible with them. */
import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { externalProject, toolNames } from '../plugins/external-project.ts';

const object = { type: 'object' };
const tools = [
  { name: 'plain', description: 'Plain.', inputSchema: object },
  {
    name: 'either',
    description: 'Either.',
    inputSchema: { ...object, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  },
  { name: 'long', description: 'x'.repeat(1025), inputSchema: object },
  { name: 'page', description: 'A page.', inputSchema: object, _meta: { ui: { resourceUri: 'ui://page' } } },
  { name: 'task', description: 'A task.', inputSchema: object, execution: { taskSupport: 'required' } },
];

describe('The compatibility of a tool', () => {
  it('is reported for each connected client, by its mode and declared capabilities', async () => {
    await using folder = await externalProject(({ configure, offer }) => {
      offer(tools);
      configure({});
    });
    await expect.poll(() => toolNames(folder, 'shop')).toHaveLength(tools.length);
    const connect = (name: string, mode: 'lazy' | 'full', capabilities: object) => {
      const [client, gateway] = duplexPair();
      folder.core.gateway.serveStream(gateway, { mode });
      const params = { protocolVersion: '2025-06-18', capabilities, clientInfo: { name, version: '1' } };
      client.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
      client.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      client.resume();
    };
    connect('simple', 'lazy', {});
    connect('rich', 'full', { extensions: { 'io.modelcontextprotocol/ui': {} } });
    await expect.poll(async () => (await folder.core.handlers['core.status']()).clients).toHaveLength(2);

    const of = async (tool: string) => {
      const found = await folder.core.handlers['tools.compatibility']({ server: 'shop', tool });
      return Object.fromEntries(found.map(({ client, level, notes }) => [client, [level, ...notes]]));
    };
    expect(await of('plain')).toEqual({ simple: ['full'], rich: ['full'] });
    expect(await of('either')).toEqual({
      simple: ['full'],
      rich: ['limited', expect.stringContaining('"anyOf" at the top')],
    });
    expect(await of('long')).toEqual({
      simple: ['full'],
      rich: ['limited', expect.stringContaining('1025 characters')],
    });
    expect(await of('page')).toEqual({
      simple: ['limited', expect.stringContaining('It shows a UI')],
      rich: ['full'],
    });
    expect(await of('task')).toEqual({ simple: ['full'], rich: ['full'] });
    await folder.core.handlers['tools.setPolicy']({ server: 'shop', tool: 'plain', enabled: false });
    const none = ['none', 'The user disabled "plain".'];
    expect(await of('plain')).toEqual({ simple: none, rich: none });
    await folder.core.handlers['servers.setEnabled']({ server: 'shop', enabled: false });
    const off = ['none', 'The server "shop" is disabled.'];
    expect(await of('task')).toEqual({ simple: off, rich: off });
    await expect(of('plane')).rejects.toMatchObject({
      failure: {
        code: 'TOOL_NOT_FOUND',
        hint: expect.stringMatching(/^Did you mean "plain".*\? It has: .*\btask\b.*\.$/),
      },
    });
  });
});
