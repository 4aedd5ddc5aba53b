/** The index follows the catalog in the background, and a search never misses a tool of the catalog. */
import { describe, expect, it } from 'vitest';
import { createSearch } from '../../../electron/core/search/search.ts';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import { createIndexing } from '../../../electron/core/tools/indexing.ts';
import type { Tool } from '../../../shared/model/tool.ts';

const tool = (name: string, description = '') => {
  const definition = { name, description, inputSchema: {} };
  return { key: `s::${name}`, server: 's', name, definition, ...annotate(definition) } as Tool;
};

/** A real index that counts its updates, with tags that the test sets. */
function setUp() {
  const index = createSearch();
  const put: string[] = [];
  const tags = new Map<string, string[]>();
  const counting = {
    ...index,
    put: (docs: Parameters<typeof index.put>[0]) => {
      put.push(...docs.map(({ name }) => name));
      index.put(docs);
    },
  };
  const indexing = createIndexing(counting, ({ name }) => tags.get(name) ?? []);
  const found = async (query: string) => (await indexing.search(query, { limit: 10 })).map(({ key }) => key.slice(3));
  return { indexing, put, tags, found };
}

describe('Indexing', () => {
  it('does not delay callers of put, and catches up in the background', async () => {
    const { indexing, put } = setUp();
    indexing.put(Array.from({ length: 500 }, (_, at) => tool(`tool_${at}`)));
    expect(put).toEqual([]);
    await expect.poll(() => put.length).toBe(500);
  });

  it('lets other work run while a search waits for thousands of tools', async () => {
    const { indexing, put, found } = setUp();
    indexing.put(
      Array.from({ length: 20_000 }, (_, at) => tool(`tool_${at}`, 'Paints walls in the color of the sky.')),
    );
    const indexedBefore: number[] = [];
    const watch = () => {
      indexedBefore.push(put.length);
      if (put.length < 20_000) setImmediate(watch);
    };
    setImmediate(watch);
    expect(await found('tool_19999')).toContain('tool_19999');
    expect(indexedBefore.some((count) => count > 0 && count < 20_000)).toBe(true);
  });

  it('lets a search find the newest version of a tool, and no removed tool', async () => {
    const { indexing, found } = setUp();
    indexing.put([tool('alpha', 'Reads stock prices.'), tool('beta')]);
    indexing.put([tool('alpha', 'Paints walls.')]);
    indexing.remove([tool('beta')]);
    expect(await found('walls')).toEqual(['alpha']);
    expect(await found('stock')).toEqual([]);
    expect(await found('beta')).toEqual([]);
    indexing.remove([tool('alpha')]);
    expect(await found('walls')).toEqual([]);
  });

  it('indexes again only the tools whose tags changed', async () => {
    const { indexing, put, tags, found } = setUp();
    const tools = [tool('alpha'), tool('beta'), tool('gamma')];
    tags.set('alpha', ['finance']);
    indexing.put(tools);
    expect(await found('finance')).toEqual(['alpha']);
    put.length = 0;
    tags.clear();
    tags.set('beta', ['finance']);
    indexing.retag(tools);
    expect(await found('finance')).toEqual(['beta']);
    expect(put.sort()).toEqual(['alpha', 'beta']);
  });
});
