/** Runs many calls as one: checks all of them, asks the user at most one question, and then runs them in order. */
import { randomUUID } from 'node:crypto';
import { type Failure, fail, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import type { ApprovalRequest } from '../policy/approval-request.ts';
import type { Approvals } from '../policy/approvals.ts';
import type { Batch } from '../types.ts';
import { type BatchItem, batchResult } from './batch-result.ts';
import { createProgress } from './progress.ts';
import type { CallResult, FoundCall, RunningCall } from './step.ts';

export interface BatchOptions {
  /** Resolves, authorizes and validates a call. */
  check(call: RunningCall): Promise<FoundCall>;
  approvalOf(call: FoundCall): Promise<ApprovalRequest | undefined>;
  approvals: Pick<Approvals, 'requireEach'>;
  /** Runs one call with all checks, and records it. */
  run(call: RunningCall): Promise<CallResult>;
}

/** A call that passed the checks. */
interface PlannedCall {
  call: RunningCall;
  isDenied: boolean;
}

export async function runBatch(options: BatchOptions, parent: RunningCall, batch: Batch): Promise<CallResult> {
  if (batch.calls.length === 0) throw fail('INPUT_INVALID', 'The parameter "calls" has no call.');
  const calls = await plan(options, parent, batch);
  const items: BatchItem[] = [];
  let isStopped = false;
  for (const [index, { call, isDenied }] of calls.entries()) {
    const { server, tool } = call;
    isStopped ||= parent.signal.aborted;
    if (isDenied) items.push({ server, tool, status: 'denied' });
    else if (isStopped) items.push({ server, tool, status: 'not_run' });
    else {
      const item = await itemOf(call, options.run(call));
      items.push(item);
      isStopped = item.status === 'error' && batch.stopOnError;
    }
    parent.detached.progress.forward({ progress: index + 1, total: calls.length });
  }
  return batchResult(items, batch.shown);
}

async function itemOf({ server, tool }: RunningCall, running: Promise<CallResult>): Promise<BatchItem> {
  try {
    const result = await running;
    return { server, tool, status: result.isError === true ? 'error' : 'ok', result };
  } catch (error) {
    const failure = toFailure(error, error instanceof ToolkeepError ? 'INTERNAL' : 'TOOL_EXECUTION_ERROR');
    return { server, tool, status: 'error', failure };
  }
}

async function plan(options: BatchOptions, parent: RunningCall, batch: Batch): Promise<PlannedCall[]> {
  const found = await checkAll(options, parent, batch);
  const needed = new Map<FoundCall, ApprovalRequest>();
  for (const call of found) {
    const request = await options.approvalOf(call);
    if (request) needed.set(call, request);
  }
  const { id: callId, client, signal } = parent;
  const asking = options.approvals.requireEach([...needed.values()], { callId, client, signal });
  const { allowed, denied } = await parent.detached.whileWaitingForUser(asking);
  return found.map((call) => {
    const request = needed.get(call);
    const { fingerprint } = call.found;
    // A call that a permission covered is checked again when it runs, because the permission may have ended by then.
    call.planned = request && allowed.has(request) ? { fingerprint, allowed: request } : { fingerprint };
    return { call, isDenied: request !== undefined && denied.has(request) };
  });
}

/** Checks every call. Rejects with each fault if one call cannot run, so that no question is asked in vain. */
async function checkAll({ check }: BatchOptions, parent: RunningCall, { calls }: Batch): Promise<FoundCall[]> {
  const found: FoundCall[] = [];
  const faults: string[] = [];
  for (const [index, target] of calls.entries()) {
    try {
      found.push(await check(innerCall(parent, target)));
    } catch (error) {
      const failure = toFailure(error);
      // The user is being asked for a secret that the server needs.
      if (failure.code === 'APPROVAL_PENDING' || parent.signal.aborted) throw error;
      faults.push(`${index + 1}. ${target.server}/${target.tool}: ${textOf(failure)}`);
    }
  }
  if (faults.length === 0) return found;
  const count = faults.length === 1 ? 'One call' : `${faults.length} calls`;
  throw fail('INPUT_INVALID', `${count} of ${calls.length} cannot run, so none ran.\n${faults.join('\n')}`);
}

/** An ordinary call that is parked and cancelled together with the batch. The client's `_meta` belongs to the batch. */
function innerCall(parent: RunningCall, target: Batch['calls'][number]): RunningCall {
  const { client, signal, caller, isTask, onLog, logLevel } = parent;
  const detached = {
    ...parent.detached,
    progress: createProgress(() => detached.onChange?.()),
    waitedMs: 0,
    async whileWaitingForUser<R>(wait: Promise<R>): Promise<R> {
      const since = Date.now();
      try {
        return await parent.detached.whileWaitingForUser(wait);
      } finally {
        detached.waitedMs += Date.now() - since;
      }
    },
  };
  const own = { id: randomUUID(), startedAt: Date.now(), isDispatched: false };
  return { ...target, client, signal, caller, isTask, onLog, logLevel, ...own, detached };
}

const textOf = ({ code, message, hint }: Failure) => [code, message, hint].filter(Boolean).join(' ');
