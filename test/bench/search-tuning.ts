/**
 * Whether the numbers of the ranking generalise: they are tuned by coordinate ascent on all sets but one and judged on
 * that one. Takes minutes, so it runs only when named. The numbers themselves change by hand, with these in view.
 */
import { createSearch, type SearchTuning, standardTuning } from '../../electron/core/search/search.ts';
import type { Part } from './report.ts';
import { type DataSet, dataSetsOrNote, measureAll, sample } from './search-data.ts';

/** What is tuned: a way to read and to write each number. */
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
  'spread',
  'sameName',
] as const;
const texts = ['talk', 'value', 'number', 'proper'] as const;
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

const steps = [0.7, 1.4];
const rounds = 1;
const mostQueries = 200;

export const part: Part = {
  about: 'leave one set out: numbers tuned on the others, judged on it',
  run(report) {
    const sets = dataSetsOrNote(report).map((set) => ({ ...set, queries: sample(set.queries, mostQueries) }));
    if (sets.length < 2) return;
    report.note(`At most ${mostQueries} queries of each set; objective: mean of R@5 and nDCG@10.`);
    report.table(
      'Mean of R@5 and nDCG@10 on the set left out',
      sets.map((out) => {
        const others = sets.filter((set) => set !== out);
        const tuned = ascend(others);
        return {
          'left out': out.name,
          standard: judge([out], standardTuning),
          'tuned on the others': judge([out], tuned),
          'others, standard': judge(others, standardTuning),
          'others, tuned': judge(others, tuned),
        };
      }),
    );
    const all = ascend(sets);
    report.table(
      `Tuned on all: ${judge(sets, all).toFixed(4)} against ${judge(sets, standardTuning).toFixed(4)}`,
      knobs.map((knob) => ({ number: knob.name, standard: knob.get(standardTuning), tuned: knob.get(all) })),
    );
  },
};

function ascend(sets: DataSet[]): SearchTuning {
  let best = standardTuning;
  let score = judge(sets, best);
  for (let round = 0; round < rounds; round++) {
    for (const knob of knobs) {
      for (const step of steps) {
        const tried = knob.set(best, knob.get(best) * step);
        const value = judge(sets, tried);
        if (value <= score) continue;
        best = tried;
        score = value;
      }
    }
  }
  return best;
}

function judge(sets: DataSet[], tuning: SearchTuning): number {
  const each = sets.map(({ docs, queries }) => {
    const index = createSearch({ tuning });
    index.put(docs);
    const found = measureAll(queries, (query) => index.search(query, { limit: 10 }).map((hit) => hit.key));
    return (found['R@5'] + found['nDCG@10']) / 2;
  });
  return each.reduce((sum, one) => sum + one, 0) / each.length;
}
