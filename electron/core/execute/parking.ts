/**
 * Clients give up after about a minute, people take longer. A call that waits for a person when the client's patience ends
 * goes on without its client; the same call made again finds it, and the tool never runs twice (row N2).
 */
import { createHash } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';

/** A call under way. */
export interface Task<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  /** Wraps a wait for the person. */
  whileAsking<R>(wait: Promise<R>): Promise<R>;
  /** Calls `listener` whenever the task starts to wait for the person. */
  onAsking(listener: () => void): void;
  isAsking(): boolean;
}

/** How long a finished or waiting call is kept for its client to come back, in milliseconds. */
const keptForMs = 10 * 60_000;

export function startTask<T>(run: (task: Omit<Task<T>, 'result'>) => Promise<T>): Task<T> {
  const listeners: (() => void)[] = [];
  let asking = 0;
  const task: Omit<Task<T>, 'result'> = {
    controller: new AbortController(),
    async whileAsking(wait) {
      asking += 1;
      for (const listener of listeners) listener();
      try {
        return await wait;
      } finally {
        asking -= 1;
      }
    },
    onAsking: (listener) => void listeners.push(listener),
    isAsking: () => asking > 0,
  };
  return { ...task, result: run(task) };
}

export interface Parking<T> {
  /** Takes back the parked call with this signature, if there is one. Signatures are asked for only when they matter. */
  take(signature: () => string): Task<T> | undefined;
  /** Waits for the task as long as the client does; rejects with APPROVAL_PENDING when the call was parked. */
  wait(task: Task<T>, options: { signature(): string; patienceMs: number; signal: AbortSignal }): Promise<T>;
  /** Cancels what is parked for a client that left. */
  drop(prefix: string): void;
}

export function createParking<T>(): Parking<T> {
  const parked = new Map<string, { task: Task<T>; timer: NodeJS.Timeout }>();

  function park(signature: string, task: Task<T>): void {
    drop(signature);
    const timer = setTimeout(() => drop(signature), keptForMs);
    timer.unref();
    parked.set(signature, { task, timer });
    task.result.catch(() => undefined);
  }
  function drop(prefix: string): void {
    for (const [signature, { task, timer }] of parked) {
      if (!signature.startsWith(prefix)) continue;
      parked.delete(signature);
      clearTimeout(timer);
      task.controller.abort();
    }
  }

  return {
    take(signature) {
      // Nearly always, and the signature of a large call is dear.
      if (parked.size === 0) return undefined;
      const entry = parked.get(signature());
      if (!entry) return undefined;
      parked.delete(signature());
      clearTimeout(entry.timer);
      return entry.task;
    },
    wait(task, { signature, patienceMs, signal }) {
      return new Promise<T>((resolve, reject) => {
        let patient = true;
        const leave = () => {
          if (patient || !task.isAsking()) return;
          signal.removeEventListener('abort', cancel);
          park(signature(), task);
          reject(
            fail(
              'APPROVAL_PENDING',
              'A person is being asked and has not answered yet. Make exactly the same call again to go on; it will not run twice.',
            ),
          );
        };
        const timer = setTimeout(() => {
          patient = false;
          leave();
        }, patienceMs);
        const cancel = () => task.controller.abort(signal.reason);
        task.onAsking(leave);
        if (signal.aborted) cancel();
        signal.addEventListener('abort', cancel, { once: true });
        task.result.then(resolve, reject).finally(() => {
          clearTimeout(timer);
          signal.removeEventListener('abort', cancel);
        });
      });
    },
    drop,
  };
}

/** One client's call of one tool with these arguments, whatever the order of their keys. */
export function signatureOf(clientId: string, server: string, tool: string, args: unknown): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([server, tool, sorted(args)]))
    .digest('base64url');
  return `${clientId}\n${digest}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { keys: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
