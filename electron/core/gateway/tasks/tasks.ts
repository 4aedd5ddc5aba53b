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
import { createKeptTasks, maxTasks } from './kept-tasks.ts';
import { createTask, type Outcome, type Task } from './task.ts';
import { followTask, taskDetails, taskState } from './task-state.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';
/** The capability of MCP 2025-11-25. */
export const tasksCapability = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
const relatedTask = 'io.modelcontextprotocol/related-task';

const pageSize = 50;

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
  presentMs = () => Number.POSITIVE_INFINITY,
}: {
  events: Pick<Events, 'on'>;
  /** How long the user has not been away. */
  presentMs?(): number;
  /** Milliseconds that a client waits for a call if its own timeout is unknown. */
  clientTimeoutMs(): number;
}): Tasks {
  const kept = createKeptTasks(events, presentMs);

  const stateOf = (task: Task, { era }: McpRequest['client']) => taskState(task, era, kept.expiresAt(task));

  /** Modern: the state with the questions, result or error. */
  const detailedState = (task: Task, client: McpRequest['client']): JsonObject => ({
    ...stateOf(task, client),
    ...taskDetails(task),
  });

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
    const cancel = () => task.cancel('The client cancelled the call.');
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

  async function runAsTask(
    request: McpRequest,
    start: (request: McpRequest) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { client } = request;
    const isLegacy = client.era === 'legacy';
    const task = createTask(client.id);
    if (isLegacy) followTask(task, () => client.notify?.('notifications/tasks/status', stateOf(task, client)));
    const inner = Promise.withResolvers<JsonObject>();
    if (isLegacy && !kept.makeRoom(client.id))
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${maxTasks} tasks of this client are running.`);
    if (isLegacy) kept.keep(task);
    const leaving = isLegacy ? undefined : afterTimeout(request, task, inner.promise);
    start(detached(request, task, leaving?.ask ?? related(task))).then(inner.resolve, inner.reject);
    inner.promise.then(
      (result) => task.end({ result }),
      (error) => task.end({ error }),
    );
    return leaving ? Promise.race([inner.promise, leaving.created]) : created(task, client);
  }

  return {
    run(request, start) {
      return takesTasks(request.client, request.params) ? runAsTask(request, start) : start(request);
    },
    async answer(request) {
      const { client, method, params } = request;
      const isLegacy = client.era === 'legacy';
      if (!isLegacy) requireExtension(client);
      if (method === 'tasks/get') {
        const task = kept.find(client.id, params.taskId);
        if (isLegacy) return stateOf(task, client);
        task.fetched();
        return detailedState(task, client);
      }
      if (method === 'tasks/cancel') {
        const task = kept.find(client.id, params.taskId);
        if (isLegacy && task.outcome())
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The task is already ${task.status()}.`);
        task.cancel('The client cancelled the task.');
        return isLegacy ? stateOf(task, client) : {};
      }
      if (method === 'tasks/update' && !isLegacy) {
        kept.find(client.id, params.taskId).answer(isObject(params.inputResponses) ? params.inputResponses : {});
        return {};
      }
      if (method === 'tasks/result' && isLegacy) return resultOf(kept.find(client.id, params.taskId), request);
      if (method === 'tasks/list' && isLegacy) return page(request);
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
    },
    subscribe(client, taskIds, tell) {
      requireExtension(client);
      const wanted = new Set(taskIds);
      const tasks = kept.of(client.id).filter(({ id }) => wanted.has(id));
      const stops: (() => void)[] = [];
      return {
        taskIds: tasks.map(({ id }) => id),
        start() {
          for (const task of tasks) stops.push(followTask(task, () => tell(detailedState(task, client))));
        },
        end() {
          for (const stop of stops) stop();
        },
      };
    },
    unfetched: kept.unfetched,
  };

  function page({ client, params }: McpRequest): JsonObject {
    const own = kept.of(client.id);
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
