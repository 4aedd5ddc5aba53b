/** Parses large JSON in a thread, which returns only the sections with servers. */
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { fail } from '../../../../shared/failure.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import { costlyMessage, isCostlyJson } from '../../jsonrpc/parse-cost.ts';

/** Posts an `Answer`: the JSON of the wanted sections, without `text` if the bytes are not plain JSON in UTF-8. */
const source = `
const { parentPort, workerData } = require('node:worker_threads');
function picked(value, paths) {
  if (paths.some((path) => path.length === 0)) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const result = {};
  for (const key of Object.keys(value)) {
    const inner = paths.filter(([first]) => first === '*' || first === key).map((path) => path.slice(1));
    const section = inner.length === 0 ? undefined : picked(value[key], inner);
    if (section !== undefined) Object.defineProperty(result, key, { value: section, enumerable: true });
  }
  return result;
}
function countNested(bytes) {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString && byte === 0x5c) at++;
    else if (byte === 0x22) isInString = !isInString;
    else if (!isInString && (byte === 0x7b || byte === 0x5b)) count++;
  }
  return count;
}
function answer() {
  const { bytes, paths, maxNested } = workerData;
  if (countNested(bytes) > maxNested) return { excess: 'it' };
  let document;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return {};
  }
  try {
    return { text: JSON.stringify(picked(document, paths)) };
  } catch {
    // So many levels overflow the stack.
    return { excess: 'its list of servers' };
  }
}
parentPort.postMessage(answer());
`;
/** A file of the largest size with more lists and objects could take gigabytes, and a thread without memory ends the process. */
const maxNested = 4_000_000;
const oneAtATime = pLimit(1);

interface Answer {
  text?: string;
  /** The subject of a sentence about what is too large to be read. */
  excess?: string;
}

/**
 * The document in `bytes` with only the values at `paths` (`*` matches any key); undefined if it is not plain JSON with an object
 * at the root. Throws CLIENT_FILE_INVALID if the file has too many lists and objects, or its sections take too long to parse.
 */
export async function cutSections(
  bytes: Buffer,
  paths: string[][],
  file: string,
): Promise<Record<string, unknown> | undefined> {
  const { text, excess } = await oneAtATime(() => sectionsIn(bytes, paths));
  const tooLarge = excess ?? (text !== undefined && isCostlyJson(text) ? 'its list of servers' : undefined);
  if (tooLarge) throw fail('CLIENT_FILE_INVALID', `${file} cannot be used: ${tooLarge} ${costlyMessage}.`, { file });
  return text === undefined ? undefined : (parseJson(text) as Record<string, unknown>);
}

function sectionsIn(bytes: Buffer, paths: string[][]): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const worker = new Worker(source, {
    eval: true,
    workerData: { bytes, paths, maxNested },
    execArgv: [],
    env: {},
  });
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', () => reject(new Error('The thread ended without an answer.')));
  return promise.finally(() => void worker.terminate());
}
