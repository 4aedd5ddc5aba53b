/** Small files of JSON in the data folder: read once, and written whole and private a moment after something changed. */
import { readFile, rename } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type * as z from 'zod';

/**
 * What `file` holds; undefined when there is none or it is damaged. A damaged one is set aside, and where that cannot be
 * done it will be written over: with `mustSetAside` it is an error instead.
 */
export async function readKept<T extends z.ZodType>(
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
    const aside = rename(file, `${file}.damaged`);
    await (mustSetAside ? aside : aside.catch(() => undefined));
    return undefined;
  }
}

export interface Keeper {
  /** Something changed: write in a moment. A write that fails is made up for by the next one. */
  touch(): void;
  /** Writes what is not on disk yet. */
  close(): Promise<void>;
}

/** Keeps `content()` in `file`, at most once in `quietMs`. */
export function createKeeper(file: string, quietMs: number, content: () => unknown): Keeper {
  let waiting: NodeJS.Timeout | undefined;
  const write = () => {
    waiting = undefined;
    return writeFileAtomic(file, JSON.stringify(content()), { mode: 0o600 });
  };
  return {
    touch() {
      waiting ??= setTimeout(() => void write().catch(() => undefined), quietMs);
      waiting.unref();
    },
    async close() {
      if (!waiting) return;
      clearTimeout(waiting);
      await write();
    },
  };
}
