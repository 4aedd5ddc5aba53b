/**
 * Turns a text into a vector of its meaning: the mean of its tokens' vectors, read from a model of static embeddings (the
 * format of model2vec) in a folder on this machine. Nothing is ever downloaded.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readTensors, type Tensor } from './safetensors.ts';

export interface Encoder {
  readonly dimensions: number;
  /** A vector of length 1; undefined where the model knows nothing of the text. */
  encode(text: string): Float32Array | undefined;
}

/** What came of looking for a model. */
export interface FoundModel {
  /** The name of its folder. */
  name: string;
  folder: string;
  encoder?: Encoder;
  /** Why it cannot be used, naming the file; search goes on by words. */
  problem?: string;
}

/** Models of this kind have up to 1024; every tool in the index takes a byte for each. */
const mostDimensions = 4096;

/** What a model's own tools read of a text as well; the rest would hardly move the mean. */
const mostTokens = 512;

/** The model in the folder; undefined where there is no such folder and none was `named`. Never throws. */
export async function findModel(folder: string, named: boolean): Promise<FoundModel | undefined> {
  const found = { name: basename(folder), folder };
  if (!existsSync(folder)) return named ? { ...found, problem: `There is no folder ${folder}.` } : undefined;
  try {
    return { ...found, encoder: await openEncoder(folder) };
  } catch (error) {
    return { ...found, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function openEncoder(folder: string): Promise<Encoder> {
  const vectors = await within(join(folder, 'model.safetensors'), async (file) => vectorsIn(await readFile(file)));
  return within(join(folder, 'tokenizer.json'), async (file) => {
    const written = JSON.parse(await readFile(file, 'utf8'));
    // Only who has a model pays for the library.
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const tokenizer = new Tokenizer(written, {});
    let highest = -1;
    for (const id of tokenizer.get_vocab().values()) highest = Math.max(highest, id);
    if (highest >= vectors.tokens)
      throw new Error(`it has tokens up to number ${highest}, model.safetensors vectors for ${vectors.tokens}`);
    const unknown = tokenizer.token_to_id(String(written.model?.unk_token));
    return {
      dimensions: vectors.dimensions,
      encode(text) {
        let ids: number[];
        try {
          ids = tokenizer.encode(text, { add_special_tokens: false }).ids;
        } catch {
          // A text of somebody's that this tokenizer cannot cut is found by its words.
          return undefined;
        }
        return unit(vectors.sum(ids.slice(0, mostTokens).filter((id) => id !== unknown)));
      },
    };
  });
}

/** Every mistake names its file. */
async function within<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not there' : (error as Error).message;
    throw new Error(`${file}: ${reason}.`);
  }
}

interface Vectors {
  dimensions: number;
  tokens: number;
  /** Of equal length however many they are: the direction is all that counts. */
  sum(ids: number[]): Float32Array;
}

/** `embeddings` has a row per token, or, where there is a `mapping`, per group of tokens; `weights` weigh the tokens. */
function vectorsIn(file: Buffer): Vectors {
  const tensor = readTensors(file);
  // The second name is that of sentence-transformers.
  const embeddings = tensor('embeddings') ?? tensor('embedding.weight');
  if (!embeddings) throw new Error('it holds no tensor "embeddings"');
  const [rows, dimensions] = embeddings.shape;
  if (embeddings.shape.length !== 2 || !rows || !dimensions)
    throw new Error(`"embeddings" is ${embeddings.shape.join(' × ') || 'one number'}, not tokens × dimensions`);
  if (dimensions > mostDimensions)
    throw new Error(`"embeddings" has ${dimensions} dimensions; at most ${mostDimensions} can be used`);
  const [mapping, weights] = [tensor('mapping'), tensor('weights')];
  const tokens = mapping?.values.length ?? rows;
  for (const row of valuesOf(mapping))
    if (!(row >= 0 && row < rows)) throw new Error(`"mapping" leads to row ${row} of ${rows}`);
  if (weights && weights.values.length !== tokens)
    throw new Error(`"weights" has ${weights.values.length} numbers for ${tokens} tokens`);
  return {
    dimensions,
    tokens,
    sum(ids) {
      const sum = new Float32Array(dimensions);
      for (const id of ids) {
        const from = (mapping?.values[id] ?? id) * dimensions;
        const weight = weights?.values[id] ?? 1;
        for (let at = 0; at < dimensions; at++)
          sum[at] = (sum[at] as number) + weight * (embeddings.values[from + at] as number);
      }
      return sum;
    },
  };
}

function valuesOf(tensor: Tensor | undefined): Iterable<number> {
  return tensor ? Array.from(tensor.values) : [];
}

function unit(vector: Float32Array): Float32Array | undefined {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}
