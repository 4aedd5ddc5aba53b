/**
 * A modern client is never asked by a request of the server's: its call is answered with `input_required`, and it calls
 * again with the answers. Meanwhile the real call stays parked here under `requestState` (2026-07-28, multi round-trip
 * requests), so that even a server that only knows the old way can ask a modern client.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Ask, RawResult } from './backend.ts';

/** One request of the client's: the first, or a later one that brings answers. */
export interface Round {
  /** Session id; another session can never take up the call. */
  owner: string;
  /** Method and params without protocol bookkeeping: what must be the same in every round. */
  request: unknown;
  state: unknown;
  responses: Record<string, unknown> | undefined;
  signal: AbortSignal;
  notify(method: string, params: RawResult): void;
}

export interface RunningCall {
  signal: AbortSignal;
  ask: Ask;
  /** Reaches the client through whichever request is open; lost while none is. */
  notify(method: string, params: RawResult): void;
}

export interface ParkedCalls {
  /** Starts or resumes; resolves with the call's result or with an `input_required` result. */
  run(round: Round, start: (call: RunningCall) => Promise<RawResult>): Promise<RawResult>;
  /** Cancels what is parked for a session that ended. */
  drop(owner: string): void;
  size(): number;
}

interface Call {
  owner: string;
  request: unknown;
  controller: AbortController;
  round: Round | undefined;
  questions: Map<string, { method: string; params: RawResult; resolve(answer: RawResult): void }>;
  asked: PromiseWithResolvers<void>;
  /** Answers that came with the first request. */
  early: Map<string, RawResult>;
  result: Promise<RawResult>;
  expiry?: NodeJS.Timeout;
}

export function createParkedCalls({ keptForMs = 10 * 60_000, limit = 1000 } = {}): ParkedCalls {
  const parked = new Map<string, Call>();

  async function run(round: Round, start: (call: RunningCall) => Promise<RawResult>): Promise<RawResult> {
    const call = round.state === undefined ? begin(round, start) : resume(round);
    call.round = round;
    const cancel = () => call.controller.abort(round.signal.reason);
    if (round.signal.aborted) cancel();
    round.signal.addEventListener('abort', cancel, { once: true });
    try {
      const waiting = call.asked.promise.then(() => undefined);
      const result = await Promise.race([call.result, waiting]);
      return result ?? park(call);
    } finally {
      round.signal.removeEventListener('abort', cancel);
      call.round = undefined;
    }
  }

  function begin(round: Round, start: (call: RunningCall) => Promise<RawResult>): Call {
    const controller = new AbortController();
    const call: Omit<Call, 'result'> = {
      owner: round.owner,
      request: round.request,
      controller,
      round,
      questions: new Map(),
      asked: Promise.withResolvers(),
      early: new Map(Object.entries(round.responses ?? {}).filter(isAnswer)),
    };
    const result = start({
      signal: controller.signal,
      ask: (method, params, signal, key) => ask(call, method, params, signal, key),
      notify: (method, params) => call.round?.notify(method, params),
    });
    result.catch(() => undefined);
    return Object.assign(call, { result });
  }

  function ask(call: Omit<Call, 'result'>, method: string, params: RawResult, signal: AbortSignal, wanted?: string) {
    // A client may bring answers with its first request, when it knows from before what will be asked.
    const early = wanted === undefined ? undefined : take(call.early, wanted);
    if (early) return Promise.resolve(early);
    return new Promise<RawResult>((resolve, reject) => {
      const key = wanted === undefined || call.questions.has(wanted) ? randomUUID() : wanted;
      const withdraw = () => {
        call.questions.delete(key);
        reject(signal.aborted ? signal.reason : call.controller.signal.reason);
      };
      if (signal.aborted || call.controller.signal.aborted) return withdraw();
      signal.addEventListener('abort', withdraw, { once: true });
      call.controller.signal.addEventListener('abort', withdraw, { once: true });
      call.questions.set(key, { method, params, resolve });
      // A server may ask several things at once: they travel in one round.
      setImmediate(() => call.asked.resolve());
    });
  }

  function park(call: Call): RawResult {
    if (parked.size >= limit) drop(parked.values().next().value?.owner ?? '');
    const state = randomUUID();
    parked.set(state, call);
    call.expiry = setTimeout(() => {
      parked.delete(state);
      call.controller.abort(new Error('The client did not come back with its answers.'));
    }, keptForMs);
    call.expiry.unref();
    const inputRequests: RawResult = {};
    for (const [key, { method, params }] of call.questions) inputRequests[key] = { method, params };
    return { resultType: 'input_required', inputRequests, requestState: state };
  }

  function resume(round: Round): Call {
    const call = typeof round.state === 'string' ? parked.get(round.state) : undefined;
    if (!call || call.owner !== round.owner || !isDeepStrictEqual(call.request, round.request)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
        reason: 'invalid_request_state',
      });
    }
    parked.delete(round.state as string);
    clearTimeout(call.expiry);
    for (const [key, question] of call.questions) {
      const answer: [string, unknown] = [key, round.responses?.[key]];
      if (!isAnswer(answer)) continue;
      call.questions.delete(key);
      question.resolve(answer[1]);
    }
    call.asked = Promise.withResolvers();
    // What was not answered is asked again.
    if (call.questions.size > 0) call.asked.resolve();
    return call;
  }

  function drop(owner: string): void {
    for (const [state, call] of parked) {
      if (call.owner !== owner) continue;
      parked.delete(state);
      clearTimeout(call.expiry);
      call.controller.abort(new Error('The client has left.'));
    }
  }

  return { run, drop, size: () => parked.size };
}

function isAnswer(entry: [string, unknown]): entry is [string, RawResult] {
  return typeof entry[1] === 'object' && entry[1] !== null && !Array.isArray(entry[1]);
}

/** Each answer counts once: a server that asks again was not content with it. */
function take<V>(map: Map<string, V>, key: string): V | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}
