/** Scales an image in a thread of its own, with limits on its bytes and its pixels. The caller limits the time. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { ImageSize } from '../../files/image-size.ts';

export interface ScaleJob {
  base64: string;
  /** As read from the first bytes. The thread refuses an image that is decoded to another size. */
  size: ImageSize;
  /** Pixels of the longer side. */
  maxSide: number;
  maxBytes: number;
}

export interface ScaledImage {
  base64: string;
  mimeType: string;
  width: number;
  height: number;
}

const maxBytes = 20 * 1024 * 1024;
/** A pixel takes about 20 bytes of memory, or 35 in an image with transparency. */
const maxPixels = 24_000_000;
const workerFile = join('dist', 'image-worker.cjs');

/** One at a time, because each needs much memory. */
const oneAtATime = pLimit(1);
let source: Promise<string> | undefined;

/** Undefined if the image is a GIF, is malformed, or exceeds a limit, or if the signal aborts. */
export async function scaleImage(job: ScaleJob, signal: AbortSignal): Promise<ScaledImage | undefined> {
  const { base64, size } = job;
  if (size.format === 'gif') return undefined;
  if (base64.length > (maxBytes / 3) * 4 || size.width * size.height > maxPixels) return undefined;
  try {
    source ??= readFile(builtWorker(), 'utf8').catch((error) => {
      source = undefined;
      throw error;
    });
    const code = await source;
    return await oneAtATime(() => (signal.aborted ? undefined : runWorker(code, job, signal)));
  } catch {
    return undefined;
  }
}

/** The code is passed as text, because a thread does not load files from the desktop app's archive. */
function runWorker(code: string, job: ScaleJob, signal: AbortSignal): Promise<ScaledImage | undefined> {
  const worker = new Worker(code, { eval: true, workerData: job, execArgv: [], env: {}, stdout: true, stderr: true });
  const { promise, resolve, reject } = Promise.withResolvers<ScaledImage | undefined>();
  const stop = () => resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', () => reject(new Error('The thread ended without an image.')));
  return promise.finally(() => {
    signal.removeEventListener('abort', stop);
    return worker.terminate();
  });
}

/** Finds the worker in `dist`: below the root of the sources, or above this file in the bundle. */
function builtWorker(): string {
  for (let folder = import.meta.dirname, up = 0; up < 6; up += 1, folder = dirname(folder)) {
    const file = join(folder, workerFile);
    if (existsSync(file)) return file;
  }
  throw new Error(`${workerFile} is missing.`);
}
