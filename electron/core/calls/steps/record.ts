/** Records every call in the history, including refused calls. */
import { blameless, type FailureCode, toFailure } from '../../../../shared/failure.ts';
import type { History, NewRecord } from '../../history/history.ts';
import { type Results, receiverOf } from '../../history/results.ts';
import { excerpt, startOf } from '../../jsonrpc/excerpt.ts';
import { hasOriginalText, originalText } from '../../jsonrpc/raw-json.ts';
import { parseRedacted, redact, redactText } from '../../secrets/redact.ts';
import { redactorOf } from '../../secrets/redact-values.ts';
import type { Vault } from '../../secrets/vault.ts';
import type { Servers } from '../../servers/servers.ts';
import type { CallResult, RunningCall } from '../step.ts';

const maxMessageLength = 500;

export interface RecordOptions {
  history: Pick<History, 'record'>;
  results: Pick<Results, 'add'>;
  vault: Pick<Vault, 'redact'>;
  servers: Pick<Servers, 'findConfig'>;
}

export function createRecord({ history, results, vault, servers }: RecordOptions) {
  function keep({ id, startedAt, client, server, tool }: RunningCall, result: CallResult): void {
    const config = servers.findConfig(server);
    const source = { callId: id, at: startedAt, receiver: receiverOf(client), server, tool };
    results.add(source, result, (json) => {
      const redactConfigured = config ? redactorOf(config.connection) : (text: string) => text;
      return parseRedacted(json, (text) => redactConfigured(vault.redact(text)));
    });
  }

  return {
    result(call: RunningCall, result: CallResult): void {
      history.record(entryOf(call, result.isError === true ? 'tool-error' : 'ok'));
      keep(call, result);
    },
    failure(call: RunningCall, error: unknown): void {
      const { code, message, hint } = toFailure(error, 'TOOL_EXECUTION_ERROR');
      // A pending call is recorded when it ends.
      if (code === 'APPROVAL_PENDING') return;
      history.record(entryOf(call, call.isDispatched || isOfServer(code) ? 'failed' : 'refused', { code, message }));
      keep(call, { error: { code, message, ...(hint && { hint }) } });
    },
  };
}

/** A server that did not start, or requires a sign-in, has failed: nothing refused the call. */
const isOfServer = (code: FailureCode) =>
  code.startsWith('SERVER_') && code !== 'SERVER_NOT_FOUND' && !blameless.has(code);

function entryOf(
  { id, startedAt, client, server, tool, arguments: args, detached: { waitedMs } }: RunningCall,
  outcome: 'ok' | 'tool-error' | 'failed' | 'refused',
  failure?: { code: string; message: string },
): NewRecord {
  const message = failure && startOf(redactText(failure.message), maxMessageLength);
  return {
    id,
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

const maxKept = 2_000;
/** Read more characters than are kept, because redaction shortens the text. */
const maxRead = 4_000;

/** Matches numbers that may have lost digits when parsed. */
const longNumber = /\d{16}|\d\.?[eE]/;

/**
 * Returns JSON of at most 2,000 characters; longer JSON is marked as shortened. Numbers keep the digits that the server
 * received.
 */
export function recordedArguments(args: Record<string, unknown>): string {
  const written = hasOriginalText(args);
  const isShort = typeof written === 'string' && written.length <= maxKept;
  // Most arguments need no redaction.
  if (isShort && !longNumber.test(written) && redact(args) === args) return written;
  const text = shortenedJson(args);
  return longNumber.test(isShort ? written : text) ? shortenedJson(originalText(args)) : text;
}

function shortenedJson(args: Record<string, unknown>): string {
  const { value, isShortened } = excerpt(args, maxRead);
  const text = JSON.stringify(redact(value));
  return text.length > maxKept || isShortened ? `${text.slice(0, maxKept)}… (shortened)` : text;
}
