/** What the gateway needs from the rest of Core, and how a client session looks to it. */
import type {
  JsonSchema,
  Mode,
  Profile,
  SearchHit,
  ServerView,
  ToolDefinition,
  ToolView,
} from '../../../shared/model.ts';
import type { LogLevel } from './log-levels.ts';

export type RawResult = Record<string, unknown>;

/**
 * Makes a request of the client: `elicitation/create`, `sampling/createMessage` or `roots/list`. `key` is the name that the
 * server gave to it, where it gave one.
 */
export type Ask = (method: string, params: RawResult, signal: AbortSignal, key?: string) => Promise<RawResult>;

/** One connected client: an AI application at the other end of a bridge or of HTTP. */
export interface ClientSession {
  readonly id: string;
  /** As the client introduced itself, or the `--client` of its bridge. */
  readonly name: string;
  readonly version: string;
  readonly transport: 'bridge' | 'http';
  readonly era: 'legacy' | 'modern';
  readonly mode: Mode;
  /** The client's declared capabilities. */
  readonly capabilities: Record<string, unknown>;
  /** The one server that this client sees, under that server's own names; absent for all of them. */
  readonly server?: string | undefined;
  /** Id of the client whose file holds our entry: the `--client` of its bridge. */
  readonly via?: string | undefined;
  /** The profile it was connected with. */
  readonly profile?: string | undefined;
  /** The servers that its profile leaves to it; absent for all. */
  readonly servers?: readonly string[] | undefined;
  /** Folder in which the client started its bridge. */
  readonly cwd?: string | undefined;
  /**
   * Server→client request, as far as the client declared that it can: look at `capabilities` first. Rejects when the client
   * refuses or leaves. Absent where the client can do nothing. During a call it belongs to that call, in both eras.
   */
  readonly ask?: Ask | undefined;
  /** A notification outside any request. Absent in the modern era, which has none. */
  readonly notify?: ((method: string, params: RawResult) => void) | undefined;
}

export interface ToolCall {
  session: ClientSession;
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** The client's `_meta`, without protocol bookkeeping. */
  meta?: Record<string, unknown> | undefined;
  signal: AbortSignal;
  /** Present when the client wants progress: params of notifications/progress without the token. */
  onProgress?: ((params: RawResult) => void) | undefined;
  /** Present when the client takes log messages: params of notifications/message. */
  onLog?: ((params: RawResult) => void) | undefined;
  /** From which level on it takes them. */
  logLevel?: LogLevel | undefined;
}

/** A request as a method sees it: its session is bound to the call, so that `ask` reaches the right client. */
export interface MethodCall
  extends Pick<ToolCall, 'session' | 'meta' | 'signal' | 'onProgress' | 'onLog' | 'logLevel'> {
  method: string;
  params: RawResult;
}

/** Something of a server under the name that clients see. `definition` is the server's own, with every field. */
export interface Shown {
  /** Shown name. */
  name: string;
  server: string;
  definition: Record<string, unknown>;
}

/** A tool as `full` and `hybrid` list it. */
export interface ShownTool extends Shown {
  /** The server's own name for it. */
  tool: string;
  tags: string[];
  definition: ToolDefinition & { inputSchema: JsonSchema };
}

export type Change = 'tools' | 'prompts' | 'resources';

export interface SearchOptions {
  server?: string;
  limit?: number;
  /** Only these hits. */
  fits?: (hit: SearchHit) => boolean;
}

export interface WantedOptions {
  server?: string;
  above: number;
  /** Only these tools. */
  fits?: (tool: Pick<ToolView, 'server' | 'tags'>) => boolean;
}

/** How long results reach clients; see parts.ts. */
export interface PartsSettings {
  /** Characters of text that a client gets at once; 0 hands on every result as it is. */
  partLength: number;
  /** Turns structured content that is too long into text, and so into parts. */
  structured: boolean;
  /** Names of clients that page long results themselves. */
  except: string[];
}

export interface GatewayBackend {
  /** The profile of this name; absent where there are none. */
  profile?(name: string): Profile | undefined;
  servers(): ServerView[];
  /** Names of the servers that have tools for the client, for lists that are made often; absent where views must tell. */
  serverNames?: (() => string[]) | undefined;
  /** All tools of a server; throws SERVER_NOT_FOUND with "did you mean". */
  tools(server: string): ToolView[];
  /** Throws SERVER_NOT_FOUND or TOOL_NOT_FOUND with "did you mean". */
  tool(server: string, tool: string): ToolView;
  enabledTools(): ShownTool[];
  byShownName(name: string): Pick<ShownTool, 'server' | 'tool'> | undefined;
  search(session: ClientSession, query: string, options: SearchOptions): SearchHit[];
  /**
   * A tool that is off and fits better than `above`: what the agent should know of it, in one line. The person may be asked
   * to switch it on.
   */
  wanted?(session: ClientSession, query: string, options: WantedOptions): string | undefined;
  /** Resolves with the server's own result; gateway failures throw GatehouseError, a server's error answer its RPC error. */
  execute(call: ToolCall): Promise<RawResult>;
  /** The call fetches more of a result that its own session was given the beginning of: it concerns no server. */
  readsOn?(call: ToolCall): boolean;
  /** Absent where every result is handed on as it is. */
  results?(): PartsSettings;
  prompts(): Shown[];
  getPrompt(session: ClientSession, name: string, args: unknown, signal: AbortSignal): Promise<RawResult>;
  /** `definition.uri` is what clients read it by. */
  resources(): Shown[];
  resourceTemplates(): Shown[];
  readResource(session: ClientSession, uri: string, signal: AbortSignal): Promise<RawResult>;
  /** Starts or ends following a resource for this session. */
  followResource?(session: ClientSession, uri: string, follow: boolean): Promise<void>;
  complete(session: ClientSession, params: RawResult, signal: AbortSignal): Promise<RawResult>;
  /**
   * Waits a little for servers of which nothing is known yet, of all or this one; resolves with those that still connect.
   * Undefined when there is nothing to wait for.
   */
  connecting?(server?: string): Promise<string[]> | undefined;
  /** A client got this list of tools. */
  listed?(session: ClientSession, tools: RawResult[]): void;
  /** A client asked one of the meta-tools other than `execute_tool`, and got this text. */
  lookedUp?(session: ClientSession, args: Record<string, unknown>, text: string): void;
  /** A client says from which level on it wants log messages. */
  setLogLevel?(session: ClientSession, level: LogLevel): void;
  /** The folders that a client opened are others now. */
  rootsChanged?(session: ClientSession): void;
  /** A client is there; call the result when it has left. */
  connected(session: ClientSession): () => void;
  onChange(listener: (what: Change) => void): () => void;
  /** A followed resource changed. */
  onResourceUpdated?(listener: (uri: string) => void): () => void;
  /** For the client's model, at the start of a session. */
  instructions(): string;
}
