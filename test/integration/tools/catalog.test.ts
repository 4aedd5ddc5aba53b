/** The catalog of all servers: lookups, differences, and the copy on disk. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openCatalog } from '../../../electron/core/tools/catalog/catalog.ts';
import { version } from '../../../electron/core/tools/catalog/snapshot.ts';
import { type Discovered, discover } from '../../../electron/core/tools/discovery/discovery.ts';
import type { Tool, ToolDefinition } from '../../../shared/model/tool.ts';
import { memoryServer, plain, tool } from '../../fixtures/discovery-servers.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolkeep-catalog-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function offered(server: string, tools: ToolDefinition[], slug = server): Promise<Discovered> {
  const source = { ...memoryServer({ 'tools/list': () => ({ tools }) }), server: { name: server } };
  return discover(source, { ...plain, slug });
}
const open = (file?: string, more: { now?(): number; onWarning?(text: string): void } = {}) =>
  openCatalog(file && join(folder, file), { ttlMs: () => 1000, ...more });

describe('The catalog', () => {
  it('finds each tool by server and name, and by its shown name, among all servers', async () => {
    const catalog = await open();
    catalog.replace('git', await offered('git', [tool('search'), tool('push')]), 'h');
    catalog.replace('web', await offered('web', [tool('search')]), 'h');
    expect(catalog.tool('web', 'search')?.key).toBe('web::search');
    expect(catalog.byShownName('git-search')?.key).toBe('git::search');
    expect(catalog.toolsOf('git').map(({ name }) => name)).toEqual(['search', 'push']);
    expect(catalog.size).toBe(3);
    expect([...catalog.toolsBeside('web').entries()]).toEqual([
      ['search', 'git'],
      ['push', 'git'],
    ]);
    catalog.remove('git');
    expect(catalog.byShownName('git-search')).toBeUndefined();
    expect(catalog.size).toBe(1);
  });

  it('finds the servers with an app at an address among thousands of tools, without parsing any', async () => {
    const uri = 'ui://chart/view';
    const app = (name: string) => tool(name, { _meta: { ui: { resourceUri: uri } } });
    const catalog = await open();
    const others = Array.from({ length: 2_000 }, (_, index) => tool(`tool_${index}`));
    catalog.replace('many', await offered('many', [...others, app('draw')]), 'h');
    catalog.replace('older', await offered('older', [tool('draw', { _meta: { 'ui/resourceUri': uri } })]), 'h');
    const plot = await offered('plot', [tool('plot')]);
    catalog.replace('plot', { ...plot, resources: [{ uri, name: 'view' }] }, 'h');
    // Indexing and lists read every tool once.
    for (const one of catalog.tools()) expect(one.head?.title).toBe(one.name);
    const parse = vi.spyOn(JSON, 'parse');
    for (let link = 0; link < 1_000; link += 1) catalog.serversWithApp(`ui://chart/${link}`);
    const found = [...catalog.serversWithApp(uri)];
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect(found).toEqual(['many', 'older', 'plot']);
    expect(parsed).toBe(0);
    catalog.remove('many');
    catalog.replace('older', await offered('older', [tool('draw')]), 'h');
    expect([...catalog.serversWithApp(uri)]).toEqual(['plot']);
  });

  it('gives tools with colliding shown names unique, stable names', async () => {
    const catalog = await open();
    const first = await offered('a-b', [tool('c')]);
    const second = await offered('a', [tool('b-c')]);
    catalog.replace('a-b', first, 'h');
    catalog.replace('a', second, 'h');
    const names = () => [catalog.tool('a-b', 'c')?.shownName, catalog.tool('a', 'b-c')?.shownName];
    const before = names();
    expect(before[0]).toBe('a-b-c');
    expect(before[1]).toMatch(/^a-b-c-[a-z0-9]{6}$/);
    catalog.replace('a', second, 'h');
    catalog.replace('a-b', first, 'h');
    expect(names()).toEqual(before);
  });

  it('reports added, removed and changed tools, and keeps the objects of unchanged ones', async () => {
    const catalog = await open();
    catalog.replace('s', await offered('s', [tool('same'), tool('old'), tool('other')]), 'h');
    const same = catalog.tool('s', 'same');
    const next = [tool('same'), tool('other', { description: 'Other now.' }), tool('new')];
    const diff = catalog.replace('s', await offered('s', next), 'h');
    expect(diff.added.map(({ name }) => name)).toEqual(['new']);
    expect(diff.removed.map(({ name }) => name)).toEqual(['old']);
    expect(
      diff.changed.map(({ before, after }) => [before.definition.description, after.definition.description]),
    ).toEqual([['Gets other.', 'Other now.']]);
    expect(catalog.tool('s', 'same')).toBe(same);
    const nothing = catalog.replace('s', await offered('s', next), 'h');
    expect(nothing).toEqual({ added: [], removed: [], changed: [], promptsChanged: false, resourcesChanged: false });
  });

  it('keeps the additions of plug-ins to two tools apart', async () => {
    const catalog = await open();
    const found = await offered('s', [tool('reads'), tool('sends')]);
    const [reads, sends] = found.tools as [Tool, Tool];
    const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false };
    const safe = { ...hints, requiresConfirmation: false, safetyLevel: 'safe' as const, reasons: [] };
    // The same values in the same order, but for other hints.
    const swapped = {
      requiresConfirmation: true,
      ...{ destructiveHint: false, idempotentHint: false, openWorldHint: false },
      readOnlyHint: false,
      safetyLevel: 'safe' as const,
      reasons: [],
    };
    const tools = [
      { ...reads, annotations: safe },
      { ...sends, annotations: swapped },
    ];
    catalog.replace('s', { ...found, tools }, 'h');
    expect(catalog.tool('s', 'reads')?.annotations).toEqual(safe);
    expect(catalog.tool('s', 'sends')?.annotations).toEqual(swapped);
  });

  it('treats a definition with reordered keys as unchanged and keeps its object', async () => {
    const catalog = await open();
    const definition = tool('same', { title: 'Same', annotations: { readOnlyHint: true } });
    catalog.replace('s', await offered('s', [definition]), 'h');
    const same = catalog.tool('s', 'same');
    expect(same?.definition).toEqual(definition);
    expect(same?.definition).toBe(same?.definition);
    const turned = Object.fromEntries(Object.entries(definition).reverse()) as ToolDefinition;
    expect(catalog.replace('s', await offered('s', [turned]), 'h').changed).toEqual([]);
    expect(catalog.tool('s', 'same')).toBe(same);
  });

  it('reports an entry as stale after the TTL and for another configuration', async () => {
    let now = 0;
    const catalog = await open(undefined, { now: () => now });
    expect(catalog.isStale('s', 'h')).toBe(true);
    catalog.replace('s', await offered('s', [tool('a')]), 'h');
    now = 999;
    expect(catalog.isStale('s', 'h')).toBe(false);
    expect(catalog.isStale('s', 'other')).toBe(true);
    now = 1000;
    expect(catalog.isStale('s', 'h')).toBe(true);
    catalog.replace('s', await offered('s', [tool('a')]), 'h');
    expect(catalog.isStale('s', 'h')).toBe(false);
  });

  it('reports whether the oldest entry is older than the TTL', async () => {
    let now = 0;
    const catalog = await open(undefined, { now: () => now });
    expect(catalog.hasExpired()).toBe(false);
    catalog.replace('first', await offered('first', [tool('a')]), 'h');
    now = 900;
    catalog.replace('second', await offered('second', [tool('a')]), 'h');
    expect(catalog.hasExpired()).toBe(false);
    now = 1000;
    expect(catalog.hasExpired()).toBe(true);
    catalog.replace('first', await offered('first', [tool('a')]), 'h');
    expect(catalog.hasExpired()).toBe(false);
    now = 1900;
    expect(catalog.hasExpired()).toBe(true);
  });

  it('is restored after a restart from a file that only the user can read', async () => {
    const first = await open('kept.json');
    first.replace('s', await offered('s', [tool('a', { annotations: { readOnlyHint: true } })]), 'h');
    await first.close();
    expectMode(join(folder, 'kept.json'), 0o600);
    const second = await open('kept.json');
    expect(second.tool('s', 'a')).toEqual(first.tool('s', 'a'));
    expect(second.tool('s', 'a')?.definition).toEqual(tool('a', { annotations: { readOnlyHint: true } }));
    expect(second.isStale('s', 'h')).toBe(false);
  });

  it('writes nothing to disk without a file', async () => {
    const catalog = await open();
    catalog.replace('s', await offered('s', [tool('a')]), 'h');
    await catalog.close();
    expect(existsSync(join(folder, 'undefined'))).toBe(false);
  });

  it.each([
    ['half a file', `{"version":${version},"servers":[\n{"server":"s","conf`],
    ['no JSON', 'hello'],
    ['the beginning of a file', `{"version":${version},"servers":[\n`],
    ['an entry without its parts', `{"version":${version},"servers":[\n{"server":"s"}\n]}\n`],
    [
      'a tool of another server',
      `{"version":${version},"servers":[\n${JSON.stringify({
        server: 's',
        configHash: 'h',
        discoveredAt: 1,
        discovered: { tools: [{ server: 't' }], prompts: [], resources: [], resourceTemplates: [], warnings: [] },
      })}\n]}\n`,
    ],
  ])('renames %s with a warning and starts empty', async (_what, text) => {
    const file = join(folder, 'damaged.json');
    writeFileSync(file, text);
    const warnings: string[] = [];
    const catalog = await open('damaged.json', { onWarning: (warning) => warnings.push(warning) });
    expect(catalog.servers()).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('is damaged')]);
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text);
    catalog.replace('s', await offered('s', [tool('a')]), 'h');
    await catalog.close();
    expect((await open('damaged.json')).size).toBe(1);
  });

  it('drops entries of another version, so no outdated safety level survives an update', async () => {
    writeFileSync(join(folder, 'older.json'), '{"version":0,"servers":[{"unknown":"form"}]}');
    const warnings: string[] = [];
    const catalog = await open('older.json', { onWarning: (warning) => warnings.push(warning) });
    expect(catalog.servers()).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('continues in memory with a warning when it cannot be written', async () => {
    const warnings: string[] = [];
    const catalog = await open('no/such/folder.json', { onWarning: (warning) => warnings.push(warning) });
    catalog.replace('s', await offered('s', [tool('a')]), 'h');
    await catalog.flush();
    expect(warnings).toEqual([expect.stringContaining('could not be written')]);
    expect(catalog.size).toBe(1);
  });
});
