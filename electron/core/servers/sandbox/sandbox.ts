/**
 * Confines a server's process with bubblewrap: new namespaces, no network of its own, and a file system that contains only
 * system folders, an empty home folder and what the server needs. Nothing starts if that is not possible.
 */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import which from 'which';
import { fail } from '../../../../shared/failure.ts';
import type { Host } from '../../host.ts';
import type { Launch } from '../connection/spawn-server.ts';
import type { Limits } from '../types.ts';
import { isWithin, neededPaths, systemFolders } from './needed-paths.ts';
import { startNetworkProxy } from './network-proxy.ts';

export interface Confinement {
  host: Host;
  server: string;
  limits: Limits;
  /** Reports a host that the server tried to reach. */
  onRefused(target: string): void;
}

export interface ConfinedLaunch extends Launch {
  /** Closes the server's network. Call this when the process has ended, or was not started. */
  release(): void;
}

const namespaces = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'];
const system = [
  ...systemFolders.flatMap((folder) => ['--ro-bind-try', folder, folder]),
  ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
];
const proxySocket = '/run/toolkeep-proxy';
const proxyPort = 3128;
/** The state `0A` is LISTEN. The network namespace contains no other sockets. */
const isListening = `grep -q ':${proxyPort.toString(16).toUpperCase().padStart(4, '0')} .* 0A ' /proc/net/tcp`;
/** Runs the server when the port that leads to the proxy is open. `$1` is socat. */
const withProxy = `"$1" TCP-LISTEN:${proxyPort},bind=127.0.0.1,fork UNIX-CONNECT:${proxySocket} >/dev/null 2>&1 &
until ${isListening}; do
  kill -0 $! 2>/dev/null || { echo 'socat ended, so there is no network.' >&2; exit 1; }
  sleep 0.01
done
shift
exec "$@"`;

const run = promisify(execFile);
const probeTimeoutMs = 10_000;

/** `cwd` is the one that the configuration gives. Rejects with SERVER_SPAWN_FAILED if the server cannot be confined. */
export async function confine(
  launch: Launch,
  cwd: string | undefined,
  confinement: Confinement,
): Promise<ConfinedLaunch> {
  const { host, server, limits, onRefused } = confinement;
  const allowed = limits.network.allow;
  const hasNetwork = allowed.length > 0 || limits.mayReach !== undefined;
  if (host.platform !== 'linux') throw refused(server, 'Toolkeep can confine servers only on Linux');
  const bubblewrap = await programOf('bwrap', 'bubblewrap', confinement);
  const socat = hasNetwork ? await programOf('socat', 'socat', confinement) : undefined;
  await probe(bubblewrap, server);
  const binds = bindArguments(launch, cwd, confinement);
  const proxy = socat === undefined ? undefined : await startNetworkProxy({ allowed, ...limits, onRefused });
  const network = proxy ? ['--bind', proxy.socket, proxySocket] : [];
  const start = socat === undefined ? [] : ['/bin/sh', '-c', withProxy, 'sh', socat];
  return {
    command: bubblewrap,
    args: [
      ...[...namespaces, ...system, ...binds, ...network, '--chdir', launch.cwd, '--'],
      ...[...start, launch.command, ...launch.args],
    ],
    // The working directory of bubblewrap itself; the server's may exist only for the server.
    cwd: '/',
    env: confinedEnvironment(launch.env, confinement, proxy !== undefined),
    release: () => proxy?.close(),
  };
}

/** Looks only in the user's own PATH, because the server's PATH may come from others. */
async function programOf(command: string, name: string, { host, server }: Confinement): Promise<string> {
  const found = await which(command, { path: host.env.PATH ?? '', nothrow: true });
  if (found !== null) return found;
  const hint = `Install it (Debian, Ubuntu: \`sudo apt install ${name}\`), or remove \`sandbox\` from the server's configuration.`;
  throw refused(server, `${name} was not found`, hint);
}

/** Some systems forbid the namespaces. bubblewrap then says why. */
async function probe(bubblewrap: string, server: string): Promise<void> {
  try {
    await run(bubblewrap, [...namespaces, ...system, '--', '/bin/sh', '-c', ':'], { timeout: probeTimeoutMs });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const reason = stderr
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^bwrap: /, '')
      .slice(0, 300);
    const hint =
      'Allow bubblewrap to create user namespaces: on Ubuntu, install `apparmor-profiles`, copy /usr/share/apparmor/extra-profiles/bwrap-userns-restrict to /etc/apparmor.d, and run `sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`.';
    throw refused(server, `bubblewrap does not work here (${reason || 'it ended without a message'})`, hint);
  }
}

interface Bind {
  path: string;
  isWritable: boolean;
}

