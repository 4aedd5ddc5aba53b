/** Finds the user's files that a container's arguments give it access to. */
import { shown, type Template } from './template.ts';

/** The sockets of the programs that run containers. A container that has one controls the whole computer. */
export const controlSocket = /(?:docker|podman|containerd|crio)\.sock$|docker_engine$/i;

/** `flags` contains each flag, followed by its value if it has one. */
export function mountedFiles(flags: readonly Template[]): string[] {
  return flags.flatMap((flag, index) => {
    const value = flags[index + 1];
    if (!value || value.some((part) => 'missing' in part)) return [];
    const source = sourceOf(shown(flag), shown(value));
    // Any other source is the name of a Docker volume.
    return source !== undefined && /^(?:[/\\~.]|[A-Za-z]:)/.test(source) ? [source] : [];
  });
}

function sourceOf(flag: string, value: string): string | undefined {
  if (flag === '-v' || flag === '--volume') return /^(?:[A-Za-z]:[\\/])?[^:]*/.exec(value)?.[0];
  return flag === '--mount' ? /(?:^|,)(?:source|src|volume-opt=device)=([^,]*)/.exec(value)?.[1] : undefined;
}
