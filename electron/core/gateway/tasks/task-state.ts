/** A task's state and its changes, in the form of each protocol era. */
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../types.ts';
import type { ClientSession } from '../services.ts';
import type { Task } from './task.ts';

type Era = ClientSession['era'];

const pollMs = 1_000;

/** Legacy: the `_meta` field that names the task of a message. */
export const relatedTask = 'io.modelcontextprotocol/related-task';

/** Without the questions and the outcome. */
export function taskState(task: Task, era: Era, expiresAt: number | undefined): JsonObject {
  const ttl = (expiresAt ?? task.createdAt) - task.createdAt;
  const state = {
    taskId: task.id,
    status: statusFor(era, task),
    ...(task.message !== undefined && { statusMessage: task.message }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt()).toISOString(),
  };
  return era === 'legacy' ? { ...state, ttl, pollInterval: pollMs } : { ...state, ttlMs: ttl, pollIntervalMs: pollMs };
}

/** Modern: the questions, result or error in the state of a task. */
export function taskDetails(task: Task): JsonObject {
  const status = task.status();
  if (status === 'input_required') return { inputRequests: task.questions() };
  const outcome = task.outcome();
  if (status === 'completed' && outcome && 'result' in outcome) return { result: outcome.result };
  if (status === 'failed' && outcome && 'error' in outcome) return { error: errorOf(outcome) };
  return {};
}

/**
 * Calls `tell` for each change of the status or the questions. A task starts as working and without questions. Each call is
 * delayed until the client has received the response with the task. Returns a function that ends this.
 */
export function followTask(task: Task, tell: () => void): () => void {
  const current = () => JSON.stringify([task.status(), Object.keys(task.questions())]);
  let told = JSON.stringify(['working', []]);
  let isOver = false;
  const announce = () =>
    void setImmediate(() => {
      if (isOver || current() === told) return;
      told = current();
      tell();
    });
  const stop = task.onChange(announce);
  announce();
  return () => {
    isOver = true;
    stop();
  };
}

/** Legacy: the result of a call with `isError` fails its task. */
function statusFor(era: Era, task: Task) {
  const outcome = task.outcome();
  const status = task.status();
  const isError = outcome && 'result' in outcome && outcome.result.isError === true;
  return era === 'legacy' && status === 'completed' && isError ? 'failed' : status;
}

function errorOf({ error }: { error: unknown }): JsonObject {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? code : ProtocolErrorCode.InternalError,
    message: typeof message === 'string' ? message : 'Internal error',
    ...(data !== undefined && { data }),
  };
}
