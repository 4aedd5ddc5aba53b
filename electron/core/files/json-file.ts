/** Small JSON files in the data folder: read once, written atomically and only readable by the user. */
import { readFile, rename } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type * as z from 'zod';

/**
 * Returns the content of `file`, or undefined if it is missing or damaged. Renames a damaged file to `*.damaged`. If
 * that fails, the file will be overwritten later; with `mustSetAside`, this throws instead.
 */
export async function readJsonFile<T extends z.ZodType>(
  file: string,
  schema: T,
  { mustSetAside = false } = {},
): Promise<z.output<T> | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    const renamed = rename(file, `${file}.damaged`);
    await (mustSetAside ? renamed : renamed.catch(() => undefined));
    return undefined;
  }
}

export interface JsonWriter {
  /** Writes the content soon. If writing fails, the next write retries. */
  schedule(): void;
  /** Writes pending changes. */
  close(): Promise<void>;
}

/** Writes `content()` to `file` at most once every `intervalMs`. */
export function createJsonWriter(file: string, intervalMs: number, content: () => unknown): JsonWriter {
  let pending: NodeJS.Timeout | undefined;
  const write = () => {
    pending = undefined;
    return writeFileAtomic(file, JSON.stringify(content()), { mode: 0o600 });
  };
  return {
    schedule() {
      pending ??= setTimeout(() => void write().catch(() => undefined), intervalMs);
      pending.unref();
    },
    async close() {
      if (!pending) return;
      clearTimeout(pending);
      await write();
    },
  };
}
