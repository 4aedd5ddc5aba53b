/** Starts the new version of a server once, without the user's data, to find out which tools it has. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { exists } from '../files/exists.ts';
import { npmCacheOf } from '../registry/npmrc.ts';
import { uvSettingsOf } from '../registry/uv-settings.ts';
import { requireRecorded } from '../registry/verify-start.ts';
import { escapePlaceholders } from '../secrets/placeholders.ts';
import { resolveConnection } from '../secrets/resolve.ts';
import { type Discovered, type DiscoverOptions, discover } from '../tools/discovery/discovery.ts';
import { createServerHandle } from './lifecycle/create-server.ts';
import type { ServerHandleOptions } from './types.ts';

/** The value that replaces every secret. */
const standIn = 'toolkeep-stand-in';

/**
 * Resolves when the server has stopped again. The server gets no secrets, no sign-in and an empty home folder. Unless the
 * configuration confines the server, it runs with the user's permissions.
 */
export async function rehearseServer(
  config: ServerConfig,
  { authorization: _, ...options }: ServerHandleOptions,
  discovery: DiscoverOptions,
): Promise<Discovered> {
  const { host } = options;
  const folder = await mkdtemp(join(tmpdir(), 'toolkeep-rehearsal-'));
  const isolatedOptions: ServerHandleOptions = {
    ...options,
    keeps: join(folder, 'kept'),
    // The behavior of the new version must not change the stored facts about the installed version.
    host: { ...host, store: { ...host.store, set: () => undefined } },
    async resolve(connection) {
      await requireRecorded(config, host);
      return resolveConnection(connection, { env: {}, homeDir: host.homeDir, stored: { get: () => standIn } });
    },
  };
  try {
    return await listOnce(await isolated(config, folder, host), isolatedOptions, discovery);
  } finally {
    // Ignore errors: files that cannot be deleted must not hide the result.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
  }
}

/** Resolves when the server has stopped again. */
export async function listOnce(
  config: ServerConfig,
  options: ServerHandleOptions,
  discovery: DiscoverOptions,
): Promise<Discovered> {
  const handle = createServerHandle(config, options);
  try {
    return await discover(handle, discovery);
  } finally {
    await handle.stop();
  }
}

async function isolated(
  config: ServerConfig,
  folder: string,
  host: ServerHandleOptions['host'],
): Promise<ServerConfig> {
  const { connection } = config;
  if (connection.type !== 'stdio') return config;
  const home = escapePlaceholders(folder);
  const paths = await packageManagerVariables(host);
  const folders = ['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];
  const standIns = {
    ...Object.fromEntries(folders.map((name) => [name, folder])),
    ...(host.platform === 'win32' && (await windowsFolders(folder))),
  };
  const escaped = (variables: Record<string, string>) =>
    Object.fromEntries(Object.entries(variables).map(([name, path]) => [name, escapePlaceholders(path)]));
  const variables = { ...escaped(paths), ...connection.env, ...escaped(standIns) };
  return { ...config, connection: { ...connection, env: variables, cwd: connection.cwd ?? home } };
}

/** Creates the folders in which programs on Windows keep their data. */
async function windowsFolders(home: string): Promise<Record<string, string>> {
  const [roaming, local] = [join(home, 'AppData', 'Roaming'), join(home, 'AppData', 'Local')];
  // `npx` fails without its folder there.
  await mkdir(join(roaming, 'npm'), { recursive: true });
  await mkdir(local, { recursive: true });
  return { APPDATA: roaming, LOCALAPPDATA: local };
}

/** Lets package managers keep their settings, which say where packages come from, and their caches. */
async function packageManagerVariables({
  homeDir,
  platform,
  env,
}: ServerHandleOptions['host']): Promise<Record<string, string>> {
  const uv = uvSettingsOf({ homeDir, platform, env });
  return {
    npm_config_userconfig: join(homeDir, '.npmrc'),
    npm_config_cache: await npmCacheOf({ homeDir, platform, env }),
    DOCKER_CONFIG: join(homeDir, '.docker'),
    GOPATH: env.GOPATH || join(homeDir, 'go'),
    // uv fails if the file is missing.
    ...((await exists(uv)) && { UV_CONFIG_FILE: uv }),
  };
}
