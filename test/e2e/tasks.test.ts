/**
 * Ten tasks of an agent with real npm servers and only the five meta-tools. A script describes each task in words, takes the
 * first tool in the search results, and reads its parameters before it runs it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { newProduct } from './product.ts';

const product = newProduct();
const desk = join(product.home, 'desk');
const client = new Client({ name: 'scripted-agent', version: '1' });

beforeAll(async () => {
  mkdirSync(join(desk, 'drafts'), { recursive: true });
  writeFileSync(join(desk, 'notes.txt'), 'milk\nbread\nbutter\n');
  writeFileSync(join(desk, 'drafts', 'letter.md'), '# Dear Ada\n\nSee you on Friday.\n');
  const servers = Object.entries({
    everything: commands.everything(),
    filesystem: commands.filesystem(desk),
    memory: commands.memory(join(product.home, 'memory.jsonl')),
  }).map(([name, command]) => ({ name, connection: { type: 'stdio', ...command } }));
  // Calls need no approval here, because these tests are about finding and running tools.
  product.file('.toolkeep/config.json', {
    servers,
    toolRules: [{ pattern: ['*'], confirm: 'never', destinations: 'any' }],
  });
  await product.serve();
  await client.connect(new StdioClientTransport(product.bridge()));
});
afterAll(async () => {
  await client.close();
  await product.dispose();
});

type Args = Record<string, unknown>;

async function meta(name: string, args: Args): Promise<string> {
  const result = (await client.callTool({ name, arguments: args })) as {
    content: { text?: string }[];
    isError?: boolean;
  };
  const text = result.content.map((block) => block.text ?? '').join('\n');
  if (result.isError) throw new Error(`${name} ${JSON.stringify(args)}: ${text}`);
  return text;
}

/** Searches, takes the first result, checks that it accepts these arguments, and runs it. */
async function want(words: string, args: Args = {}): Promise<string> {
  const found = await meta('search_tools', { query: words });
  const [server = '', tool = ''] = (found.split(/[ \n]/, 1)[0] ?? '').split('/');
  const details = await meta('get_tool_details', { server, tool });
  for (const name of Object.keys(args))
    if (!details.includes(`- ${name}`)) throw new Error(`"${words}" found ${server}/${tool}, which takes no "${name}"`);
  return meta('execute_tool', { server, tool, arguments: args });
}
const file = (...path: string[]) => join(desk, ...path);

describe('An agent that always takes the first result', () => {
  it('sees exactly the five meta-tools and the servers behind them', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_mcp_servers',
      'search_tools',
      'list_tools',
      'get_tool_details',
      'execute_tool',
    ]);
    // As the answer tells an agent to do, while servers are still connecting.
    let servers = '';
    do servers = await meta('list_mcp_servers', {});
    while (servers.includes('Try again in a moment.'));
    expect(servers).toMatch(
      // A server may start again after its list.
      /^everything \(\d+ tools\), .*\nfilesystem \(\d+ tools\), .*\nmemory \(\d+ tools\), /,
    );
  });

  it('1: reads a note and writes its lines in uppercase to another file', async () => {
    const note = await want('read the text of a file', { path: file('notes.txt') });
    expect(note).toContain('bread');
    await want('write a file', { path: file('LOUD.txt'), content: note.toUpperCase() });
    expect(readFileSync(file('LOUD.txt'), 'utf8')).toContain('BREAD');
  });

  it('2: makes a folder and moves a draft into it', async () => {
    await want('create a directory', { path: file('sent') });
    await want('move or rename a file', {
      source: file('drafts', 'letter.md'),
      destination: file('sent', 'letter.md'),
    });
    expect(readFileSync(file('sent', 'letter.md'), 'utf8')).toContain('Ada');
  });

  it('3: finds a file by its name and changes a line in it', async () => {
    const found = await want('find files by name pattern', { path: desk, pattern: '**/*.md' });
    expect(found).toContain('letter.md');
    await want('edit lines of a text file', {
      path: file('sent', 'letter.md'),
      edits: [{ oldText: 'Friday', newText: 'Monday' }],
    });
    expect(readFileSync(file('sent', 'letter.md'), 'utf8')).toContain('Monday');
  });

  it('4: lists a folder, then reports the size and age of a file in it', async () => {
    expect(await want('list the contents of a directory', { path: desk })).toContain('notes.txt');
    expect(await want('get file metadata such as size and date', { path: file('notes.txt') })).toMatch(/size: 18/);
  });

  it('5: reads several files at once', async () => {
    const both = await want('read multiple files at once', { paths: [file('notes.txt'), file('sent', 'letter.md')] });
    expect(both).toContain('butter');
    expect(both).toContain('Ada');
  });

  it('6: stores entities and their relations', async () => {
    await want('create entities in the knowledge graph', {
      entities: [
        { name: 'Ada', entityType: 'person', observations: ['likes engines'] },
        { name: 'Charles', entityType: 'person', observations: ['builds engines'] },
      ],
    });
    await want('create relations between entities', {
      relations: [{ from: 'Ada', to: 'Charles', relationType: 'works with' }],
    });
    const graph = await want('read the whole knowledge graph');
    expect(graph).toContain('works with');
  });

  it('7: adds an observation and finds it again', async () => {
    await want('add observations to an entity', {
      observations: [{ entityName: 'Ada', contents: ['wrote the first program'] }],
    });
    expect(await want('search nodes in the knowledge graph', { query: 'program' })).toContain('Ada');
  });

  it('8: deletes an entity permanently', async () => {
    await want('delete entities', { entityNames: ['Charles'] });
    const graph = await want('read the whole knowledge graph');
    expect(graph).toContain('Ada');
    expect(graph).not.toContain('"name": "Charles"');
  });

  it('9: adds two numbers and writes the sum to a file', async () => {
    const sum = await want('add two numbers', { a: 19, b: 23 });
    expect(sum).toContain('42');
    await want('write a file', { path: file('sum.txt'), content: sum });
    expect(readFileSync(file('sum.txt'), 'utf8')).toContain('42');
  });

  it('10: gets the weather as structured data and echoes it back', async () => {
    const weather = await want('structured weather data', { location: 'Chicago' });
    expect(weather).toContain('temperature');
    expect(await want('echo a message', { message: weather })).toContain('temperature');
  });
});
