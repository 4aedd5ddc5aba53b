/** The file system of a confined server: system folders, an empty home folder, and what the server needs. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Host } from '../../host.ts';
import type { Launch } from '../connection/spawn-server.ts';
import { type Confinement, refused } from './confinement.ts';
import { isWithin, leadsOut, neededPaths, systemFolders } from './needed-paths.ts';

/** Where a server finds its own folder. Nothing else is mounted inside. */
export const keptFolder = '/var/lib/server';

/** Where Node.js, Python, curl, git, Deno and the AWS SDKs find the authorities that they trust. */
export const certificateVariables =
  'NODE_EXTRA_CA_CERTS SSL_CERT_FILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO PIP_CERT DENO_CERT AWS_CA_BUNDLE'.split(
    ' ',
  );

interface Bind {
  path: string;
  isWritable: boolean;
}

/** Mounts the files that the server sees besides system folders. Later arguments win, so outer folders come first. */
export function mountsOf(launch: Launch, cwd: string | undefined, confinement: Confinement) {
  const { host, limits, onProblem } = confinement;
  const own = [...new Set([host.homeDir, host.dataDir].flatMap((folder) => [folder, realpathSync(folder)]))];
  const { read, write } = limits.files;
  const bind = (isWritable: boolean) => (path: string) => ({ path, isWritable });
  const changeable: string[] = [];
  /** An earlier start may have replaced what is in a folder that the server may change. */
  function isAllowed(path: string): boolean {
    const isOut = leadsOut(path, changeable);
    if (isOut)
      onProblem('files', `It does not see ${path}, because a link that it may have made there leads elsewhere.`);
    return !isOut;
  }
  const listed = (paths: readonly string[]) => paths.map((path) => listedPath(path, own, confinement));
  const writable = listed(write).toSorted((a, b) => a.length - b.length);
  const written = writable.filter((path) => isAllowed(path) && changeable.push(realpathSync(path)));
  const needed = neededPaths({ ...launch, cwd, path: launch.env.PATH }, own, isAllowed);
  const readable = [
    ...[...needed, ...certificateFiles(launch, host)].filter((path) => isUsable(path, host)),
    ...listed(read).filter(isAllowed),
  ];
  const binds = [...readable.map(bind(false)), ...written.map(bind(true))];
  const kept = limits.keeps === undefined ? [] : ['--bind', limits.keeps, keptFolder];
  return {
    /** Without those of the system and links. */
    paths: uniquePaths(binds),
    args: [
      ...withoutSockets(limits.files),
      ...own.flatMap((folder) => ['--tmpfs', folder]),
      ...kept,
      ...arranged(binds, own),
    ],
  };
}

/** The authorities of the user's company, for example. Only as the user's own environment names them: an entry could name a key. */
const certificateFiles = ({ env }: Launch, host: Host): string[] =>
  certificateVariables
    .flatMap((name) => (env[name] !== undefined && env[name] === host.env[name] ? env[name] : []))
    .filter((path) => isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true);

/**
 * Hides the sockets in system folders, which lead to programs outside of the sandbox, such as the Nix daemon. If a folder
 * contains nothing else, hides it, because the program may create its socket again.
 */
function withoutSockets({ read, write }: Confinement['limits']['files']): string[] {
  const rows = readFileSync('/proc/self/net/unix', 'utf8').split('\n');
  const sockets = new Set(rows.flatMap((row) => / (\/.+)$/.exec(row)?.[1] ?? []));
  const folders = systemFolders.filter(existsSync).map((folder) => ({ folder, real: realpathSync(folder) }));
  return [...sockets].flatMap((path) => {
    const isSystem = folders.some(({ folder, real }) => isWithin(folder, path) || isWithin(real, path));
    if (!isSystem || !existsSync(path) || [...read, ...write].some((one) => isWithin(one, path))) return [];
    const socket = realpathSync(path);
    const isAlone = hasOnlySockets(dirname(socket));
    // `/bin` and `/usr/bin` may be the same folder.
    return folders.flatMap(({ folder, real }) => {
      if (!isWithin(real, socket)) return [];
      const inside = folder + socket.slice(real.length);
      return isAlone ? ['--tmpfs', dirname(inside)] : ['--ro-bind', '/dev/null', inside];
    });
  });
}

function hasOnlySockets(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).every((one) => one.isSocket());
  } catch {
    return false;
  }
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

const uniquePaths = (binds: readonly Bind[]) => [...new Map(binds.map((bind) => [bind.path, bind])).values()];
