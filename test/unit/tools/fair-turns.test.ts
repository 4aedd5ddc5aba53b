/**
 * Discoveries, the index and the catalog file share the event loop, so that their slices do not add up.
 *
 * @module-tag exhaustive
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownTurn } from '../../../electron/core/async/slices.ts';
import { openCatalog } from '../../../electron/core/tools/catalog/catalog.ts';
import { toolsFrom } from '../../../electron/core/tools/discovery/read-tools.ts';

const declared = (server: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: `list_${server}_${at}`,
    description: `Lists the items of page ${at}. `.repeat(5),
    inputSchema: { type: 'object', properties: { page: { type: 'integer', description: 'The page' } } },
  }));
const read = (server: string, count: number) =>
  toolsFrom(declared(server, count), server, { slug: server }, [], new AbortController().signal);

describe('Core, while it reads thousands of tools,', () => {
  it('reads the tools of several servers in separate turns of the event loop', async () => {
    let turn = 0;
    let isRead = false;
    const readIn = new Map<number, Set<string>>();
    const watched = (server: string) =>
      declared(server, 2_000).map(({ description, ...definition }) => ({
        ...definition,
        get description() {
          readIn.set(turn, (readIn.get(turn) ?? new Set()).add(server));
          return description;
        },
      }));
    const nextTurn = () => {
      turn += 1;
      if (!isRead) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(
      names.map((name) => toolsFrom(watched(name), name, { slug: name }, [], new AbortController().signal)),
    );
    isRead = true;
    // All of them start in the first turn.
    const later = [...readIn].filter(([at]) => at > 0).map(([, servers]) => servers);
    expect(later.length).toBeGreaterThan(names.length);
    expect(later.filter(({ size }) => size > 1)).toEqual([]);
  });

  it('serves other work between the tools of one server in the catalog file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-catalog-'));
    try {
      const file = join(folder, 'catalog.json');
      const catalog = await openCatalog(file, { ttlMs: () => 1_000 });
      const turnsOfTools = new Set<number>();
      let turns = 0;
      const metadata = { toJSON: () => [turnsOfTools.add(turns).size] };
      const tools = (await read('one', 10_000)).map((tool) => ({ ...tool, metadata }));
      catalog.replace('one', { tools, prompts: [], resources: [], resourceTemplates: [], warnings: [] }, 'hash');
      let isWritten = false;
      const writing = catalog.flush().then(() => (isWritten = true));
      for (; !isWritten; turns += 1) await ownTurn();
      await writing;
      expect(turnsOfTools.size).toBeGreaterThan(1);
      expect(JSON.parse(readFileSync(file, 'utf8')).servers[0].discovered.tools).toHaveLength(10_000);
      await catalog.close();
      expect((await openCatalog(file, { ttlMs: () => 1_000 })).size).toBe(10_000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
