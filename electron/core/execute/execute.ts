/** One call from decision to result: decide → validate → approve → route → result, recorded either way (rows A5, A13). */
import { randomUUID } from 'node:crypto';
import { fail, GatehouseError, toFailure } from '../../../shared/failure.ts';
import { asksFirst } from '../../../shared/model.ts';
import type { NewRecord } from '../audit/audit.ts';
import type { Elicitation, Unanswered } from '../elicitation/elicitation.ts';
import { asWritten } from '../lines/lines.ts';
import { type Upstream, type UpstreamAsk, UpstreamRpcError } from '../upstream/upstream.ts';
import type { Approvals } from './approvals.ts';
import { type AskContext, type Asking, type AskOrigin, answerAsk, canElicit } from './asks.ts';
import { auditedArguments } from './audited.ts';
import type { ToolBreakers } from './breakers.ts';
import type { Offers } from './offers.ts';
import { createParking, handleArgument, signatureOf, startTask, type Task } from './parking.ts';
import { patienceOf } from './patience.ts';
import { refuseBadArguments, refuseServer, refuseWhatIsOff } from './refusals.ts';
import { pagesForClient, withSignIn } from './sign-in.ts';
import type { Caller, ExecuteCall, FoundTool } from './types.ts';
import { withNote } from './unanswered.ts';

export { type Approvals, createApprovals } from './approvals.ts';
export { type Asking, type AskOrigin, answerAsk, canElicit, type PassedOutcome } from './asks.ts';
export { createToolBreakers, type ToolBreakers } from './breakers.ts';
export { createOffers, type Offers, type Wanted } from './offers.ts';
export { createPassedPages } from './pages.ts';
export { offOf } from './refusals.ts';
export type { Caller, ExecuteCall, FoundTool } from './types.ts';

export interface Executor {
  /** Resolves with the server's own result, untouched. */
  execute(call: ExecuteCall): Promise<Record<string, unknown>>;
  /** A client left: what it had parked is cancelled. */
  callerLeft(callerId: string): void;
  /** The person restarted or changed a server: what its tools failed at before counts no longer. */
  serverMended(server: string): void;
  /** Calls that wait for their client to come back. */
  parked(): number;
}

export interface ExecuteContext {
  /** Rejects with SERVER_NOT_FOUND or TOOL_NOT_FOUND with similar names. */
  findTool(server: string, tool: string, call: Pick<ExecuteCall, 'caller' | 'signal'>): Promise<FoundTool>;
  upstream(server: string): Upstream;
  isPaused(): boolean;
  /** Throws SERVER_NOT_FOUND with similar names. */
  isServerEnabled(server: string): boolean;
  approvals: Approvals;
  offers: Offers;
  breakers: ToolBreakers;
  elicitation: Elicitation;
  asking(caller: Caller): Asking;
  /** How long clients wait for a call, in milliseconds. */
  patienceMs(): number;
  timeoutMs(server: string): number;
  /** Servers say when the person is done with a page that they wanted opened. */
  onCompleted(listener: (server: string, elicitationId: string) => void): () => void;
  record(entry: NewRecord): void;
}

type CallResult = Record<string, unknown>;
type Running = Omit<Task<CallResult>, 'result'>;
/** Calls without one are requests for prompts and resources. */
interface Origin extends AskOrigin {
  whileAsking?: Running['whileAsking'];
}

