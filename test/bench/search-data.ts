/** The labelled catalogues that search is measured on: read from a folder, and the measures themselves. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Encoder, findModel, type SearchDoc } from '../../electron/core/search/search.ts';
import type { Report } from './report.ts';

export interface LabelledQuery {
  query: string;
  /** Each group is one need; any tool of it meets the need. */
  groups: string[][];
}

export interface DataSet {
  name: string;
  docs: SearchDoc[];
  queries: LabelledQuery[];
}

/** The sets; where there are none, a note that says so and what to do. */
export function dataSetsOrNote(report: Report): DataSet[] {
  const { folder, sets } = loadDataSets();
  if (sets.length === 0) {
    report.note(`No labelled catalogues in ${folder}: nothing measured. Set GATEHOUSE_SEARCH_DATA to their folder.`);
  }
  return sets;
}

/** The model of meanings in the folder that `GATEHOUSE_EMBEDDINGS` names. */
export async function encoderOrNote(report: Report): Promise<Encoder | undefined> {
  const folder = process.env.GATEHOUSE_EMBEDDINGS;
  const found = folder === undefined ? undefined : await findModel(resolve(folder), true);
  if (found?.problem) throw new Error(found.problem);
  if (!found) report.note('By words alone: GATEHOUSE_EMBEDDINGS names no folder with a model of meanings.');
  return found?.encoder;
}

const names = ['livemcp', 'metatool', 'sealtools-dev', 'bfcl'];

/** The sets in `GATEHOUSE_SEARCH_DATA`, or beside the checkout; empty with the folder's name where there are none. */
function loadDataSets(): { folder: string; sets: DataSet[] } {
  const folder = process.env.GATEHOUSE_SEARCH_DATA ?? resolve(import.meta.dirname, '../../../shared/search-data');
  const sets = names.filter((name) => existsSync(join(folder, name, 'corpus.jsonl'))).map((name) => load(folder, name));
  return { folder, sets };
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
    docs: corpus.map(({ id, server, name: tool, description, parameters }) => ({
      key: id,
      server,
      name: tool,
      description,
      parameters: parameters.map((one) => ({ name: one.name, description: one.description ?? '' })),
      tags: [],
    })),
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

/** The measures of one query, from the keys found, best first. Recall is the share of needs met. */
export function measure(found: string[], { groups }: LabelledQuery): Measures {
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

/** Means over the queries of a set; `find` gives the keys found, best first. */
export function measureAll(queries: LabelledQuery[], find: (query: string) => string[]): Measures {
  const sum: Measures = { 'R@1': 0, 'R@5': 0, 'R@10': 0, 'nDCG@10': 0, MRR: 0 };
  for (const query of queries) {
    const one = measure(find(query.query), query);
    for (const name of Object.keys(sum) as (keyof Measures)[]) sum[name] += one[name] / queries.length;
  }
  return sum;
}

/** At most `most` of them, evenly spaced. */
export function sample<T>(all: T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)] as T);
}

/** What stands before the first, second and third thing that one question asks for. */
const links = [
  ['', 'Then ', 'Finally, '],
  ['', 'Also, ', 'Additionally, '],
  ['First, ', 'After that, ', 'Lastly, '],
];

/** Two and three in turn of those that ask for one thing, from all over the list, as one question. */
export function joined(all: LabelledQuery[], most: number): LabelledQuery[] {
  const single = all.filter(({ query, groups }) => groups.length === 1 && query.length < 300);
  return Array.from({ length: most }, (_, turn) => {
    const parts = Array.from(
      { length: 2 + (turn % 2) },
      (_, at) => single[(turn * 7919 + at * 104729) % single.length] as LabelledQuery,
    );
    const words = links[turn % links.length] as string[];
    const sentences = parts.map(({ query }, at) => `${words[at]}${query.replace(/[.!?\s]*$/, '')}.`);
    return { query: sentences.join(' '), groups: parts.flatMap(({ groups }) => groups) };
  });
}

/** Two neighbouring letters swapped in every word of five letters or more. */
export function mistyped(text: string): string {
  return text.replace(/[a-z]{5,}/g, (word) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`);
}
