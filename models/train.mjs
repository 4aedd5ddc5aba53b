/**
 * `node models/train.mjs DATA... [--out FOLDER] [--seed 1] [--passes 4] [--batch 512] [--least 10] [--without SET]`: trains
 * models/search, with Node 24, in about half an hour. The same data and seed give the same files.
 * Contrastive learning (InfoNCE with in-batch negatives): in a batch of pairs, each left side must be nearer to its own right
 * side than to the others, and vice versa. A side is the mean of its words' vectors, weighted by inverse document frequency.
 * Reads every known file in the DATA folders: `packages.tsv.gz` (name, summary), `pairs.jsonl.gz` (set, query, tool, text),
 * folders with `corpus.jsonl` and `queries.jsonl`, and the files of WordNet (`data.noun` and others).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { wordsOf } from '../electron/core/search/vectors/word-model.ts';

const text = (value) => ({ type: 'string', default: value });
const numeric = { seed: text('1'), passes: text('4'), batch: text('512'), least: text('10') };
const { values: options, positionals: folders } = parseArgs({
  options: {
    out: text(join(import.meta.dirname, 'search')),
    ...numeric,
    without: { type: 'string', multiple: true, default: ['livemcp'] },
  },
  allowPositionals: true,
});
const [seed, passes, batch, least] = Object.keys(numeric).map((name) => Number(options[name]));
const [dimensions, maxVocabulary, maxWords, temperature, beta1, beta2] = [128, 28_000, 60, 0.07, 0.9, 0.99];
/** By kind of pair: how often a pass uses it on average, and how much it counts toward the frequency of its words. */
const kinds = { package: [0.5, 1], query: [2, 2], tool: [2, 2], definition: [2, 1 / 3] };
/** Pairs of strings that belong together. Pairs of one group are never negatives of one another. */
const pairs = [];
const add = (set, kind, left, right, group) =>
  options.without.includes(set) || pairs.push({ set, kind, left, right, group });
const textOf = (file) => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString('utf8');
const linesOf = (file) => textOf(file).match(/[^\n]+/g) ?? [];
const recordsOf = (file) => linesOf(file).map((line) => JSON.parse(line));

/** A query with several tools says little about each of them, so it is left out. */
function addLabeled(file) {
  for (const rows of Map.groupBy(recordsOf(file), ({ set, query }) => `${set}\n${query}`).values())
    if (new Set(rows.map(({ tool }) => tool)).size === 1)
      for (const { set, query, tool, text } of rows) add(set, 'query', query, `${tool} ${text}`, tool);
}

/** The name of a tool with its description, both with its parameters, and a query with both. */
function addCatalog(folder, set) {
  const tools = new Map(recordsOf(join(folder, set, 'corpus.jsonl')).map((tool) => [tool.id, tool]));
  for (const { name, description, parameters } of tools.values()) {
    const named = parameters.map((one) => `${one.name} ${one.description ?? ''}`).join(' ');
    add(set, 'tool', name, description, name);
    if (named !== '') add(set, 'tool', `${name} ${description}`, named, name);
  }
  const queries = join(folder, set, 'queries.jsonl');
  for (const { query, gold, groups = gold.map((id) => [id]) } of existsSync(queries) ? recordsOf(queries) : []) {
    const tool = groups.length === 1 ? tools.get(groups[0][0]) : undefined;
    if (tool) add(set, 'query', query, `${tool.name} ${tool.description}`, tool.name);
  }
}

/**
 * The words of each meaning with those of up to two broader meanings (signs `@` and `&`) and with its definition. A line is
 * `offset file type count (word number)… count (sign offset type numbers)… | definition`.
 */
function addWordNet(folder) {
  const idOf = (type, offset) => `${type === 's' ? 'a' : type}${offset}`;
  const lines = ['noun', 'verb', 'adj', 'adv'].flatMap((part) => linesOf(join(folder, `data.${part}`)));
  const meanings = new Map();
  for (const line of lines.filter((line) => /^\d{8} /.test(line))) {
    const [head, definition = ''] = line.split(' | ');
    const fields = head.trim().split(' ');
    const end = 4 + 2 * Number.parseInt(fields[3], 16);
    const written = fields.slice(4, end).filter((_, at) => at % 2 === 0);
    const words = written.map((word) => word.replace(/\(.*\)/, '').replaceAll('_', ' '));
    const signs = Array.from({ length: Number(fields[end]) }, (_, at) => fields.slice(end + 1 + 4 * at));
    const broader = signs.filter(([sign]) => sign === '@' || sign === '&').slice(0, 2);
    meanings.set(idOf(fields[2], fields[0]), { words, broader, definition });
  }
  for (const { words, broader, definition } of meanings.values()) {
    const above = broader.flatMap(([, offset, type]) => meanings.get(idOf(type, offset))?.words ?? []);
    add('wordnet', 'definition', words.join(', '), `${above.join(', ')} ${definition}`, words.join());
  }
}

