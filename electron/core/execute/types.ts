/** A call of a tool, who makes it, and the tool that was found for it. */
import type { Mode, ToolView } from '../../../shared/model.ts';
import type { UpstreamAsk } from '../upstream/upstream.ts';

/** Who calls: a connected client, the person at the window, or the command line. */
export interface Caller {
  id: string;
  name: string;
  mode?: Mode;
  /** The one server that it sees. */
  server?: string | undefined;
  /** The servers that its profile leaves to it. */
  servers?: readonly string[] | undefined;
  capabilities: Record<string, unknown>;
  /** Passes a server's request on to the client; absent where the client cannot take it. */
  ask?:
    | ((
        method: UpstreamAsk['method'],
        params: Record<string, unknown>,
        signal: AbortSignal,
        key?: string,
      ) => Promise<Record<string, unknown>>)
    | undefined;
  /** Tells the client something outside any call; absent where it cannot be told. */
  notify?: ((method: string, params: Record<string, unknown>) => void) | undefined;
}

export interface ExecuteCall {
  caller: Caller;
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  meta?: Record<string, unknown> | undefined;
  signal: AbortSignal;
  onProgress?: ((params: Record<string, unknown>) => void) | undefined;
  onLog?: ((params: Record<string, unknown>) => void) | undefined;
  logLevel?: string | undefined;
}

/** `isRepeatable`: by the server's own word it does no harm to run it twice. */
export type FoundTool = ToolView & { fingerprint: string; isRepeatable: boolean };
