/** The labeled catalogs for the search benchmarks, and the measures. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SearchDoc } from '../../electron/core/search/search-doc.ts';
import type { Encoder } from '../../electron/core/search/vectors/encoder.ts';
import { findBuiltInModel, findModel } from '../../electron/core/search/vectors/vectors.ts';
import { annotate } from '../../electron/core/tools/assessment/annotate.ts';
import type { Report } from './report.ts';

export interface LabeledQuery {
  query: string;
  /** Each group is one intent; any tool of the group fulfills it. */
  groups: string[][];
}

export interface DataSet {
  name: string;
  docs: SearchDoc[];
  queries: LabeledQuery[];
}

/** The sets. If there are none, a note explains how to get them. */
export function dataSetsOrNote(report: Report): DataSet[] {
  const { folder, sets } = loadDataSets();
  if (sets.length === 0) {
    report.note(`No labeled sets in ${folder}, so nothing was measured. Set TOOLKEEP_SEARCH_DATA to their folder.`);
  }
  return sets;
}

/** The built-in model, or the one in the folder that `TOOLKEEP_EMBEDDINGS` names. */
export async function encoderOrNote(report: Report): Promise<Encoder | undefined> {
  const folder = process.env.TOOLKEEP_EMBEDDINGS;
  const found = folder === undefined ? await findBuiltInModel() : await findModel(resolve(folder));
  if (found?.problem) throw new Error(found.problem);
  if (!found) report.note('Keyword search only: there is no built-in model.');
  return found?.encoder;
}

const names = ['livemcp', 'metatool', 'sealtools-dev', 'bfcl'];

/** The sets in `TOOLKEEP_SEARCH_DATA`, or beside the checkout; empty with the folder's name if no set exists. */
function loadDataSets(): { folder: string; sets: DataSet[] } {
  const folder = process.env.TOOLKEEP_SEARCH_DATA ?? resolve(import.meta.dirname, '../../../shared/search-data');
  const sets = names.filter((name) => existsSync(join(folder, name, 'corpus.jsonl'))).map((name) => load(folder, name));
  return { folder, sets: [...sets, ownQuestions()] };
}

/** Handwritten queries, mostly in words that the 527 tools of the fixture do not contain. */
function ownQuestions(): DataSet {
  const fixtures = join(import.meta.dirname, '../fixtures');
  const corpus = lines<CorpusLine>(join(fixtures, 'tools/livemcp.jsonl')).slice(1);
  const rows = readFileSync(join(fixtures, 'search/questions.tsv'), 'utf8').trim().split('\n');
  const queries = rows.map((row) => {
    const [query = '', ids = ''] = row.split('\t');
    return { query, groups: [ids.split(' ')] };
  });
  return { name: 'own questions', docs: corpus.map(toDoc), queries };
}

function toDoc({ id, server, name, description, parameters }: CorpusLine): SearchDoc {
  const described = parameters.map((one) => ({ name: one.name, description: one.description ?? '' }));
  const properties = Object.fromEntries(described.map((one) => [one.name, { description: one.description }]));
  const { annotations } = annotate({ name, description, inputSchema: { type: 'object', properties } });
  const safety = annotations.safetyLevel;
  return { key: id, server, name, description, parameters: described, tags: [], safety };
}

interface CorpusLine {
  id: string;
  server: string;
  name: string;
  description: string;
  parameters: { name: string; description?: string }[];
}

function load(folder: string, name: string): DataSet {
  const corpus = lines<CorpusLine>(join(folder, name, 'corpus.jsonl'));
  const queries = lines<{ query: string; gold: string[]; groups?: string[][] }>(join(folder, name, 'queries.jsonl'));
  return {
    name,
    docs: corpus.map(toDoc),
    queries: queries.map(({ query, gold, groups }) => ({ query, groups: groups ?? gold.map((id) => [id]) })),
  };
}

function lines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

export interface Measures {
  'R@1': number;
  'R@5': number;
  'R@10': number;
  'nDCG@10': number;
  MRR: number;
}

/** The measures of one query, from the keys in the result, best first. Recall is the share of intents whose tool was found. */
export function measure(found: string[], { groups }: LabeledQuery): Measures {
  const ranks = groups
    .map((group) => found.findIndex((key) => group.includes(key)))
    .map((at) => (at < 0 ? Infinity : at));
  const within = (k: number) => ranks.filter((rank) => rank < k).length / groups.length;
  const gain = (rank: number) => (rank < 10 ? 1 / Math.log2(rank + 2) : 0);
  const ideal = groups.reduce((sum, _, at) => sum + gain(at), 0);
  return {
    'R@1': within(1),
    'R@5': within(5),
    'R@10': within(10),
    'nDCG@10': ranks.reduce((sum, rank) => sum + gain(rank), 0) / ideal,
    MRR: 1 / (Math.min(...ranks) + 1),
  };
}

/** Means over the queries of a set; `find` returns the keys of the result, best first. */
export function measureAll(queries: LabeledQuery[], find: (query: string) => string[]): Measures {
  const sum: Measures = { 'R@1': 0, 'R@5': 0, 'R@10': 0, 'nDCG@10': 0, MRR: 0 };
  for (const query of queries) {
    const one = measure(find(query.query), query);
    for (const name of Object.keys(sum) as (keyof Measures)[]) sum[name] += one[name] / queries.length;
  }
  return sum;
}

/** The 95% bootstrap interval of R@5 over the queries, as text. */
export function recallInterval(queries: LabeledQuery[], find: (query: string) => string[]): string {
  const values = queries.map((query) => measure(find(query.query), query)['R@5']);
  return intervalOf(values);
}

/** The 95% bootstrap interval of the mean difference in R@5 between two rankings of the same queries. */
export function differenceInterval(
  queries: LabeledQuery[],
  before: (query: string) => string[],
  after: (query: string) => string[],
): string {
  const recall = (query: LabeledQuery, keys: string[]) => measure(keys, query)['R@5'];
  return intervalOf(queries.map((query) => recall(query, after(query.query)) - recall(query, before(query.query))));
}

const resamples = 1_000;

function intervalOf(values: number[]): string {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * values.length);
  };
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let at = 0; at < values.length; at++) sum += values[next()] as number;
    return sum / values.length;
  }).sort((a, b) => a - b);
  const at = (share: number) => (means[Math.floor(share * resamples)] as number).toFixed(3);
  return `${at(0.025)} to ${at(0.975)}`;
}

/** At most `most` items, evenly spaced. */
export function sample<T>(all: T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)] as T);
}

/** The words before the first, second and third part of a combined query. */
const links = [
  ['', 'Then ', 'Finally, '],
  ['', 'Also, ', 'Additionally, '],
  ['First, ', 'After that, ', 'Lastly, '],
];

/** Combines two and three evenly spaced single-intent queries alternately into one query. */
export function joined(all: LabeledQuery[], most: number): LabeledQuery[] {
  const single = all.filter(({ query, groups }) => groups.length === 1 && query.length < 300);
  return Array.from({ length: most }, (_, turn) => {
    const parts = Array.from(
      { length: 2 + (turn % 2) },
      (_, at) => single[(turn * 7919 + at * 104729) % single.length] as LabeledQuery,
    );
    const words = links[turn % links.length] as string[];
    const sentences = parts.map(({ query }, at) => `${words[at]}${query.replace(/[.!?\s]*$/, '')}.`);
    return { query: sentences.join(' '), groups: parts.flatMap(({ groups }) => groups) };
  });
}

/** Swaps two neighboring characters in every word of five characters or more. */
export function mistyped(text: string): string {
  return text.replace(/[a-z]{5,}/g, (word) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`);
}
