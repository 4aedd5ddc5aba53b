/** Types shared within the servers module: the handle of a server, requests to it, and its state. */

import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import type { Failure } from '../../../shared/failure.ts';
import { limits } from '../../../shared/limits.ts';
import type { SandboxLimits } from '../../../shared/model/sandbox.ts';
import type { Connection, Phase, ServerConfig } from '../../../shared/model/server.ts';
import type { Host } from '../host.ts';
import type { ResolvedConnection } from '../secrets/resolve.ts';
import type { DeclaredIcon } from '../tools/declared-icons.ts';
import type { Caller, NetworkHost, ServerRequest } from '../types.ts';
import type { Params } from './connection/server-message.ts';
import type { StartMarks } from './lifecycle/start-marks.ts';
import type { ListRoots } from './roots.ts';
import type { Report } from './sandbox/report.ts';
import type { ServerLog } from './server-log.ts';

/** `legacy`: protocol versions with `initialize` and sessions; `modern`: 2026-07-28, stateless. */
export type Era = 'legacy' | 'modern';
export type { Params };
export type RawResult = Record<string, unknown>;

export interface ServerState {
  status: 'idle' | 'starting' | 'ready' | 'failed';
  phase?: Phase;
  /** Completed or failed phases of the last start, in order. */
  phases: { phase: Phase; durationMs: number }[];
  failure?: Failure;
  /** With `failed`: the running server was lost; its next use starts it again. */
  restartsOnUse?: boolean;
  pid?: number;
  /** True if the running process was started confined. */
  isConfined?: boolean;
  era?: Era;
  /** Epoch milliseconds at which the server became ready. */
  startedAt?: number;
  /** The number of starts after the first one since the handle was created. */
  restarts: number;
  breaker: 'closed' | 'open' | 'half-open';
  /** Irregularities of the running connection: output on stdout that is not MCP, or a dropped stream. */
  warnings: string[];
  /**
   * The instances of a server that has several. The other fields then describe the instance that lists are read from.
   */
  instances?: InstanceState[];
}

/** One of a server's several instances. `calls` counts since Toolkeep started. */
export interface InstanceState
  extends Pick<ServerState, 'status' | 'pid' | 'startedAt' | 'restarts' | 'breaker' | 'failure'> {
  calls: { active: number; total: number; failed: number };
}

export interface ServerInfo {
  era: Era;
  protocolVersion: string;
  capabilities: Record<string, unknown>;
  /** `icons`: those that may be used. */
  serverInfo?: { name: string; version: string; icons?: readonly DeclaredIcon[] };
  instructions?: string;
}

/** Answers a request that the server sends while a call is running. */
export type OnServerRequest = (request: ServerRequest, signal: AbortSignal) => Promise<RawResult>;

export interface OutgoingRequest {
  method: string;
  params?: Params;
  signal?: AbortSignal;
  /** Milliseconds without a response or progress. With progress, the whole call may take ten times as long. */
  timeoutMs?: number;
  /** Receives the params of progress notifications, without the token. */
  onProgress?(params: Params): void;
  /** Identifies the call if a server's request may belong to one of several calls. */
  origin?: unknown;
  /** Called when the server sends a request during this call; the timeout is paused. Rejecting sends the server an error. */
  onServerRequest?: OnServerRequest;
  /** Only called for servers that depend on the caller's roots. */
  roots?: ListRoots | undefined;
  /** The client's request on whose behalf a plug-in's tool runs. */
  caller?: Caller;
  /** The caller's session. With several instances, one session keeps using the same healthy instance. */
  session?: string;
  /** True if running it twice is harmless. It is then sent to another instance if its instance is lost. */
  mayRepeat?: boolean;
  /** True if the tool only runs as a task (`execution.taskSupport: "required"`). */
  isTaskOnly?: boolean;
  /** If true, the request does not count as use, so the server can become idle (listing). */
  passive?: boolean;
  /** Receives `notifications/message` sent during this call. */
  onLog?(params: Params): void;
  /** Minimum level for `onLog`; a modern server sends nothing below it. */
  logLevel?: string;
}

