/** Search quality on labeled catalogs, compared with common search libraries. */
import Fuse from 'fuse.js';
import MiniSearch from 'minisearch';
import { isStopWord, splitWords, stemOf } from '../../electron/core/search/lexicon/words.ts';
import { createSearch } from '../../electron/core/search/search.ts';
import type { SearchDoc } from '../../electron/core/search/search-doc.ts';
import { type Tuning as SearchTuning, defaultTuning as standardTuning } from '../../electron/core/search/tuning.ts';
import type { Encoder } from '../../electron/core/search/vectors/encoder.ts';
import type { Part, Row } from './report.ts';
import {
  type DataSet,
  dataSetsOrNote,
  differenceInterval,
  encoderOrNote,
  joined,
  type Measures,
  measureAll,
  mistyped,
  recallInterval,
  sample,
} from './search-data.ts';

type Engine = (docs: SearchDoc[]) => (query: string) => string[];

/** fuse.js takes seconds for a query over thousands of tools, so it gets only as many queries as it can answer in this time. */
const fuseMs = 4000;

export const part: Part = {
  about: 'recall, nDCG and MRR per labeled set with and without the model, compared with minisearch and fuse.js',
  async run(report) {
    const sets = dataSetsOrNote(report);
    const encoder = await encoderOrNote(report);
    for (const set of sets) {
      report.table(`${set.name}: ${set.docs.length} tools, ${set.queries.length} queries`, compare(set, encoder));
    }
    if (sets.length === 0) return;
    report.note(`fuse.js: evenly spaced queries, as many as it answers in ${fuseMs / 1000} s (column "asked").`);
    report.note('The ranking was tuned on these sets. `npm run bench -- search-tuning` holds out one after another.');
    const plain = average(sets, standardTuning);
    report.table('Contribution of each feature: the mean over the sets without it, and the loss', [
      row('everything', plain, plain),
      ...Object.entries(without).map(([name, tuning]) => row(name, average(sets, tuning), plain)),
    ]);
    report.table(
      'Two or three queries combined: R@5 and nDCG@10, with and without intent splitting',
      sets.map(several),
    );
    report.table('Every long word misspelled: R@5 with and without fuzzy matching', sets.map(typos));
  },
};

function compare(set: DataSet, encoder: Encoder | undefined): Row[] {
  const { docs, queries } = set;
  const keywords = ours(standardTuning)(docs);
  const semantic = encoder && ours(standardTuning, encoder)(docs);
  const engines: [string, (query: string) => string[]][] = [
    ['ours, keywords', keywords],
    ...(semantic ? [['ours, with the model', semantic] as [string, typeof semantic]] : []),
    ['minisearch, our tokens and fields', miniWithOurTokens(docs)],
    ['minisearch, defaults', mini(docs)],
  ];
  const rows: Row[] = engines.map(([engine, find]) => ({
    engine,
    ...measureAll(queries, find),
    'R@5 95%': recallInterval(queries, find),
    'gain 95%': find === semantic ? differenceInterval(queries, keywords, semantic) : '',
    asked: queries.length,
  }));
  for (const useTokenSearch of [false, true]) {
    const find = fuse(useTokenSearch)(docs);
    const asked = answeredInTime(sample(queries, 40), find);
    const name = useTokenSearch ? 'fuse.js, token search' : 'fuse.js, weighted keys';
    rows.push({ engine: name, ...measureAll(asked, find), asked: asked.length });
    rows.push({ engine: '  ours on the same', ...measureAll(asked, ours(standardTuning)(docs)), asked: asked.length });
  }
  return rows;
}

/** As many evenly spaced queries as the engine has time for. */
function answeredInTime(queries: DataSet['queries'], find: (query: string) => string[]): DataSet['queries'] {
  const until = performance.now() + fuseMs / 2;
  const order = queries
    .map((query, at) => ({ query, turn: (at * 7) % queries.length }))
    .sort((a, b) => a.turn - b.turn);
  const answered: DataSet['queries'] = [];
  for (const { query } of order) {
    if (answered.length > 0 && performance.now() > until) break;
    find(query.query);
    answered.push(query);
  }
  return answered;
}

function ours(tuning: SearchTuning, encoder?: Encoder): Engine {
  return (docs) => {
    const index = createSearch({ tuning, encoder });
    index.put(docs);
    index.indexVectors();
    return (query) => index.search(query, { limit: 10 }).map((hit) => hit.key);
  };
}

const fields = ['name', 'server', 'description', 'parameterNames', 'parameterTexts'] as const;

/** A tool as flat text fields, for engines without list fields. */
function flat(doc: SearchDoc): Record<(typeof fields)[number] | 'key', string> {
  return {
    key: doc.key,
    name: doc.name,
    server: doc.server,
    description: doc.description,
    parameterNames: doc.parameters.map((one) => one.name).join(' '),
    parameterTexts: doc.parameters.map((one) => one.description).join(' '),
  };
}

