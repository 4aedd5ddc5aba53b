/** Records every call in the history, including refused calls. */
import { randomUUID } from 'node:crypto';
import { toFailure } from '../../../../shared/failure.ts';
import type { NewRecord } from '../../history/history.ts';
import { recordedArguments } from '../recorded-arguments.ts';
import type { CallResult, PipelineCall, Step } from '../step.ts';

export interface RecordOptions {
  record(entry: NewRecord): void;
}

export function createRecord({ record }: RecordOptions): Step {
  return async (call, next) => {
    try {
      const result = await next();
      record(entryOf(call, result.isError === true ? 'tool-error' : 'ok'));
      return result;
    } catch (error) {
      const { code } = toFailure(error, 'TOOL_EXECUTION_ERROR');
      // A pending call is recorded when it ends.
      if (code !== 'APPROVAL_PENDING') record(entryOf(call, call.isDispatched ? 'failed' : 'refused', code));
      throw error;
    }
  };
}

function entryOf(
  { id, startedAt, waitedMs, client, server, tool, arguments: args }: PipelineCall,
  outcome: 'ok' | 'tool-error' | 'failed' | 'refused',
  code?: string,
): NewRecord {
  const durationMs = Date.now() - startedAt;
  const base = {
    id: randomUUID(),
    callId: id,
    at: startedAt,
    client: client.name,
    server,
    tool,
    durationMs,
    ...(waitedMs > 0 && { waitedMs }),
    ...(code && { code }),
  };
  return { ...base, kind: 'call', outcome, arguments: redactedLater(args) };
}

/** Keeps only the call's arguments until the history requests them. */
const redactedLater = (args: CallResult) => () => recordedArguments(args);
