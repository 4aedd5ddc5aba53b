/** Stores tools' vectors on disk, keyed by the encoded text, so that a start does not encode the catalog again. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { createJsonWriter, readJsonFile } from '../files/json-file.ts';

export type VectorStore = ReturnType<typeof createVectorStore>;

const fileSchema = z.object({ version: z.literal(1), model: z.string(), vectors: z.record(z.string(), z.string()) });

/** Limits the file and memory for catalogs that change repeatedly. */
const maxVectors = 30_000;
const writeDelayMs = 2_000;

/** Opens the store in `file` and renames a damaged file. The next write drops vectors that this process did not use. */
export function createVectorStore(file: string) {
  let model = '';
  let unused = new Map<string, string>();
  let used = new Map<string, string>();
  const writer = createJsonWriter(file, writeDelayMs, () => ({ version: 1, model, vectors: used }));

  function select(other: string): void {
    if (other === model) return;
    model = other;
    unused = new Map();
    used = new Map();
  }
  return {
    /** Reads the file. Until then, nothing is found. */
    async load(): Promise<void> {
      const stored = await readJsonFile(file, fileSchema);
      model = stored?.model ?? '';
      unused = new Map(Object.entries(stored?.vectors ?? {}));
    },
    /** The stored vector of the text, in 8 bits per dimension and of any length; undefined if this model has not encoded it. */
    find(of: string, text: string): Int8Array | undefined {
      select(of);
      const key = keyOf(text);
      const vector = used.get(key) ?? unused.get(key);
      if (vector === undefined) return undefined;
      used.set(key, vector);
      unused.delete(key);
      const bytes = Buffer.from(vector, 'base64');
      return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    },
    add(of: string, text: string, vector: Int8Array): void {
      select(of);
      if (used.size >= maxVectors) return;
      used.set(keyOf(text), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'));
      writer.schedule();
    },
    close: writer.close,
  };
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
