/**
 * Reading a registry's list: complete despite failures, limited despite a hostile registry, and usable offline.
 *
 * @module-tag exhaustive
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../../../electron/core/events.ts';
import { catalogFile, writeCatalog } from '../../../electron/core/registry/catalog.ts';
import { connect, optionsOf } from '../../../electron/core/registry/connect.ts';
import { parseEntry } from '../../../electron/core/registry/entry.ts';
import { createRegistries } from '../../../electron/core/registry/registry.ts';
import { withinLimits } from '../../../electron/core/registry/sync/fetch-entries.ts';
import { createSearch } from '../../../electron/core/search/search.ts';
import { limits } from '../../../shared/limits.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { type FakeRegistry, type Fault, generateItems, registryItem, startRegistry } from '../../fixtures/registry.ts';

let registry: FakeRegistry;
let host: TestHost;
let waited: number[];
beforeEach(async () => {
  registry = await startRegistry();
  host = testHost();
  waited = [];
});
afterEach(async () => {
  await registry.close();
  host.dispose();
});

const open = () =>
  createRegistries({
    host,
    events: createEvents(),
    sources: () => [{ name: 'test', url: registry.url }],
    createIndex: () => createSearch(),
    wait: async (ms) => void waited.push(ms),
  });
const namesOf = (found: { entry: { name: string } }[]) => found.map(({ entry }) => entry.name);

describe('A registry', () => {
  it('is not contacted before the user requests its list', async () => {
    const registries = open();
    expect(await registries.search('notes', 10)).toEqual([]);
    expect(await registries.list()).toMatchObject([{ entries: 0, isWanted: false }]);
    expect(registry.requests).toEqual([]);
  });

  it('of 12,000 entries of every format is read completely in spite of every failure, and searched offline', async () => {
    const items = generateItems(12_000);
    // Insert each bad entry between valid entries of a page.
    items.splice(5000, 0, registryItem('io.github.acme/large', { description: 'x'.repeat(10 * 1024 * 1024) }));
    items.splice(9000, 0, { server: { name: 'no namespace', version: '1' } });
    registry.items = items;
    registry.faults = ['429', 'ok', '500', '500', 'ok', 'cut', 'half', 'html', 'ok', 'cut', 'ok', 'redirect'];
    const registries = open();
    await registries.sync();
    expect(await registries.list()).toMatchObject([{ entries: 12_000, isWanted: true, isSyncing: false }]);
    const failures = 8;
    expect(registry.requests).toHaveLength(121 + failures);
    expect(waited).toHaveLength(failures);

    await registry.close();
    const offline = open();
    const found = namesOf(await offline.search('translate recipes of team 42 for umbrella', 5));
    expect(found[0]).toContain('/translate-recipes-');
    expect(await offline.entry('test', 'io.github.acme/search-notes-0')).toMatchObject({ version: '1.0.0' });
    registry = await startRegistry();
  });

  it('has options of every type, each installable or with a reason', async () => {
    const entries = generateItems(9).flatMap((item) => parseEntry(item) ?? []);
    const kinds = entries.map((entry) =>
      optionsOf(entry).map(
        (option) => `${option.kind}${connect(option, { API_KEY: 'k' }, 'x').connection ? '' : ' refused'}`,
      ),
    );
    expect(kinds).toEqual([
      ...[['npm'], ['http'], ['oci'], ['pypi'], ['mcpb refused', 'nuget refused'], ['go'], ['sse', 'cargo refused']],
      ...[['of-tomorrow refused'], ['mcpb refused']],
    ]);
  });

  it.each<[string, Fault[], number[]]>([
    ['too many requests', ['ok', '429', 'ok'], [2000]],
    ['errors', ['500', '500', '500', 'ok'], [1000, 4000, 15_000]],
    ['cut connections', ['ok', 'cut', 'half'], [1000, 4000]],
    ['a page of a network that wants a sign-in', ['html'], [1000]],
  ])('is read completely after %s', async (_what, faults, pauses) => {
    registry.items = generateItems(250);
    registry.faults = faults;
    const registries = open();
    await registries.sync();
    expect(await registries.list()).toMatchObject([{ entries: 250 }]);
    expect(waited).toEqual(pauses);
  });

  it.each<[string, Fault[], RegExp]>([
    ['fails forever', ['500', '500', '500', '500'], /HTTP 500/],
    ['is none', ['404'], /HTTP 404/],
    ['leads elsewhere', ['redirect', 'redirect', 'redirect', 'redirect'], /redirect/],
    ['sends one page in a loop', ['loop'], /keeps sending/],
    ['has pages without end', ['endless'], /never end/],
  ])('that %s is abandoned with a reason', async (_what, faults, reason) => {
    registry.items = generateItems(150);
    registry.faults = faults;
    const registries = open();
    const failure = { code: 'REGISTRY_UNREACHABLE', message: expect.stringMatching(reason) };
    await expect(registries.sync()).rejects.toMatchObject({ failure });
    expect(await registries.list()).toMatchObject([{ failure: expect.stringMatching(reason) }]);
    expect((await registries.list())[0]?.syncedAt).toBeUndefined();
  });

  it('that stops responding keeps the entries read so far, and is read from the start next time', async () => {
    registry.items = generateItems(250);
    registry.faults = ['ok', '404'];
    const registries = open();
    await expect(registries.sync()).rejects.toThrow();
    expect(await registries.list()).toMatchObject([{ entries: 100 }]);
    await registries.sync();
    expect(await registries.list()).toMatchObject([{ entries: 250 }]);
    expect(registry.requests.at(2)).not.toContain('updated_since');
  });

  it('with malformed entries and one of 10 MB is read without them', async () => {
    const large = registryItem('io.github.acme/large', { description: 'x'.repeat(10 * 1024 * 1024) });
    registry.items = [
      registryItem('io.github.acme/a', { description: 'Braces }{ ][ and "quotes" \\ stay.' }),
      large,
      { server: { name: 'no namespace', version: '1' } },
      { server: 'nothing' },
      registryItem('io.github.acme/b'),
    ];
    const registries = open();
    await registries.sync();
    expect(await registries.list()).toMatchObject([{ entries: 2 }]);
    expect(await registries.entry('test', 'io.github.acme/a')).toMatchObject({
      description: 'Braces }{ ][ and "quotes" \\ stay.',
    });
    expect(host.logged).toContainEqual({ level: 'warn', message: expect.stringContaining('3 entries') });
  });

  it('with an entry that is nested too deeply is read without it', async () => {
    registry.items = [
      registryItem('io.github.acme/a', { nested: 'deep' }),
      registryItem('io.github.acme/b'),
      registryItem('io.github.acme/c'),
    ];
    registry.rewrite = (text) => text.replace('"deep"', `${'['.repeat(30_000)}${']'.repeat(30_000)}`);
    const registries = open();
    await registries.sync();
    expect(namesOf(await registries.search('', 10)).sort()).toEqual(['io.github.acme/b', 'io.github.acme/c']);
    expect(host.logged).toContainEqual({ level: 'warn', message: expect.stringContaining('1 entries') });
  });

  it('with a page of more entries than a list may have is abandoned', async () => {
    registry.items = generateItems(5);
    const registries = open();
    await registries.sync();
    const text = `{"servers":[${'{},'.repeat(limits.registry.entries)}{}]}`;
    registry.rewrite = () => text;
    await expect(registries.sync()).rejects.toMatchObject({
      failure: { message: expect.stringContaining('A page has more than 50000 entries') },
    });
    expect(await registries.list()).toMatchObject([{ entries: 5 }]);
  });

  it('that grows with every synchronization cannot grow beyond the limits', () => {
    const lines = (count: number, text: string) =>
      new Map(Array.from({ length: count }, (_, index): [string, string] => [`io.github.acme/${index}`, text]));
    const many = withinLimits(lines(limits.registry.entries + 10, '{}'));
    expect([many.size, many.has('io.github.acme/0')]).toEqual([limits.registry.entries, true]);
    const large = 'x'.repeat(limits.registry.entryBytes);
    expect(withinLimits(lines(5000, large)).size).toBe(limits.registry.listBytes / limits.registry.entryBytes);
    expect(withinLimits(lines(3, large))).toEqual(lines(3, large));
  });

  it('receives a request only for changes the second time, and its withdrawn entries are hidden', async () => {
    registry.items = [registryItem('io.github.acme/a'), registryItem('io.github.acme/b')];
    const registries = open();
    await registries.sync();
    const later = new Date(Date.now() + 60_000).toISOString();
    registry.items = [
      ...registry.items,
      registryItem('io.github.acme/c', {}, { updatedAt: later }),
      registryItem('io.github.acme/b', {}, { status: 'deleted', statusMessage: 'Malware.', updatedAt: later }),
    ];
    await registries.sync();
    expect(registry.requests.at(-1)).toContain('updated_since');
    expect(namesOf(await registries.search('', 10)).sort()).toEqual(['io.github.acme/a', 'io.github.acme/c']);
    expect(await registries.entry('test', 'io.github.acme/b')).toMatchObject({ status: 'deleted' });
  });

  it('whose older version changes keeps the latest one', async () => {
    registry.items = [registryItem('io.github.acme/a', { version: '2.0.0' })];
    const registries = open();
    await registries.sync();
    const later = new Date(Date.now() + 60_000).toISOString();
    const old = registryItem('io.github.acme/a', { version: '1.0.0' }, { updatedAt: later, status: 'deleted' });
    // Simulates a registry that does not support the filter `version`.
    registry.items = [old];
    registry.rewrite = (text) => text.replace('"isLatest":true', '"isLatest":false');
    await registries.sync();
    expect(await registries.entry('test', 'io.github.acme/a')).toMatchObject({ version: '2.0.0', status: 'active' });
  });

  it('is read with a margin for clocks that differ, and completely after a clock that was ahead', async () => {
    registry.items = [registryItem('io.github.acme/a')];
    const registries = open();
    await registries.sync();
    await registries.sync();
    const since = Date.parse(new URL(`http://x${registry.requests.at(-1)}`).searchParams.get('updated_since') ?? '');
    expect(Date.now() - since).toBeGreaterThan(80_000_000);
    const file = catalogFile(host.dataDir, registry.url);
    await writeCatalog(file, { url: registry.url, syncedAt: Date.now() + 1e10 }, new Map(), createSearch());
    const later = open();
    await later.sync();
    expect(registry.requests.at(-1)).not.toContain('updated_since');
    expect(await later.list()).toMatchObject([{ entries: 1 }]);
  });

  it('returns an older version on request', async () => {
    registry.items = [
      registryItem('io.github.acme/a', { version: '2.0.0' }),
      registryItem('io.github.acme/a', { version: '1.0.0' }, { isLatest: false }),
    ];
    const registries = open();
    await registries.sync();
    expect(await registries.entry('test', 'io.github.acme/a', '1.0.0')).toMatchObject({ version: '1.0.0' });
    const failure = { code: 'REGISTRY_ENTRY_NOT_FOUND' };
    await expect(registries.entry('test', 'io.github.acme/a', '3.0.0')).rejects.toMatchObject({ failure });
    await expect(registries.entry('test', 'io.github.acme/z')).rejects.toMatchObject({ failure });
    await expect(registries.entry('other', 'io.github.acme/a')).rejects.toMatchObject({ failure });
  });

  it('whose list is replaced during a read returns no entry rather than a wrong one', async () => {
    const [a, b] = ['io.github.acme/a', 'io.github.acme/b'];
    const file = catalogFile(host.dataDir, registry.url);
    const lines = (...names: string[]) => new Map(names.map((name) => [name, JSON.stringify(registryItem(name))]));
    const header = { url: registry.url, syncedAt: 1 };
    const old = await writeCatalog(file, header, lines(a, b), createSearch());
    const fresh = await writeCatalog(file, header, lines(b, a), createSearch());
    expect(await old.find(a)).toBeUndefined();
    expect(await fresh.find(a)).toMatchObject({ name: a });
    await writeCatalog(file, header, lines(), createSearch());
    expect(await fresh.find(a)).toBeUndefined();
  });

  it('returns the requested entry at every moment of a synchronization', async () => {
    const items = generateItems(3000);
    registry.items = items;
    const registries = open();
    await registries.sync();
    const later = new Date(Date.now() + 60_000).toISOString();
    // Every entry after the first moves by the length of one entry.
    const first = registryItem('io.github.acme/search-notes-0', { description: 'x'.repeat(300) }, { updatedAt: later });
    registry.items = [first, ...items];
    let isDone = false;
    const synchronized = registries.sync().finally(() => {
      isDone = true;
    });
    const names = items.map((item) => ((item.server ?? item) as { name: string }).name);
    const answers = new Set<string>();
    for (let index = 1; !isDone; index += 7) {
      const name = names[index % names.length] as string;
      const answer = await registries.entry('test', name).then(
        (entry) => (entry.name === name ? 'the entry' : entry.name),
        (error) => error.failure?.code ?? String(error),
      );
      answers.add(answer);
    }
    await synchronized;
    // While the file is replaced, there may be no entry.
    expect([...answers].filter((answer) => answer !== 'REGISTRY_ENTRY_NOT_FOUND')).toEqual(['the entry']);
  });

  it('is written without what a killed process left of an earlier write', async () => {
    registry.items = generateItems(10);
    await open().sync();
    const file = catalogFile(host.dataDir, registry.url);
    for (const pid of [1, 2]) writeFileSync(`${file}.tmp-${pid}`, 'x'.repeat(1000));
    const registries = open();
    expect(await registries.list()).toMatchObject([{ entries: 10 }]);
    expect(readdirSync(join(file, '..'))).toEqual([basename(file)]);
  });

  it('with a damaged file has an empty list, and is read again', async () => {
    registry.items = generateItems(10);
    await open().sync();
    const file = catalogFile(host.dataDir, registry.url);
    expect(readdirSync(join(file, '..'))).toHaveLength(1);
    writeFileSync(file, 'damaged');
    const registries = open();
    expect(await registries.list()).toMatchObject([{ entries: 0 }]);
    await registries.sync();
    expect(await registries.list()).toMatchObject([{ entries: 10 }]);
  });
});
