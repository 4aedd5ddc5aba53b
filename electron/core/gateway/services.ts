/** The services that the gateway needs from the rest of Core, in groups of a few functions each. */
import type { Profile } from '../../../shared/model/profile.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { JsonSchema, SearchHit, ToolDefinition, ToolView } from '../../../shared/model/tool.ts';
import type { Calls } from '../calls/calls.ts';
import type { Events } from '../events.ts';
import type { BatchClients } from '../policy/batch-clients.ts';
import type { AppUse } from '../tools/apps.ts';
import type { Client, JsonObject, Scope, ToolCall } from '../types.ts';
import type { ServerInstructions } from './instructions.ts';
import type { LogLevel } from './sessions/log-levels.ts';

/** One connected client: an AI application that uses a bridge or HTTP. */
export interface ClientSession extends Client {
  readonly version: string;
  readonly transport: 'bridge' | 'http';
  readonly era: 'legacy' | 'modern';
  /** Legacy: the version of MCP that the handshake agreed on. */
  readonly protocolVersion?: string;
  readonly mode: NonNullable<Client['mode']>;
  /** Whether the client gets `read_tool` in addition to `execute_tool`. */
  readonly readTool: boolean;
  /** The folder in which the client started its bridge. */
  readonly cwd?: string;
}

/**
 * A prompt, resource or template under the name that clients see. `definition` is the server's own, with all fields.
 */
export interface ListedItem {
  name: string;
  server: string;
  definition: JsonObject;
  /** The server's own URI or template, if other servers have the same one. */
  own?: string;
}

/** A tool under the name that clients see in full and hybrid mode. */
export interface ListedTool extends ListedItem {
  /** The server's own name for the tool. */
  tool: string;
  app: AppUse | undefined;
  tags: readonly string[];
  definition: ToolDefinition & { inputSchema: JsonSchema };
}

/** A search result with the schema from which its signature is built. */
export type RankedTool = SearchHit & { inputSchema: JsonSchema };

/** The requests that wait for servers: a search, a list of servers, one about a single server, or a list of everything. */
export type Wait = 'search' | 'servers' | 'server' | 'list';

/** The servers in a scope. */
export interface VisibleServers {
  /** Why the scope has no server, for agents; undefined if it has one. */
  absence(scope: Scope): string | undefined;
  /** Without `discoveredAt` if the tools that this client gets are not yet known. */
  views(scope: Scope): ServerView[];
  /** Names of the servers with enabled tools, and of those whose tools are not yet known. */
  names(scope: Scope): string[];
  /** The instructions of the enabled servers, or only of `server`. */
  instructions(scope: Scope, server?: string): ServerInstructions[];
  /** Sentences about what keeps every tool from running now. */
  standstill(): string[];
  /**
   * Briefly waits for servers whose tools are not yet known: all of them, or only `server`. Resolves with the names of
   * those that are still connecting. Undefined if there is nothing to wait for.
   */
  connecting(scope: Scope, server?: string, what?: Wait): Promise<string[]> | undefined;
  /** Briefly waits for the servers that may have a tool with this listed name but have not been discovered yet. */
  connectingWithTool(scope: Scope, listedName: string): Promise<unknown>;
  /** Sentences about failed or disabled servers and plug-ins, whose tools are missing; with `server`, the cause of its failure and the fix. */
  failures(scope: Scope, server?: string): string[];
}

/** The part of a client's request that plug-ins receive. */
export interface ProvidedRequest extends Pick<ToolCall, 'meta' | 'signal' | 'caller'> {
  client: ClientSession;
}

/** The fields of a ToolCall that every request has, with the method and its params. */
export interface McpRequest extends Pick<ToolCall, 'meta' | 'signal' | 'caller' | 'onProgress' | 'onLog' | 'logLevel'> {
  client: ClientSession;
  method: string;
  params: JsonObject;
  /** The call continues as a task, so the client does not wait for it. */
  isTask?: boolean;
}

/** Asks plug-ins which tools they list for a request. */
export interface ProvidedTools {
  /**
   * Adds the tools of all plug-ins, or only of `server`, to the request's scope. Briefly waits for plug-ins whose list has
   * expired. Asks at most once per request, which counts as one iteration of its client.
   */
  forRequest<R extends ProvidedRequest>(request: R, server?: string): Promise<R> | R;
}

