/** What a server asks while its tool runs: elicitation goes to the person or the client, sampling and roots to the client. */
import type { Routing } from '../../../shared/model.ts';
import type { Elicitation, Unanswered } from '../elicitation/elicitation.ts';
import { answerToMcp, questionFromMcp } from '../elicitation/elicitation.ts';
import { type UpstreamAsk, UpstreamRpcError } from '../upstream/upstream.ts';
import type { ExecuteCall } from './execute.ts';

/** `MissingRequiredClientCapability` of 2026-07-28. */
export const missingCapability = -32021;

/**
 * Who answers: `here`, the person in Gatehouse; `client`, the client when it can, else here; `both`, first answer wins. And
 * what happens when nobody does.
 */
export interface Asking {
  routing: Routing;
  timeoutMs: number;
  fallback: 'timeout' | 'default' | 'error';
}

export interface AskContext {
  call: Pick<ExecuteCall, 'caller' | 'server' | 'tool'>;
  callId: string;
  signal: AbortSignal;
  elicitation: Elicitation;
  asking: Asking;
  /** A cancel goes to the server that is nobody's decision; the agent should know. */
  onUnanswered?(why: Unanswered): void;
}

type Result = Record<string, unknown>;

/** The result for the server's request; rejects when the client refuses or cannot. */
export async function answerAsk(ask: UpstreamAsk, context: AskContext): Promise<Result> {
  const { call, signal } = context;
  switch (ask.method) {
    case 'elicitation/create':
      return answerElicitation(ask, context);
    case 'roots/list':
      if (!call.caller.ask || !call.caller.capabilities.roots) return { roots: [] };
      return call.caller.ask(ask.method, ask.params, signal, ask.key);
    case 'sampling/createMessage':
      if (!call.caller.ask || !call.caller.capabilities.sampling)
        throw new UpstreamRpcError(missingCapability, `${call.caller.name} does not offer sampling.`, {
          requiredCapabilities: { sampling: {} },
        });
      return call.caller.ask(ask.method, ask.params, signal, ask.key);
  }
}

async function answerElicitation({ params, key }: UpstreamAsk, context: AskContext): Promise<Result> {
  const { call, callId, signal, elicitation, asking } = context;
  const { caller } = call;
  const from = { client: caller.name, server: call.server, tool: call.tool, callId };
  // Also what goes to the client is looked at first: an address that is none is opened by nobody.
  const question = questionFromMcp(params, from);
  const { timeoutMs, fallback, routing } = asking;

  async function here(within: AbortSignal): Promise<Result> {
    const outcome = await elicitation.ask(question, { signal: within, timeoutMs, fallback });
    if (outcome.unanswered && !within.aborted) context.onUnanswered?.(outcome.unanswered);
    return answerToMcp(question, outcome);
  }
  const { ask } = caller;
  // Whoever is not there cannot answer: without a face the question goes to the client.
  const isHere = routing === 'here' && elicitation.canAsk();
  if (!ask || isHere || !canElicit(caller.capabilities, params.mode === 'url')) return here(signal);
  const there = (within: AbortSignal) =>
    untilLate((until) => ask('elicitation/create', params, until, key), within, timeoutMs);
  if (routing !== 'both' || !elicitation.canAsk()) return there(signal);

  const decided = new AbortController();
  const within = AbortSignal.any([signal, decided.signal]);
  try {
    return await firstDecision([there(within), here(within)]);
  } finally {
    decided.abort();
  }
}

/** A client that never answers is a client that cancelled. */
async function untilLate(
  ask: (until: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Result> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await ask(AbortSignal.any([signal, late]));
  } catch (error) {
    if (late.aborted && !signal.aborted) return { action: 'cancel' };
    throw error;
  }
}

/** The first answer that is a decision; a cancel or a failure on one side leaves the other one time to decide. */
async function firstDecision(answers: Promise<Result>[]): Promise<Result> {
  const decisions = answers.map(async (answer) => {
    const result = await answer;
    if (result.action === 'cancel') throw new Undecided(result);
    return result;
  });
  try {
    return await Promise.any(decisions);
  } catch (error) {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    const undecided = errors.find((entry) => entry instanceof Undecided);
    if (undecided) return undecided.result;
    throw errors[0];
  }
}

class Undecided extends Error {
  readonly result: Result;
  constructor(result: Result) {
    super('cancelled');
    this.result = result;
  }
}

/** The client declared that it can put questions to its person. An empty capability means forms; addresses are declared. */
export function canElicit(capabilities: Record<string, unknown>, url = false): boolean {
  const { elicitation } = capabilities;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return url ? 'url' in elicitation : 'form' in elicitation || !('url' in elicitation);
}
