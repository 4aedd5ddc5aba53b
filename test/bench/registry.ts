/** Searches a registry's list of 12,000 entries: measures the time of a query, and how often it finds the intended entry. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { writeCatalog } from '../../electron/core/registry/catalog.ts';
import { parseEntry, type RegistryEntry } from '../../electron/core/registry/entry.ts';
import { createSearch } from '../../electron/core/search/search.ts';
import { findBuiltInModel } from '../../electron/core/search/vectors/vectors.ts';
import { percentiles } from './figures.ts';
import { type Request, registryItems } from './registry-data.ts';
import type { Part, Report, Row } from './report.ts';

const size = 12_000;
const rounds = 25;
const shownFirst = 5;

export const part: Part = {
  about: `time per query, and how often the right entry is among the first ${shownFirst} of ${size} entries, compared with minisearch`,
  async run(report) {
    const { items, requests } = registryItems(size);
    const entries = items.flatMap((item) => parseEntry(item) ?? []);
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-registry-'));
    try {
      const lines = new Map(entries.map(({ name }, index) => [name, JSON.stringify(items[index])]));
      const file = join(folder, 'list.jsonl');
      const index = createSearch({ loadEncoder: async () => (await findBuiltInModel())?.encoder });
      const started = performance.now();
      const catalog = await writeCatalog(file, { url: 'https://registry.example', syncedAt: 1 }, lines, index);
      report.note(
        `Written, read and indexed: ${catalog.size} entries in ${Math.round(performance.now() - started)} ms.`,
      );
      const engines: Record<string, (query: string) => string[]> = {
        ours: (query) => catalog.search(query, 20).map(({ name }) => name),
        ...miniSearches(entries),
      };
      const measured = measure(engines, requests);
      const rows = Object.entries(engines).map(([engine, find]) => {
        const ranks = requests.map(({ query, name }) => find(query).indexOf(name) + 1);
        if (engine === 'ours') reportMisses(report, requests, ranks);
        return { engine, ...quality(ranks), ...measured.get(engine) };
      });
      report.table(`${requests.length} requests in plain words, ${size} entries`, rows);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function miniSearches(entries: RegistryEntry[]): Record<string, (query: string) => string[]> {
  const mini = new MiniSearch<RegistryEntry>({ idField: 'name', fields: ['name', 'title', 'description'] });
  mini.addAll(entries);
  const named = (found: { id: string }[]) => found.slice(0, 20).map(({ id }) => id);
  return {
    'minisearch defaults': (query) => named(mini.search(query)),
    'minisearch, prefixes and typos': (query) =>
      named(mini.search(query, { prefix: true, fuzzy: 0.2, boost: { name: 2 } })),
  };
}

function quality(ranks: number[]): Row {
  const share = (most: number) => `${ranks.filter((rank) => rank > 0 && rank <= most).length}/${ranks.length}`;
  return { first: share(1), [`first ${shownFirst}`]: share(shownFirst), 'first 20': share(20) };
}

/** Measures the engines alternately. Uses each request's best time, because a busy machine distorts the others. */
function measure(engines: Record<string, (query: string) => string[]>, requests: Request[]): Map<string, Row> {
  const times = new Map(Object.keys(engines).map((engine) => [engine, requests.map((): number[] => [])]));
  for (let round = 0; round < rounds; round += 1)
    for (const [engine, find] of Object.entries(engines))
      for (const [index, { query }] of requests.entries()) {
        const started = performance.now();
        find(query);
        times.get(engine)?.[index]?.push(performance.now() - started);
      }
  const figures = (all: number[][]): Row => {
    const { p50, p95 } = percentiles(all.flat());
    return { 'p50 ms': p50, 'p95 ms': p95, 'p95 of best ms': percentiles(all.map((some) => Math.min(...some))).p95 };
  };
  return new Map([...times].map(([engine, all]) => [engine, figures(all)]));
}

function reportMisses(report: Report, requests: Request[], ranks: number[]): void {
  for (const [index, { query, name }] of requests.entries()) {
    const rank = ranks[index] ?? 0;
    if (rank > 0 && rank <= shownFirst) continue;
    report.note(
      `Not among Toolkeep’s first ${shownFirst}: ${name} for "${query}" (${rank > 0 ? `rank ${rank}` : 'below 20'}).`,
    );
  }
}
