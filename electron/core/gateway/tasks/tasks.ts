/**
 * Tool calls as tasks. A client of MCP 2025-11-25 asks for a task with its call; for a client of 2026-07-28 with the tasks
 * extension, a call becomes a task when it takes longer than the client waits. A task belongs to the session of its call and
 * ends with it.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isObject } from '../../../../shared/is-object.ts';
import { clientTimeoutsOf } from '../../calls/client-timeout.ts';
import { missingCapability } from '../../elicitation/server-requests.ts';
import type { Events } from '../../events.ts';
import type { ClientRequest, JsonObject } from '../../types.ts';
import type { McpRequest, Tasks } from '../services.ts';
import { declaredOnly } from '../sessions/declared-requests.ts';
import { createTask, type Outcome, type Task } from './task.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';
/** The capability of MCP 2025-11-25. */
export const tasksCapability = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
const relatedTask = 'io.modelcontextprotocol/related-task';

/** Milliseconds that a task is kept after its creation, or after it has ended. */
const keepRunningMs = 60 * 60_000;
const keepEndedMs = 10 * 60_000;
const pollMs = 1_000;
const pageSize = 50;
const limits = { each: 100, all: 1_000 };

/** Whether a client can receive a task instead of a result. A legacy client requests a task with each call. */
export function takesTasks({ era, capabilities }: McpRequest['client'], params: JsonObject): boolean {
  return era === 'legacy' ? isObject(params.task) : hasExtension(capabilities);
}

const hasExtension = ({ extensions }: JsonObject) => isObject(extensions) && tasksExtension in extensions;

function requireExtension({ capabilities }: McpRequest['client']): void {
  if (hasExtension(capabilities)) return;
  throw new ProtocolError(missingCapability, 'Missing required client capability', {
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  });
}

