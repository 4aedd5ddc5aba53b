/** The words of this room: what an upstream is asked, what it answers, and what is known about it. */
import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import type { Failure } from '../../../shared/failure.ts';
import type { Connection, Phase, ServerConfig } from '../../../shared/model.ts';
import type { QuestionDraft } from '../elicitation/elicitation.ts';
import type { AskOptions } from '../extension/extension.ts';
import type { Host } from '../host.ts';
import type { ResolvedConnection } from '../secrets/secrets.ts';

export type Era = 'legacy' | 'modern';
export type Params = Record<string, unknown>;
export type RawResult = Record<string, unknown>;

export interface UpstreamState {
  status: 'idle' | 'starting' | 'ready' | 'failed';
  phase?: Phase;
  /** Phases of the last start that were completed or failed, in order. */
  phases: { phase: Phase; durationMs: number }[];
  failure?: Failure;
  pid?: number;
  era?: Era;
  /** Epoch milliseconds of the moment it became ready. */
  startedAt?: number;
  /** Starts after the first one, since this upstream was made. */
  restarts: number;
  breaker: 'closed' | 'open' | 'half-open';
  /** Oddities of the running connection in plain words: text on stdout that is not protocol, a dropped stream. */
  warnings: string[];
  /** Where there are several: each of them, while the rest tells of the one that lists are read from. */
  instances?: InstanceState[];
}

/** One instance of a server that has several. `calls` are those since Gatehouse started. */
export interface InstanceState
  extends Pick<UpstreamState, 'status' | 'pid' | 'startedAt' | 'restarts' | 'breaker' | 'failure'> {
  calls: { active: number; total: number; failed: number };
}

export interface UpstreamInfo {
  era: Era;
  protocolVersion: string;
  capabilities: Record<string, unknown>;
  serverInfo?: { name: string; version: string };
  instructions?: string;
}

/** A request of a server to the client side, pushed (legacy) or embedded in an `input_required` result (modern). */
export interface UpstreamAsk {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: Params;
  /** Modern: the name under which the server wants the answer. */
  key?: string;
  /**
   * A legacy server does not say which call its question belongs to. With several under way these are the `origin`s of all
   * that it may belong to; the one that is asked is a guess.
   */
  origins?: unknown[];
  /** A plug-in asks, which runs here: its question as it is; `params` say the same to a client. */
  draft?: QuestionDraft;
  /** Where the one who asks has wishes of its own. */
  limits?: Pick<AskOptions, 'timeoutMs' | 'fallback'>;
}
/** Answers what a server asks while a call runs. */
export type OnAsk = (ask: UpstreamAsk, signal: AbortSignal) => Promise<RawResult>;

export interface UpstreamRequest {
  method: string;
  params?: Params;
  signal?: AbortSignal;
  /** Milliseconds without an answer or progress; the whole call may take ten times as long while progress comes in. */
  timeoutMs?: number;
  /** The progress notification's params without the token. */
  onProgress?(params: Params): void;
  /** Whatever the caller wants to know this call by, when a question may belong to it or to another. */
  origin?: unknown;
  /** Asked while this call runs; the clock stands still meanwhile. Rejecting answers the server with an error. */
  onAsk?: OnAsk;
  /** Whose call it is: with several instances, one caller's calls go to the same as long as that is well. */
  session?: string;
  /** It may run twice without harm, so that it is sent again when its instance is lost and there is another. */
  mayRepeat?: boolean;
  /** Not a use that keeps it from being idle: a look at its lists. */
  passive?: boolean;
  /** `notifications/message` that came while this call ran. */
  onLog?(params: Params): void;
  /** From which level on `onLog` wants them; a modern server sends no others. */
  logLevel?: string | undefined;
}

export interface Upstream {
  readonly server: ServerConfig;
  readonly state: UpstreamState;
  /** Starts it unless it runs. Callers share one start; aborting `signal` only lets go of this caller. */
  start(signal?: AbortSignal): Promise<UpstreamInfo>;
  /** Starts it if need be and resolves with the raw result object, unknown fields included. */
  request(r: UpstreamRequest): Promise<RawResult>;
  /** Keeps it from being stopped for idleness until the result is called. */
  hold(): () => void;
  /** Sends a notification if the server runs; does not start it. */
  notify(method: string, params?: Params): Promise<void>;
  /** Another log level may be wanted now. */
  logLevelChanged(): void;
  /** Ends it and forgets breaker and crash count: the next start is a fresh one. Resolves when no process is left. */
  stop(): Promise<void>;
}

export interface UpstreamOptions {
  host: Host;
  resolve(connection: Connection): ResolvedConnection | Promise<ResolvedConnection>;
  onState(state: UpstreamState): void;
  onNotification(method: string, params: Params): void;
  /** Milliseconds without a request after which it is stopped; 0 = never. */
  idleTimeoutMs: number;
  /** Answers what a server asks while no call listens. Without an answer roots are empty and the rest is declined. */
  onAsk?(ask: UpstreamAsk, signal: AbortSignal): Promise<RawResult> | undefined;
  /** From which level on a legacy server is to log; nothing leaves it to the server. */
  logLevel?(): string | undefined;
  /** For OAuth; not asked for a connection that brings its own Authorization header. `instance` counts from 0. */
  authorization?(url: string, instance?: number): HttpAuthorization;
  tuning?: Partial<Tuning>;
}

/** How requests to one HTTP server carry their token: the SDK asks for it, and again when the server refuses it. */
export interface HttpAuthorization extends AuthProvider {
  /** Sends the requests, so that it can be told which token one that was refused carried. */
  fetch: FetchLike;
}

/** Times and bounds; the defaults are the product's, tests shorten them. */
export interface Tuning {
  /** Bound of the handshake; a first `npx` run downloads meanwhile. */
  startTimeoutMs: number;
  /** Bound of asking for the other era, where silence is a likely answer. */
  probeTimeoutMs: number;
  /** Wait after closing stdin, and again after SIGTERM, before the next harder step. */
  stopGraceMs: number;
  breakerOpenMs: number;
  /** Crashes within `crashWindowMs` after which only the person restarts the server. */
  crashLimit: number;
  crashWindowMs: number;
  backoffInitialMs: number;
  backoffMaxMs: number;
  /** Longest line on stdout. */
  maxLineBytes: number;
  /** Milliseconds between health checks of a keep-alive server. */
  healthIntervalMs: number;
  /** How long an instance on which calls fail gets none while others are well. */
  restMs: number;
}

export const defaultTuning: Tuning = {
  startTimeoutMs: 60_000,
  probeTimeoutMs: 5_000,
  stopGraceMs: 2_000,
  breakerOpenMs: 60_000,
  crashLimit: 5,
  crashWindowMs: 60_000,
  backoffInitialMs: 250,
  backoffMaxMs: 30_000,
  maxLineBytes: 64 * 1024 * 1024,
  healthIntervalMs: 60_000,
  restMs: 30_000,
};
