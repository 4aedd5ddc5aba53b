/** A call that needs approval, and what follows from it. */
import type { Condition, DestinationCover, GrantScope } from '../../../shared/model/question.ts';
import type { ApprovalNeed, ToolView } from '../../../shared/model/tool.ts';
import type { Client, JsonObject } from '../types.ts';
import { carriesProgram } from './argument-values.ts';
import { suggestConditions } from './conditions.ts';
import { ownDomainsOf } from './destinations/compare.ts';
import type { Destinations } from './destinations.ts';
import type { Grantable } from './grants.ts';
import { keptChoices } from './kept-choices.ts';
import type { Between } from './known-destinations.ts';

export interface ApprovalRequest {
  tool: ToolView;
  fingerprint: string;
  client: Client;
  arguments: JsonObject;
  /** The client's `_meta`, which the server receives as well. */
  meta?: JsonObject;
  callId: string;
  signal: AbortSignal;
  /**
   * `once`: a grant for the server's tools except dangerous ones is sufficient. `each`: this tool needs its own grant.
   * `none`: a rule or setting allows the tool, so only a new destination needs approval.
   */
  need: ApprovalNeed;
  /**
   * Whether the destinations of the call must be known: for a call that acts, each; for one that reads, those of addresses
   * that may carry data away. Undefined if any destination is allowed.
   */
  checks: 'acts' | 'reads' | undefined;
  /** Why the user must allow each such call, regardless of grants. */
  alwaysAsk?: string;
}

/** A request that the user has not yet decided. */
export interface OpenRequest {
  request: ApprovalRequest;
  /** Undefined if any destination is allowed, and before the permissions are checked. */
  destinations?: Destinations;
  /** Why an address in a call that reads may carry data away. */
  leak?: string | undefined;
  withdraw: AbortController;
  /** Set if a decision on another call of the same tool also decides this one. */
  decidedBy?: 'grant' | 'disable';
}

export const reasonsOf = ({ alwaysAsk, tool }: ApprovalRequest): string[] => [
  ...(alwaysAsk === undefined ? [] : [alwaysAsk]),
  ...tool.annotations.reasons,
];

const notAllowed = 'You allowed such calls, but not to each of these destinations.';
/** `isPermitted`: a standing permission covers the call, but not its destinations. */
export const reasonsToAsk = (request: ApprovalRequest, leak: string | undefined, isPermitted: boolean): string[] =>
  isPermitted ? [leak ?? notAllowed] : reasonsOf(request);

const toolScopes: GrantScope[] = ['once', 'session', 'minutes', 'always'];
const actsScopes: GrantScope[] = ['once', 'session', 'day', 'always'];
const scopesOf = ({ need, alwaysAsk, client }: ApprovalRequest): GrantScope[] => {
  if (alwaysAsk !== undefined) return ['once'];
  if (client.identity === undefined) return ['once', 'session'];
  return need === 'once' ? actsScopes : toolScopes;
};
export const coversOf = (need: ApprovalNeed) => (need === 'once' ? 'acts' : 'tool');
export const betweenOf = ({ tool, client }: ApprovalRequest): Between => ({ server: tool.server, caller: client });

export const grantable = (request: ApprovalRequest): Grantable => ({
  server: request.tool.server,
  tool: request.tool.name,
  fingerprint: request.fingerprint,
  caller: request.client,
  arguments: request.arguments,
  meta: request.meta,
  covers: coversOf(request.need),
  choices: keptChoices(request.tool.inputSchema, request.arguments),
});

/** The choices for an answer that outlives this call. */
export interface Offer {
  covers: 'tool' | 'acts' | 'destinations';
  scopes: GrantScope[];
  conditions: Condition[];
  /** The narrowest first; empty if the answer decides nothing about destinations. */
  destinations: DestinationCover[];
}

export async function offerFor({ request, destinations }: OpenRequest, isPermitted: boolean): Promise<Offer> {
  const { alwaysAsk, need, arguments: args, tool } = request;
  if (alwaysAsk !== undefined) return { covers: coversOf(need), scopes: ['once'], conditions: [], destinations: [] };
  const scopes = scopesOf(request);
  const wide: DestinationCover[] = need === 'none' ? [] : ['any'];
  const hasDomains = ownDomainsOf(destinations?.all ?? []).length > 0;
  const narrow: DestinationCover[] = hasDomains ? ['these', 'domain'] : ['these'];
  // A permission for the server's acts covers other tools, too, whose destinations Toolkeep may recognize.
  const isOfServer = coversOf(need) === 'acts';
  const isNarrow = destinations?.isRecognized || isOfServer;
  const offered = isNarrow ? [...narrow, ...wide] : wide;
  if (isPermitted) return { covers: 'destinations', scopes, conditions: [], destinations: offered };
  const only = destinations && !tool.annotations.destructiveHint && !carriesProgram(args) ? 'folders' : undefined;
  const conditions = need === 'each' ? await suggestConditions(args, only) : [];
  // An approval of a dangerous tool without any limit must not last.
  const isLimitable = conditions.length > 0 || offered[0] !== 'any' || keptChoices(tool.inputSchema, args)?.length;
  const lasting = need !== 'each' || isLimitable ? scopes : scopes.filter((scope) => scope !== 'always');
  return { covers: coversOf(need), scopes: lasting, conditions, destinations: offered };
}
