/**
 * Clients give up after about a minute, people take longer. A call that waits for a person when the client's patience ends
 * goes on without its client; the same call made again, or its handle, finds it, and the tool never runs twice (row N2).
 */
import { createHash, randomBytes } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import { createProgress, type Progress } from './progress.ts';

/** A call under way. */
export interface Task<T> {
  /** Of the call as it was first made. Asked for only when it matters: the one of a large call is dear. */
  signature(): string;
  readonly result: Promise<T>;
  readonly controller: AbortController;
  readonly progress: Progress;
  /** Wraps a wait for the person. */
  whileAsking<R>(wait: Promise<R>): Promise<R>;
  /** Calls `listener` whenever the task starts to wait for the person, until the returned function is called. */
  onAsking(listener: () => void): () => void;
  isAsking(): boolean;
}

/** One client's wait for a task. */
export interface Wait {
  /** The client: only it may take the call up again. */
  owner: string;
  patienceMs: number;
  signal: AbortSignal;
  onProgress?: ((params: Record<string, unknown>) => void) | undefined;
}

/** How long a finished or waiting call is kept for its client to come back, in milliseconds. */
const keptForMs = 10 * 60_000;
const maxParked = 500;
/** Clients that are kept alive by it may be set to give up after five seconds. */
const signOfLifeMs = 2_000;

export function startTask<T>(signature: () => string, run: (task: Omit<Task<T>, 'result'>) => Promise<T>): Task<T> {
  const listeners = new Set<() => void>();
  let asking = 0;
  const task: Omit<Task<T>, 'result'> = {
    signature,
    controller: new AbortController(),
    progress: createProgress(),
    async whileAsking(wait) {
      asking += 1;
      for (const listener of [...listeners]) listener();
      try {
        return await wait;
      } finally {
        asking -= 1;
      }
    },
    onAsking(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isAsking: () => asking > 0,
  };
  return { ...task, result: run(task) };
}

export interface Parking<T> {
  /** Takes back the client's parked call with this handle, or the oldest one with this signature. */
  take(owner: string, by: { handle: string } | { signature(): string }): Task<T> | undefined;
  /** Waits for the task as long as the client does; rejects with APPROVAL_PENDING when the call was parked. */
  wait(task: Task<T>, wait: Wait): Promise<T>;
  /** Cancels what is parked for a client that left. */
  drop(owner: string): void;
  /** How many calls are parked. */
  size(): number;
}

export function createParking<T>(): Parking<T> {
  const parked = new Map<string, { task: Task<T>; owner: string; signature: string; timer: NodeJS.Timeout }>();

  /** Returns the handle by which the client takes the call up again. */
  function park(task: Task<T>, owner: string): string {
    const [oldest] = parked.keys();
    if (parked.size >= maxParked && oldest !== undefined) abandon(oldest);
    const handle = randomBytes(9).toString('base64url');
    const timer = setTimeout(() => abandon(handle), keptForMs);
    timer.unref();
    parked.set(handle, { task, owner, signature: task.signature(), timer });
    task.result.catch(() => undefined);
    return handle;
  }
  function unpark(handle: string): Task<T> | undefined {
    const entry = parked.get(handle);
    parked.delete(handle);
    clearTimeout(entry?.timer);
    return entry?.task;
  }
  function abandon(handle: string): void {
    unpark(handle)?.controller.abort();
  }

  return {
    take(owner, by) {
      if (parked.size === 0) return undefined;
      const signature = 'signature' in by ? by.signature() : undefined;
      for (const [handle, entry] of parked) {
        const fits = 'handle' in by ? handle === by.handle : entry.signature === signature;
        if (fits && entry.owner === owner) return unpark(handle);
      }
      return undefined;
    },
    wait(task, options) {
      const { patienceMs, signal, onProgress } = options;
      return new Promise<T>((resolve, reject) => {
        const patientUntil = Date.now() + patienceMs;
        let done = false;
        // Runs only while the person is asked: nearly every call is over without.
        let timer: NodeJS.Timeout | undefined;
        const signOfLife = () => task.isAsking() && task.progress.waiting();
        const living = onProgress && setInterval(signOfLife, signOfLifeMs);
        const cancel = () => task.controller.abort(signal.reason);
        const stop = task.onAsking(() => {
          leaveInTime();
          if (!done) signOfLife();
        });
        function leaveInTime(): void {
          clearTimeout(timer);
          const left = patientUntil - Date.now();
          if (left <= 0) leave();
          else timer = setTimeout(leave, left);
        }
        function finish(): void {
          done = true;
          clearTimeout(timer);
          clearInterval(living);
          stop();
          task.progress.attach(undefined);
          signal.removeEventListener('abort', cancel);
        }
        function leave(): void {
          if (done || !task.isAsking()) return;
          finish();
          reject(pending(park(task, options.owner)));
        }
        if (signal.aborted) cancel();
        signal.addEventListener('abort', cancel, { once: true });
        task.progress.attach(onProgress);
        signOfLife();
        if (task.isAsking()) leaveInTime();
        task.result.then(
          (result) => {
            finish();
            resolve(result);
          },
          (error) => {
            finish();
            reject(error);
          },
        );
      });
    },
    drop(owner) {
      for (const [handle, entry] of [...parked]) if (entry.owner === owner) abandon(handle);
    },
    size: () => parked.size,
  };
}

/** The argument by which a client takes up a parked call. */
export const handleArgument = 'gatehouse_handle';

function pending(handle: string) {
  return fail('APPROVAL_PENDING', 'The tool waits for the person, who has not answered yet.', {
    hint: `Call it again with the same arguments, or with {"${handleArgument}": "${handle}"}, to go on waiting or to get the result. It will not run twice.`,
  });
}

/** One call of one tool with these arguments, whatever the order of their keys. */
export function signatureOf(server: string, tool: string, args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([server, tool, sorted(args)]))
    .digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { keys: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
