/** A client's model reads these before its first call: instructions, and the definitions of the meta-tools. */

import { describe, expect, it } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { textOf } from '../servers/server-harness.ts';

const servers = [
  serverConfig('github', commands.github()),
  serverConfig('normal', commands.misbehaving('normal')),
  serverConfig('broken', commands.misbehaving('crash-at-list')),
];

async function trial() {
  const t = await startCore(servers);
  await eventually(() => t.view('github').toolCount > 0 && t.view('normal').toolCount > 0, 'the tools');
  await eventually(() => t.view('broken').status === 'failed', 'the failure');
  return t;
}

describe("The session's instructions", () => {
  it('mention meta-tools only in the modes that have them', async () => {
    const t = await trial();
    for (const mode of ['lazy', 'hybrid'] as const)
      expect((await t.legacyClient({}, mode)).getInstructions()).toContain('search_tools');
    expect((await t.legacyClient({}, 'full')).getInstructions()).not.toContain('search_tools');
  });

  it('include the instructions of the servers whose tools the client lists', async () => {
    const t = await trial();
    expect((await t.legacyClient({}, 'full')).getInstructions()).toBe(
      'Instructions from the server "normal", whose tools begin with "normal-":\nDoes: normal',
    );
    expect((await t.modernClient({}, 'full')).getInstructions()).toContain('Does: normal');
  });
});

describe('The tool list of a server', () => {
  it('ends with the instructions of the server', async () => {
    const t = await trial();
    const client = await t.legacyClient({}, 'lazy');
    const listed = textOf((await client.callTool({ name: 'list_tools', arguments: { server: 'normal' } })) as never);
    expect(listed.split('\n').at(-1)).toBe("The server's instructions: Does: normal");
  });

  it('names the servers if there is no server with a similar name', async () => {
    const t = await trial();
    const client = await t.legacyClient({}, 'lazy');
    const refused = client.callTool({ name: 'execute_tool', arguments: { server: 'zzz', tool: 'x', arguments: {} } });
    const said = await refused.then(JSON.stringify, String);
    expect(said).toContain('The servers are github, normal, broken.');
  });

  it('says why a failed server has no tools', async () => {
    const t = await trial();
    const client = await t.legacyClient({}, 'lazy');
    const listed = textOf((await client.callTool({ name: 'list_tools', arguments: { server: 'broken' } })) as never);
    expect(listed).toMatch(/^broken failed, SERVER_CRASHED: .*broken on purpose at tools.list/s);
  });
});

describe('The first list of a client', () => {
  it('names every server that has tools or may still have some', async () => {
    const t = await startCore([
      ...servers,
      serverConfig('silent', commands.misbehaving('hang-at-initialize')),
      { ...serverConfig('off', commands.github()), enabled: false },
    ]);
    const client = await t.legacyClient({}, 'lazy');
    const search = async () =>
      (await client.listTools()).tools.find(({ name }) => name === 'search_tools')?.description;
    expect(await search()).toContain('Servers: github, normal, broken, silent.');
    await eventually(() => t.view('broken').status === 'failed', 'the failure');
    expect(await search()).toContain('Servers: github, normal, silent.');
  });

  it('tells clients that defer tools not to defer the meta-tools, and accepts any arguments for a call', async () => {
    const t = await startCore([]);
    const { tools } = await (await t.legacyClient({}, 'lazy')).listTools();
    expect(tools.map(({ _meta }) => _meta?.['anthropic/alwaysLoad'])).toEqual([true, true, true, true, true]);
    const execute = tools.find(({ name }) => name === 'execute_tool');
    expect(execute?.inputSchema.properties?.arguments).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: true,
    });
  });
});
