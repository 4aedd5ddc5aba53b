/** The parameters of the ranking in one place. `npm run bench -- search` measures what each of them contributes. */

/**
 * `weight`: that of one occurrence. `pivot`: the field length in words at which an occurrence has exactly this weight; fixed, so
 * that indexed tools need no update. `slope`: the strength of length normalization: 0 disables it, 1 makes the weight inversely
 * proportional to length.
 */
const fields = {
  name: { weight: 3, pivot: 3, slope: 0.3 },
  title: { weight: 1, pivot: 3, slope: 0.3 },
  server: { weight: 1, pivot: 2, slope: 0.2 },
  description: { weight: 1.5, pivot: 14, slope: 0.4 },
  parameterNames: { weight: 0.5, pivot: 5, slope: 0.5 },
  parameterTexts: { weight: 0.5, pivot: 30, slope: 0.6 },
  tags: { weight: 0.3, pivot: 2, slope: 0.2 },
};
export type FieldName = keyof typeof fields;
export const fieldNames = Object.keys(fields) as FieldName[];

/** Weights of word classes relative to an ordinary word. */
const text = {
  /** Filler words ("specific", "looking", "currently"). */
  filler: 0.5,
  /** Words in quotation marks, URLs, paths and identifiers: argument values, not the purpose of a tool. */
  value: 0.4,
  number: 0.7,
  /** Capitalized words inside a sentence ("London"). */
  proper: 0.8,
};
export type TextWeights = typeof text;

export type Tuning = typeof defaultTuning;

export const defaultTuning = {
  fields,
  text,
  /** Saturation of the weighted frequency in BM25. */
  k1: 1.2,
  /** Weight of a synonym relative to the word itself. */
  synonym: 0.125,
  /** The weight of a synonym if the index does not contain the word itself. */
  synonymOfUnknown: 0.5,
  /** Weight of a corrected typo. */
  typo: 0.5,
  /** Weight of a word joined with its neighbor, or split in two. */
  compound: 0.5,
  /** Candidates that are reranked: the score is multiplied by 1 plus the sum of the weighted features below. */
  candidates: 40,
  /** Share of the tool name that the query covers, weighted by rarity. */
  name: 0.3,
  /** Whether the query contains the first word of the tool, usually its verb. */
  verb: 0.1,
  /** Words that are adjacent both in the query and in the tool. */
  phrase: 0.15,
  /** Share of the query that the tool matches. */
  coverage: 0.3,
  /** Boost if the query names the tool's server. */
  server: 0.1,
  /** Weight of the list for one intent relative to the list for the whole query. */
  intents: 2,
  /** Maximum boost by usage counts. */
  usage: 0.1,
  /** Weight of the vectors relative to the highest possible keyword score. */
  embeddings: 0.6,
  /** Weight of a query word's context: the common meaning of the tools in this catalog that contain the word. */
  context: 0.15,
  /** Factor for the similarity of a tool with an action verb ("create") that the query does not request. */
  unrequestedAction: 0.25,
  /** Minimum cosine for a tool that matches no word of the query. */
  minSimilarity: 0.2,
  /** Penalty for a tool that matches the same words as higher-ranked tools (MMR). */
  diversity: 0.3,
  /** Penalty for a tool with the same name as a higher-ranked one. */
  sameName: 0.2,
  /** Penalty for the third and each further tool of one server. */
  sameServer: 0.1,
};