export function createTasks({
  events,
  clientTimeoutMs,
}: {
  events: Pick<Events, 'on'>;
  /** Milliseconds that a client waits for a call if its own timeout is unknown. */
  clientTimeoutMs(): number;
}): Tasks {
  const kept = new Map<string, { task: Task; expiresAt: number; timer: NodeJS.Timeout }>();

  function keep(task: Task): void {
    const entry = { task, ...expireIn(keepRunningMs) };
    kept.set(task.id, entry);
    void task.ended.then(() => {
      clearTimeout(entry.timer);
      if (kept.get(task.id) === entry) Object.assign(entry, expireIn(keepEndedMs));
    });
    function expireIn(ms: number) {
      return { expiresAt: Date.now() + ms, timer: setTimeout(remove, ms, task.id, 'The task expired.').unref() };
    }
  }

  function remove(id: string, reason: string): void {
    const entry = kept.get(id);
    kept.delete(id);
    clearTimeout(entry?.timer);
    entry?.task.cancel(reason);
  }

  /** Forgets the oldest ended task if there are too many. False if all of them are running. */
  function makeRoom(owner: string): boolean {
    const all = Array.from(kept.values(), ({ task }) => task);
    const own = all.filter((task) => task.owner === owner);
    const full = own.length >= limits.each ? own : all.length >= limits.all ? all : undefined;
    if (!full) return true;
    const ended = full.find((task) => task.outcome());
    if (ended) remove(ended.id, 'The task expired.');
    return ended !== undefined;
  }

  /** The task of this client. All others get the same error as for an unknown ID. */
  function find({ client, params }: McpRequest): Task {
    const entry = typeof params.taskId === 'string' ? kept.get(params.taskId) : undefined;
    if (entry?.task.owner === client.id) return entry.task;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found');
  }

  function stateOf(task: Task, { era }: McpRequest['client']): JsonObject {
    const ttl = (kept.get(task.id)?.expiresAt ?? task.createdAt) - task.createdAt;
    const state = {
      taskId: task.id,
      status: statusFor(era, task),
      ...(task.message !== undefined && { statusMessage: task.message }),
      createdAt: new Date(task.createdAt).toISOString(),
      lastUpdatedAt: new Date(task.updatedAt()).toISOString(),
    };
    return era === 'legacy'
      ? { ...state, ttl, pollInterval: pollMs }
      : { ...state, ttlMs: ttl, pollIntervalMs: pollMs };
  }

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
      if (!makeRoom(client.id)) resolve(result);
      else {
        request.signal.removeEventListener('abort', cancel);
        keep(task);
        resolve(created(task, client));
      }
    }
    const cancel = () => task.cancel('The client cancelled the call.');
    if (request.signal.aborted) cancel();
    request.signal.addEventListener('abort', cancel, { once: true });
    void task.ended.then(() => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', cancel);
    });
    const ask: ClientRequest = async (...question) => {
      if (kept.has(task.id)) return task.ask(...question);
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

  events.on('client.disconnected', ({ id }) => {
    for (const { task } of [...kept.values()]) if (task.owner === id) remove(task.id, 'The client disconnected.');
  });

  return {
    async run(request, start) {
      const { client, params } = request;
      if (!takesTasks(client, params)) return start(request);
      const task = createTask(client.id);
      const inner = Promise.withResolvers<JsonObject>();
      const isLegacy = client.era === 'legacy';
      if (isLegacy && !makeRoom(client.id))
        throw new ProtocolError(ProtocolErrorCode.InternalError, `${limits.each} tasks of this client are running.`);
      if (isLegacy) keep(task);
      const leaving = isLegacy ? undefined : afterTimeout(request, task, inner.promise);
      start(detached(request, task, leaving?.ask ?? related(task))).then(inner.resolve, inner.reject);
      inner.promise.then(
        (result) => task.end({ result }),
        (error) => task.end({ error }),
      );
      return leaving ? Promise.race([inner.promise, leaving.created]) : created(task, client);
    },
    async answer(request) {
      const { client, method, params } = request;
      const isLegacy = client.era === 'legacy';
      if (!isLegacy) requireExtension(client);
      if (method === 'tasks/get') {
        const task = find(request);
        return { ...stateOf(task, client), ...(isLegacy ? {} : detailsOf(task)) };
      }
      if (method === 'tasks/cancel') {
        const task = find(request);
        if (isLegacy && task.outcome())
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The task is already ${task.status()}.`);
        task.cancel('The client cancelled the task.');
        return isLegacy ? stateOf(task, client) : {};
      }
      if (method === 'tasks/update' && !isLegacy) {
        find(request).answer(isObject(params.inputResponses) ? params.inputResponses : {});
        return {};
      }
      if (method === 'tasks/result' && isLegacy) return resultOf(find(request), request);
      if (method === 'tasks/list' && isLegacy) return page(request);
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
    },
    unfetched: () => Array.from(kept.values()).filter(({ task }) => task.isUnfetched()).length,
  };

  function page({ client, params }: McpRequest): JsonObject {
    const own = Array.from(kept.values(), ({ task }) => task).filter((task) => task.owner === client.id);
    const from = params.cursor === undefined ? 0 : own.findIndex(({ id }) => id === params.cursor) + 1;
    if (params.cursor !== undefined && from === 0)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor');
    const shown = own.slice(from, from + pageSize);
    const isLast = from + pageSize >= own.length;
    return {
      tasks: shown.map((task) => stateOf(task, client)),
      ...(!isLast && { nextCursor: shown.at(-1)?.id }),
    };
  }
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

/** Legacy: every message of a task names the task. */
function related(task: Task): ClientRequest {
  const meta = { [relatedTask]: { taskId: task.id } };
  return (method, params, ...rest) =>
    task.ask(method, { ...params, _meta: { ...(params._meta as JsonObject), ...meta } }, ...rest);
}

/** Legacy: the result of a call with `isError` fails its task. */
function statusFor(era: McpRequest['client']['era'], task: Task) {
  const outcome = task.outcome();
  const status = task.status();
  const isError = outcome && 'result' in outcome && outcome.result.isError === true;
  return era === 'legacy' && status === 'completed' && isError ? 'failed' : status;
}

/** Modern: the questions, result or error in the state of a task. */
function detailsOf(task: Task): JsonObject {
  const status = task.status();
  task.fetched();
  if (status === 'input_required') return { inputRequests: task.questions() };
  const outcome = task.outcome();
  if (status === 'completed' && outcome && 'result' in outcome) return { result: outcome.result };
  if (status === 'failed' && outcome && 'error' in outcome) return { error: errorOf(outcome) };
  return {};
}

function errorOf({ error }: { error: unknown }): JsonObject {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? code : ProtocolErrorCode.InternalError,
    message: typeof message === 'string' ? message : 'Internal error',
    ...(data !== undefined && { data }),
  };
}

/** Legacy: waits for the result. Meanwhile, the client gets the task's questions. */
async function resultOf(task: Task, { client, signal }: McpRequest): Promise<JsonObject> {
  if (client.request) task.sendTo(client.request, signal);
  const left = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const outcome: Outcome = await Promise.race([task.ended, left]);
  task.fetched();
  if ('error' in outcome) throw outcome.error;
  const meta = { ...(outcome.result._meta as JsonObject), [relatedTask]: { taskId: task.id } };
  return { ...outcome.result, _meta: meta };
}
