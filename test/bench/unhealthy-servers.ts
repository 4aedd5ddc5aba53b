/** Measures the time of the first and of later searches while some servers do not work. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newProduct, type Product } from '../e2e/product.ts';
import { commands } from '../fixtures/commands.ts';
import type { Part } from './report.ts';

const laterSearches = 50;

export const part: Part = {
  about: 'search_tools with a hanging, a crashing and an unreachable server, from the start of Core without a catalog',
  async run(report) {
    const product = newProduct();
    try {
      configure(product);
      await product.serve();
      const client = new Client({ name: 'bench', version: '1' });
      await client.connect(new StdioClientTransport(product.bridge()));
      const first = await timeOf(client);
      const later: number[] = [];
      for (let count = 0; count < laterSearches; count += 1) later.push(await timeOf(client));
      await client.close();
      later.sort((a, b) => a - b);
      report.table('Milliseconds for one search_tools call', [
        { search: 'first', milliseconds: first, goal: '≤ 2200' },
        { search: 'later, median', milliseconds: later[laterSearches >> 1], goal: '≤ 100' },
        { search: 'later, slowest', milliseconds: later.at(-1), goal: '≤ 100' },
      ]);
    } finally {
      await product.dispose();
    }
  },
};

function configure(product: Product): void {
  const script = join(product.home, 'gone.mjs');
  writeFileSync(script, 'process.exit(1);');
  const good = Array.from({ length: 5 }, (_, index) => [`good-${index + 1}`, commands.misbehaving()] as const);
  const servers = Object.fromEntries([
    ...good,
    ['hung', commands.misbehaving('hang-at-initialize')],
    ['crashing', commands.misbehaving('crash-loop')],
    ['dead', { command: process.execPath, args: [script] }],
  ]);
  product.file('.toolkeep/config.json', { servers });
}

async function timeOf(client: Client): Promise<number> {
  const startedAt = performance.now();
  const result = await client.callTool({ name: 'search_tools', arguments: { query: 'echo a text' } });
  const elapsedMs = performance.now() - startedAt;
  const text = JSON.stringify(result.content);
  if (result.isError || !text.includes('good-')) throw new Error(`The search failed: ${text.slice(0, 300)}`);
  return elapsedMs;
}
