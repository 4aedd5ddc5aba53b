/** The numbers of the ranking, in one place; `npm run bench -- search` shows what each is worth. */

export const fieldNames = [
  'name',
  'title',
  'server',
  'description',
  'parameterNames',
  'parameterTexts',
  'tags',
] as const;
export type FieldName = (typeof fieldNames)[number];

export interface Field {
  /** How much one occurrence counts. */
  weight: number;
  /** Length, in words, at which an occurrence counts in full. */
  pivot: number;
  /** 0: length does not matter; 1: an occurrence counts in inverse proportion to length. */
  slope: number;
}

export interface Tuning {
  fields: Record<FieldName, Field>;
  /** BM25 saturation of the weighted frequency. */
  k1: number;
  /** What a synonym counts of the word itself. */
  synonym: number;
  /** What a mended typo counts. */
  typo: number;
}

export const defaultTuning: Tuning = {
  fields: {
    name: { weight: 3, pivot: 3, slope: 0.3 },
    title: { weight: 1, pivot: 3, slope: 0.3 },
    server: { weight: 1, pivot: 2, slope: 0.2 },
    description: { weight: 1.5, pivot: 14, slope: 0.6 },
    parameterNames: { weight: 0.5, pivot: 5, slope: 0.5 },
    parameterTexts: { weight: 0.4, pivot: 30, slope: 0.5 },
    tags: { weight: 0.3, pivot: 2, slope: 0.2 },
  },
  k1: 1.4,
  synonym: 0.2,
  typo: 0.5,
};
