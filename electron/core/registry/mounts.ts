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

/** True if this file or folder of the computer would give a container such a socket, directly or in a folder. */
export function givesControl(path: string): boolean {
  const plain = posix
    .normalize(path.replaceAll('\\', '/'))
    .replace(/\/+$/, '')
    .replace(/^[A-Za-z]:/, '')
    // On macOS and Windows, `/VAR/RUN` is `/var/run`.
    .toLowerCase()
    .replace(/(?<=^(?:\/private)?(?:\/var)?\/run\/user\/)\d+/, '1000');
  // A relative path that climbs out of the home folder may lead to the root.
  if (/^\.\.(?:\/|$)/.test(plain)) return true;
  if (/(?:docker|podman|containerd|crio)\.sock$|docker_engine$/i.test(plain)) return true;
  if (ownSockets.test(plain) || wholeDisk.test(plain)) return true;
  return socketFolders.some((folder) => folder === plain || folder.startsWith(`${plain}/`));
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
