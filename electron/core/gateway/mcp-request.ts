/** One MCP request from a client, independent of the transport. */
import type { JsonObject, ToolCall } from '../types.ts';
import type { ClientSession, McpRequest } from './services.ts';
import { isAtLeast, type LogLevel } from './sessions/log-levels.ts';

export type Notify = (method: string, params: JsonObject) => void;

/** `level`: the least severe log messages that the client wants for this request; undefined for none. */
export function mcpRequest(
  { method, params }: Pick<McpRequest, 'method' | 'params'>,
  { client, signal, level, notify }: { client: ClientSession; signal: AbortSignal; level?: LogLevel; notify: Notify },
): McpRequest {
  const { progressToken, ...meta } = (params._meta ?? {}) as { progressToken?: string | number };
  return {
    client,
    method,
    params,
    signal,
    meta: Object.keys(meta).length > 0 ? meta : undefined,
    onProgress:
      progressToken === undefined
        ? undefined
        : (progress) => notify('notifications/progress', { ...progress, progressToken }),
    onLog: level && ((log) => isAtLeast(level, log.level) && notify('notifications/message', log)),
    logLevel: level,
  };
}

/** Converts a `tools/call` request to a tool call. */
export function toolCall(
  { client, meta, signal, caller, onProgress, onLog, logLevel, isTask }: McpRequest,
  target: Pick<ToolCall, 'server' | 'tool' | 'arguments'>,
): ToolCall {
  return { client, ...target, meta, signal, caller, onProgress, onLog, logLevel, isTask };
}
