/**
 * Trains one vector per word with contrastive learning: in a batch of pairs, each left side must be nearer to its own right
 * side than to the other right sides, and vice versa (InfoNCE with in-batch negatives). A side is the mean of its words' vectors,
 * weighted by inverse document frequency; Adam updates only the words of the batch.
 */
import { type Examples, kinds } from './examples.ts';
import { createMatmul } from './matmul.ts';
import { createRandom, type Random } from './random.ts';

export interface TrainingOptions {
  seed: number;
  dimensions: number;
  batch: number;
  passes: number;
  temperature: number;
  learningRate: number;
  /** How often a pass uses a pair of each kind, on average. */
  times: Record<(typeof kinds)[number], number>;
}

export interface WordVectors {
  dimensions: number;
  /** The vectors of all tokens. The length of a vector includes the inverse document frequency. */
  vectors: Float32Array;
}

const beta1 = 0.9;
const beta2 = 0.99;
const epsilon = 1e-8;
/** Maximum number of words of a side that its mean includes. */
const maxTokens = 64;
const packageKind = kinds.indexOf('package');

/** Trains the vectors; `onPass` receives the number of the pass, from 1, and its mean loss. */
export function train(
  examples: Examples,
  options: TrainingOptions,
  onPass: (pass: number, loss: number) => void,
): WordVectors {
  const { dimensions, batch, passes, seed } = options;
  const random = createRandom(seed);
  const words = examples.vocabulary.length;
  const idf = Float32Array.from(examples.frequencies, (count) => Math.log(examples.size / count));
  const vectors = Float32Array.from({ length: words * dimensions }, () => random.normal() / Math.sqrt(dimensions));
  const optimizer = createOptimizer(vectors, words, dimensions);
  const step = createStep(examples, vectors, idf, optimizer.add, random, options);
  const times = kinds.map((kind) => options.times[kind]);
  const steps = passes * Math.floor(orderOf(examples, times, createRandom(seed)).length / batch);
  let done = 0;
  for (let pass = 0; pass < passes; pass++) {
    const order = orderOf(examples, times, random);
    random.shuffle(order);
    let loss = 0;
    for (let from = 0; from + batch <= order.length; from += batch) {
      loss += step(order.subarray(from, from + batch));
      done++;
      optimizer.apply(options.learningRate * Math.max(0, 1 - done / (steps + 1)), done);
    }
    onPass(pass + 1, loss / Math.floor(order.length / batch));
  }
  for (let at = 0; at < vectors.length; at++) {
    vectors[at] = (vectors[at] as number) * (idf[Math.floor(at / dimensions)] as number);
  }
  return { dimensions, vectors };
}

/** The pairs of one pass in random order. The fractional part of `times` is the probability of one more use. */
function orderOf({ size, kinds: kindOf }: Examples, times: number[], random: Random): Int32Array {
  const order: number[] = [];
  for (let at = 0; at < size; at++) {
    for (let left = times[kindOf[at] as number] as number; left >= 1 || random.next() < left; left--) order.push(at);
  }
  return Int32Array.from(order);
}

interface Optimizer {
  /** Adds a gradient to the gradient of the word. */
  add(token: number, gradient: Float32Array, from: number, factor: number): void;
  /** Updates all words that have a gradient. `step` counts from 1. */
  apply(learningRate: number, step: number): void;
}

function createOptimizer(vectors: Float32Array, words: number, dimensions: number): Optimizer {
  const gradients = new Float32Array(words * dimensions);
  const first = new Float32Array(words * dimensions);
  const second = new Float32Array(words * dimensions);
  const isTouched = new Uint8Array(words);
  const touched = new Int32Array(words);
  let count = 0;
  return {
    add(token, gradient, from, factor) {
      if (isTouched[token] === 0) {
        isTouched[token] = 1;
        touched[count++] = token;
      }
      const to = token * dimensions;
      for (let at = 0; at < dimensions; at++) {
        gradients[to + at] = (gradients[to + at] as number) + factor * (gradient[from + at] as number);
      }
    },
    apply(learningRate, step) {
      const rate = (learningRate * Math.sqrt(1 - beta2 ** step)) / (1 - beta1 ** step);
      for (let index = 0; index < count; index++) {
        const token = touched[index] as number;
        isTouched[token] = 0;
        const end = (token + 1) * dimensions;
        for (let at = token * dimensions; at < end; at++) {
          const gradient = gradients[at] as number;
          gradients[at] = 0;
          const mean = beta1 * (first[at] as number) + (1 - beta1) * gradient;
          const square = beta2 * (second[at] as number) + (1 - beta2) * gradient * gradient;
          first[at] = mean;
          second[at] = square;
          vectors[at] = (vectors[at] as number) - (rate * mean) / (Math.sqrt(square) + epsilon);
        }
      }
      count = 0;
    },
  };
}

/** One side of the batch: its tokens, the sums of their vectors, and these with length 1. */
function createSide(batch: number, dimensions: number, units: Float32Array, gradient: Float32Array) {
  return {
    tokens: new Int32Array(batch * maxTokens),
    sizes: new Int32Array(batch),
    lengths: new Float32Array(batch),
    units,
    gradient,
    row: new Float32Array(dimensions),
  };
}
type Side = ReturnType<typeof createSide>;

