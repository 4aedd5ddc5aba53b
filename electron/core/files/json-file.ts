/** Small JSON files in the data folder: read once, written atomically, and readable only by the user. */
import { readFile, rename } from 'node:fs/promises';
import pLimit from 'p-limit';
import type * as z from 'zod';
import { writePieces } from './write-pieces.ts';

/**
 * Returns the content of `file`, or undefined if it is missing or damaged. Renames a damaged file to `*.damaged`. If it cannot be
 * read or renamed, a later write overwrites it; with `mustSetAside`, throws instead.
 */
export async function readJsonFile<T extends z.ZodType>(
  file: string,
  schema: T,
  { mustSetAside = false } = {},
): Promise<z.output<T> | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (mustSetAside && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
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

/**
 * Writes `content()` to `file` at most once every `intervalMs`. A map becomes an object; its entries are converted in slices,
 * because there may be thousands.
 */
export function createJsonWriter(file: string, intervalMs: number, content: () => object) {
  let pending: NodeJS.Timeout | undefined;
  // Writes one at a time, so that older content never overwrites newer content.
  const inTurn = pLimit(1);
  let isClosed = false;
  let isBehind = false;
  const writeNow = () => writePieces(file, serialized(Object.entries(content())));
  const write = async () => {
    pending = undefined;
    isBehind = true;
    await inTurn(writeNow);
    isBehind = false;
  };
  return {
    /** Writes the content soon. If writing fails, the next write retries. */
    schedule(): void {
      if (isClosed) return;
      pending ??= setTimeout(() => void write().catch(() => undefined), intervalMs);
      pending.unref();
    },
    /**
     * Writes pending changes, and those that could not be written before. Ignores later ones, because the folder may then belong to
     * another Core.
     */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(pending);
      await inTurn(() => undefined);
      if (pending || isBehind) await write();
    },
  };
}

function* serialized(entries: Iterable<[string, unknown]>): Generator<string> {
  let separator = '{';
  for (const [name, value] of entries) {
    const text = value instanceof Map ? '' : JSON.stringify(value);
    if (text === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:${text}`;
    if (value instanceof Map) yield* serialized(value);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}
