/**
 * Answers a server's requests during a call. Sends elicitation requests to the user or the client, and sampling and roots
 * requests to the client.
 */

import { maxTimerMs } from '../../../shared/max-timer.ts';
import type { Question } from '../../../shared/model/question.ts';
import { questionTimeoutMs } from '../config/question-timeout.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { Client, JsonObject, QuestionDraft, ServerRequest } from '../types.ts';
import { atExpiry, type Elicitation, type Unanswered } from './elicitation.ts';
import { answerToMcp, paramsForClient, questionFromMcp } from './mcp.ts';
import { isForToolkeepOnly, questionFromPlugin } from './plugin-questions.ts';
import type { ElicitationRoute, ForwardedOutcome } from './route.ts';

/** `MissingRequiredClientCapability` of MCP 2026-07-28. */
export const missingCapability = -32021;

/** Identifies a call if a server's request may belong to several calls. */
export interface RequestOrigin {
  /** ID of the client's connection. */
  client: string;
  tool: string;
  onUnanswered?(reason: Unanswered): void;
}

export interface ServerRequestContext {
  client: Client;
  server: string;
  tool: string;
  callId: string;
  signal: AbortSignal;
  elicitation: Elicitation;
  route: ElicitationRoute;
  /**
   * Called when the server receives a cancel that the user did not choose, so that the agent's result can mention it.
   */
  onUnanswered?(reason: Unanswered): void;
}

/** Resolves with the result for the server. Rejects if the client refuses the request or cannot answer it. */
export async function answerServerRequest(request: ServerRequest, context: ServerRequestContext): Promise<JsonObject> {
  const { client, signal } = context;
  const { method, params, key } = request;
  switch (method) {
    case 'elicitation/create':
      return answerElicitation(request, context);
    case 'roots/list':
      if (!client.request || !client.capabilities.roots || !certainOrigin(request, context).client)
        return { roots: [] };
      return client.request(method, params, signal, key);
    case 'sampling/createMessage':
      if (!client.request || !client.capabilities.sampling || !certainOrigin(request, context).client)
        throw new RpcError(missingCapability, `${client.name} does not offer sampling.`, {
          requiredCapabilities: { sampling: {} },
        });
      return client.request(method, params, signal, key);
  }
}

/** One elicitation with all information that decides who answers it. */
interface RoutedQuestion {
  request: ServerRequest;
  context: ServerRequestContext;
  question: QuestionDraft;
  timeoutMs: number;
  fallback: ElicitationRoute['fallback'];
  /** Reports an unanswered question to every call that may have caused it. */
  reportUnanswered(reason: Unanswered): void;
}

async function answerElicitation(request: ServerRequest, context: ServerRequestContext): Promise<JsonObject> {
  const { client, signal, elicitation, route } = context;
  const origin = certainOrigin(request, context);
  const question = questionOf(request, context, origin);
  const routed: RoutedQuestion = {
    request,
    context,
    question,
    // A plug-in may set Infinity, which a timer would treat as 1 ms.
    timeoutMs: Math.min(request.limits?.timeoutMs ?? timeoutOf(context, origin), maxTimerMs),
    fallback: request.limits?.fallback ?? route.fallback,
    reportUnanswered(reason) {
      if (origin.call) context.onUnanswered?.(reason);
      else for (const other of originsOf(request)) other?.onUnanswered?.(reason);
    },
  };
  if (!route.enabled) {
    routed.reportUnanswered('disabled');
    return { action: 'decline' };
  }
  const clientCan = client.request !== undefined && canElicit(client.capabilities, request.params.mode === 'url');
  // Don't forward a question that may belong to another client's call.
  if (!clientCan || !origin.client || isForToolkeep(routed)) return askUser(routed, signal);
  if (route.routing !== 'both' || !elicitation.canAsk()) return askClient(routed, signal);

  const decided = new AbortController();
  const within = AbortSignal.any([signal, decided.signal]);
  try {
    return await firstDecision([askClient(routed, within), askUser(routed, within)]);
  } finally {
    decided.abort();
  }
}

/** Uses the tool's own timeout only if it is certain which tool asks. */
function timeoutOf({ server, tool, route }: ServerRequestContext, origin: CertainOrigin): number {
  return (origin.tool ? questionTimeoutMs(route.timeouts, server, tool) : undefined) ?? route.timeoutMs;
}

