/** A call as the decision sees it, what the decision may need to know, and its answers. */
import type { Failure, FailureCode } from '../../../shared/failure.ts';
import type { Condition, Destination, DestinationCover, GrantScope } from '../../../shared/model/question.ts';
import type { ApprovalNeed } from '../../../shared/model/tool.ts';
import type { JsonObject } from '../types.ts';
import type { Destinations } from './destinations.ts';
import type { Caller, State, ToolRow } from './rows.ts';

/** A call, or without `arguments` the question whether a call could run. */
export interface Call {
  readonly caller: Caller;
  readonly server: string;
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** The client's `_meta`, which the server receives as well. */
  readonly meta?: JsonObject | undefined;
  /** `read_tool` runs the call. */
  readonly mustRead?: boolean | undefined;
  readonly mayBeApp?: boolean | undefined;
  /** Set after the user was asked: the definition that the user saw, and what the user allowed, if anything. */
  readonly planned?: Planned | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly facts: Facts;
}

export interface Planned {
  fingerprint: string;
  allowed?: Wanted | undefined;
}

/** Facts that only the disk, the definition or earlier results can tell. One that was looked up and not found is null. */
export interface Facts {
  /** The definition that the facts belong to. */
  readonly fingerprint?: string;
  /** Why the arguments do not fit the schema; empty if they do. */
  readonly arguments?: readonly string[];
  /** Why the user must allow each such call: it names Toolkeep's own files or address. */
  readonly ownFiles?: string | null;
  /** The choices that a grant keeps; null if they cannot be checked. */
  readonly choices?: readonly Condition[] | null;
  /** The IDs of the fitting grants whose conditions the call meets, among all `grants` of then. */
  readonly holds?: { grants: State['grants']; ids: ReadonlySet<string> };
  readonly destinations?: Destinations;
  /** Why an address in a call that reads may carry data away, other than the addresses that were `known` then. */
  readonly leak?: { known: State['known']; reason: string | undefined };
  /** The conditions to offer. */
  readonly suggestions?: readonly Condition[];
}

export type Fact = Exclude<keyof Facts, 'fingerprint'>;

/** The needs of a call before it may run. */
export interface Wanted {
  /**
   * `once`: a grant for the server's tools except dangerous ones is sufficient. `each`: this tool needs its own grant.
   * `none`: only a new destination needs approval.
   */
  need: ApprovalNeed;
  /** Why the user must allow each such call, regardless of grants. */
  alwaysAsk: string | undefined;
  /**
   * Whether the destinations of the call must be known: for a call that acts, each; for one that reads, those of addresses
   * that may carry data away. Undefined if any destination is allowed.
   */
  checks: 'acts' | 'reads' | undefined;
}

/** The choices for an answer that outlives this call. */
export interface Offer {
  covers: 'tool' | 'acts' | 'destinations';
  scopes: GrantScope[];
  conditions: readonly Condition[];
  /** The narrowest first; empty if the answer decides nothing about destinations. */
  offers: DestinationCover[];
}

/** The question to the user. */
export interface Asked extends Wanted, Offer {
  tool: ToolRow;
  reasons: string[];
  /** The choices that a grant for the tool keeps; undefined if they cannot be checked. */
  choices: readonly Condition[] | undefined;
  /** Undefined if any destination is allowed. */
  destinations: Destinations | undefined;
  /** Those of the destinations that are not known. */
  added: Destination[];
  isDangerous: boolean;
  /** A standing permission covers the call, but not its destinations. */
  isPermitted: boolean;
}

/** The cause that the user can lift, or `name` for a server or tool that does not exist. */
export type Because =
  | 'server'
  | 'rule'
  | 'override'
  | NonNullable<ToolRow['held']>
  | 'plug-in'
  | 'profile'
  | 'client'
  | 'paused'
  | 'name';

export interface Refused {
  kind: 'refuse';
  failure: Failure;
  because?: Because;
  asked?: undefined;
}

/** The call needs the user, who wants no questions. */
export interface Unasked {
  kind: 'refuse';
  failure: Failure;
  because?: undefined;
  asked: Asked;
}

export type Verdict =
  | { kind: 'run'; by: 'level' | 'user' | 'answer' | 'grant'; wanted?: Wanted }
  | { kind: 'ask'; asked: Asked }
  | { kind: 'look'; at: 'tools' | Fact }
  | Refused
  | Unasked;

/** A verdict for which nothing more must be looked up. */
export type Final = Exclude<Verdict, { kind: 'look' }>;

/** Not an error: a list of 10,000 tools would record 10,000 stacks. */
export function refuse(
  code: FailureCode,
  message: string,
  place: { server?: string; tool?: string; hint?: string },
  because?: Because,
): Refused {
  return { kind: 'refuse', failure: { code, message, ...place }, ...(because && { because }) };
}
