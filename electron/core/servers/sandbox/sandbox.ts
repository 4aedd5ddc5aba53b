/**
 * Confines a server's process with bubblewrap: new namespaces, no network of its own, and a file system that contains only
 * system folders, an empty home folder and what the server needs. Nothing starts if that is not possible.
 */
import type { Launch } from '../connection/spawn-server.ts';
import { type Confinement, refused } from './confinement.ts';
import { findEngine, isContainer, requireSystem, system } from './engine.ts';
import {
  installLaunch,
  isInstalled,
  npxPackages,
  recordInstalled,
  registryNetwork,
  registrySettings,
} from './install-package.ts';
import { keptFolder, mountsOf } from './mounts.ts';
import { withProxyAwareNode } from './proxy-aware-node.ts';
import { insideLaunch, runToEnd } from './run-inside.ts';
import { startNetwork } from './server-network.ts';
import { withStandIns } from './stand-ins.ts';

export interface ConfinedLaunch extends Launch {
  /** Closes the server's network. Call this when the process has ended, or was not started. */
  release(): void;
}

const installTimeoutMs = 10 * 60_000;
const versionTimeoutMs = 5_000;

/** `cwd` is the one that the configuration gives. Rejects with SERVER_SPAWN_FAILED if the server cannot be confined. */
export async function confine(
  given: Launch,
  cwd: string | undefined,
  confinement: Confinement,
): Promise<ConfinedLaunch> {
  const { host, server, limits } = confinement;
  requireSystem(host, server);
  if (isContainer(given.command))
    throw refused(server, 'it runs in a container, whose limits the sandbox does not change');
  const { keeps } = limits;
  const packages = keeps === undefined ? undefined : npxPackages(given);
  const launch = packages ? { ...given, env: { ...(await registrySettings(packages, host)), ...given.env } } : given;
  if (keeps !== undefined && packages && !isInstalled(packages, keeps))
    await install(packages, launch, cwd, confinement);
  return confinedLaunch(launch, cwd, confinement, packages ? { npm_config_offline: 'true' } : {});
}

/** Rejects if the packages cannot be installed. */
async function install(packages: string[], launch: Launch, cwd: string | undefined, confinement: Confinement) {
  const { server, limits, onProblem } = confinement;
  const { keeps, values = [] } = limits;
  const installing = installLaunch(launch, packages, values);
  const network = registryNetwork(launch.env);
  const { release, ...confined } = await confinedLaunch(installing, cwd, {
    ...confinement,
    limits: { files: limits.files, network, ...(keeps !== undefined && { keeps }) },
    onProblem,
  });
  try {
    await runToEnd(confined, installTimeoutMs);
    if (keeps !== undefined) await recordInstalled(packages, keeps);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(-500);
    const hint = `Check the name of the package and the connection to the registry, and start "${server}" again.`;
    throw refused(server, `npx could not install ${packages.join(', ')} (${reason})`, hint);
  } finally {
    release();
  }
}

async function confinedLaunch(
  given: Launch,
  cwd: string | undefined,
  confinement: Confinement,
  more: Launch['env'] = {},
): Promise<ConfinedLaunch> {
  const { server, limits } = confinement;
  requireSingleValues(given.env, server);
  const hasNetwork = limits.network.allow.length > 0 || limits.mayReach !== undefined;
  const { bubblewrap, socat } = await findEngine(confinement.host, server, hasNetwork);
  const mounts = mountsOf(given, cwd, confinement);
  const versionOf = (program: string) => {
    const options = [...system, ...mounts.args];
    const env = confinedEnvironment({ PATH: given.env.PATH ?? '' }, confinement);
    return runToEnd(insideLaunch({ bubblewrap, options, env, command: [program, '--version'] }), versionTimeoutMs);
  };
  const { launch, args, old } = hasNetwork ? await withProxyAwareNode(given, versionOf) : { launch: given, args: [] };
  if (old !== undefined)
    confinement.onProblem(
      'node',
      `Its Node.js ${old} ignores the proxy, so its requests reach no host. Install Node.js 22.21 or newer.`,
    );
  const { launch: inside, standIns, held } = withStandIns(launch, limits);
  const { NODE_OPTIONS: nodeOptions = '' } = inside.env;
  const network = socat === undefined ? undefined : await startNetwork(socat, standIns, nodeOptions, confinement);
  limits.report?.started({
    may: {
      read: mounts.paths.flatMap(({ path, isWritable }) => (isWritable ? [] : path)),
      write: mounts.paths.flatMap(({ path, isWritable }) => (isWritable ? path : [])),
      reach: limits.network.allow,
      ask: limits.mayReach !== undefined,
    },
    standIns: standIns.map(({ name }) => name),
    held,
  });
  return {
    ...insideLaunch({
      bubblewrap,
      options: [...system, ...mounts.args, ...args, ...(network?.args ?? []), '--chdir', given.cwd],
      env: { ...confinedEnvironment(inside.env, confinement), ...network?.env, ...more },
      command: [...(network?.start ?? []), launch.command, ...inside.args],
    }),
    release: () => network?.close(),
  };
}

/** Each value becomes one argument of bubblewrap, which a NUL would end. */
function requireSingleValues(env: Launch['env'], server: string): void {
  const found = Object.entries(env).find((entry) => entry.some((text) => text.includes('\0')));
  if (found)
    throw refused(server, `the variable ${JSON.stringify(found[0])} contains a NUL character`, 'Remove the character.');
}

const kept = (folder: string) => ({
  ...{ XDG_CACHE_HOME: `${folder}/cache`, XDG_CONFIG_HOME: `${folder}/config`, XDG_DATA_HOME: `${folder}/data` },
  ...{ XDG_STATE_HOME: `${folder}/state`, npm_config_cache: `${folder}/npm`, UV_CACHE_DIR: `${folder}/uv` },
});

const replacedNames =
  /^(?:HOME|TMPDIR|TMP|TEMP|XDG_(?:CONFIG|CACHE|DATA|STATE)_HOME|XDG_RUNTIME_DIR|(?:HTTPS?|ALL|NO)_PROXY|NODE_USE_ENV_PROXY)$/i;

function confinedEnvironment(env: Launch['env'], { host: { homeDir }, limits }: Confinement): Launch['env'] {
  const inherited = Object.entries(env).filter(([name]) => !replacedNames.test(name));
  return {
    ...Object.fromEntries(inherited),
    ...{ HOME: homeDir, TMPDIR: '/tmp' },
    ...(limits.keeps !== undefined && kept(keptFolder)),
  };
}
