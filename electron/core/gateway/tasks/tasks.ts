/**
 * Tool calls as tasks. A client of MCP 2025-11-25 asks for a task with its call; for a client of 2026-07-28 with the tasks
 * extension, a call becomes a task when it takes longer than the client waits. A task belongs to the session of its call and
 * ends with it.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isObject } from '../../../../shared/is-object.ts';
import { missingCapability } from '../../elicitation/server-requests.ts';
import type { Events } from '../../events.ts';
import type { JsonObject } from '../../types.ts';
import type { McpRequest, Tasks } from '../services.ts';
import { createKeptTasks } from './kept-tasks.ts';
import { createTaskRunner } from './run-as-task.ts';
import type { Outcome, Task } from './task.ts';
import { followTask, relatedTask, taskDetails, taskState } from './task-state.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';
/** The capability of MCP 2025-11-25. */
export const tasksCapability = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

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
  /** Milliseconds since the user was last away; 0 while away. */
  presentMs?(): number;
  /** How long a client waits for a call if its own timeout is unknown, in milliseconds. */
  clientTimeoutMs(): number;
}): Tasks {
  const kept = createKeptTasks(events, presentMs);

  const stateOf = (task: Task, { era }: McpRequest['client']) => taskState(task, era, kept.expiresAt(task));
  const runAsTask = createTaskRunner({ kept, stateOf, clientTimeoutMs });

  /** Modern: the state with the questions, result or error. */
  const detailedState = (task: Task, client: McpRequest['client']): JsonObject => ({
    ...stateOf(task, client),
    ...taskDetails(task),
  });

  return {
    run: runAsTask,
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
        task.cancel('The client canceled the task.');
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
