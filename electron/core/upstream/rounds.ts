/** Multi-round-trip requests of the modern era: answer what the server asks, send the call again, until it completes. */
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { fail } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { errorAnswer, isAskMethod } from './answering.ts';
import { UpstreamRpcError } from './rpc-error.ts';
import type { OnAsk, Params, RawResult } from './types.ts';

/** A server that still asks after this many rounds is going in circles. */
const maxRounds = 20;

/** In the modern era a server only logs when the request says from which level on. */
export function withLog(params: Params | undefined, level: string): Params {
  return { ...params, _meta: { ...(params?._meta as Params | undefined), [LOG_LEVEL_META_KEY]: level } };
}

/**
 * `send` runs one leg. Resolves with the completed result without its wire-only `resultType`. `requestState` goes back
 * byte for byte. A refused sampling or roots request ends the call with the error, as there is no way to answer "no".
 */
export async function runRounds(
  server: string,
  params: Params | undefined,
  options: { send(params: Params | undefined): Promise<RawResult>; onAsk: OnAsk | undefined; signal: AbortSignal },
): Promise<RawResult> {
  let next = params;
  for (let round = 0; round <= maxRounds; round++) {
    const { resultType, ...result } = await options.send(next);
    if (resultType !== 'input_required')
      return resultType === undefined || resultType === 'complete' ? result : { resultType, ...result };
    const asked = isObject(result.inputRequests) ? result.inputRequests : {};
    const answers = await Promise.all(
      Object.entries(asked).map(async ([key, ask]) => [key, await answer(server, key, ask, options)] as const),
    );
    // The server's own words from an earlier round must not be sent along with the new ones.
    const { inputResponses: _old, requestState: _oldState, ...call } = next ?? {};
    next = {
      ...call,
      ...(answers.length > 0 ? { inputResponses: Object.fromEntries(answers) } : {}),
      ...(result.requestState === undefined ? {} : { requestState: result.requestState }),
    };
  }
  throw fail('SERVER_PROTOCOL_ERROR', `"${server}" asked for input more than ${maxRounds} times in one call.`, {
    server,
  });
}

async function answer(
  server: string,
  key: string,
  ask: unknown,
  { onAsk, signal }: { onAsk: OnAsk | undefined; signal: AbortSignal },
): Promise<RawResult> {
  if (!isObject(ask) || !isAskMethod(ask.method)) {
    const method = isObject(ask) ? String(ask.method) : typeof ask;
    throw fail('SERVER_PROTOCOL_ERROR', `"${server}" asked for "${method}", which no client can answer.`, { server });
  }
  const params = isObject(ask.params) ? ask.params : {};
  if (onAsk) return onAsk({ method: ask.method, params, key }, signal);
  if (ask.method === 'elicitation/create') return { action: 'cancel' };
  if (ask.method === 'roots/list') return { roots: [] };
  const { code, message } = errorAnswer(new UpstreamRpcError(-32601, 'No client that can sample is waiting.'));
  throw new UpstreamRpcError(code, message);
}
