/** The tasks of all clients, each until it expires or its client disconnects. */

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { limits } from '../../../../shared/limits.ts';
import type { Events } from '../../events.ts';
import { hasOriginalText } from '../../jsonrpc/raw-json.ts';
import type { Task } from './task.ts';

/** How long a task is kept after its creation, or after it has ended, in milliseconds. */
const keepRunningMs = 60 * 60_000;
const keepEndedMs = 10 * 60_000;
/** A running task may wait for the user, so it does not expire while the user is away, nor for this long afterwards. */
const returnedMs = 10 * 60_000;
const maxAllTasks = 1_000;
const maxBytes = limits.client.taskBytes;
/** The maximum number of running tasks for each client. */
export const maxTasks = limits.client.tasks;

/** The length of the result's original text. A result without one was made by Toolkeep, and is short. */
function sizeOf(task: Task): number {
  const outcome = task.outcome();
  return outcome && 'result' in outcome ? (hasOriginalText(outcome.result)?.length ?? 0) : 0;
}

export type KeptTasks = ReturnType<typeof createKeptTasks>;

/** `presentMs`: milliseconds since the user was last away; 0 while away. */
export function createKeptTasks(events: Pick<Events, 'on'>, presentMs: () => number) {
  const kept = new Map<string, { task: Task; expiresAt: number; timer: NodeJS.Timeout }>();
  const all = () => Array.from(kept.values(), ({ task }) => task);

  function remove(id: string, reason: string): void {
    const entry = kept.get(id);
    kept.delete(id);
    clearTimeout(entry?.timer);
    entry?.task.cancel(reason);
  }

  /** Forgets the oldest results of the client that has just received one, if they are too large together. */
  function forgetLarge(newest: Task): void {
    const ended = all().filter((task) => task.owner === newest.owner && task.outcome());
    let size = ended.reduce((sum, task) => sum + sizeOf(task), 0);
    for (const task of ended) {
      if (size <= maxBytes) break;
      if (task === newest) continue;
      size -= sizeOf(task);
      remove(task.id, 'The task expired.');
    }
  }

  events.on('client.disconnected', ({ id }) => {
    for (const task of all()) if (task.owner === id) remove(task.id, 'The client disconnected.');
  });

  return {
    keep(task: Task): void {
      const entry = { task, ...expireIn(keepRunningMs) };
      kept.set(task.id, entry);
      void task.ended.then(() => {
        clearTimeout(entry.timer);
        if (kept.get(task.id) === entry) Object.assign(entry, expireIn(keepEndedMs));
        forgetLarge(task);
      });
      function expireIn(ms: number) {
        return { expiresAt: Date.now() + ms, timer: setTimeout(expire, ms).unref() };
      }
      function expire(): void {
        const leftMs = task.outcome() ? 0 : returnedMs - presentMs();
        if (leftMs > 0) Object.assign(entry, expireIn(leftMs));
        else remove(task.id, 'The task expired.');
      }
    },
    has: ({ id }: Task): boolean => kept.has(id),
    /** Epoch milliseconds; undefined if the task is not kept. */
    expiresAt: ({ id }: Task): number | undefined => kept.get(id)?.expiresAt,
    /** Forgets the oldest ended task if there are too many. False if all of them are running. */
    makeRoom(owner: string): boolean {
      const own = all().filter((task) => task.owner === owner);
      const full = own.length >= maxTasks ? own : kept.size >= maxAllTasks ? all() : undefined;
      if (!full) return true;
      const ended = full.find((task) => task.outcome());
      if (ended) remove(ended.id, 'The task expired.');
      return ended !== undefined;
    },
    /** The task of this client. All others get the same error as for an unknown ID. */
    find(owner: string, id: unknown): Task {
      const entry = typeof id === 'string' ? kept.get(id) : undefined;
      if (entry?.task.owner === owner) return entry.task;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found');
    },
    /** In order of creation. */
    of: (owner: string): Task[] => all().filter((task) => task.owner === owner),
    /** The number of tasks that run, or whose outcome their client has not fetched. */
    unfetched: (): number => all().filter((task) => task.isUnfetched()).length,
  };
}
