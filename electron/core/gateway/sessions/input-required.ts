/**
 * Multi round-trip requests of MCP 2026-07-28. A server cannot send requests to a modern client. Instead, the client's
 * call is answered with `input_required`, and the client calls again with the answers. Meanwhile, the call waits here
 * under `requestState`, so that even a legacy server can ask a modern client.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { largestOwner } from '../../async/largest-owner.ts';
import type { ClientRequest, JsonObject } from '../../types.ts';

/** One of the client's requests: the first one, or a later one with answers. */
export interface Attempt {
  /** ID of the session. Only this session can resume the call. */
  owner: string;
  /** Method and params without protocol fields. They must be equal in every attempt. */
  request: unknown;
  state: unknown;
  responses: Record<string, unknown> | undefined;
  signal: AbortSignal;
  notify(method: string, params: JsonObject): void;
}

export interface RunningCall {
  signal: AbortSignal;
  request: ClientRequest;
  /** Sends a notification through the client's open attempt, or drops it if there is none. */
  notify(method: string, params: JsonObject): void;
}

export type InputRequiredCalls = ReturnType<typeof createInputRequiredCalls>;

interface Call {
  owner: string;
  request: unknown;
  controller: AbortController;
  attempt: Attempt | undefined;
  questions: Map<string, { method: string; params: JsonObject; resolve(answer: JsonObject): void }>;
  asked: PromiseWithResolvers<void>;
  /** Answers that were part of the first attempt. */
  early: Map<string, JsonObject>;
  result: Promise<JsonObject>;
  expiry?: NodeJS.Timeout;
}

export function createInputRequiredCalls({ keepMs = 10 * 60_000, limit = 1000 } = {}) {
  const waiting = new Map<string, Call>();

  /** Starts or resumes a call. Resolves with its result or with an `input_required` result. */
  async function run(attempt: Attempt, start: (call: RunningCall) => Promise<JsonObject>): Promise<JsonObject> {
    const call = attempt.state === undefined ? begin(attempt, start) : resume(attempt);
    call.attempt = attempt;
    const cancel = () => call.controller.abort(attempt.signal.reason);
    if (attempt.signal.aborted) cancel();
    attempt.signal.addEventListener('abort', cancel, { once: true });
    try {
      const waiting = call.asked.promise.then(() => undefined);
      const result = await Promise.race([call.result, waiting]);
      return result ?? wait(call);
    } finally {
      attempt.signal.removeEventListener('abort', cancel);
      call.attempt = undefined;
    }
  }

  function begin(attempt: Attempt, start: (call: RunningCall) => Promise<JsonObject>): Call {
    const controller = new AbortController();
    const call: Omit<Call, 'result'> = {
      owner: attempt.owner,
      request: attempt.request,
      controller,
      attempt,
      questions: new Map(),
      asked: Promise.withResolvers(),
      early: new Map(Object.entries(attempt.responses ?? {}).filter(isAnswer)),
    };
    const result = start({
      signal: controller.signal,
      request: (method, params, signal, key) => ask(call, method, params, signal, key),
      notify: (method, params) => call.attempt?.notify(method, params),
    });
    result.catch(() => undefined);
    return Object.assign(call, { result });
  }

  function ask(call: Omit<Call, 'result'>, method: string, params: JsonObject, signal: AbortSignal, wanted?: string) {
    // A client that knows the questions may send answers with its first attempt.
    const early = wanted === undefined ? undefined : take(call.early, wanted);
    if (early) return Promise.resolve(early);
    return new Promise<JsonObject>((resolve, reject) => {
      const key = wanted === undefined || call.questions.has(wanted) ? randomUUID() : wanted;
      const withdraw = () => {
        call.questions.delete(key);
        reject(signal.aborted ? signal.reason : call.controller.signal.reason);
      };
      if (signal.aborted || call.controller.signal.aborted) return withdraw();
      signal.addEventListener('abort', withdraw, { once: true });
      call.controller.signal.addEventListener('abort', withdraw, { once: true });
      call.questions.set(key, { method, params, resolve });
      // A server may send several requests at once; combine them in one response.
      setImmediate(() => call.asked.resolve());
    });
  }

  function wait(call: Call): JsonObject {
    if (waiting.size >= limit) makeRoom(call);
    const state = randomUUID();
    waiting.set(state, call);
    call.expiry = setTimeout(() => {
      waiting.delete(state);
      call.controller.abort(new Error('The client did not return with its answers.'));
    }, keepMs);
    call.expiry.unref();
    const inputRequests: JsonObject = {};
    for (const [key, { method, params }] of call.questions) inputRequests[key] = { method, params };
    return { resultType: 'input_required', inputRequests, requestState: state };
  }

  /** Ends the oldest waiting call of the session that has most of them. */
  function makeRoom(newest: Call): void {
    const owner = largestOwner(waiting.values(), newest);
    const oldest = Array.from(waiting).find(([, call]) => call.owner === owner);
    if (oldest) end(...oldest, 'The client has too many calls that wait for its answers.');
  }

  function end(state: string, call: Call, reason: string): void {
    waiting.delete(state);
    clearTimeout(call.expiry);
    call.controller.abort(new Error(reason));
  }

  function resume(attempt: Attempt): Call {
    const call = typeof attempt.state === 'string' ? waiting.get(attempt.state) : undefined;
    if (!call || call.owner !== attempt.owner || !isDeepStrictEqual(call.request, attempt.request)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
        reason: 'invalid_request_state',
      });
    }
    waiting.delete(attempt.state as string);
    clearTimeout(call.expiry);
    for (const [key, question] of call.questions) {
      const answer: [string, unknown] = [key, attempt.responses?.[key]];
      if (!isAnswer(answer)) continue;
      call.questions.delete(key);
      question.resolve(answer[1]);
    }
    call.asked = Promise.withResolvers();
    // Send unanswered requests again.
    if (call.questions.size > 0) call.asked.resolve();
    return call;
  }

  /** Cancels the waiting calls of a session that ended. */
  function drop(owner: string): void {
    for (const [state, call] of waiting) if (call.owner === owner) end(state, call, 'The client disconnected.');
  }

  return { run, drop, size: (): number => waiting.size };
}

function isAnswer(entry: [string, unknown]): entry is [string, JsonObject] {
  return typeof entry[1] === 'object' && entry[1] !== null && !Array.isArray(entry[1]);
}

/** Removes and returns an answer. Each answer is used once, because a server that asks again did not accept it. */
function take<V>(map: Map<string, V>, key: string): V | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}
