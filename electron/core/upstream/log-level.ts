/** Tells a legacy server from which level on it is to log. In the modern era each request says it (see rounds.ts). */
import type { Connection } from './connection.ts';

export interface LogLevelTold {
  /** To be called for a new connection, and when another level may be wanted. Never fails: a log is not worth a call. */
  tell(connection: Connection | undefined): void;
}

/** `wanted` is asked each time; while it gives nothing the server decides. */
export function createLogLevelTold(wanted: () => string | undefined, timeoutMs: number): LogLevelTold {
  let told: { connection: Connection; level: string } | undefined;
  return {
    tell(connection) {
      const level = wanted();
      if (!connection || level === undefined || connection.info.era !== 'legacy') return;
      if (!connection.info.capabilities.logging) return;
      if (told?.connection === connection && told.level === level) return;
      told = { connection, level };
      connection.peer.request({ method: 'logging/setLevel', params: { level }, timeoutMs }).catch(() => undefined);
    },
  };
}
