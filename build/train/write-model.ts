/** Writes word vectors in the format of the built-in model: 8 bits per number and one scale per word. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WordVectors } from './trainer.ts';

/** Writes `vocabulary.txt` and `model.safetensors` to the folder and returns the size of both in bytes. */
export function writeModel(folder: string, vocabulary: string[], { dimensions, vectors }: WordVectors): number {
  const embeddings = new Int8Array(vectors.length);
  const scales = new Float32Array(vocabulary.length);
  for (let row = 0; row < vocabulary.length; row++) {
    const values = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    scales[row] = largest / 127;
    for (const [at, value] of values.entries()) {
      embeddings[row * dimensions + at] = largest === 0 ? 0 : Math.round((value / largest) * 127);
    }
  }
  const scaleBytes = scales.byteLength;
  const header = JSON.stringify({
    scales: { dtype: 'F32', shape: [vocabulary.length], data_offsets: [0, scaleBytes] },
    embeddings: {
      dtype: 'I8',
      shape: [vocabulary.length, dimensions],
      data_offsets: [scaleBytes, scaleBytes + embeddings.byteLength],
    },
  });
  const padded = header.padEnd(Math.ceil(header.length / 8) * 8, ' ');
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  const file = Buffer.concat([length, Buffer.from(padded), Buffer.from(scales.buffer), Buffer.from(embeddings.buffer)]);
  const words = `${vocabulary.join('\n')}\n`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'vocabulary.txt'), words);
  writeFileSync(join(folder, 'model.safetensors'), file);
  return file.byteLength + Buffer.byteLength(words);
}
