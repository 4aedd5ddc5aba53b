/** Starts the new version of a server once, apart from the user's data, to see which tools it has. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { npmCacheOf } from '../registry/npmrc.ts';
import { requireRecorded } from '../registry/verify-start.ts';
import { escapePlaceholders } from '../secrets/placeholders.ts';
import { resolveConnection } from '../secrets/resolve.ts';
import { type Discovered, type DiscoverOptions, discover } from '../tools/discovery/discovery.ts';
import { createServerHandle } from './lifecycle/create-server.ts';
import type { ServerHandleOptions } from './types.ts';

/** In place of every secret. */
const standIn = 'gatehouse-stand-in';

/**
 * Ends when the server has stopped again. The server gets no secret and no sign-in, and its home folder is empty. It is no
 * sandbox: the server runs with the rights of the user.
 */
export async function rehearseServer(
  config: ServerConfig,
  { authorization: _, ...options }: ServerHandleOptions,
  discovery: DiscoverOptions,
): Promise<Discovered> {
  const { host } = options;
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-rehearsal-'));
  const handle = createServerHandle(await apart(config, folder, host), {
    ...options,
    // The behavior of the new version must not change what is known of the installed one.
    host: { ...host, store: { get: host.store.get, set: () => undefined } },
    async resolve(connection) {
      await requireRecorded(config, host);
      return resolveConnection(connection, { env: {}, homeDir: host.homeDir, stored: { get: () => standIn } });
    },
  });
  try {
    return await discover(handle, discovery);
  } finally {
    await handle.stop();
    // Whatever the server left there, such as files without the right to delete them, must not hide the result.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
  }
}

async function apart(config: ServerConfig, folder: string, host: ServerHandleOptions['host']): Promise<ServerConfig> {
  const { connection } = config;
  if (connection.type !== 'stdio') return config;
  const home = escapePlaceholders(folder);
  const paths = await ofPrograms(host);
  const folders = ['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];
  const variables = {
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, escapePlaceholders(path)])),
    ...connection.env,
    ...Object.fromEntries(folders.map((name) => [name, home])),
  };
  return { ...config, connection: { ...connection, env: variables, cwd: connection.cwd ?? home } };
}

/** The programs that download packages keep their settings, which say where packages come from, and their caches. */
const ofPrograms = async ({ homeDir, platform, env }: ServerHandleOptions['host']) => ({
  npm_config_userconfig: join(homeDir, '.npmrc'),
  npm_config_cache: await npmCacheOf({ homeDir, platform, env }),
  DOCKER_CONFIG: join(homeDir, '.docker'),
  GOPATH: env.GOPATH || join(homeDir, 'go'),
});