export function createExecutor(context: ExecuteContext): Executor {
  const parking = createParking<CallResult>();

  async function run(call: ExecuteCall, tool: FoundTool, task: Running): Promise<CallResult> {
    const { signal } = task.controller;
    const callId = randomUUID();
    const startedAt = Date.now();
    let outcome = 'ok';
    let code: string | undefined;
    try {
      if (asksFirst(tool)) {
        const { caller, arguments: args } = call;
        const approval = { tool, fingerprint: tool.fingerprint, caller, arguments: args, callId, signal };
        await task.whileAsking(context.approvals.require(approval));
        await requireUnchanged({ ...call, signal }, tool);
      }
      const result = await context.breakers.run(call.server, call.tool, () => route(call, tool, task, callId));
      if (result.isError === true) outcome = 'tool error';
      return result;
    } catch (error) {
      const failure = toFailure(error, 'TOOL_EXECUTION_ERROR');
      outcome = 'failed';
      code = failure.code;
      throw error;
    } finally {
      context.record({
        id: callId,
        at: startedAt,
        kind: 'call',
        client: call.caller.name,
        server: call.server,
        tool: call.tool,
        arguments: maskedLater(call.arguments),
        outcome,
        durationMs: Date.now() - startedAt,
        ...(code && { code }),
      });
    }
  }

  /** People take their time: what they approved must still be what would run. */
  async function requireUnchanged(call: ExecuteCall, approved: FoundTool): Promise<void> {
    const now = await context.findTool(call.server, call.tool, call);
    refuseWhatIsOff(context, call.caller, now);
    if (now.fingerprint === approved.fingerprint) return;
    throw fail('TOOL_HELD_BACK', `"${call.tool}" changed while the person was asked, so it did not run.`, {
      server: call.server,
      tool: call.tool,
    });
  }

  function route(call: ExecuteCall, found: FoundTool, task: Running, callId: string): Promise<CallResult> {
    const { server, tool, caller } = call;
    const { signal } = task.controller;
    const asking = context.asking(caller);
    const unanswered = new Set<Unanswered>();
    const asks: Omit<AskContext, 'signal'> = {
      ...{ call, callId, elicitation: context.elicitation, asking },
      onUnanswered: (why) => void unanswered.add(why),
    };
    const origin: Origin = {
      ...{ client: caller.id, tool, whileAsking: task.whileAsking },
      onUnanswered: (why) => void unanswered.add(why),
    };
    const answer = (ask: UpstreamAsk, within: AbortSignal) => {
      // With several calls under way the end of this one says nothing about the question, and all of them wait.
      const until = ask.origins ? within : AbortSignal.any([within, signal]);
      const waiting = (ask.origins ?? [origin]) as (Origin | undefined)[];
      const answered = answerAsk(ask, { ...asks, signal: until });
      for (const other of waiting) other?.whileAsking?.(answered).catch(() => undefined);
      return answered;
    };
    const send = () =>
      context.upstream(server).request({
        method: 'tools/call',
        params: { name: tool, arguments: call.arguments, ...(call.meta && { _meta: call.meta }) },
        signal,
        timeoutMs: context.timeoutMs(server),
        ...(call.onProgress && { onProgress: task.progress.forward }),
        ...(call.onLog && { onLog: call.onLog, logLevel: call.logLevel }),
        ...{ origin, onAsk: answer, session: caller.id, mayRepeat: found.isRepeatable },
      });
    const passesOn = caller.ask !== undefined && canElicit(caller.capabilities, true) && asking.routing !== 'here';
    const request = passesOn
      ? send().catch((error: unknown) => {
          asking.pages.passedWith(error, caller, server);
          throw pagesForClient(error, { server, tool });
        })
      : withSignIn(send, () => ({
          ...{ server, tool, signal, timeoutMs: asking.timeoutMs },
          ask: (params) => answer({ method: 'elicitation/create', params }, signal),
          whileWaiting: task.whileAsking,
          onCompleted: (listener) => context.onCompleted((name, id) => name === server && listener(id)),
        }));
    return withNote(request, unanswered, { server, tool });
  }

  async function find(call: ExecuteCall): Promise<Task<CallResult>> {
    const { caller, server, tool } = call;
    const handle = call.arguments[handleArgument];
    if (typeof handle === 'string') {
      const task = parking.take(caller.id, { handle });
      if (task) return task;
      throw fail('INPUT_INVALID', `No call waits under the handle ${JSON.stringify(handle.slice(0, 40))}.`, {
        ...{ server, tool },
        hint: 'Its result was fetched already, or it expired after ten minutes. Nothing was run.',
      });
    }
    if (!context.isServerEnabled(server)) refuseServer(context, caller, server, tool);
    const found = await context.findTool(server, tool, call);
    refuseWhatIsOff(context, caller, found);
    const signature = () => signatureOf(server, tool, asWritten(call.arguments));
    const parked = parking.take(caller.id, { signature });
    if (!parked) refuseBadArguments(found, call.arguments);
    return parked ?? startTask(signature, (task) => run(call, found, task));
  }

  return {
    async execute(call) {
      const task = await find(call);
      const { caller, signal, onProgress } = call;
      const patienceMs = patienceOf(caller.name, onProgress !== undefined, context.patienceMs());
      return parking.wait(task, { owner: caller.id, patienceMs, signal, onProgress });
    },
    callerLeft(callerId) {
      parking.drop(callerId);
      context.approvals.callerLeft(callerId);
    },
    serverMended: context.breakers.reset,
    parked: parking.size,
  };
}

/** Holds on to nothing else of the call until then. */
const maskedLater = (args: Record<string, unknown>) => () => auditedArguments(args);

/** The failure an agent is shown for anything thrown on the way. */
export function callFailure(error: unknown, server: string, tool: string): GatehouseError {
  if (error instanceof GatehouseError) return error;
  const message = error instanceof UpstreamRpcError ? error.message : toFailure(error).message;
  return fail(error instanceof UpstreamRpcError ? 'TOOL_EXECUTION_ERROR' : 'INTERNAL', message, { server, tool });
}
