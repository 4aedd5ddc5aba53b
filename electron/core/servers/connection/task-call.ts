/**
 * Calls a tool that its server runs only as a task (MCP 2025-11-25, "Tasks"), so that every client can use it. Creates
 * the task, polls its status and fetches the result. To the caller, it looks like an ordinary call with progress.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import type { Params, RawResult, ServerInfo } from '../types.ts';
import type { JsonRpcPeer, PeerRequest } from './json-rpc-peer.ts';

const defaultPollMs = 500;
const pollMs = { min: 50, max: 10_000 };
/** A task may take this many times as long as a call, because its status shows that the server is alive. */
const limitFactor = 10;

export function supportsTasks({ era, capabilities }: ServerInfo): boolean {
  const tasks = capabilities.tasks as { requests?: { tools?: { call?: unknown } } } | undefined;
  return era === 'legacy' && isObject(tasks?.requests?.tools?.call);
}

/** Rejects like `JsonRpcPeer.request`. Aborting the signal cancels the task on the server. */
export async function callAsTask(peer: JsonRpcPeer, server: string, request: PeerRequest): Promise<RawResult> {
  const created = await peer.request({ ...request, params: { ...request.params, task: {} } });
  // A server may answer at once.
  if (!isObject(created.task)) return created;
  const { taskId } = created.task;
  if (typeof taskId !== 'string')
    throw fail('SERVER_PROTOCOL_ERROR', `"${server}" created a task without an id.`, { server });
  try {
    await untilDone(peer, server, request, { ...created.task, taskId });
    return await peer.request({ ...request, method: 'tasks/result', params: { taskId } });
  } catch (error) {
    peer.request({ method: 'tasks/cancel', params: { taskId }, timeoutMs: 5_000 }).catch(() => undefined);
    throw error;
  }
}

/** Resolves when the result can be fetched. If input is required, fetching the result delivers the server's requests. */
async function untilDone(
  peer: JsonRpcPeer,
  server: string,
  { timeoutMs, signal, onProgress }: PeerRequest,
  created: Params & { taskId: string },
): Promise<void> {
  const deadline = Date.now() + timeoutMs * limitFactor;
  const { taskId } = created;
  let task: Params = created;
  let progress = 0;
  let lastMessage: unknown;
  while (task.status === 'working') {
    if (typeof task.statusMessage === 'string' && task.statusMessage !== lastMessage) {
      lastMessage = task.statusMessage;
      progress += 1;
      onProgress?.({ progress, message: task.statusMessage });
    }
    if (Date.now() > deadline)
      throw fail('SERVER_TIMEOUT', `The task of "${server}" did not finish within ${timeoutMs * limitFactor} ms.`, {
        server,
      });
    await pause(task.pollInterval, signal, server);
    task = await peer.request({ method: 'tasks/get', params: { taskId }, timeoutMs, signal });
  }
}

async function pause(wanted: unknown, signal: AbortSignal | undefined, server: string): Promise<void> {
  const ms = typeof wanted === 'number' && wanted > 0 ? wanted : defaultPollMs;
  await sleep(Math.min(pollMs.max, Math.max(pollMs.min, ms)), undefined, { signal }).catch(() => {
    throw fail('CANCELLED', `The call to "${server}" was canceled.`, { server });
  });
}
