/** Classifies failed requests: whether another era, another connection or another attempt may help. */
import { ToolkeepError } from '../../../../shared/failure.ts';
import { RpcError } from '../../jsonrpc/rpc-error.ts';
import { plainSecrets } from '../../secrets/plain-secrets.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import type { Era } from '../types.ts';
import { deepest, httpStatus } from './http-transport.ts';

/** System codes of a connection that ended after it was established. */
const cutCodes =
  /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_(?:SOCKET|ABORTED|(?:HEADERS|BODY)_TIMEOUT|RES\w+)|HPE_\w+|ERR_HTTP\w+)$/;

/** The last words of a program that does not know `initialize`. */
const refusedMethod =
  /\b(?:un(?:known|supported|expected|recognized)|invalid)\b.{0,40}\b(?:initialize|method)\b|\b(?:initialize|method)\b.{0,40}\bnot (?:found|supported|implemented)\b/i;

/** Whether a request was sent, and the stream or the connection ended without its answer. */
function isAnswerCut(error: ToolkeepError): boolean {
  if (error.failure.code !== 'SERVER_UNREACHABLE') return false;
  const { code = '' } = deepest(error.cause);
  return error.cause === undefined || cutCodes.test(code);
}

/**
 * Whether this handshake failure may mean that the server only supports the other era. The era is a guess or was true the
 * last time, so only failures that do not depend on the request end the start.
 */
export function mayBeOtherEra(error: unknown, { tried, lastEra, connection }: TriedEra): boolean {
  if (error instanceof RpcError) return true;
  if (!(error instanceof ToolkeepError)) return false;
  const { code, message } = error.failure;
  if (code === 'SERVER_AUTH_REQUIRED') return hasOwnCredential(connection);
  const status = httpStatus(error.cause ?? error);
  if (status !== undefined) return status !== 429 && !(status >= 300 && status < 400);
  // Most servers that crash at `initialize` lack a setting, and a second start would only take time.
  if (code === 'SERVER_CRASHED') return tried === 'modern' || lastEra !== undefined || refusedMethod.test(message);
  return code === 'SERVER_TIMEOUT' || code === 'SERVER_PROTOCOL_ERROR' || isAnswerCut(error);
}

interface TriedEra {
  tried: Era;
  /** The era of the last successful handshake. */
  lastEra: Era | undefined;
  connection: ResolvedConnection;
}

/** Whether the user configured a credential. Some servers refuse a method that they do not know as if it were missing. */
function hasOwnCredential(connection: ResolvedConnection): boolean {
  if (connection.type === 'stdio') return false;
  const isAuthorized = Object.keys(connection.headers).some((name) => name.toLowerCase() === 'authorization');
  return isAuthorized || Boolean(connection.secrets?.length) || plainSecrets(connection).length > 0;
}

/** Whether the whole connection is unusable (server gone, sign-in expired), as opposed to one failed request. */
export function isConnectionLost(error: unknown): error is ToolkeepError {
  if (!(error instanceof ToolkeepError)) return false;
  const { code } = error.failure;
  if (code === 'SERVER_AUTH_REQUIRED') return httpStatus(error.cause ?? error) !== 403;
  // Without a cause, the request was sent, and only its response was cut off.
  return code === 'SERVER_UNREACHABLE' && error.cause !== undefined;
}
