/** Reads the training data: package summaries, labeled pairs, and labeled catalogs of tools. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Two strings that belong together. */
export interface TextPair {
  kind: 'package' | 'query' | 'tool';
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
 * Reads every known file of the folders: `packages.tsv.gz` (name, summary), `pairs.jsonl.gz` (set, query, tool, text) and
 * the folders with `corpus.jsonl` and `queries.jsonl`. Sets named in `without` are left out.
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

/** Without the queries that have several tools: such a query says little about each of them. */
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

/** The name against the description, and name and description against the parameters. */
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

function readLines<T>(file: string): T[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