/** Mounts the files that the server sees besides system folders. Later arguments win, so outer folders come first. */
function bindArguments(launch: Launch, cwd: string | undefined, confinement: Confinement): string[] {
  const { host, limits } = confinement;
  const own = [...new Set([host.homeDir, host.dataDir].flatMap((folder) => [folder, realpathSync(folder)]))];
  const { read, write } = limits.files;
  const bind = (isWritable: boolean) => (path: string) => ({ path, isWritable });
  const needed = neededPaths({ ...launch, cwd, path: launch.env.PATH }, own).filter((path) => isUsable(path, host));
  const listed = (paths: readonly string[]) => paths.map((path) => listedPath(path, own, confinement));
  const binds = [...[...needed, ...listed(read)].map(bind(false)), ...listed(write).map(bind(true))];
  const kept = limits.keeps === undefined ? [] : ['--bind', limits.keeps, keptFolder];
  return [...own.flatMap((folder) => ['--tmpfs', folder]), ...kept, ...arranged(binds, own)];
}

/** A server may see no files of Toolkeep except the installed programs. */
function isUsable(path: string, { dataDir }: Host): boolean {
  const real = realpathSync(path);
  const own = realpathSync(dataDir);
  return !isWithin(own, real) || isWithin(join(own, 'bundles'), real);
}

/** A path of the configuration. The whole home folder and Toolkeep's own files are never visible. */
function listedPath(written: string, own: readonly string[], { host, server }: Confinement): string {
  const path = written.startsWith('~/') ? join(host.homeDir, written.slice(2)) : join(written);
  const hint = "Correct the paths in `sandbox.files` of the server's configuration.";
  if (!existsSync(path)) throw refused(server, `${path} does not exist`, hint);
  const real = realpathSync(path);
  const isTooWide = [path, real].some((one) => own.some((folder) => isWithin(one, folder)));
  if (isTooWide || isWithin(realpathSync(host.dataDir), real))
    throw refused(server, `${path} contains your home folder or files of Toolkeep`, hint);
  return path;
}

/** Mounts real paths only, so that a link shows the same files and no others; links to them are created again. */
function arranged(binds: readonly Bind[], own: readonly string[]): string[] {
  const writable = new Map<string, boolean>();
  const links = new Map<string, string>();
  for (const { path, isWritable } of binds) {
    const real = realpathSync(path);
    writable.set(real, isWritable || writable.get(real) === true);
    if (real !== path) links.set(path, real);
  }
  const kept: string[] = [];
  const isSystem = (path: string) =>
    systemFolders.some((folder) => isWithin(folder, path)) && !own.some((folder) => isWithin(folder, path));
  const isVisible = (path: string) => isSystem(path) || kept.some((folder) => isWithin(folder, path));
  const mounts = [...writable].sort(([a], [b]) => a.length - b.length);
  const args = mounts.flatMap(([path, isWritable]) => {
    // A path in a writable folder may be a link by the next start, which must not make its target visible.
    const isCovered = isWritable ? kept.some((one) => isWithin(one, path) && writable.get(one)) : isVisible(path);
    if (isCovered) return [];
    kept.push(path);
    return [isWritable ? '--bind' : '--ro-bind', path, path];
  });
  const missing = [...links].filter(([path]) => !isVisible(path));
  return [...args, ...missing.flatMap(([path, real]) => ['--symlink', real, path])];
}

/** Where a server finds its own folder. Nothing else is mounted inside. */
const keptFolder = '/var/lib/server';
const kept = (folder: string) => ({
  ...{ XDG_CACHE_HOME: `${folder}/cache`, XDG_CONFIG_HOME: `${folder}/config`, XDG_DATA_HOME: `${folder}/data` },
  ...{ XDG_STATE_HOME: `${folder}/state`, npm_config_cache: `${folder}/npm`, UV_CACHE_DIR: `${folder}/uv` },
});

const replacedNames =
  /^(?:HOME|TMPDIR|TMP|TEMP|XDG_(?:CONFIG|CACHE|DATA|STATE)_HOME|XDG_RUNTIME_DIR|(?:HTTPS?|ALL|NO)_PROXY|NODE_USE_ENV_PROXY)$/i;

function confinedEnvironment(
  env: Launch['env'],
  { host: { homeDir }, limits }: Confinement,
  hasNetwork: boolean,
): Launch['env'] {
  const inherited = Object.entries(env).filter(([name]) => !replacedNames.test(name));
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const local = 'localhost,127.0.0.1';
  return {
    ...Object.fromEntries(inherited),
    ...{ HOME: homeDir, TMPDIR: '/tmp' },
    ...(limits.keeps !== undefined && kept(keptFolder)),
    ...(hasNetwork && {
      ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy },
      ...{ NO_PROXY: local, no_proxy: local, NODE_USE_ENV_PROXY: '1' },
    }),
  };
}

function refused(
  server: string,
  reason: string,
  hint = "Remove `sandbox` from the server's configuration to start it unconfined.",
) {
  return fail('SERVER_SPAWN_FAILED', `"${server}" cannot be confined, so it was not started: ${reason}.`, {
    server,
    hint,
  });
}
