/**
 * Removes secrets from failures: messages quote the server's output, which may contain the values that the server
 * received.
 */
import { type Failure, ToolkeepError, toFailure } from '../../../../shared/failure.ts';
import { RpcError } from '../../jsonrpc/rpc-error.ts';

type Redact = (text: string) => string;

export function redactedFailure(error: unknown, server: string, redact: Redact): Failure {
  const failure = toFailure(error, 'SERVER_CRASHED');
  const hint = failure.hint && { hint: redact(failure.hint) };
  return { server, ...failure, message: redact(failure.message), ...hint };
}

/** Returns the same error if it contains no secret. */
export function redactedError(error: unknown, server: string, redact: Redact): unknown {
  if (!(error instanceof Error) || redact(error.message) === error.message) return error;
  if (error instanceof RpcError) return new RpcError(error.code, redact(error.message), error.data);
  if (!(error instanceof ToolkeepError)) return new Error(redact(error.message));
  return new ToolkeepError(redactedFailure(error, server, redact), { cause: error.cause });
}
