/** Sets a legacy server's log level. In the modern era, each request contains it (see input-required.ts). */
import type { Connection } from './connection.ts';

export interface LogLevelSync {
  /** Call this for a new connection, or when the level may have changed. Never fails. */
  update(connection: Connection | undefined): void;
}

/** `wantedLevel` is read at each update; undefined leaves the choice to the server. */
export function createLogLevelSync(wantedLevel: () => string | undefined, timeoutMs: number): LogLevelSync {
  let sent: { connection: Connection; level: string } | undefined;
  return {
    update(connection) {
      const level = wantedLevel();
      if (!connection || level === undefined || connection.info.era !== 'legacy') return;
      if (!connection.info.capabilities.logging) return;
      if (sent?.connection === connection && sent.level === level) return;
      sent = { connection, level };
      connection.peer.request({ method: 'logging/setLevel', params: { level }, timeoutMs }).catch(() => undefined);
    },
  };
}
