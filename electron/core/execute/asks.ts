/** What a server asks while its tool runs: elicitation goes to the person or the client, sampling and roots to the client. */
import type { Answer, Routing } from '../../../shared/model.ts';
import type { Elicitation, QuestionDraft, Unanswered } from '../elicitation/elicitation.ts';
import {
  answerToMcp,
  atExpiry,
  isForGatehouseOnly,
  paramsForClient,
  questionFromMcp,
  questionFromPlugin,
} from '../elicitation/elicitation.ts';
import { type UpstreamAsk, UpstreamRpcError } from '../upstream/upstream.ts';
import type { PassedPages } from './pages.ts';
import type { ExecuteCall } from './types.ts';

/** `MissingRequiredClientCapability` of 2026-07-28. */
export const missingCapability = -32021;

export type PassedOutcome = Answer['action'] | 'late' | 'failed';

/**
 * Who answers: `here`, the person in Gatehouse; `client`, the client when it can, else here; `both`, first answer wins. And
 * what happens when nobody does.
 */
export interface Asking {
  routing: Routing;
  timeoutMs: number;
  fallback: 'timeout' | 'default' | 'error';
  /** Where the pages are noted that a client opens. */
  pages: PassedPages;
  /** A client was asked in the person's place, and this came of it: for the history. */
  onPassed(question: QuestionDraft, outcome: PassedOutcome, durationMs: number): void;
}

/** What a call is known by when a server's question may belong to it or to another. */
export interface AskOrigin {
  client: string;
  tool: string;
  onUnanswered?(why: Unanswered): void;
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

/** What a timer can hold: 24 days. */
const longestMs = 2 ** 31 - 1;

/** The result for the server's request; rejects when the client refuses or cannot. */
export async function answerAsk(ask: UpstreamAsk, context: AskContext): Promise<Result> {
  const { call, signal } = context;
  switch (ask.method) {
    case 'elicitation/create':
      return answerElicitation(ask, context);
    case 'roots/list':
      if (!call.caller.ask || !call.caller.capabilities.roots || !certainty(ask, call).client) return { roots: [] };
      return call.caller.ask(ask.method, ask.params, signal, ask.key);
    case 'sampling/createMessage':
      if (!call.caller.ask || !call.caller.capabilities.sampling || !certainty(ask, call).client)
        throw new UpstreamRpcError(missingCapability, `${call.caller.name} does not offer sampling.`, {
          requiredCapabilities: { sampling: {} },
        });
      return call.caller.ask(ask.method, ask.params, signal, ask.key);
  }
}

async function answerElicitation(ask: UpstreamAsk, context: AskContext): Promise<Result> {
  const { params, key } = ask;
  const { call, callId, signal, elicitation, asking } = context;
  const { caller } = call;
  const sure = certainty(ask, call);
  const from = {
    server: call.server,
    ...(sure.client && { client: caller.name }),
    ...(sure.tool && { tool: call.tool }),
    ...(sure.call && { callId }),
  };
  // Also what goes to the client is looked at first: an address that is none is opened by nobody.
  const question = ask.draft ? questionFromPlugin(ask.draft, from) : questionFromMcp(params, from);
  // A plug-in may say `Infinity`, which a timer takes for none at all.
  const timeoutMs = Math.min(ask.limits?.timeoutMs ?? asking.timeoutMs, longestMs);
  const fallback = ask.limits?.fallback ?? asking.fallback;
  const { routing } = asking;

  function tell(why: Unanswered): void {
    if (sure.call) context.onUnanswered?.(why);
    else for (const origin of (ask.origins ?? []) as (AskOrigin | undefined)[]) origin?.onUnanswered?.(why);
  }
  async function here(within: AbortSignal): Promise<Result> {
    const outcome = await elicitation.ask(question, { signal: within, timeoutMs, fallback });
    if (outcome.unanswered && !within.aborted) tell(outcome.unanswered);
    return answerToMcp(question, outcome);
  }
  // Whoever is not there cannot answer: without a face the question goes to the client.
  const isHere = (routing === 'here' && elicitation.canAsk()) || (ask.draft && isForGatehouseOnly(question));
  const clientCan = caller.ask !== undefined && canElicit(caller.capabilities, params.mode === 'url');
  // What may belong to another client's call is no business of this one.
  if (!clientCan || isHere || !sure.client) return here(signal);
  const there = async (within: AbortSignal) => {
    const until = AbortSignal.timeout(timeoutMs);
    const askedAt = Date.now();
    const passed = (outcome: PassedOutcome) => asking.onPassed(question, outcome, Date.now() - askedAt);
    const forget = asking.pages.passed(caller, call.server, params.elicitationId);
    const result = await caller
      .ask?.('elicitation/create', paramsForClient(params, question), AbortSignal.any([within, until]), key)
      .catch(lateAs(until))
      .catch((error) => {
        forget();
        // Answered here meanwhile, it is in the history already.
        if (!within.aborted || signal.aborted) passed(signal.aborted ? 'cancel' : 'failed');
        throw error;
      });
    if (result?.action !== 'accept') forget();
    if (!result) return here(within);
    passed(result === late ? 'late' : actionOf(result));
    if (result !== late) return result;
    const outcome = atExpiry(question, fallback);
    if (outcome.action === 'cancel') tell('late');
    return answerToMcp(question, outcome);
  };
  if (routing !== 'both' || !elicitation.canAsk()) return there(signal);

  const decided = new AbortController();
  const within = AbortSignal.any([signal, decided.signal]);
  try {
    return await firstDecision([there(within), here(within)]);
  } finally {
    decided.abort();
  }
}

const actionOf = ({ action }: Result): PassedOutcome =>
  action === 'accept' || action === 'decline' || action === 'cancel' ? action : 'failed';

/** A client that never answers is a client that cancelled. */
const late: Result = { action: 'cancel' };
const lateAs = (until: AbortSignal) => (error: unknown) => {
  if (until.aborted) return late;
  throw error;
};

/** What is known of the call that a question belongs to: with several under way only what they have in common. */
function certainty(
  { origins }: UpstreamAsk,
  call: AskContext['call'],
): { client: boolean; tool: boolean; call: boolean } {
  if (!origins) return { client: true, tool: true, call: true };
  const known = origins.map((origin) => origin as Partial<AskOrigin> | undefined);
  return {
    client: known.every((origin) => origin?.client === call.caller.id),
    tool: known.every((origin) => origin?.tool === call.tool),
    call: false,
  };
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
