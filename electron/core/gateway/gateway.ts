/** The MCP server that clients see: over the bridge's socket and over streamable HTTP, in both protocol eras. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Mode } from '../../../shared/model.ts';
import type { GatewayBackend } from './backend.ts';

export type {
  Ask,
  AskMethod,
  Change,
  ClientSession,
  GatewayBackend,
  RawResult,
  Shown,
  ShownTool,
  ToolCall,
} from './backend.ts';

export interface GatewayOptions {
  version: string;
  /** Bearer token for `/mcp`. */
  token: string;
  /** Called when the last client has been gone for `idleMs`. */
  onIdle?: (() => void) | undefined;
  /** Default one minute. */
  idleMs?: number | undefined;
  log?: ((level: 'debug' | 'warn', message: string) => void) | undefined;
}

/** What a bridge says about its client. */
export interface StreamClient {
  mode?: Mode | undefined;
  client?: string | undefined;
  cwd?: string | undefined;
}

export interface Gateway {
  /** Serves one client whose MCP JSON lines come and go on `stream`, until it ends. */
  serveStream(stream: Duplex, client: StreamClient): void;
  /** Answers `/mcp` (`?mode=lazy|full|hybrid`); the caller has matched the path. */
  handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

export function createGateway(_backend: GatewayBackend, _options: GatewayOptions): Gateway {
  throw new Error('not yet');
}
