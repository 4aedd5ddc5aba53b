/** The numbers of the ranking, in one place; `npm run bench -- search-quality` shows what each idea is worth. */
import type { TextWeights } from './query-text.ts';

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
  /** Length, in words, at which an occurrence counts in full. Fixed, so that a tool's strengths never need an update. */
  pivot: number;
  /** 0: length does not matter; 1: an occurrence counts in inverse proportion to length. */
  slope: number;
}

export interface Tuning {
  fields: Record<FieldName, Field>;
  text: TextWeights;
  /** BM25 saturation of the weighted frequency. */
  k1: number;
  /** What a synonym counts of the word itself. */
  synonym: number;
  /** The same where the index does not know the word itself. */
  synonymOfUnknown: number;
  /** What a mended typo counts. */
  typo: number;
  /** What a word joined with its neighbour, or cut in two, counts. */
  compound: number;
  /** How many of the best are looked at again, with the boosts below; each is added to 1 and multiplied in. */
  candidates: number;
  /** The share of the tool's name that the query speaks of, rare words counting more. */
  name: number;
  /** Whether the tool's leading word, mostly its verb, is asked for. */
  verb: number;
  /** Neighbours in the query that are neighbours in the tool. */
  phrase: number;
  /** The share of the query that the tool speaks of. */
  coverage: number;
  /** The query names the tool's server. */
  server: number;
  /** What a place in the list for one of several things that are asked counts beside one in the list for the whole. */
  needs: number;
  /** How much the caller's usage counts may add. */
  usage: number;
  /** With a model: what meaning counts beside words, as a share of the most that words can bring. */
  meaning: number;
  /** How close (cosine) a tool must come to be found by its meaning alone. */
  leastMeaning: number;
  /** What a tool loses for meeting the same words as those above it, so that a query of many needs gets them all. */
  spread: number;
  /** What a tool loses for having the same name as one above it. */
  sameName: number;
}

export const defaultTuning: Tuning = {
  fields: {
    name: { weight: 3, pivot: 3, slope: 0.3 },
    title: { weight: 1, pivot: 3, slope: 0.3 },
    server: { weight: 1, pivot: 2, slope: 0.2 },
    description: { weight: 1.5, pivot: 14, slope: 0.4 },
    parameterNames: { weight: 0.5, pivot: 5, slope: 0.5 },
    parameterTexts: { weight: 0.5, pivot: 30, slope: 0.6 },
    tags: { weight: 0.3, pivot: 2, slope: 0.2 },
  },
  text: { talk: 0.5, value: 0.4, number: 0.7, proper: 0.8 },
  k1: 1.2,
  synonym: 0.125,
  synonymOfUnknown: 0.5,
  typo: 0.5,
  compound: 0.5,
  candidates: 40,
  name: 0.3,
  verb: 0.1,
  phrase: 0.15,
  coverage: 0.3,
  server: 0.1,
  needs: 2,
  usage: 0.1,
  meaning: 0.15,
  leastMeaning: 0.3,
  spread: 0.3,
  sameName: 0.2,
};
