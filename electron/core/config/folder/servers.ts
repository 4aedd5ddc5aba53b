/**
 * Prepares a folder's servers. They cannot use the user's secrets or environment without asking, and cannot replace the
 * user's servers.
 */
import { resolve } from 'node:path';
import { folderSource, type ServerConfig } from '../../../../shared/model/server.ts';
import type { TrustEffects } from '../../../../shared/model/trust.ts';
import { referencesToInputs } from '../../secrets/vault.ts';
import type { Config } from '../schema.ts';
import { isInside } from './content.ts';
import { describeServer } from './describe-server.ts';
import type { FolderSide, UserSide } from './sides.ts';

export function addFolderServers(
  user: UserSide,
  folder: FolderSide,
  effects: TrustEffects,
): { servers: ServerConfig[]; sources: Config['sources'] } {
  const taken = new Set([...user.servers, ...user.config.servers.map(({ name }) => name)]);
  const servers = folder.config.servers
    .filter(({ name }) => {
      if (taken.has(name)) effects.ignored.push(`server "${name}": you already have a server with this name`);
      return !taken.has(name);
    })
    .map((server) => prepareServer(server, folder, effects));
  effects.adds.push(...servers.map(describeServer));
  for (const { type, path } of folder.config.sources)
    effects.adds.push(`the servers in ${path || `the config file of ${type}`} (environment: minimal)`);
  return { servers, sources: folder.config.sources };
}

function prepareServer(server: ServerConfig, { folder, file, files }: FolderSide, effects: TrustEffects): ServerConfig {
  const { connection, ...rest } = referencesToInputs(server);
  const origins = [{ source: folderSource, file }];
  if (connection.type !== 'stdio') return { ...rest, connection, origins };
  if (connection.environment === 'shell')
    effects.ignored.push(`environment of server "${server.name}": servers of a folder do not get your environment`);
  const cwd = resolve(folder, connection.cwd ?? '.');
  const envFile = connection.envFile === undefined ? undefined : resolve(cwd, connection.envFile);
  const isTrusted =
    envFile !== undefined && isInside(folder, envFile) && files.some((one) => resolve(folder, one) === envFile);
  if (envFile !== undefined && !isTrusted)
    effects.ignored.push(`envFile of server "${server.name}": ${connection.envFile} is not a file of this folder`);
  return { ...rest, connection: { ...connection, cwd, envFile: isTrusted ? envFile : undefined }, origins };
}
