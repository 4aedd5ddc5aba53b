/**
 * Measures whether the ranking's parameters generalize. Starting from neutral parameters, coordinate ascent tunes on all sets
 * except one, which evaluates the result; the default parameters, tuned by hand on all sets, are listed for comparison. Takes up
 * to ten minutes of CPU time, so it runs only when named. Change the default parameters by hand, guided by the result.
 */
import { createFeedbackIndex } from '../../electron/core/search/feedback/feedback-index.ts';
import { createPostings, type Postings } from '../../electron/core/search/index/postings.ts';
import { createScratch } from '../../electron/core/search/index/scoring.ts';
import { rank } from '../../electron/core/search/query/ranking.ts';
import { type Tuning as SearchTuning, defaultTuning as standardTuning } from '../../electron/core/search/tuning.ts';
import type { Part, Report, Row } from './report.ts';
import { type DataSet, dataSetsOrNote, measureAll, sample } from './search-data.ts';

/** The tuned parameters, each with its getter and setter. */
type Knob = { name: string; get(tuning: SearchTuning): number; set(tuning: SearchTuning, value: number): SearchTuning };

const plain = [
  'k1',
  'synonym',
  'synonymOfUnknown',
  'name',
  'verb',
  'phrase',
  'coverage',
  'server',
  'diversity',
  'sameName',
  'sameServer',
] as const;
const texts = ['filler', 'value', 'number', 'proper'] as const;
const fields = ['name', 'server', 'description', 'parameterNames', 'parameterTexts'] as const;

const knobs: Knob[] = [
  ...plain.map((name) => ({
    name,
    get: (tuning: SearchTuning) => tuning[name],
    set: (tuning: SearchTuning, value: number) => ({ ...tuning, [name]: value }),
  })),
  ...texts.map((name) => ({
    name: `text.${name}`,
    get: (tuning: SearchTuning) => tuning.text[name],
    set: (tuning: SearchTuning, value: number) => ({ ...tuning, text: { ...tuning.text, [name]: Math.min(1, value) } }),
  })),
  ...fields.flatMap((field) =>
    (['weight', 'slope'] as const).map((side) => ({
      name: `${field}.${side}`,
      get: (tuning: SearchTuning) => tuning.fields[field][side],
      set: (tuning: SearchTuning, value: number) => ({
        ...tuning,
        fields: { ...tuning.fields, [field]: { ...tuning.fields[field], [side]: value } },
      }),
    })),
  ),
];

/** Each round multiplies every parameter by its two steps, coarse steps first. */
const rounds = [
  [0.5, 2],
  [0.7, 1.4],
];
/** A smaller gain is noise; accepting it would overfit. */
const leastGain = 0.0005;
const maxQueries = 300;
/** The limit of CPU time for each ascent, independent of the load on the machine. */
const maxMs = 2 * 60_000;

/** The start of the tuning: textbook BM25 with equal weights for all fields, words and boosts. */
const { fields: f } = standardTuning;
const alike = (pivot: number) => ({ weight: 1, pivot, slope: 0.75 });
const untuned: SearchTuning = {
  ...standardTuning,
  fields: {
    ...f,
    ...(Object.fromEntries(fields.map((name) => [name, alike(f[name].pivot)])) as Pick<
      typeof f,
      (typeof fields)[number]
    >),
  },
  text: { filler: 1, value: 1, number: 1, proper: 1 },
  k1: 1.2,
  synonym: 0.25,
  synonymOfUnknown: 0.25,
  name: 0.2,
  verb: 0.2,
  phrase: 0.2,
  coverage: 0.2,
  server: 0.2,
  diversity: 0.2,
  sameName: 0.2,
  sameServer: 0.1,
};

export const part: Part = {
  about: 'one set is held out: the parameters are tuned on the others and evaluated on it',
  run(report) {
    const sets = dataSetsOrNote(report).map((set) => trial({ ...set, queries: sample(set.queries, maxQueries) }));
    if (sets.length < 2) return;
    report.note(`At most ${maxQueries} queries of each set; all figures are the mean of R@5 and nDCG@10.`);
    const onAll = ascend(sets, report);
    const folds = sets.map((out) => {
      const others = sets.filter((set) => set !== out);
      return { out, others, tuned: ascend(others, report) };
    });
    const rows = folds.map(({ out, others, tuned }) => ({
      'left out': out.name,
      untuned: out.judge(untuned),
      'tuned on the others': out.judge(tuned),
      'tuned on all four': out.judge(onAll),
      standard: out.judge(standardTuning),
      'others: untuned': judge(others, untuned),
      'others: tuned': judge(others, tuned),
    }));
    const columns = Object.keys(rows[0] as Row).slice(1) as Exclude<keyof (typeof rows)[0], 'left out'>[];
    const means = columns.map((name) => [name, rows.reduce((sum, one) => sum + one[name], 0) / rows.length]);
    report.table('On the held-out set, and on the others', [
      ...rows,
      { 'left out': 'mean', ...Object.fromEntries(means) },
    ]);
    report.table(
      'The parameters: tuned on all sets, and with each set held out',
      knobs.map((knob) => ({
        number: knob.name,
        untuned: knob.get(untuned),
        standard: knob.get(standardTuning),
        all: knob.get(onAll),
        ...Object.fromEntries(folds.map(({ out, tuned }) => [`no ${out.name}`, knob.get(tuned)])),
      })),
    );
  },
};

function ascend(sets: Trial[], report: Report): SearchTuning {
  const started = process.cpuUsage();
  let best = untuned;
  let score = judge(sets, best);
  for (const steps of rounds) {
    for (const knob of knobs) {
      const from = knob.get(best);
      for (const step of steps) {
        if (process.cpuUsage(started).user > maxMs * 1_000) {
          report.note(`An ascent was stopped after ${maxMs / 60_000} minutes.`);
          return best;
        }
        const tried = knob.set(best, from * step);
        const value = judge(sets, tried);
        if (value < score + leastGain) continue;
        best = tried;
        score = value;
      }
    }
  }
  return best;
}

function judge(sets: Trial[], tuning: SearchTuning): number {
  return sets.reduce((sum, set) => sum + set.judge(tuning), 0) / sets.length;
}

interface Trial {
  name: string;
  judge(tuning: SearchTuning): number;
}

/** Caches its results, and rebuilds the index only if one of the index's parameters has changed. */
function trial({ name, docs, queries }: DataSet): Trial {
  const judged = new Map<string, number>();
  const [feedback, scratch] = [createFeedbackIndex(), createScratch()];
  let index: { fields: string; postings: Postings } | undefined;
  function indexed(tuning: SearchTuning): Postings {
    const fields = JSON.stringify(tuning.fields);
    if (index?.fields !== fields) {
      index = { fields, postings: createPostings(tuning) };
      for (const doc of docs) index.postings.add(doc);
    }
    return index.postings;
  }
  return {
    name,
    judge(tuning) {
      const key = JSON.stringify(tuning);
      const known = judged.get(key);
      if (known !== undefined) return known;
      const ranker = { postings: indexed(tuning), feedback, scratch, tuning, usage: undefined };
      const found = measureAll(queries, (query) => rank(ranker, query, 10, () => true).map((hit) => hit.key));
      const value = (found['R@5'] + found['nDCG@10']) / 2;
      judged.set(key, value);
      return value;
    },
  };
}
