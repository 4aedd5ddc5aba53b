/** The speed and memory of search, and the time of a change, with 1,000 and 10,000 tools. */
import Fuse from 'fuse.js';
import MiniSearch from 'minisearch';
import { createSearch } from '../../electron/core/search/search.ts';
import type { SearchDoc } from '../../electron/core/search/search-doc.ts';
import { similarNames } from '../../electron/core/search/similar-names.ts';
import type { Encoder } from '../../electron/core/search/vectors/encoder.ts';
import type { Part, Report, Row } from './report.ts';
import { dataSetsOrNote, encoderOrNote, type LabeledQuery, mistyped, sample } from './search-data.ts';

const pools = [1_000, 10_000];

export const part: Part = {
  about: 'time per query, and build, update and memory of the search index, compared with minisearch and fuse.js',
  async run(report) {
    const sets = dataSetsOrNote(report);
    const docs = sets.flatMap((set) => set.docs.map((doc) => ({ ...doc, key: `${set.name}/${doc.key}` })));
    if (docs.length === 0) return;
    const queries = sample(
      sets.flatMap((set) => sample(set.queries, 250)).map((query: LabeledQuery) => query.query),
      1000,
    );
    const encoder = await encoderOrNote(report);
    for (const size of pools) runPool(report, pool(docs, size), queries, encoder);
  },
};

function runPool(report: Report, docs: SearchDoc[], queries: string[], encoder: Encoder | undefined): void {
  const memoryBefore = heap();
  const started = performance.now();
  const index = createSearch();
  index.put(docs);
  const buildMs = performance.now() - started;
  const memory = heap() - memoryBefore;

  const ours = (query: string) => index.search(query, { limit: 10 });
  const kinds: Record<string, string[]> = {
    'labeled queries': queries,
    'a few words': queries.map((query) => query.split(/\s+/).slice(0, 4).join(' ')),
    'pasted text, 3,000 characters': pasted(queries),
    'pasted base64': queries.slice(0, 100).map((query) => `decode ${Buffer.from(query.repeat(40)).toString('base64')}`),
    'with typos': queries.map(mistyped),
  };
  const rows: Row[] = Object.entries(kinds).map(([kind, texts]) => ({
    [`${docs.length} tools`]: kind,
    ...times(ours, texts),
  }));

  if (encoder) {
    const knowing = createSearch({ encoder });
    knowing.put(docs);
    const ms = timeOf(() => knowing.indexVectors());
    report.note(`Computing the vectors of ${docs.length} tools in the background: ${Math.round(ms)} ms.`);
    const kind = 'labeled, by meaning too';
    rows.push({ [`${docs.length} tools`]: kind, ...times((query) => knowing.search(query, { limit: 10 }), queries) });
  }
  const mini = new MiniSearch<SearchDoc>({ idField: 'key', fields: ['name', 'server', 'description'] });
  const miniStarted = performance.now();
  mini.addAll(docs);
  const miniBuildMs = performance.now() - miniStarted;
  rows.push({
    [`${docs.length} tools`]: 'minisearch defaults, labeled',
    ...times((query) => mini.search(query), sample(queries, 150)),
  });
  const fuse = new Fuse(docs, { keys: ['name', 'server', 'description'], ignoreLocation: true });
  rows.push({
    [`${docs.length} tools`]: 'fuse.js weighted keys, labeled (5 queries)',
    ...times((query) => fuse.search(query.slice(0, 32), { limit: 10 }), sample(queries, 5)),
  });
  report.table(`Milliseconds per query, ${docs.length} tools`, rows);

  const changed = sample(docs, 100);
  const putMs = timeOf(() => index.put(changed)) / changed.length;
  const removeMs = timeOf(() => index.remove(changed.map((doc) => doc.key))) / changed.length;
  index.put(changed);
  const names = docs.map((doc) => doc.name);
  report.table(`The index, ${docs.length} tools`, [
    {
      engine: 'ours',
      'build ms': buildMs,
      'replace one ms': putMs,
      'remove one ms': removeMs,
      'memory MB': memory / 1e6,
      'near names p95 ms': times((name) => similarNames(name, names), sample(names, 40).map(mistyped))[
        'p95 ms'
      ] as number,
    },
    { engine: 'minisearch defaults', 'build ms': miniBuildMs },
  ]);
}

/** `size` tools; if the sets have too few, adds copies under other server names. */
function pool(docs: SearchDoc[], size: number): SearchDoc[] {
  if (docs.length >= size) return sample(docs, size);
  return Array.from({ length: size }, (_, at) => {
    const doc = docs[at % docs.length] as SearchDoc;
    const round = Math.floor(at / docs.length);
    return round === 0 ? doc : { ...doc, key: `${doc.key}#${round}`, server: `${doc.server} mirror ${round}` };
  });
}

function pasted(queries: string[]): string[] {
  return Array.from({ length: 100 }, (_, at) => {
    const start = (at * 7) % queries.length;
    return [...queries.slice(start), ...queries].join(' ').slice(0, 3000);
  });
}

function times(search: (query: string) => unknown, queries: string[]): Row {
  for (const query of queries.slice(0, 200)) search(query);
  const each = queries.map((query) => timeOf(() => search(query))).sort((a, b) => a - b);
  const at = (share: number) => each[Math.min(each.length - 1, Math.floor(each.length * share))] as number;
  return { 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'worst ms': at(1) };
}

function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function heap(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
