/** Finds the limits of a server's process: those in its configuration, and with `auto` also predicted ones. */
import { mkdirSync } from 'node:fs';
import { sandboxLimits } from '../../../../shared/model/sandbox.ts';
import type { Connection, ServerConfig } from '../../../../shared/model/server.ts';
import { plainSecrets } from '../../secrets/plain-secrets.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import { keptFolder } from '../kept-folders.ts';
import type { Limits, ServerHandleOptions } from '../types.ts';
import { isPublicName } from './allowed-hosts.ts';
import { predictedLimits } from './predicted-limits.ts';

/** Undefined if the server is not to be confined. */
export function limitsOf(
  { name, sandbox, registry }: ServerConfig,
  connection: ResolvedConnection,
  {
    host,
    mayReach,
    report,
    keeps = keptFolder(name, host),
  }: Pick<ServerHandleOptions, 'host' | 'mayReach' | 'report' | 'keeps'>,
): Limits | undefined {
  const given = sandboxLimits(sandbox);
  if (!given || connection.type !== 'stdio') return undefined;
  const { secrets = [], ...plain } = connection;
  const values = [...secrets, ...plainSecrets(plain as Connection).map(({ value }) => value)];
  const limits = { ...given, values: [...new Set(values)], report };
  if (!given.auto) return limits;
  mkdirSync(keeps, { recursive: true, mode: 0o700 });
  const { files, network, secretHosts } = predictedLimits(connection, host);
  const declared = (registry?.wants?.declaredHosts ?? []).filter(isPublicName);
  return {
    ...limits,
    files: { read: [...given.files.read, ...files.read], write: [...given.files.write, ...files.write] },
    network: { ...given.network, allow: [...given.network.allow, ...network.allow, ...declared] },
    secretHosts,
    mayReach,
    keeps,
  };
}
