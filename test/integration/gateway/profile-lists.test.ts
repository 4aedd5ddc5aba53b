/** Lists of many tools, in the window and for a client with a profile that selects by their level, category or tags. */

import { duplexPair } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { expect, it, vi } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { textOf } from '../servers/server-harness.ts';

it.each([
  ['safety', { safety: ['safe', 'moderate', 'dangerous'] }, 1_000],
  ['category', { category: ['deployment'] }, 0],
  ['tags', { tags: ['odd'] }, 1],
] as const)(
  'The window’s list, and a list of servers in a profile with %s, parse no definition',
  async (_by, selected, count) => {
    const t = await startCore([serverConfig('many', commands.misbehaving('many-tools', 'tools=1000'))], {
      config: { toolRules: [{ pattern: ['tool_7'], tags: ['odd'] }] },
    });
    await eventually(() => t.view('many').toolCount === 1_000, 'the tools');
    await t.core.handlers['profiles.save']({ profile: { name: 'some', servers: [], tags: [], ...selected } as never });
    const [theirs, ours] = duplexPair();
    t.core.gateway.serveStream(ours, { mode: 'lazy', profile: 'some' });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioServerTransport(theirs, theirs));
    client.onclose = () => void theirs.resume().end();
    // Search first, because indexing parses every tool's definition.
    await client.callTool({ name: 'search_tools', arguments: { query: 'thing' } });
    const parse = vi.spyOn(JSON, 'parse');
    const text = textOf((await client.callTool({ name: 'list_mcp_servers', arguments: {} })) as never);
    expect(await t.core.handlers['tools.list']({})).toHaveLength(1_000);
    const definitions = parse.mock.calls.filter(([json]) => String(json).includes('Does thing number'));
    parse.mockRestore();
    expect(definitions).toEqual([]);
    expect(text).toContain(`many (${count} tool`);
  },
);
