/** Reads the training data: package summaries, labeled pairs, labeled tool catalogs, and word definitions. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Two strings that belong together. */
export interface TextPair {
  kind: 'package' | 'query' | 'tool' | 'definition';
  left: string;
  right: string;
  /** Pairs of one group are never negatives of one another. */
  group: string;
}

export interface DataFolder {
  pairs: TextPair[];
  /** The sources that were read, for the model card. */
  sources: { name: string; pairs: number }[];
}

/**
 * Reads every known file of the folders: `packages.tsv.gz` (name, summary), `pairs.jsonl.gz` (set, query, tool, text), the
 * folders with `corpus.jsonl` and `queries.jsonl`, and the database files of WordNet (`data.noun` and others). Sets named in
 * `without` are left out.
 */
export function readData(folders: string[], without: ReadonlySet<string>): DataFolder {
  const data: DataFolder = { pairs: [], sources: [] };
  const add = (name: string, pairs: TextPair[]) => {
    data.sources.push({ name, pairs: pairs.length });
    for (const pair of pairs) data.pairs.push(pair);
  };
  for (const folder of folders) {
    const packages = join(folder, 'packages.tsv.gz');
    if (existsSync(packages) && !without.has('packages')) add('packages', readPackages(packages));
    const labeled = join(folder, 'pairs.jsonl.gz');
    if (existsSync(labeled)) {
      const bySet = Map.groupBy(readLines<LabeledPair>(labeled), ({ set }) => set);
      for (const [set, pairs] of bySet) if (!without.has(set)) add(set, withOneTool(pairs).map(toPair));
    }
    if (existsSync(join(folder, 'data.noun')) && !without.has('wordnet')) add('wordnet', readWordNet(folder));
    for (const set of readdirSync(folder).sort()) {
      if (without.has(set) || !existsSync(join(folder, set, 'corpus.jsonl'))) continue;
      add(`${set}: tools`, readTools(join(folder, set)));
      if (existsSync(join(folder, set, 'queries.jsonl'))) add(`${set}: queries`, readQueries(join(folder, set)));
    }
  }
  return data;
}

function readPackages(file: string): TextPair[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  return lines.flatMap((line) => {
    const [left, right] = line.split('\t');
    return left && right ? [{ kind: 'package' as const, left, right, group: right }] : [];
  });
}

interface LabeledPair {
  set: string;
  query: string;
  tool: string;
  text: string;
}

/** Omits queries with several tools, because such a query says little about each of them. */
function withOneTool(pairs: LabeledPair[]): LabeledPair[] {
  const tools = new Map<string, Set<string>>();
  for (const { query, tool } of pairs) tools.set(query, (tools.get(query) ?? new Set()).add(tool));
  return pairs.filter(({ query }) => tools.get(query)?.size === 1);
}

function toPair({ query, tool, text }: LabeledPair): TextPair {
  return { kind: 'query', left: query, right: `${tool} ${text}`, group: tool };
}

interface Tool {
  id: string;
  name: string;
  description: string;
  parameters: { name: string; description?: string }[];
}

/** Pairs the name with the description, and both with the parameters. */
function readTools(folder: string): TextPair[] {
  return readLines<Tool>(join(folder, 'corpus.jsonl')).flatMap(({ name, description, parameters }) => {
    const named = parameters.map((one) => `${one.name} ${one.description ?? ''}`).join(' ');
    return [
      { kind: 'tool' as const, left: name, right: description, group: name },
      ...(named === '' ? [] : [{ kind: 'tool' as const, left: `${name} ${description}`, right: named, group: name }]),
    ];
  });
}

function readQueries(folder: string): TextPair[] {
  const tools = new Map(readLines<Tool>(join(folder, 'corpus.jsonl')).map((tool) => [tool.id, tool]));
  const queries = readLines<{ query: string; gold: string[]; groups?: string[][] }>(join(folder, 'queries.jsonl'));
  return queries.flatMap(({ query, gold, groups = gold.map((id) => [id]) }) => {
    const tool = groups.length === 1 ? tools.get(groups[0]?.[0] ?? '') : undefined;
    if (!tool) return [];
    return [{ kind: 'query' as const, left: query, right: `${tool.name} ${tool.description}`, group: tool.name }];
  });
}

/** Pairs the words of each meaning with its broader meanings, and with its definition and examples. */
function readWordNet(folder: string): TextPair[] {
  const meanings = ['noun', 'verb', 'adj', 'adv'].flatMap((part) =>
    readFileSync(join(folder, `data.${part}`), 'utf8')
      .split('\n')
      .filter((line) => /^\d{8} /.test(line))
      .map(readMeaning),
  );
  const words = new Map(meanings.map((meaning) => [meaning.id, meaning.words]));
  return meanings.map(({ words: left, broader, definition }) => {
    const above = broader.flatMap((id) => words.get(id) ?? []);
    return {
      kind: 'definition',
      left: left.join(', '),
      right: `${above.join(', ')} ${definition}`,
      group: left.join(),
    };
  });
}

/** The signs of relations that count as broader: hypernyms and similar adjectives. */
const broaderSigns = new Set(['@', '&']);
const maxBroader = 2;

/** One line: `offset file type count (word number)… count (sign offset type numbers)… | definition`. */
function readMeaning(line: string) {
  const [head = '', definition = ''] = line.split(' | ');
  const fields = head.trim().split(' ') as [string, string, string, string, ...string[]];
  const idOf = (type: string, offset: string) => `${type === 's' ? 'a' : type}${offset}`;
  const count = Number.parseInt(fields[3], 16);
  const wordAt = (at: number) => (fields[4 + 2 * at] ?? '').replace(/\(.*\)/, '').replaceAll('_', ' ');
  const from = 5 + 2 * count;
  const pointers = Array.from({ length: Number(fields[from - 1]) }, (_, at) => fields.slice(from + 4 * at));
  return {
    id: idOf(fields[2], fields[0]),
    words: Array.from({ length: count }, (_, at) => wordAt(at)),
    broader: pointers
      .filter(([sign = '']) => broaderSigns.has(sign))
      .slice(0, maxBroader)
      .map(([, offset = '', type = '']) => idOf(type, offset)),
    definition,
  };
}

function readLines<T>(file: string): T[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
