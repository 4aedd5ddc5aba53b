/** Runs many calls as one: checks all of them, asks the user at most one question, and then runs them in order. */
import { randomUUID } from 'node:crypto';
import { fail, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { createSlices } from '../async/slices.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { originalText } from '../jsonrpc/raw-json.ts';
import type { Approvals } from '../policy/approvals.ts';
import type { Batch, Client } from '../types.ts';
import type { BatchJournal, BatchJournals } from './batch-journal.ts';
import { type BatchItem, batchResult, textOf, unreadResult } from './batch-result.ts';
import { signatureOf } from './parking.ts';
import { Progress } from './progress.ts';
import type { CallResult, RunningCall } from './step.ts';
import type { Settled } from './steps/permit.ts';

export interface BatchOptions {
  /** Rejects with the reason why the call may not run. */
  settle(call: RunningCall): Promise<Settled>;
  approvals: Pick<Approvals, 'requireEach'>;
  elicitation: Pick<Elicitation, 'canAsk' | 'confirm'>;
  /** Runs one call with all checks, and records it. */
  run(call: RunningCall): Promise<CallResult>;
  journals: Pick<BatchJournals, 'of'>;
}

/** A call that passed the checks. */
interface PlannedCall {
  call: RunningCall;
  isDenied: boolean;
}

export async function runBatch(options: BatchOptions, parent: RunningCall, batch: Batch): Promise<CallResult> {
  if (batch.calls.length === 0) throw fail('INPUT_INVALID', 'The parameter "calls" has no call.');
  const journal = options.journals.of(await keyOf(parent.client, batch), batch.calls.length, parent.client.id);
  const unread = await journal.unread();
  if (unread) return unreadResult(batch.calls, unread);
  const calls = await plan(options, parent, batch);
  await journal.open();
  let isInterrupted = true;
  try {
    const items = await runAll(options, parent, calls, { journal, stopOnError: batch.stopOnError });
    isInterrupted = parent.signal.aborted;
    return batchResult(items, batch.shown);
  } finally {
    await journal.close({ isInterrupted });
  }
}

/** A client that connects again has another ID. A name identifies no one: two clients may state the same. */
async function keyOf({ identity, bridge, id }: Client, { calls }: Batch): Promise<string> {
  const rest = createSlices();
  const signatures: string[] = [];
  for (const { server, tool, arguments: args } of calls) {
    await rest();
    signatures.push(signatureOf(server, tool, originalText(args)));
  }
  return signatureOf('toolkeep', 'execute_tools', [identity ?? bridge ?? id, signatures]);
}

async function runAll(
  options: BatchOptions,
  parent: RunningCall,
  calls: PlannedCall[],
  { journal, stopOnError }: { journal: BatchJournal; stopOnError: boolean },
): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  let isStopped = false;
  for (const [index, { call, isDenied }] of calls.entries()) {
    const { server, tool } = call;
    let item: BatchItem;
    if (isDenied) item = { server, tool, status: 'denied' };
    else if (isStopped || parent.signal.aborted) item = { server, tool, status: 'not_run' };
    else {
      await journal.set(index, 'unknown');
      item = await itemOf(call, options.run(call));
      const left = calls.slice(index + 1).filter((next) => !next.isDenied).length;
      if (item.status === 'error' && stopOnError && left > 0)
        isStopped = !(await mayRunRest(options, parent, item, left));
    }
    // After a cancellation, a call in progress may still have an effect, and the journal says so.
    if (!parent.signal.aborted) await journal.set(index, item.status);
    items.push(item);
    parent.detached.progress.forward({ progress: index + 1, total: calls.length });
  }
  return items;
}

/** The user's decision about the calls after one that failed. Nothing runs if no one can answer. */
async function mayRunRest(
  { elicitation }: BatchOptions,
  { id: callId, client, signal, detached }: RunningCall,
  { server, tool, failure }: BatchItem,
  left: number,
): Promise<boolean> {
  if (signal.aborted || !elicitation.canAsk()) return false;
  const reason = failure ? `failed (${failure.code})` : 'returned an error';
  const message = `${server}/${tool} ${reason}. ${left} more ${left === 1 ? 'call' : 'calls'} of this request can still run.`;
  const from = { client: client.name, server, tool, callId, isToolkeep: true };
  const asking = elicitation.confirm(message, { confirmLabel: 'Run the rest', cancelLabel: 'Stop', from, signal });
  return detached.whileWaitingForUser(asking);
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
  const settled = await settleAll(options, parent, batch);
  const asked = settled.filter((one) => one.kind === 'ask');
  const { id: callId, client, signal } = parent;
  const requests = asked.map(({ request }) => request);
  const about = { callId, client, signal, mayAsk: asked.every(({ mayAsk }) => mayAsk) };
  const asking = requests.length === 0 ? undefined : options.approvals.requireEach(requests, about);
  const answer = asking && (await parent.detached.whileWaitingForUser(asking));
  return settled.map((one) => {
    const { call } = one;
    const { fingerprint } = call.found;
    const isAllowed = one.kind === 'ask' && answer?.allowed.has(one.request);
    // A call that a permission covered is decided again when it runs, because the permission may have ended by then.
    call.planned = isAllowed ? { fingerprint, allowed: one.request.asked } : { fingerprint };
    return { call, isDenied: one.kind === 'ask' && answer?.denied.has(one.request) === true };
  });
}

/** Decides about every call. Rejects with each fault if one call cannot run, so that no question is asked in vain. */
async function settleAll({ settle }: BatchOptions, parent: RunningCall, { calls }: Batch): Promise<Settled[]> {
  const settled: Settled[] = [];
  const faults: string[] = [];
  const rest = createSlices();
  for (const [index, target] of calls.entries()) {
    // Validating the arguments of one call may take 30 ms.
    await rest();
    try {
      settled.push(await settle(innerCall(parent, target)));
    } catch (error) {
      const failure = toFailure(error);
      // The user is being asked for a secret that the server needs.
      if (failure.code === 'APPROVAL_PENDING' || parent.signal.aborted) throw error;
      faults.push(`${index + 1}. ${target.server}/${target.tool}: ${textOf(failure)}`);
    }
  }
  if (faults.length === 0) return settled;
  const count = faults.length === 1 ? 'One call' : `${faults.length} calls`;
  throw fail('INPUT_INVALID', `${count} of ${calls.length} cannot run, so none ran.\n${faults.join('\n')}`);
}

/** An ordinary call that is parked and cancelled together with the batch. The client's `_meta` belongs to the batch. */
function innerCall(parent: RunningCall, target: Batch['calls'][number]): RunningCall {
  const { client, signal, caller, isTask, onLog, logLevel } = parent;
  const detached = {
    ...parent.detached,
    progress: new Progress(() => detached.onChange?.()),
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
