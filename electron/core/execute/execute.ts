/** One call from decision to result: decide → validate → approve → route → result, recorded either way (rows A5, A13). */
import { randomUUID } from 'node:crypto';
import { fail, GatehouseError, toFailure } from '../../../shared/failure.ts';
import type { Mode, ToolView } from '../../../shared/model.ts';
import type { NewRecord } from '../audit/audit.ts';
import { validateArguments } from '../discovery/discovery.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { type Upstream, type UpstreamAsk, UpstreamRpcError } from '../upstream/upstream.ts';
import type { Approvals } from './approvals.ts';
import { type Asking, answerAsk } from './asks.ts';
import { auditedArguments } from './audited.ts';
import type { ToolBreakers } from './breakers.ts';
import { createParking, signatureOf, startTask, type Task } from './parking.ts';

export { type Approvals, createApprovals } from './approvals.ts';
export { type Asking, answerAsk } from './asks.ts';
export { createToolBreakers, type ToolBreakers } from './breakers.ts';

/** Who calls: a connected client, the person at the window, or the command line. */
export interface Caller {
  id: string;
  name: string;
  mode?: Mode;
  /** The one server that it sees. */
  server?: string | undefined;
  capabilities: Record<string, unknown>;
  /** Passes a server's request on to the client; absent where the client cannot take it. */
  ask?:
    | ((
        method: UpstreamAsk['method'],
        params: Record<string, unknown>,
        signal: AbortSignal,
        key?: string,
      ) => Promise<Record<string, unknown>>)
    | undefined;
}

export interface ExecuteCall {
  caller: Caller;
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  meta?: Record<string, unknown> | undefined;
  signal: AbortSignal;
  onProgress?: ((params: Record<string, unknown>) => void) | undefined;
  onLog?: ((params: Record<string, unknown>) => void) | undefined;
}

export interface Executor {
  /** Resolves with the server's own result, untouched. */
  execute(call: ExecuteCall): Promise<Record<string, unknown>>;
  /** A client left: what it had parked is cancelled. */
  callerLeft(callerId: string): void;
}

export interface ExecuteContext {
  /** Rejects with SERVER_NOT_FOUND or TOOL_NOT_FOUND with similar names. */
  findTool(server: string, tool: string, call: ExecuteCall): Promise<ToolView & { fingerprint: string }>;
  upstream(server: string): Upstream;
  isPaused(): boolean;
  isServerEnabled(server: string): boolean;
  approvals: Approvals;
  breakers: ToolBreakers;
  elicitation: Elicitation;
  asking(): Asking;
  /** How long this client waits for a call, in milliseconds. */
  patienceMs(caller: Caller): number;
  timeoutMs(server: string): number;
  record(entry: NewRecord): void;
}

type CallResult = Record<string, unknown>;

export function createExecutor(context: ExecuteContext): Executor {
  const parking = createParking<CallResult>();

  async function run(
    call: ExecuteCall,
    tool: ToolView & { fingerprint: string },
    task: Omit<Task<CallResult>, 'result'>,
  ): Promise<CallResult> {
    const { signal } = task.controller;
    const callId = randomUUID();
    const startedAt = Date.now();
    let outcome = 'ok';
    let code: string | undefined;
    try {
      if (needsApproval(tool)) {
        const approval = {
          tool,
          fingerprint: tool.fingerprint,
          caller: call.caller,
          arguments: call.arguments,
          callId,
          signal,
        };
        await task.whileAsking(context.approvals.require(approval));
      }
      const result = await context.breakers.run(call.server, call.tool, () => route(call, task, callId));
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
        arguments: () => auditedArguments(call.arguments),
        outcome,
        durationMs: Date.now() - startedAt,
        ...(code && { code }),
      });
    }
  }

  function route(call: ExecuteCall, task: Omit<Task<CallResult>, 'result'>, callId: string): Promise<CallResult> {
    const timeoutMs = context.timeoutMs(call.server);
    return context.upstream(call.server).request({
      method: 'tools/call',
      params: { name: call.tool, arguments: call.arguments, ...(call.meta && { _meta: call.meta }) },
      signal: task.controller.signal,
      timeoutMs,
      ...(call.onProgress && { onProgress: call.onProgress }),
      ...(call.onLog && { onLog: call.onLog }),
      onAsk: (ask, signal) =>
        task.whileAsking(
          answerAsk(ask, { call, callId, signal, elicitation: context.elicitation, asking: context.asking() }),
        ),
    });
  }

  return {
    async execute(call) {
      const tool = await context.findTool(call.server, call.tool, call);
      refuseWhatIsOff(context, tool);
      const signature = () => signatureOf(call.caller.id, call.server, call.tool, call.arguments);
      let task = parking.take(signature);
      if (!task) {
        refuseBadArguments(tool, call.arguments);
        task = startTask((inner) => run(call, tool, inner));
      }
      return parking.wait(task, { signature, patienceMs: context.patienceMs(call.caller), signal: call.signal });
    },
    callerLeft: (callerId) => parking.drop(`${callerId}\n`),
  };
}

function needsApproval(tool: ToolView): boolean {
  if (tool.confirm === 'auto') return tool.annotations.requiresConfirmation;
  return tool.confirm === 'always';
}

function refuseWhatIsOff(context: ExecuteContext, tool: ToolView): void {
  const place = { server: tool.server, tool: tool.name };
  if (context.isPaused()) throw fail('PAUSED', 'Gatehouse is paused, so no tool runs.', place);
  if (!context.isServerEnabled(tool.server))
    throw fail('SERVER_DISABLED', `The server "${tool.server}" is switched off.`, place);
  if (tool.held)
    throw fail('TOOL_HELD_BACK', `"${tool.name}" changed since it was accepted and waits for the person.`, place);
  if (!tool.enabled) throw fail('TOOL_DISABLED', `"${tool.name}" is switched off by a rule of the person.`, place);
}

function refuseBadArguments(tool: ToolView & { fingerprint: string }, args: Record<string, unknown>): void {
  const checked = validateArguments(tool, args);
  if (checked.ok) return;
  throw fail('ARGUMENTS_INVALID', `The arguments do not fit "${tool.name}": ${checked.problems.join('; ')}`, {
    server: tool.server,
    tool: tool.name,
  });
}

/** The failure an agent is shown for anything thrown on the way. */
export function callFailure(error: unknown, server: string, tool: string): GatehouseError {
  if (error instanceof GatehouseError) return error;
  const message = error instanceof UpstreamRpcError ? error.message : toFailure(error).message;
  return fail(error instanceof UpstreamRpcError ? 'TOOL_EXECUTION_ERROR' : 'INTERNAL', message, { server, tool });
}
