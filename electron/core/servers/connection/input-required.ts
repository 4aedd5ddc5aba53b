/** Multi-round-trip requests of the modern era: answers the server's input requests and resends until the call completes. */
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { fail } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import type { OnServerRequest, Params, RawResult } from '../types.ts';
import { defaultAnswer, isServerRequestMethod } from './server-requests.ts';

/** A server that still requires input after this many attempts is in a loop. */
const maxAttempts = 20;

/** In the modern era, a server logs only if the request includes a log level. */
export function withLogLevel(params: Params | undefined, level: string): Params {
  return { ...params, _meta: { ...(params?._meta as Params | undefined), [LOG_LEVEL_META_KEY]: level } };
}

interface InputOptions {
  /** Sends one attempt. */
  send(params: Params | undefined): Promise<RawResult>;
  onServerRequest: OnServerRequest | undefined;
  signal: AbortSignal;
}

/**
 * Resolves with the completed result, without `resultType`, which matters only on the wire. Sends `requestState` back byte
 * for byte. If the caller refuses a sampling or roots request, the call ends with that error, because such requests
 * cannot be declined.
 */
export async function completeInputRequired(
  server: string,
  params: Params | undefined,
  options: InputOptions,
): Promise<RawResult> {
  let next = params;
  for (let attempt = 0; attempt <= maxAttempts; attempt++) {
    const { resultType, ...result } = await options.send(next);
    if (resultType !== 'input_required')
      return resultType === undefined || resultType === 'complete' ? result : { resultType, ...result };
    const requests = isObject(result.inputRequests) ? result.inputRequests : {};
    const answers = await Promise.all(
      Object.entries(requests).map(async ([key, value]) => [key, await answer(server, key, value, options)] as const),
    );
    // Do not send the state and responses of an earlier attempt again.
    const { inputResponses: _responses, requestState: _state, ...call } = next ?? {};
    next = {
      ...call,
      ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(result.requestState !== undefined && { requestState: result.requestState }),
    };
  }
  throw fail('SERVER_PROTOCOL_ERROR', `"${server}" required input more than ${maxAttempts} times in one call.`, {
    server,
  });
}

async function answer(
  server: string,
  key: string,
  request: unknown,
  { onServerRequest, signal }: Pick<InputOptions, 'onServerRequest' | 'signal'>,
): Promise<RawResult> {
  if (!isObject(request) || !isServerRequestMethod(request.method)) {
    const method = isObject(request) ? textFrom(request.method) : typeof request;
    throw fail('SERVER_PROTOCOL_ERROR', `"${server}" sent the unsupported input request "${method}".`, { server });
  }
  const params = isObject(request.params) ? request.params : {};
  return onServerRequest
    ? onServerRequest({ method: request.method, params, key }, signal)
    : defaultAnswer(request.method);
}
