/** Sets a legacy server's log level. In the modern era, each request contains it (see input-required.ts). */
import type { Connection } from './connection.ts';

/**
 * Returns a function to call for a new connection, or when the level may have changed. It never fails. `wantedLevel` is read
 * at each call; undefined leaves the choice to the server.
 */
export function createLogLevelSync(wantedLevel: () => string | undefined, timeoutMs: number) {
  let sent: { connection: Connection; level: string } | undefined;
  return (connection: Connection | undefined): void => {
    const level = wantedLevel();
    if (!connection || level === undefined || connection.info.era !== 'legacy') return;
    if (!connection.info.capabilities.logging) return;
    if (sent?.connection === connection && sent.level === level) return;
    sent = { connection, level };
    connection.peer.request({ method: 'logging/setLevel', params: { level }, timeoutMs }).catch(() => undefined);
  };
}
