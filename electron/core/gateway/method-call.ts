/** A request of a client as a method sees it, whichever way it came in. */
import type { ClientSession, MethodCall, RawResult } from './backend.ts';
import { type LogLevel, logAbove } from './log-levels.ts';

export type Notify = (method: string, params: RawResult) => void;

/** `level`: from which on the client wants log messages of this request; undefined for none. */
export function methodCall(
  { method, params }: Pick<MethodCall, 'method' | 'params'>,
  from: { session: ClientSession; signal: AbortSignal; level: LogLevel | undefined; notify: Notify },
): MethodCall {
  const { session, signal, level, notify } = from;
  const { progressToken, ...meta } = (params._meta ?? {}) as { progressToken?: string | number };
  return {
    ...{ method, params, session, signal },
    meta: Object.keys(meta).length > 0 ? meta : undefined,
    onProgress:
      progressToken === undefined
        ? undefined
        : (progress) => notify('notifications/progress', { ...progress, progressToken }),
    onLog: logAbove(level, notify),
    logLevel: level,
  };
}
