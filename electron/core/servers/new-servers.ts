/** Confines a server that the user adds, if this computer can and the server probably works so. */
import type { Connection, ServerConfig, ServerView } from '../../../shared/model/server.ts';
import type { Config } from '../config/schema.ts';
import type { Host } from '../host.ts';
import { storedServer } from '../registry/journal.ts';
import { enoughStarts, erasOf } from './lifecycle/eras.ts';
import { knownObstacle, whyNotHere } from './sandbox/engine.ts';
import { whyUnsuited } from './unsuited.ts';

interface Context {
  host: Pick<Host, 'platform' | 'env'>;
  config(): Pick<Config, 'sandbox'>;
}

/** The one place that decides it, for the window, imports, registries, bundles and setup files. A choice of the user is kept. */
export async function confineNew(server: ServerConfig, context: Context): Promise<ServerConfig> {
  const { sandbox, connection } = server;
  if (sandbox !== undefined || connection.type !== 'stdio') return server;
  return (await whyNewUnconfined(connection, context)) === undefined ? { ...server, sandbox: 'auto' } : server;
}

/** Why a local server that the user adds will not be confined. Undefined if it will be. */
export async function whyNewUnconfined(connection: Connection, { host, config }: Context): Promise<string | undefined> {
  if (config().sandbox.newServers === 'off') return 'the setting `sandbox.newServers` is `off`';
  return whyUnsuited(connection) ?? whyNotHere(host);
}

/** Why a local server is not confined, and whether Toolkeep offers to confine it. Undefined if its configuration confines it. */
export function unconfinedView(
  { name, sandbox, connection }: ServerConfig,
  host: Pick<Host, 'platform' | 'env' | 'store'>,
): ServerView['unconfined'] {
  if (sandbox || connection.type !== 'stdio') return undefined;
  const reason = knownObstacle(host) ?? whyUnsuited(connection);
  if (reason !== undefined) return { reason, isOffered: false };
  const isUsed = sandbox === undefined && (erasOf(host.store).get(name)?.starts ?? 0) >= enoughStarts;
  return { isOffered: isUsed && storedServer(host, name) !== undefined };
}
