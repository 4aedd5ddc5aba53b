/** Classifies failed requests: whether another era, another connection or another attempt may help. */
import { type FailureCode, ToolkeepError } from '../../../../shared/failure.ts';
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

/** Words with which servers refuse a session that they do not know, and requests before `initialize`. */
const lostSession =
  /\bsession\b.{0,80}\b(?:not|un\w+|invalid|expired|missing|required|terminated|closed|gone|ended|lost|doesn't|no longer)\b|\b(?:no|not|unknown|invalid|expired|missing|bad|stale|without)\b.{0,40}\bsession\b|\bnot (?:been |yet )?initiali[sz]ed\b|\bbefore initiali[sz]/i;
const speaksOfSession = (text: string) =>
  lostSession.test(text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll(/[_-]+/g, ' '));

/** JSON-RPC codes that transports use, as opposed to tools. */
const isOfTransport = (code: number) => (code <= -32000 && code > -32100) || code === -32600;

/**
 * The fate of the session in which a request failed. `lost`: the server does not know it and did not run the request.
 * `doubtful`: the request is not worth repeating, but the next one needs a new session.
 */
export function sessionAfter(error: unknown, mayRepeat: boolean): 'lost' | 'doubtful' | 'kept' {
  if (error instanceof RpcError) {
    if (!speaksOfSession(error.message) || (error.code === -32602 && !/initiali[sz]/i.test(error.message)))
      return 'kept';
    return mayRepeat || isOfTransport(error.code) ? 'lost' : 'doubtful';
  }
  const cause = error instanceof ToolkeepError ? error.cause : undefined;
  const status = httpStatus(cause);
  if (status === undefined || [401, 403, 408, 429].includes(status)) return 'kept';
  const { message } = cause as Error;
  if (status === 404 || status === 410 || speaksOfSession(message)) return 'lost';
  if (status >= 500) return 'kept';
  // An answer to this request repeats its id, which is a number.
  const answered = /"id"\s*:\s*("?)(\d*)/.exec(message);
  if (answered?.[2]) return 'kept';
  return answered && message.includes('"jsonrpc"') ? 'lost' : 'doubtful';
}

/** Whether a request that failed may have run. Until it was sent, and after a refusal, it did not. */
export function mayHaveRun(error: unknown): error is ToolkeepError {
  if (!(error instanceof ToolkeepError)) return false;
  const status = httpStatus(error.cause ?? error);
  if (status !== undefined) return status >= 500 || status === 408;
  const { code } = error.failure;
  return isAnswerCut(error) || lostAnswers.includes(code);
}
const lostAnswers: FailureCode[] = ['SERVER_TIMEOUT', 'SERVER_CRASHED', 'SERVER_PROTOCOL_ERROR', 'CANCELLED'];

/** Whether the whole connection is unusable (server gone, sign-in expired), as opposed to one failed request. */
export function isConnectionLost(error: unknown): error is ToolkeepError {
  if (!(error instanceof ToolkeepError)) return false;
  const { code } = error.failure;
  if (code === 'SERVER_AUTH_REQUIRED') return httpStatus(error.cause ?? error) !== 403;
  // Without a cause, the request was sent, and only its response was cut off.
  return code === 'SERVER_UNREACHABLE' && error.cause !== undefined;
}