for (const folder of folders) {
  const has = (...names) => existsSync(join(folder, ...names));
  for (const line of has('packages.tsv.gz') ? linesOf(join(folder, 'packages.tsv.gz')) : []) {
    const [name, summary] = line.split('\t');
    if (name && summary) add('packages', 'package', name, summary, summary);
  }
  if (has('pairs.jsonl.gz')) addLabeled(join(folder, 'pairs.jsonl.gz'));
  if (has('data.noun')) addWordNet(folder);
  for (const set of readdirSync(folder).sort()) if (has(set, 'corpus.jsonl')) addCatalog(folder, set);
}
console.table(Object.fromEntries([...Map.groupBy(pairs, ({ set }) => set)].map(([set, { length }]) => [set, length])));

const split = pairs.map(({ left, right }) => [wordsOf(left, maxWords), wordsOf(right, maxWords)]);
const counts = new Map();
for (const [at, sides] of split.entries())
  for (const word of new Set(sides.flat())) counts.set(word, (counts.get(word) ?? 0) + kinds[pairs[at].kind][1]);
const common = [...counts].filter(([word, count]) => count >= least && /\p{L}/u.test(word));
common.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
const vocabulary = common.slice(0, maxVocabulary).map(([word]) => word);
const numbers = new Map(vocabulary.map((word, at) => [word, at]));
const examples = split.flatMap((words, at) => {
  const sides = words.map((side) => side.map((word) => numbers.get(word)).filter((token) => token !== undefined));
  const { kind, group } = pairs[at];
  const isUseful = sides[1].length > 0 && sides.flat().length > 1 && (sides[0].length > 0 || kind === 'package');
  return isUseful ? [{ sides, kind, group }] : [];
});
const idf = Float32Array.from(vocabulary, (word) => Math.log(examples.length / counts.get(word)));
console.log(`${vocabulary.length} words, ${examples.length} pairs with at least two of them`);

/** The generator mulberry32: numbers from 0 to 1. */
let [state, step] = [seed >>> 0, 0];
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const matrix = (rows, columns) => new Float64Array(rows * columns);
const vectors = matrix(vocabulary.length, dimensions).map(() => normal() / Math.sqrt(dimensions));
const [gradients, first, second] = [1, 2, 3].map(() => matrix(vocabulary.length, dimensions));
const touched = new Set();
const scores = matrix(batch, batch);
const [left, right] = [0, 1].map(() => ({ tokens: [], units: matrix(batch, dimensions), lengths: [] }));
const slopes = [left, right].map(() => matrix(batch, dimensions));

function dot(a, from, b, start) {
  let sum = 0;
  for (let d = 0; d < dimensions; d++) sum += a[from + d] * b[start + d];
  return sum;
}

/** Adds `factor` times the numbers of `b` from `start` on to those of `a` from `from` on. */
function addTo(a, from, factor, b, start) {
  for (let d = 0; d < dimensions; d++) a[from + d] += factor * b[start + d];
}

/** Package: the name and a random half of the summary, and the other half. Others: the two sides. Neither may be empty. */
function sidesOf({ sides: [name, text], kind }) {
  const sides = [[...name], []];
  for (const token of text) sides[kind === 'package' && text.length > 1 && random() < 0.5 ? 0 : 1].push(token);
  if (sides[1].length === 0) sides[1].push(sides[0].pop());
  if (sides[0].length === 0) sides[0].push(sides[1].pop());
  return sides;
}

/** The sum of the words of each side, with length 1. */
function embed({ tokens, units, lengths }) {
  units.fill(0);
  for (const [at, words] of tokens.entries()) {
    const from = at * dimensions;
    for (const token of words) addTo(units, from, idf[token], vectors, token * dimensions);
    lengths[at] = Math.sqrt(dot(units, from, units, from) + 1e-12);
    for (let d = from; d < from + dimensions; d++) units[d] /= lengths[at];
  }
}

