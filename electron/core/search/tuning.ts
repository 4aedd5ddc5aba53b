/** The parameters of the ranking in one place. `npm run bench -- search` measures what each of them contributes. */
import type { TextWeights } from './query/query-text.ts';

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
  /** Weight of one occurrence. */
  weight: number;
  /** Field length in words at which an occurrence has exactly `weight`. Fixed, so that indexed tools need no update. */
  pivot: number;
  /** Strength of length normalization: 0 disables it, 1 makes the weight inversely proportional to length. */
  slope: number;
}

export interface Tuning {
  fields: Record<FieldName, Field>;
  text: TextWeights;
  /** Saturation of the weighted frequency in BM25. */
  k1: number;
  /** Weight of a synonym relative to the word itself. */
  synonym: number;
  /** The weight of a synonym if the index does not contain the word itself. */
  synonymOfUnknown: number;
  /** Weight of a corrected typo. */
  typo: number;
  /** Weight of a word joined with its neighbor, or split in two. */
  compound: number;
  /** Candidates that are reranked: the score is multiplied by 1 plus the sum of the weighted features below. */
  candidates: number;
  /** Share of the tool name that the query covers, weighted by rarity. */
  name: number;
  /** Whether the query contains the first word of the tool, usually its verb. */
  verb: number;
  /** Words that are adjacent both in the query and in the tool. */
  phrase: number;
  /** Share of the query that the tool matches. */
  coverage: number;
  /** Boost if the query names the tool's server. */
  server: number;
  /** Weight of the list for one intent relative to the list for the whole query. */
  intents: number;
  /** Maximum boost by usage counts. */
  usage: number;
  /** Weight of the vectors relative to the highest possible keyword score. */
  embeddings: number;
  /** Weight of a query word's context: the common meaning of the tools in this catalog that contain the word. */
  context: number;
  /** Factor for the similarity of a tool with an action verb ("create") that the query does not request. */
  unrequestedAction: number;
  /** Minimum cosine for a tool that matches no word of the query. */
  minSimilarity: number;
  /** Penalty for a tool that matches the same words as higher-ranked tools (MMR). */
  diversity: number;
  /** Penalty for a tool with the same name as a higher-ranked one. */
  sameName: number;
  /** Penalty for the third and each further tool of one server. */
  sameServer: number;
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
  text: { filler: 0.5, value: 0.4, number: 0.7, proper: 0.8 },
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
  intents: 2,
  usage: 0.1,
  embeddings: 0.6,
  context: 0.15,
  unrequestedAction: 0.25,
  minSimilarity: 0.2,
  diversity: 0.3,
  sameName: 0.2,
  sameServer: 0.1,
};
