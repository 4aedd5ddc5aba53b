/** Finds the user's files that a container's arguments give it access to. */
import { posix } from 'node:path';
import { shown, type Template } from './template.ts';

/** Where container runtimes keep their sockets. A container with access to one controls the whole computer. */
const programs = ['/docker', '/podman', '/containerd', '/crio', '/k3s/containerd', '/systemd/private', '/dbus'];
const folders = ['', ...programs, '/user', '/user/1000', '/user/1000/podman'];
const socketFolders = ['/run', '/var/run', '/private/var/run'].flatMap((run) => folders.map((folder) => run + folder));
/** The same below the home folder. */
const ownSockets = /\/\.(?:docker(?:\/(?:run|desktop))?|colima(?:\/[^/]+)?|rd|lima(?:\/[^/]+(?:\/sock)?)?)$/;
/** The disk as another process sees it, and the devices. */
const wholeDisk = /^\/proc(?:\/[^/]+(?:\/task\/[^/]+)?\/(?:root|cwd)(?:\/|$)|$)|^\/dev$/;

/** Home folders, and what they contain that opens other accounts and computers, Toolkeep's own key included. */
const homes = /^(?:~[^/]*|\/root|\/(?:home|users))$/;
/** The home folder of one user, which an entry cannot know, but the user can enter. */
const oneHome = /^\/(?:home|users)\/[^/]+$/;
const keys =
  /^(?:~[^/]*|\/root|\/(?:home|users)\/[^/]+)\/\.(?:(?:toolkeep|ssh|gnupg|aws|azure|kube|password-store|config\/(?:gh|gcloud))(?:\/|$)|config$)/;
/** The system's accounts, and the files of all containers. */
const system =
  /^(?:\/private)?\/etc(?:\/(?:shadow|gshadow|sudoers|sudoers\.d|ssh|docker|kubernetes)(?:\/.*)?)?$|^\/var\/lib(?:\/(?:docker|containerd|containers|kubelet)(?:\/.*)?)?$/;

/** True if this file or folder of the computer contains keys or passwords. */
export function holdsKeys(path: string): boolean {
  const plain = plainPath(path);
  return homes.test(plain) || keys.test(plain) || system.test(plain);
}

/** True if this file or folder of the computer would give a container such a socket, directly or in a folder. */
export function givesControl(path: string): boolean {
  const plain = plainPath(path);
  // A relative path that climbs out of the home folder may lead to the root.
  if (/^\.\.(?:\/|$)/.test(plain)) return true;
  if (/(?:docker|podman|containerd|crio)\.sock$|docker_engine$/i.test(plain)) return true;
  if (ownSockets.test(plain) || wholeDisk.test(plain)) return true;
  return socketFolders.some((folder) => folder === plain || folder.startsWith(`${plain}/`));
}

const plainPath = (path: string) =>
  posix
    .normalize(path.replaceAll('\\', '/'))
    .replace(/\/+$/, '')
    .replace(/^[A-Za-z]:/, '')
    // On macOS and Windows, `/VAR/RUN` is `/var/run`.
    .toLowerCase()
    .replace(/(?<=^(?:\/private)?(?:\/var)?\/run\/user\/)\d+/, '1000');

/** Warnings for the user about a container's options and files. `flags` is as in `mountedFiles`. */
export function containerWarnings(flags: readonly Template[], files: readonly string[]): string[] {
  const home = files.find((file) => oneHome.test(plainPath(file)));
  const ofHome = home === undefined ? [] : [`The container gets ${home} with all keys and passwords in it.`];
  const ofFlags = flags.flatMap((flag, index) => {
    const [name, value] = [shown(flag), shown(flags[index + 1] ?? []).toLowerCase()];
    if (/^--net(?:work)?$/.test(name) && /^(?:host|container:.*)$/.test(value))
      return 'The container shares the network of the computer or of another container, and reaches what listens there.';
    if (/^(?:-u|--user)$/.test(name) && /^(?:root|0+)(?::|$)/.test(value))
      return 'The program in the container runs as root, which also owns the files that it writes to your folders.';
    return [];
  });
  return [...ofHome, ...ofFlags];
}

/** `flags` contains each flag, followed by its value if it has one. */
export function mountedFiles(flags: readonly Template[]): string[] {
  return flags.flatMap((flag, index) => {
    const value = flags[index + 1];
    if (!value || value.some((part) => 'missing' in part)) return [];
    // Any other source is the name of a Docker volume.
    return sourcesOf(shown(flag), shown(value)).filter((source) => /^(?:[/\\~.]|[A-Za-z]:)/.test(source));
  });
}

/** If an argument names several sources, Docker uses the last one. */
function sourcesOf(flag: string, value: string): string[] {
  if (flag === '-v' || flag === '--volume') return [/^(?:[A-Za-z]:[\\/])?[^:]*/.exec(value)?.[0] ?? ''];
  if (flag !== '--mount') return [];
  return Array.from(value.matchAll(/(?:^|,)(?:source|src|volume-opt=device)=([^,]*)/gi), ([, source = '']) => source);
}
