/** Finds the limits of a server's process: those in its configuration, and with `auto` also predicted ones. */
import { mkdirSync, realpathSync } from 'node:fs';
import { sandboxLimits } from '../../../../shared/model/sandbox.ts';
import type { Connection, ServerConfig } from '../../../../shared/model/server.ts';
import { plainSecrets } from '../../secrets/plain-secrets.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import { keptFolder } from '../kept-folders.ts';
import type { Limits, ServerHandleOptions } from '../types.ts';
import { isPublicName } from './allowed-hosts.ts';
import { isOffered } from './offered-paths.ts';
import { predictedLimits } from './predicted-limits.ts';

/** Undefined if the server is not to be confined. */
export function limitsOf(
  { name, sandbox, registry }: ServerConfig,
  connection: ResolvedConnection,
  {
    host,
    mayReach,
    report,
    folders,
    keeps = keptFolder(name, host),
  }: Pick<ServerHandleOptions, 'host' | 'mayReach' | 'folders' | 'report' | 'keeps'>,
): Limits | undefined {
  const given = sandboxLimits(sandbox);
  if (!given || connection.type !== 'stdio') return undefined;
  const { secrets = [], ...plain } = connection;
  const values = [...secrets, ...plainSecrets(plain as Connection).map(({ value }) => value)];
  const limits = { ...given, values: [...new Set(values)], report };
  if (!given.auto) return limits;
  mkdirSync(keeps, { recursive: true, mode: 0o700 });
  const { files, network, secretHosts } = predictedLimits(connection, host);
  // A folder that is gone, or that has become a link to another one, is not the one that the user allowed.
  const opened = (folders?.allowed() ?? []).filter((folder) => isReal(folder) && isOffered(folder, host));
  const declared = (registry?.wants?.declaredHosts ?? []).filter(isPublicName);
  return {
    ...limits,
    files: { read: [...given.files.read, ...files.read], write: [...given.files.write, ...files.write, ...opened] },
    network: { ...given.network, allow: [...given.network.allow, ...network.allow, ...declared] },
    secretHosts,
    mayReach,
    keeps,
  };
}

function isReal(folder: string): boolean {
  try {
    return realpathSync(folder) === folder;
  } catch {
    return false;
  }
}
