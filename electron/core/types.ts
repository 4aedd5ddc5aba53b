/** The shapes that travel between the modules of Core. */

import type { Failure } from '../../shared/failure.ts';
import type { Mode } from '../../shared/model/call.ts';
import type { Question } from '../../shared/model/question.ts';
import type { Tool, ToolView } from '../../shared/model/tool.ts';

/** A JSON object whose unknown fields pass through untouched: params, results, definitions. */
export type JsonObject = Record<string, unknown>;

/** The servers and tools that a client may reach. A missing field sets no limit. */
export interface Scope {
  /** The only server that the client can reach. Its tools keep their original names. */
  server?: string;
  /** The client for whom rules may set limits: the ID of its entry, or the name of its token. */
  client?: string | undefined;
  /** Name of a profile. It is looked up on each use, so a change takes effect at once. */
  profile?: string;
  /** For each plug-in, the tools that it lists for the client's current request. Its other tools are not visible. */
  provided?: ReadonlyMap<string, Provided>;
}

/** The tools of one plug-in for one request. Without a list, `failure` or `isLate` says why. */
export interface Provided {
  tools: ReadonlySet<string>;
  failure?: Failure;
  /** The plug-in has not answered in time. */
  isLate?: boolean;
}

/** The origin of a request to a plug-in to list its tools or run one. */
export interface Caller {
  /** The number of this request among the client's requests that list or run tools, from 1. */
  iteration: number;
  activeSkillId?: string;
  identity: { tenant?: string; principal?: string; conversationId: string };
}

/** Sends a request to a client. `key` is the name that the server gave its request, if any. */
export type ClientRequest = (
  method: string,
  params: JsonObject,
  signal: AbortSignal,
  key?: string,
) => Promise<JsonObject>;

/** The origin of a call: a connected MCP client, or the user in a UI or a terminal. */
export interface Client {
  /** Identifies one connection. */
  id: string;
  /** The name for display. It names the entry or token of a client that is not known to be what it states. */
  name: string;
  /** The name that the client gives itself. It decides only about limits that the client is known to have. */
  stated?: string;
  /**
   * The entry or token through which the client connects. Grants are bound to it, because the client does not choose it.
   * Without one, grants last for one session.
   */
  identity?: string | undefined;
  /** A random ID of the bridge process. It stays the same when the bridge connects to another Core. */
  bridge?: string | undefined;
  mode?: Mode;
  /** ID of the known client whose config file started this connection, from its bridge's `--client` option. */
  via?: string;
  /** Name of the token with which an HTTP client connects. The user chooses it freely. */
  token?: string;
  /** The user runs the tool directly, so only a dangerous call needs approval. */
  isUser?: true;
  scope: Scope;
  /** The capabilities that the client declared. */
  capabilities: JsonObject;
  /** Sends `elicitation/create`, `sampling/createMessage` or `roots/list`. Missing if the client can answer none of them. */
  request?: ClientRequest;
  /** Sends a notification outside any call. Missing if the client cannot receive one. */
  notify?: (method: string, params: JsonObject) => void;
}

/** Many calls that run as one, after at most one question to the user. */
export interface Batch {
  calls: Pick<ToolCall, 'server' | 'tool' | 'arguments'>[];
  /** After a call that fails, the rest does not run. */
  stopOnError: boolean;
  /** A server's result as the client can read it. */
  shown(server: string, result: JsonObject): JsonObject;
}

/** One call of one tool, from the client's request to the result. Every step of the pipeline receives this object. */
export interface ToolCall {
  client: Client;
  /** Config name of the server. */
  server: string;
  /** The server's own name for the tool. */
  tool: string;
  arguments: JsonObject;
  /** The client's `_meta` without protocol fields. */
  meta?: JsonObject;
  signal: AbortSignal;
  /** The client does not wait for the result, so the call is not parked. */
  isTask?: boolean;
  /** `read_tool` runs the call, so it must not change anything or need approval. */
  mustRead?: boolean;
  /** The call may come from an MCP App, so it may run a tool that is reserved for apps. */
  mayBeApp?: boolean;
  /** Set for `execute_tools`, which has no server: the calls to run instead. */
  batch?: Batch;
  /** Missing outside a client's request. */
  caller?: Caller;
  /** Receives the params of `notifications/progress` without the token. Missing if the client wants none. */
  onProgress?: (params: JsonObject) => void;
  /** Receives the params of `notifications/message`. Missing if the client takes none. */
  onLog?: (params: JsonObject) => void;
  logLevel?: string;
}

/**
 * A tool with everything that Core needs to decide about a call.
 * `isRepeatable`: the server says that running it twice does no harm. `isTaskOnly`: the server only runs it as a task.
 */
export type RegisteredTool = ToolView & { fingerprint: string; isRepeatable: boolean; isTaskOnly: boolean };

/** A question before the queue assigns its ID and times. */
export type QuestionDraft = Omit<Question, 'id' | 'createdAt' | 'expiresAt'>;

export interface NetworkHost {
  host: string;
  port: number;
  /** The name of the secret that the host would receive; absent for a mere connection. */
  secret?: string;
  /** Where a request has that secret: see `shared/secret-place.ts`. */
  place?: string;
}

/**
 * Whether a confined server may reach a host, or send it a secret, that its limits do not name. Asks the user if that is not
 * known.
 */
export type MayReach = (server: string, target: NetworkHost) => Promise<boolean>;

/** The folders of the user that a confined server may read and change, besides those that its configuration names. */
export interface OpenedFolders {
  /** Asks the user if that is not known. */
  mayUse(server: string, folder: string): Promise<boolean>;
  allowed(server: string): string[];
}

/** A request from a server to its client: pushed (legacy), or embedded in an `input_required` result (modern). */
export interface ServerRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: JsonObject;
  /** Modern only: the name under which the server expects the answer. */
  key?: string;
  /**
   * The `origin`s of all calls that the request may belong to. A legacy server does not say which call its request belongs
   * to; with several calls in flight, the call that receives it is a guess.
   */
  origins?: unknown[];
  /** The question of a plug-in, which runs in this process; `params` hold the same question for a client. */
  draft?: QuestionDraft;
  /** The timeout and fallback that the sender chose. */
  limits?: { timeoutMs?: number; fallback?: 'timeout' | 'default' | 'error' };
}

/** The lists whose changes clients are notified of. */
export type ListName = 'tools' | 'prompts' | 'resources';

/** The changes that a discovery made to the catalog. */
export interface CatalogDiff {
  added: Tool[];
  removed: Tool[];
  changed: { before: Tool; after: Tool }[];
  promptsChanged: boolean;
  /** Resources or resource templates. */
  resourcesChanged: boolean;
  /** The server reports another version than before. */
  updated?: { from: string; to: string };
  /** The user changed the server's configuration since the last discovery. */
  isReconfigured?: boolean;
  /** A plug-in lists the tools. Its list is expected to vary, so new tools are not held. */
  isProvided?: boolean;
}