/** Computes the gradients of the loss by the unit vectors, in `slopes`. Returns the mean loss. */
function compare(groups) {
  const [rowSums, columnSums, own] = [1, 2, 3].map(() => new Float64Array(batch));
  for (let i = 0; i < batch; i++)
    for (let j = 0; j < batch; j++) {
      const cosine = dot(left.units, i * dimensions, right.units, j * dimensions);
      const power = i !== j && groups[i] === groups[j] ? 0 : Math.exp(cosine / temperature);
      scores[i * batch + j] = power;
      rowSums[i] += power;
      columnSums[j] += power;
      if (i === j) own[i] = power;
    }
  for (const slope of slopes) slope.fill(0);
  for (let i = 0; i < batch; i++)
    for (let j = 0; j < batch; j++) {
      const pull = i === j ? 1 / temperature : 0;
      const score = (scores[i * batch + j] * (1 / rowSums[i] + 1 / columnSums[j])) / (2 * temperature) - pull;
      addTo(slopes[0], i * dimensions, score, right.units, j * dimensions);
      addTo(slopes[1], j * dimensions, score, left.units, i * dimensions);
    }
  return own.reduce((sum, power, i) => sum - Math.log(power ** 2 / rowSums[i] / columnSums[i]), 0) / (2 * batch);
}

/** Converts the gradients of the unit vectors to those of the sums, and adds them to each word. */
function propagate({ tokens, units, lengths }, slope) {
  for (const [at, words] of tokens.entries()) {
    const from = at * dimensions;
    addTo(slope, from, -dot(units, from, slope, from), units, from);
    for (const token of words) addTo(gradients, token * dimensions, idf[token] / lengths[at], slope, from);
    for (const token of words) touched.add(token);
  }
}

/** Adam with a falling learning rate, for the words of the batch only. */
function update() {
  step += 1;
  const learningRate = 0.01 * Math.max(0, 1 - step / (passes * perPass + 1));
  const rate = (learningRate * Math.sqrt(1 - beta2 ** step)) / (1 - beta1 ** step);
  for (const token of touched)
    for (let at = token * dimensions; at < (token + 1) * dimensions; at++) {
      first[at] = beta1 * first[at] + (1 - beta1) * gradients[at];
      second[at] = beta2 * second[at] + (1 - beta2) * gradients[at] ** 2;
      gradients[at] = 0;
      vectors[at] -= (rate * first[at]) / (Math.sqrt(second[at]) + 1e-8);
    }
  touched.clear();
}

const perPass = Math.floor(examples.reduce((sum, { kind }) => sum + kinds[kind][0], 0) / batch);
if (perPass === 0) throw new Error(`Too few pairs for a batch of ${batch} in: ${folders.join(', ') || 'no folder'}.`);
for (let pass = 1; pass <= passes; pass++) {
  // The fractional part of a kind's times is the probability of one more use.
  const order = [];
  for (const example of examples)
    for (let uses = kinds[example.kind][0]; uses >= 1 || random() < uses; uses--) order.push(example);
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  const losses = [];
  for (let from = 0; from + batch <= order.length; from += batch) {
    const chosen = order.slice(from, from + batch);
    for (const [at, example] of chosen.entries()) [left.tokens[at], right.tokens[at]] = sidesOf(example);
    for (const side of [left, right]) embed(side);
    losses.push(compare(chosen.map(({ group }) => group)));
    for (const [at, side] of [left, right].entries()) propagate(side, slopes[at]);
    update();
  }
  console.log(`pass ${pass} of ${passes}: loss ${(losses.reduce((a, b) => a + b) / losses.length).toFixed(4)}`);
}

/** The file has 8 bits per number and one scale per word. */
const embeddings = new Int8Array(vectors.length);
const scales = Float32Array.from(vocabulary, (_, row) => {
  const values = vectors.subarray(row * dimensions, (row + 1) * dimensions).map((value) => value * idf[row]);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  embeddings.set(largest === 0 ? [] : values.map((value) => Math.round((value / largest) * 127)), row * dimensions);
  return largest / 127;
});
const tensor = (dtype, shape, ...data_offsets) => ({ dtype, shape, data_offsets });
const header = JSON.stringify({
  scales: tensor('F32', [vocabulary.length], 0, scales.byteLength),
  embeddings: tensor('I8', [vocabulary.length, dimensions], scales.byteLength, scales.byteLength + vectors.length),
});
const padded = new TextEncoder().encode(header.padEnd(Math.ceil(header.length / 8) * 8, ' '));
const parts = [BigUint64Array.of(BigInt(padded.length)), padded, scales, embeddings];
mkdirSync(options.out, { recursive: true });
writeFileSync(join(options.out, 'vocabulary.txt'), `${vocabulary.join('\n')}\n`);
writeFileSync(join(options.out, 'model.safetensors'), Buffer.concat(parts.map((part) => new Uint8Array(part.buffer))));