/** The tools in a scope. */
export interface VisibleTools {
  /** Throws SERVER_NOT_FOUND with similar names. */
  ofServer(scope: Scope, server: string): ToolView[];
  /** Throws SERVER_NOT_FOUND or TOOL_NOT_FOUND with similar names. */
  find(scope: Scope, server: string, tool: string): ToolView;
  /** The enabled tools. */
  listed(scope: Scope): ListedTool[];
  /** The enabled tools that models call and that have an app, up to a limit. */
  appTools(scope: Scope): ListedTool[];
  /** The `_meta.ui` of a tool, which tells the client which app to show. */
  appMeta(scope: Scope, server: string, tool: string): unknown;
  /** The result of a tool, with links to apps that a client can resolve to this server. */
  withReadableUris(scope: Scope, server: string, result: JsonObject): JsonObject;
  byListedName(scope: Scope, name: string): { server: string; tool: string } | undefined;
  /** A tool under the name that an app uses, of the server whose app the client read last. */
  ofOpenApp(client: Client, name: string): { server: string; tool: string } | undefined;
  search(client: Client, query: string, options: { server?: string; limit: number }): Promise<RankedTool[]>;
  /** A sentence about a tool that the client cannot use now and that matches better than `above`, or undefined. */
  unavailableMatch(client: Client, query: string, options: { server?: string; above: number }): string | undefined;
}

/** Prompts and resources of the servers that a client may reach. */
export interface PromptsResources {
  prompts(scope: Scope): ListedItem[];
  getPrompt(client: Client, name: string, args: unknown, signal: AbortSignal): Promise<JsonObject>;
  /** Omits files outside the folders that the client opened. `definition.uri` is the URI that clients read. */
  resources(client: Client, signal: AbortSignal): Promise<ListedItem[]>;
  resourceTemplates(scope: Scope): ListedItem[];
  readResource(client: Client, uri: string, signal: AbortSignal): Promise<JsonObject>;
  /** The answer to `skills/list`. */
  skills(scope: Scope): JsonObject;
  /** The answer to `skills/get`. */
  skill(client: Client, params: { uri: string }, signal: AbortSignal): Promise<JsonObject>;
  /** The answer to `resources/directory/read`. */
  directory(client: Client, params: { uri: string }, signal: AbortSignal): Promise<JsonObject>;
  /** Starts or ends a subscription. */
  subscribe(client: Client, uri: string, isSubscribed: boolean): Promise<void>;
  complete(client: Client, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

/** Receives reports about clients from the gateway. */
export interface ClientReports {
  /** Call when a client has connected. Call the returned function when it disconnects. */
  connected(session: ClientSession): () => void;
  setLogLevel(session: ClientSession, level: LogLevel): void;
  rootsChanged(session: ClientSession): void;
}

export interface TaskSubscription {
  /** The given tasks that belong to the client. */
  readonly taskIds: string[];
  start(): void;
  end(): void;
}

/** Tool calls as tasks, whose results clients fetch later. */
export interface Tasks {
  /** Runs a `tools/call` of a client that takes tasks. Resolves with its result, or with the task that it became. */
  run(request: McpRequest, start: (request: McpRequest) => Promise<JsonObject>): Promise<JsonObject>;
  /** Answers `tasks/…`. */
  answer(request: McpRequest): Promise<JsonObject>;
  /** Modern: tells a client each new state of its tasks. Throws if the client does not declare that it supports tasks. */
  subscribe(client: ClientSession, taskIds: string[], tell: (state: JsonObject) => void): TaskSubscription;
  /** The number of tasks that are running, or whose outcome their client has not fetched. */
  unfetched(): number;
}

export interface GatewayServices {
  servers: VisibleServers;
  tools: VisibleTools;
  provided: ProvidedTools;
  promptsResources: PromptsResources;
  calls: Pick<Calls, 'run'>;
  tasks: Tasks;
  clients: ClientReports;
  events: Pick<Events, 'on'>;
  /** Whether the debug status may be shown. It includes processes and timings. */
  showsDebugStatus(): boolean;
  /** Offers the user servers for which nothing is installed. Returns a sentence for the agent, or undefined. */
  offerServers(client: string, query: string): Promise<string | undefined>;
  batch: Pick<BatchClients, 'isEnabledFor' | 'maxCalls' | 'untold'>;
  findProfile(name: string): Profile | undefined;
  /** The text for the client's model at the start of a session. */
  instructions(session: Pick<ClientSession, 'mode' | 'readTool' | 'scope'>): string | undefined;
}
