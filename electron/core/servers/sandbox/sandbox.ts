/**
 * Confines a server's process with bubblewrap: new namespaces, no network of its own, and a file system that contains only
 * system folders, an empty home folder and what the server needs. Nothing starts if that is not possible.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Launch } from '../connection/spawn-server.ts';
import { type Confinement, refused } from './confinement.ts';
import { findEngine, isContainer, namespaces, requireSystem, system } from './engine.ts';
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
import { startNetwork } from './server-network.ts';
import { withStandIns } from './stand-ins.ts';
import { withFilter } from './system-calls.ts';

export interface ConfinedLaunch extends Launch {
  /** Closes the server's network. Call this when the process has ended, or was not started. */
  release(): void;
}

const run = promisify(execFile);
const installTimeoutMs = 10 * 60_000;
const maxInstallOutput = 10 * 1024 * 1024;

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
  const confined = await confinedLaunch(launch, cwd, confinement);
  return packages ? { ...confined, env: { ...confined.env, npm_config_offline: 'true' } } : confined;
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
  const options = { cwd: confined.cwd, env: confined.env, timeout: installTimeoutMs, maxBuffer: maxInstallOutput };
  try {
    await run(confined.command, confined.args, { ...options, killSignal: 'SIGKILL' });
    if (keeps !== undefined) await recordInstalled(packages, keeps);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = (stderr.trim() || message).slice(-500);
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
): Promise<ConfinedLaunch> {
  const { server, limits } = confinement;
  const hasNetwork = limits.network.allow.length > 0 || limits.mayReach !== undefined;
  const { bubblewrap, socat } = await findEngine(confinement.host, server, hasNetwork);
  const mounts = mountsOf(given, cwd, confinement);
  const { launch, args, old } = hasNetwork ? await withProxyAwareNode(given) : { launch: given, args: [] };
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
  const options = [
    ...[...namespaces, ...system, ...mounts.args, ...args, ...(network?.args ?? []), '--chdir', given.cwd, '--'],
    ...[...(network?.start ?? []), launch.command, ...inside.args],
  ];
  return {
    ...withFilter(bubblewrap, options, confinement.host),
    // The working directory of bubblewrap itself; the server's may exist only for the server.
    cwd: '/',
    env: { ...confinedEnvironment(inside.env, confinement), ...network?.env },
    release: () => network?.close(),
  };
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