/** The limits of a confined server. */
export interface Limits extends SandboxLimits {
  /** The secrets in its environment and arguments. */
  values?: readonly string[];
  /** The hosts that probably receive a secret, by the name of its variable. Undefined if any host may. */
  secretHosts?(name: string): string[] | undefined;
  /** Asks the user about a host that `network` does not allow, or that would receive a secret. */
  mayReach?: ((target: NetworkHost) => Promise<boolean>) | undefined;
  /** A folder of the server's own, which is kept: for its data, and for the packages that `npx` and `uvx` download. */
  keeps?: string;
  /** Records what the server does. */
  report?: Report | undefined;
}

/** A configured MCP server, running or not. */
export interface ServerHandle {
  readonly server: ServerConfig;
  readonly state: ServerState;
  /**
   * Starts the server unless it is running. Callers share one start; aborting `signal` ends only this caller's wait.
   */
  start(signal?: AbortSignal): Promise<ServerInfo>;
  /** Starts the server if needed and resolves with the raw result object, unknown fields included. */
  request(r: OutgoingRequest): Promise<RawResult>;
  /** Prevents the idle stop until the returned function is called. */
  keepRunning(): () => void;
  /** Sends a notification if the server is running; does not start it. */
  notify(method: string, params?: Params): Promise<void>;
  /** Call when the server has listed other tools. */
  toolsChanged?(): void;
  /** Call when a client has disconnected, so that nothing is kept for it. */
  endSession?(session: string): void;
  /** Call when the level returned by `ServerHandleOptions.logLevel` may have changed. */
  logLevelChanged(): void;
  /** Stops the server and resets its breaker and crash count. Resolves when every process has exited. */
  stop(): Promise<void>;
}

export interface ServerHandleOptions {
  host: Host;
  marks: StartMarks;
  /** `folder`: where the server starts, and the value of `${workspaceFolder}`; defaults to the home folder. */
  resolve(connection: Connection, folder?: string): ResolvedConnection | Promise<ResolvedConnection>;
  onState(state: ServerState): void;
  onNotification(method: string, params: Params): void;
  /** Milliseconds without a request after which the server is stopped; 0 = never. */
  idleTimeoutMs: number;
  /**
   * Answers requests that the server sends outside any call. Without an answer, roots are empty and other requests are
   * declined.
   */
  onServerRequest?(request: ServerRequest, signal: AbortSignal): Promise<RawResult> | undefined;
  /** Minimum log level for a legacy server; undefined leaves it to the server. */
  logLevel?(): string | undefined;
  log?: ServerLog;
  /** Asks the user whether a confined server may reach a host. */
  mayReach?(target: NetworkHost): Promise<boolean>;
  /** The folders that the user lets a confined server use. */
  folders?: { mayUse(folder: string): Promise<boolean>; allowed(): readonly string[] };
  /** Records what a confined server does. */
  report?: Report;
  /** Replaces the folder that a confined server keeps. */
  keeps?: string;
  /** For OAuth; not called for a connection with its own Authorization header. `instance` counts from 0. */
  authorization?(url: string, instance?: number): HttpAuthorization;
  tuning?: Partial<Tuning>;
}

/** Supplies the token for requests to one HTTP server: the SDK asks for it, and again when the server refuses it. */
export interface HttpAuthorization extends AuthProvider {
  /** Records which token a refused request carried. `onUnauthorized` must receive the response that this function returned. */
  recording(send: FetchLike): FetchLike;
}

/** Times and limits. Tests shorten the defaults. */
export const defaultTuning = {
  /** Timeout of the handshake; the first `npx` run includes a download. */
  startTimeoutMs: 60_000,
  /** Timeout of probing for the other era, to which many servers do not respond. */
  probeTimeoutMs: 5_000,
  /** Milliseconds to wait after closing stdin, and again after SIGTERM, before the next step. */
  stopGraceMs: 2_000,
  breakerOpenMs: 60_000,
  /** Crashes within `crashWindowMs` after which only the user can restart the server. */
  crashLimit: 5,
  crashWindowMs: 60_000,
  backoffInitialMs: 250,
  backoffMaxMs: 30_000,
  /** Longest line on stdout. */
  maxLineBytes: limits.server.messageBytes,
  /** Interval between health checks of a keep-alive server. */
  healthIntervalMs: 60_000,
  /** How long a failing instance gets no calls while others are healthy, in milliseconds. */
  cooldownMs: 30_000,
};

export type Tuning = typeof defaultTuning & {
  /** How long the event stream of a remote server may be silent; unlimited if missing. */
  readTimeoutMs?: number;
};