/** True if only Toolkeep may ask: for a secret, or if the route chooses Toolkeep and a UI can show the question. */
function isForToolkeep({ question, context: { route, elicitation } }: RoutedQuestion): boolean {
  return isForToolkeepOnly(question) || (route.routing === 'toolkeep' && elicitation.canAsk());
}

/** Checks the question even if the client will show it, so that an invalid URL never reaches the user. */
function questionOf(
  { draft, params }: ServerRequest,
  { server, tool, client, callId }: ServerRequestContext,
  origin: CertainOrigin,
): QuestionDraft {
  const from: Question['from'] = {
    server,
    ...(origin.client && { client: client.name }),
    ...(origin.tool && { tool }),
    ...(origin.call && { callId }),
  };
  return draft ? questionFromPlugin(draft, from) : questionFromMcp(params, from);
}

async function askUser(routed: RoutedQuestion, within: AbortSignal): Promise<JsonObject> {
  const { request, question, timeoutMs, fallback, context, reportUnanswered } = routed;
  const owner = certainOrigin(request, context).client ? context.client : undefined;
  const outcome = await context.elicitation.ask(question, { signal: within, timeoutMs, fallback, owner });
  if (outcome.unanswered && !within.aborted) reportUnanswered(outcome.unanswered);
  return answerToMcp(question, outcome);
}

async function askClient(routed: RoutedQuestion, within: AbortSignal): Promise<JsonObject> {
  const { request, question, timeoutMs, fallback, context } = routed;
  const { client, server, route, signal } = context;
  const { params, key } = request;
  const expiry = AbortSignal.timeout(timeoutMs);
  const askedAt = Date.now();
  const report = (outcome: ForwardedOutcome) => route.onForwarded(question, outcome, Date.now() - askedAt);
  const forget = route.forwardedUrls.add(client, server, params.elicitationId);
  try {
    const forwarded = paramsForClient(params, question);
    const result = await client.request?.('elicitation/create', forwarded, AbortSignal.any([within, expiry]), key);
    if (result?.action !== 'accept') forget();
    if (!result) return askUser(routed, within);
    report(outcomeOf(result));
    return result;
  } catch (error) {
    forget();
    if (!expiry.aborted) {
      // If the user answered in Toolkeep meanwhile, the history already has the question.
      if (!within.aborted || signal.aborted) report(signal.aborted ? 'cancel' : 'failed');
      throw error;
    }
    report('unanswered');
    const outcome = atExpiry(question, fallback);
    if (outcome.action === 'cancel') routed.reportUnanswered('timeout');
    return answerToMcp(question, outcome);
  }
}

const outcomeOf = ({ action }: JsonObject): ForwardedOutcome =>
  action === 'accept' || action === 'decline' || action === 'cancel' ? action : 'failed';

interface CertainOrigin {
  client: boolean;
  tool: boolean;
  call: boolean;
}

const originsOf = ({ origins }: ServerRequest) => (origins ?? []) as (Partial<RequestOrigin> | undefined)[];

/** The properties of the call that are certain. With several calls in flight, only those that all of them share. */
function certainOrigin(request: ServerRequest, { client, tool }: ServerRequestContext): CertainOrigin {
  if (!request.origins) return { client: true, tool: true, call: true };
  const origins = originsOf(request);
  return {
    client: origins.every((origin) => origin?.client === client.id),
    tool: origins.every((origin) => origin?.tool === tool),
    call: false,
  };
}

/**
 * Resolves with the first answer that is a decision. After a cancel or failure on one side, the other side still has
 * time to decide.
 */
async function firstDecision(answers: Promise<JsonObject>[]): Promise<JsonObject> {
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
  readonly result: JsonObject;
  constructor(result: JsonObject) {
    super('cancelled');
    this.result = result;
  }
}

/** True if the client can ask its user questions. An empty capability means forms; `url` must be declared. */
export function canElicit(capabilities: JsonObject, url = false): boolean {
  const { elicitation } = capabilities;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return url ? 'url' in elicitation : 'form' in elicitation || !('url' in elicitation);
}