const mini: Engine = (docs) => {
  const index = new MiniSearch({ idField: 'key', fields: [...fields] });
  index.addAll(docs.map(flat));
  return (query) =>
    index
      .search(query)
      .slice(0, 10)
      .map((hit) => String(hit.id));
};

const miniWithOurTokens: Engine = (docs) => {
  const index = new MiniSearch({
    idField: 'key',
    fields: [...fields],
    tokenize: (text) => splitWords(text, 1000),
    processTerm: (word) => (isStopWord(word) ? null : stemOf(word)),
    searchOptions: { boost: Object.fromEntries(fields.map((name) => [name, standardTuning.fields[name].weight])) },
  });
  index.addAll(docs.map(flat));
  return (query) =>
    index
      .search(query)
      .slice(0, 10)
      .map((hit) => String(hit.id));
};

function fuse(useTokenSearch: boolean): Engine {
  return (docs) => {
    const keys = fields.map((name) => ({ name, weight: standardTuning.fields[name].weight }));
    const index = new Fuse(docs.map(flat), { keys, ignoreLocation: true, useTokenSearch });
    return (query) => index.search(query, { limit: 10 }).map((hit) => hit.item.key);
  };
}

const { fields: f, text } = standardTuning;
const silent = { weight: 0, pivot: 1, slope: 0 };

/** Configurations in which one feature each is disabled. */
const without: Record<string, SearchTuning> = {
  synonyms: { ...standardTuning, synonym: 0, synonymOfUnknown: 0 },
  'parameter names and texts': { ...standardTuning, fields: { ...f, parameterNames: silent, parameterTexts: silent } },
  'length normalization': {
    ...standardTuning,
    fields: Object.fromEntries(Object.entries(f).map(([name, field]) => [name, { ...field, slope: 0 }])) as typeof f,
  },
  'less weight for filler words': { ...standardTuning, text: { ...text, filler: 1 } },
  'less weight for values': { ...standardTuning, text: { ...text, value: 1, number: 1 } },
  'less weight for proper names': { ...standardTuning, text: { ...text, proper: 1 } },
  'joined and split words': { ...standardTuning, compound: 0 },
  'typo correction': { ...standardTuning, typo: 0 },
  'share of the name': { ...standardTuning, name: 0 },
  'leading word': { ...standardTuning, verb: 0 },
  phrases: { ...standardTuning, phrase: 0 },
  'share of the query': { ...standardTuning, coverage: 0 },
  'server named': { ...standardTuning, server: 0 },
  diversification: { ...standardTuning, diversity: 0 },
  'split intents': { ...standardTuning, intents: 0 },
  'same name ranked lower': { ...standardTuning, sameName: 0 },
  'same server ranked lower': { ...standardTuning, sameServer: 0 },
  'all reranking features': {
    ...standardTuning,
    name: 0,
    verb: 0,
    phrase: 0,
    coverage: 0,
    server: 0,
    diversity: 0,
    sameName: 0,
    sameServer: 0,
  },
};

function average(sets: DataSet[], tuning: SearchTuning): Measures {
  const each = sets.map(({ docs, queries }) => measureAll(queries, ours(tuning)(docs)));
  const mean = (name: keyof Measures) => each.reduce((sum, one) => sum + one[name], 0) / each.length;
  return { 'R@1': mean('R@1'), 'R@5': mean('R@5'), 'R@10': mean('R@10'), 'nDCG@10': mean('nDCG@10'), MRR: mean('MRR') };
}

function row(name: string, measures: Measures, whole: Measures): Row {
  return {
    without: name,
    'R@5': measures['R@5'],
    'nDCG@10': measures['nDCG@10'],
    'R@5 lost': whole['R@5'] - measures['R@5'],
    'nDCG lost': whole['nDCG@10'] - measures['nDCG@10'],
  };
}

function several({ name, docs, queries }: DataSet): Row {
  const asked = joined(queries, 400);
  const [apart, together] = [standardTuning, { ...standardTuning, intents: 0 }].map((tuning) =>
    measureAll(asked, ours(tuning)(docs)),
  ) as [Measures, Measures];
  return {
    set: name,
    'R@5': apart['R@5'],
    'nDCG@10': apart['nDCG@10'],
    'R@5 not': together['R@5'],
    'nDCG not': together['nDCG@10'],
  };
}

function typos({ name, docs, queries }: DataSet): Row {
  const asked = sample(queries, 400);
  const slipped = asked.map((one) => ({ ...one, query: mistyped(one.query) }));
  const uncorrected = ours({ ...standardTuning, typo: 0 })(docs);
  return {
    set: name,
    clean: measureAll(asked, ours(standardTuning)(docs))['R@5'],
    mistyped: measureAll(slipped, ours(standardTuning)(docs))['R@5'],
    'mistyped, not corrected': measureAll(slipped, uncorrected)['R@5'],
  };
}
