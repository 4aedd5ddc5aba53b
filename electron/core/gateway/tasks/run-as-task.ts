/** Runs a call as a task: at once if the client asked for it, otherwise when it takes longer than the client waits. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { clientTimeoutsOf } from '../../calls/client-timeout.ts';
import type { ClientRequest, JsonObject } from '../../types.ts';
import type { McpRequest, Tasks } from '../services.ts';
import { declaredOnly } from '../sessions/declared-requests.ts';
import { type KeptTasks, maxTasks } from './kept-tasks.ts';
import { createTask, type Task } from './task.ts';
import { followTask, relatedTask } from './task-state.ts';

export function createTaskRunner({
  kept,
  stateOf,
  clientTimeoutMs,
}: {
  kept: KeptTasks;
  stateOf(task: Task, client: McpRequest['client']): JsonObject;
  clientTimeoutMs(): number;
}): Tasks['run'] {
  function created(task: Task, client: McpRequest['client']): JsonObject {
    const state = stateOf(task, client);
    return client.era === 'legacy' ? { task: state } : { resultType: 'task', ...state };
  }

  /** Waits until the client's timeout, not counting the time that it takes to answer questions, then creates the task. */
  function afterTimeout(request: McpRequest, task: Task, result: Promise<JsonObject>) {
    const { client } = request;
    const { userMs, toolMs = userMs } = clientTimeoutsOf(client, request.onProgress !== undefined, clientTimeoutMs());
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    let asking = 0;
    let hasLeft = false;
    let timer = startTimer();
    function startTimer(): NodeJS.Timeout {
      return setTimeout(leave, Math.min(userMs, toolMs));
    }
    function leave(): void {
      hasLeft = true;
      // With too many running tasks, the client waits for the result.
      if (!kept.makeRoom(client.id)) resolve(result);
      else {
        request.signal.removeEventListener('abort', cancel);
        kept.keep(task);
        resolve(created(task, client));
      }
    }
    const cancel = () => task.cancel('The client canceled the call.');
    if (request.signal.aborted) cancel();
    request.signal.addEventListener('abort', cancel, { once: true });
    void task.ended.then(() => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', cancel);
    });
    const ask: ClientRequest = async (...question) => {
      if (kept.has(task)) return task.ask(...question);
      clearTimeout(timer);
      asking += 1;
      try {
        return await (client.request as ClientRequest)(...question);
      } finally {
        asking -= 1;
        if (asking === 0 && !hasLeft && !task.outcome()) timer = startTimer();
      }
    };
    return { created: promise, ask };
  }

  return async (request, start) => {
    const { client } = request;
    const isLegacy = client.era === 'legacy';
    const task = createTask(client.id);
    if (isLegacy) followTask(task, () => client.notify?.('notifications/tasks/status', stateOf(task, client)));
    const inner = Promise.withResolvers<JsonObject>();
    if (isLegacy && !kept.makeRoom(client.id))
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        `This client already has ${maxTasks} running tasks. Wait until one ends, or cancel one.`,
      );
    if (isLegacy) kept.keep(task);
    const leaving = isLegacy ? undefined : afterTimeout(request, task, inner.promise);
    start(detached(request, task, leaving?.ask ?? related(task, client))).then(inner.resolve, inner.reject);
    inner.promise.then(
      (result) => task.end({ result }),
      (error) => task.end({ error }),
    );
    return leaving ? Promise.race([inner.promise, leaving.created]) : created(task, client);
  };
}

/** The call without its client's request: its questions wait in the task, and its progress becomes the task's message. */
function detached(request: McpRequest, task: Task, ask: ClientRequest): McpRequest {
  const { client, onProgress } = request;
  return {
    ...request,
    client: { ...client, request: declaredOnly(client.capabilities, ask) },
    signal: task.signal,
    isTask: true,
    onProgress(params) {
      if (typeof params.message === 'string') task.message = params.message.slice(0, 500);
      onProgress?.(params);
    },
  };
}

/**
 * Legacy: every message that belongs to a task names the task. A request for roots is no question, so it goes to the client at
 * once where that is possible.
 */
function related(task: Task, client: McpRequest['client']): ClientRequest {
  const meta = { [relatedTask]: { taskId: task.id } };
  return async (method, params, signal, ...rest) => {
    const named = { ...params, _meta: { ...(params._meta as JsonObject), ...meta } };
    const isRoots = method === 'roots/list' && client.request !== undefined;
    const roots = isRoots ? await client.request?.(method, named, signal).catch(() => undefined) : undefined;
    return roots ?? task.ask(method, named, signal, ...rest);
  };
}
