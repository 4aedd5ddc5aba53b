/**
 * Encodes text as a vector: the mean of the static embeddings of its tokens, read from a local folder in the format of
 * model2vec. Nothing is ever downloaded.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Encoder, toUnit } from './encoder.ts';
import { readTensors, type Tensor } from './safetensors.ts';

/** Limits the memory of the index, which uses one byte per tool and dimension. Common models have at most 1024 dimensions. */
const maxDimensions = 4096;

/** The usual limit of such models. Further tokens hardly change the mean. */
const maxTokens = 512;

/** Opens the model in the folder. Rejects with an error that names the file and the problem. */
export async function openModel2vec(folder: string): Promise<Encoder> {
  const vectors = await within(join(folder, 'model.safetensors'), async (file) => vectorsIn(await readFile(file)));
  return within(join(folder, 'tokenizer.json'), async (file) => {
    const text = await readFile(file, 'utf8');
    const written = JSON.parse(text);
    // Loaded only for models that need it.
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const tokenizer = new Tokenizer(written, {});
    let highest = -1;
    for (const id of tokenizer.get_vocab().values()) highest = Math.max(highest, id);
    if (highest >= vectors.tokens)
      throw new Error(
        `it has tokens up to number ${highest}, but model.safetensors has vectors for only ${vectors.tokens}`,
      );
    const unknown = tokenizer.token_to_id(String(written.model?.unk_token));
    return {
      id: `model2vec-${crc32(text, vectors.checksum)}`,
      dimensions: vectors.dimensions,
      encode(text) {
        let ids: number[];
        try {
          ids = tokenizer.encode(text, { add_special_tokens: false }).ids;
        } catch {
          // The tokenizer rejects the text: keyword search still finds the tool.
          return undefined;
        }
        return toUnit(vectors.sum(ids.slice(0, maxTokens).filter((id) => id !== unknown)));
      },
    };
  });
}

/** Runs `work` and adds the file name to its errors. */
async function within<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : (error as Error).message;
    throw new Error(`${file}: ${reason}.`);
  }
}

/** `embeddings` has one row per token, or per `mapping` value when that exists; `weights` scale the tokens. */
function vectorsIn(file: Buffer) {
  const tensor = readTensors(file);
  // The second name is used by sentence-transformers.
  const embeddings = tensor('embeddings') ?? tensor('embedding.weight');
  if (!embeddings) throw new Error('it has no tensor "embeddings"');
  const [rows, dimensions] = embeddings.shape;
  if (embeddings.shape.length !== 2 || !rows || !dimensions)
    throw new Error(`"embeddings" is ${embeddings.shape.join(' × ') || 'one number'}, not tokens × dimensions`);
  if (dimensions > maxDimensions)
    throw new Error(`"embeddings" has ${dimensions} dimensions; at most ${maxDimensions} can be used`);
  const [mapping, weights] = [tensor('mapping'), tensor('weights')];
  const tokens = mapping?.values.length ?? rows;
  for (const row of valuesOf(mapping))
    if (!(row >= 0 && row < rows)) throw new Error(`"mapping" refers to row ${row}, but "embeddings" has ${rows} rows`);
  if (weights && weights.values.length !== tokens)
    throw new Error(`"weights" has ${weights.values.length} numbers for ${tokens} tokens`);
  return {
    checksum: crc32(file),
    dimensions,
    tokens,
    /** The weighted sum of the token vectors; callers normalize it. */
    sum(ids: number[]): Float32Array {
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
