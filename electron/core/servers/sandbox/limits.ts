/** Finds the limits of a server's process: those in its configuration, or with `sandbox: auto` predicted ones. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxLimits } from '../../../../shared/model/sandbox.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import type { Host } from '../../host.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import type { Limits, ServerHandleOptions } from '../types.ts';
import { predictedLimits } from './predicted-limits.ts';

/** Undefined if the server is not to be confined. */
export function limitsOf(
  { name, sandbox }: ServerConfig,
  connection: ResolvedConnection,
  { host, mayReach }: Pick<ServerHandleOptions, 'host' | 'mayReach'>,
): Limits | undefined {
  if (sandbox !== 'auto') return sandboxLimits(sandbox);
  if (connection.type !== 'stdio') return undefined;
  return { ...predictedLimits(connection, host), mayReach, keeps: keptFolder(name, host) };
}

/** The folder is deleted by the user, because it may hold the server's data. */
function keptFolder(server: string, { dataDir }: Host): string {
  const name = createHash('sha256').update(server).digest('hex').slice(0, 16);
  const folder = join(dataDir, 'sandboxes', name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
