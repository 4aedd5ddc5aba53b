/**
 * The format of the built-in model: one 8-bit vector per word. `vocabulary.txt` has one word per line, `model.safetensors`
 * the tensors `embeddings` (I8, words × dimensions) and `scales` (F32, one per word).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isStopWord, joinedWords, splitWords } from '../lexicon/words.ts';
import type { Encoder } from './encoder.ts';
import { toUnit } from './encoder.ts';
import { readTensors } from './safetensors.ts';

export const vocabularyFile = 'vocabulary.txt';

/** Maximum number of words. Further words hardly change the sum. */
const maxWords = 120;

/** Opens the model in the folder. Rejects with an error if a file is missing or damaged. */
export async function openWordModel(folder: string): Promise<Encoder> {
  const [vocabulary, tensors] = await Promise.all([
    readFile(join(folder, vocabularyFile), 'utf8'),
    readFile(join(folder, 'model.safetensors')),
  ]);
  const words = vocabulary.trimEnd().split('\n');
  const tensor = readTensors(tensors);
  const [embeddings, scales] = [tensor('embeddings'), tensor('scales')];
  if (!embeddings || !scales) throw new Error('model.safetensors must contain the tensors "embeddings" and "scales"');
  const [rows, dimensions] = embeddings.shape;
  if (embeddings.shape.length !== 2 || !rows || !dimensions)
    throw new Error(`"embeddings" is ${embeddings.shape.join(' × ') || 'one number'}, not words × dimensions`);
  if (words.length !== rows || scales.values.length !== rows)
    throw new Error(
      `${vocabularyFile} has ${words.length} words for ${rows} vectors and ${scales.values.length} scales`,
    );
  const rowOf = new Map(words.map((word, row) => [word, row]));

  return {
    id: `words-${crc32(tensors, crc32(vocabulary))}`,
    dimensions,
    encode(text, onWord) {
      const sum = new Float32Array(dimensions);
      for (const word of wordsOf(text, maxWords)) {
        const row = rowOf.get(word);
        if (row === undefined) {
          onWord?.(word, 0, sum);
          continue;
        }
        const scale = scales.values[row] as number;
        const from = row * dimensions;
        let square = 0;
        for (let at = 0; at < dimensions; at++) {
          const value = scale * (embeddings.values[from + at] as number);
          sum[at] = (sum[at] as number) + value;
          square += value * value;
        }
        onWord?.(word, Math.sqrt(square), sum);
      }
      return toUnit(sum);
    },
  };
}

/** Lower-case words without stop words and bare numbers, at most `limit`; `GitHub` gives git, hub and github. */
export function wordsOf(text: string, limit: number): string[] {
  const words = splitWords(text, limit).filter((word) => !isStopWord(word) && !/^\d+$/.test(word));
  return words.concat(joinedWords(text, limit));
}
