/**
 * `npm run train -- DATA... [--out FOLDER] [--seed 1] [--without SET]`: trains the search model from the data in the
 * folders and writes it with its model card. The same data and seed give the same model. Takes minutes on one core.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readData } from './data.ts';
import { createExamples } from './examples.ts';
import { type ModelFigures, modelCard } from './model-card.ts';
import { train } from './trainer.ts';
import { writeModel } from './write-model.ts';

/** Words in fewer pairs get no vector. */
const leastPairs = 10;
/** Keeps the model below 4 MB at 128 dimensions. */
const maxVocabulary = 28_000;

const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string', default: join(import.meta.dirname, '../../models/search') },
    seed: { type: 'string', default: '1' },
    passes: { type: 'string', default: '4' },
    without: { type: 'string', multiple: true, default: ['livemcp'] },
  },
  allowPositionals: true,
});
if (positionals.length === 0) throw new Error('Name the folders with the training data: npm run train -- DATA...');

const started = performance.now();
const seconds = () => Math.round((performance.now() - started) / 1000);
const log = (line: string) => console.log(`${String(seconds()).padStart(4)} s  ${line}`);

const data = readData(positionals, new Set(values.without));
if (data.pairs.length === 0) throw new Error(`No training data in ${positionals.join(', ')}.`);
for (const { name, pairs } of data.sources) log(`${name}: ${pairs} pairs`);
const examples = createExamples(data.pairs, leastPairs, maxVocabulary);
log(`${examples.vocabulary.length} words, ${examples.size} pairs with at least two of them`);
const options = {
  seed: Number(values.seed),
  dimensions: 128,
  batch: 512,
  passes: Number(values.passes),
  temperature: 0.07,
  learningRate: 0.01,
  times: { package: 0.5, query: 2, tool: 2, definition: 2 },
};
let loss = 0;
const vectors = train(examples, options, (pass, value) => {
  loss = value;
  log(`pass ${pass} of ${options.passes}: loss ${value.toFixed(4)}`);
});
const bytes = writeModel(values.out, examples.vocabulary, vectors);
const figures: ModelFigures = {
  ...options,
  sources: data.sources,
  words: examples.vocabulary.length,
  pairs: examples.size,
  bytes,
  loss,
};
writeFileSync(join(values.out, 'README.md'), modelCard(figures));
log(`${values.out}: ${(bytes / 1e6).toFixed(2)} MB`);
