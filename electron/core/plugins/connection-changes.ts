/** Lets the plug-ins' `beforeDiscovery` change the connection of a server that is about to start. */
import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { type Connection, connectionSchema } from '../../../shared/model/server.ts';
import { runHook } from './hooks.ts';
import type { DiscoveryPlugin } from './plugin-api.ts';

const parts = {
  stdio: ['command', 'args', 'env', 'cwd'],
  http: ['url', 'headers'],
  sse: ['url', 'headers'],
} as const;

/**
 * The connection after all plug-ins, and notes that name each change without its value, and each failure. Rejects with
 * PLUGIN_FAILED if a plug-in fails that restricts access.
 */
export async function changedConnection(
  plugins: readonly DiscoveryPlugin[],
  server: string,
  connection: Connection,
): Promise<{ connection: Connection; notes: string[] }> {
  const notes: string[] = [];
  const { signal } = new AbortController();
  let current = connection;
  for (const plugin of plugins) {
    if (!plugin.beforeDiscovery || plugin.name === server) continue;
    const given = current;
    const before = notes.length;
    await runHook(plugin, 'beforeDiscovery', server, signal, notes, async (context) => {
      const change = await plugin.beforeDiscovery?.(server, { ...context, connection: structuredClone(given) });
      if (!isObject(change)) return;
      current = withChange(given, change);
      const changed = parts[given.type].filter(
        (part) => !isDeepStrictEqual(partOf(given, part), partOf(current, part)),
      );
      if (changed.length > 0) notes.push(`Plug-in "${plugin.name}" changed the connection: ${changed.join(', ')}.`);
    });
    const failure = notes.slice(before).find((note) => note.startsWith('PLUGIN_FAILED'));
    if (failure !== undefined && plugin.onFailure === 'reject') throw fail('PLUGIN_FAILED', failure, { server });
  }
  return { connection: current, notes };
}

const partOf = (connection: Connection, part: string): unknown =>
  Object.entries(connection).find(([key]) => key === part)?.[1];

function withChange(connection: Connection, change: Record<string, unknown>): Connection {
  const known: readonly string[] = parts[connection.type];
  const unknown = Object.keys(change).filter((key) => !known.includes(key) && key !== 'type');
  if (unknown.length > 0 || (change.type ?? connection.type) !== connection.type)
    throw new Error(`it may only return ${known.join(', ')} for this server`);
  return connectionSchema.parse({ ...connection, ...change });
}
