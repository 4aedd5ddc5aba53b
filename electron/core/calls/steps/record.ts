/** Records every call in the history, including refused calls. */
import { randomUUID } from 'node:crypto';
import { ToolkeepError, toFailure } from '../../../../shared/failure.ts';
import type { History, NewRecord } from '../../history/history.ts';
import { redactText } from '../../secrets/redact.ts';
import { recordedArguments } from '../recorded-arguments.ts';
import type { CallResult, RunningCall } from '../step.ts';

const maxMessageLength = 500;

export interface RecordOptions {
  history: Pick<History, 'record'>;
  keepResult(call: RunningCall, result: CallResult): void;
}

/** Records the result of `run`, or why it rejects. */
export function createRecord({ history, keepResult }: RecordOptions, run: (call: RunningCall) => Promise<CallResult>) {
  return async (call: RunningCall): Promise<CallResult> => {
    try {
      const result = await run(call);
      history.record(entryOf(call, result.isError === true ? 'tool-error' : 'ok'));
      keepResult(call, result);
      return result;
    } catch (error) {
      // Who cancelled the call says more than the error in which that resulted.
      const { reason } = call.signal;
      const cause = reason instanceof ToolkeepError ? reason : error;
      const { code, message, hint } = toFailure(cause, 'TOOL_EXECUTION_ERROR');
      // A pending call is recorded when it ends.
      if (code !== 'APPROVAL_PENDING') {
        history.record(entryOf(call, call.isDispatched ? 'failed' : 'refused', { code, message }));
        keepResult(call, { error: { code, message, ...(hint && { hint }) } });
      }
      throw error;
    }
  };
}

function entryOf(
  { id, startedAt, client, server, tool, arguments: args, detached: { waitedMs } }: RunningCall,
  outcome: 'ok' | 'tool-error' | 'failed' | 'refused',
  failure?: { code: string; message: string },
): NewRecord {
  const message = failure && redactText(failure.message).slice(0, maxMessageLength);
  return {
    id: randomUUID(),
    callId: id,
    at: startedAt,
    client: client.name,
    server,
    tool,
    durationMs: Date.now() - startedAt,
    ...(waitedMs > 0 && { waitedMs }),
    ...(failure && { code: failure.code }),
    kind: 'call',
    outcome,
    ...(message && { message }),
    // Redacted when the history is written. Holds only the arguments in memory, not the whole call.
    arguments: () => recordedArguments(args),
  };
}