/** Returns a function that adds the gradients of a batch (numbers of pairs) and returns its mean loss. */
function createStep(
  examples: Examples,
  vectors: Float32Array,
  idf: Float32Array,
  add: Optimizer['add'],
  random: Random,
  { batch, dimensions, temperature }: TrainingOptions,
): (pairs: Int32Array) => number {
  const { matrix, multiply } = createMatmul(4 * (6 * batch * dimensions + 4 * batch * batch) + 65_536);
  const left = createSide(batch, dimensions, matrix(batch, dimensions), matrix(batch, dimensions));
  const right = createSide(batch, dimensions, matrix(batch, dimensions), matrix(batch, dimensions));
  const rightColumns = matrix(dimensions, batch);
  const scores = matrix(batch, batch);
  const columns = matrix(batch, batch);
  const loss = createLoss(batch, temperature);
  return (pairs) => {
    pairs.forEach((pair, at) => {
      fillSides(examples, pair, at, left, right, random);
    });
    for (const side of [left, right]) embed(side, vectors, idf, dimensions);
    transpose(right.units, rightColumns, batch, dimensions);
    multiply(left.units, rightColumns, scores, batch, batch, dimensions);
    const value = loss(scores, pairs, examples.groups);
    multiply(scores, right.units, left.gradient, batch, dimensions, batch);
    transpose(scores, columns, batch, batch);
    multiply(columns, left.units, right.gradient, batch, dimensions, batch);
    for (const side of [left, right]) propagate(side, idf, dimensions, add);
    return value;
  };
}

/** Fills both sides. Package: the name and a random half of the summary, and the other half. Labeled pair: its two sides. */
function fillSides(examples: Examples, pair: number, at: number, left: Side, right: Side, random: Random): void {
  const { tokens, starts } = examples;
  const [start, middle, end] = [starts[2 * pair], starts[2 * pair + 1], starts[2 * pair + 2]] as [
    number,
    number,
    number,
  ];
  const counts = [0, 0] as [number, number];
  const put = (which: 0 | 1, token: number) => {
    if (counts[which] < maxTokens) (which === 0 ? left : right).tokens[at * maxTokens + counts[which]++] = token;
  };
  for (let index = start; index < middle; index++) put(0, tokens[index] as number);
  const splits = examples.kinds[pair] === packageKind && end - middle > 1;
  for (let index = middle; index < end; index++) {
    put(splits && random.next() < 0.5 ? 0 : 1, tokens[index] as number);
  }
  // Each side needs at least one word.
  if (counts[1] === 0) put(1, left.tokens[at * maxTokens + --counts[0]] as number);
  if (counts[0] === 0) put(0, right.tokens[at * maxTokens + --counts[1]] as number);
  left.sizes[at] = counts[0];
  right.sizes[at] = counts[1];
}

function embed(side: Side, vectors: Float32Array, idf: Float32Array, dimensions: number): void {
  const { tokens, sizes, lengths, units, row } = side;
  for (let at = 0; at < sizes.length; at++) {
    row.fill(0);
    for (let index = 0; index < (sizes[at] as number); index++) {
      const token = tokens[at * maxTokens + index] as number;
      const weight = idf[token] as number;
      const from = token * dimensions;
      for (let d = 0; d < dimensions; d++) row[d] = (row[d] as number) + weight * (vectors[from + d] as number);
    }
    let square = 1e-12;
    for (let d = 0; d < dimensions; d++) square += (row[d] as number) * (row[d] as number);
    const length = Math.sqrt(square);
    lengths[at] = length;
    for (let d = 0; d < dimensions; d++) units[at * dimensions + d] = (row[d] as number) / length;
  }
}

/** Converts the gradient of the unit vector to that of the sum, and adds it to each word of the side. */
function propagate(side: Side, idf: Float32Array, dimensions: number, add: Optimizer['add']): void {
  const { tokens, sizes, lengths, units, gradient } = side;
  for (let at = 0; at < sizes.length; at++) {
    const from = at * dimensions;
    let along = 0;
    for (let d = from; d < from + dimensions; d++) along += (units[d] as number) * (gradient[d] as number);
    const length = lengths[at] as number;
    for (let d = from; d < from + dimensions; d++) {
      gradient[d] = ((gradient[d] as number) - along * (units[d] as number)) / length;
    }
    for (let index = 0; index < (sizes[at] as number); index++) {
      const token = tokens[at * maxTokens + index] as number;
      add(token, gradient, from, idf[token] as number);
    }
  }
}

/** Returns a function that turns the scores of a batch into their gradients and returns the mean loss. */
function createLoss(batch: number, temperature: number) {
  const rowSums = new Float64Array(batch);
  const columnSums = new Float64Array(batch);
  const own = new Float64Array(batch);
  return (scores: Float32Array, pairs: Int32Array, groups: Int32Array): number => {
    columnSums.fill(0);
    const group = Int32Array.from(pairs, (pair) => groups[pair] as number);
    for (let i = 0; i < batch; i++) {
      let sum = 0;
      for (let j = 0; j < batch; j++) {
        const at = i * batch + j;
        // Cosines are at most 1, so the power cannot overflow.
        const power = i !== j && group[i] === group[j] ? 0 : Math.exp((scores[at] as number) / temperature);
        scores[at] = power;
        sum += power;
        columnSums[j] = (columnSums[j] as number) + power;
      }
      rowSums[i] = sum;
      own[i] = scores[i * batch + i] as number;
    }
    let loss = 0;
    const factor = 1 / (2 * temperature);
    for (let i = 0; i < batch; i++) {
      const inverse = 1 / (rowSums[i] as number);
      for (let j = 0; j < batch; j++) {
        const at = i * batch + j;
        scores[at] = factor * (scores[at] as number) * (inverse + 1 / (columnSums[j] as number));
      }
      scores[i * batch + i] = (scores[i * batch + i] as number) - 2 * factor;
      loss -= Math.log((own[i] as number) * inverse) + Math.log((own[i] as number) / (columnSums[i] as number));
    }
    return loss / (2 * batch);
  };
}

function transpose(from: Float32Array, to: Float32Array, rows: number, columns: number): void {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) to[column * rows + row] = from[row * columns + column] as number;
  }
}
