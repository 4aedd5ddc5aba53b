/** Expands `~` in paths. */
import { join } from 'node:path';

/** `~` and `~/x` become paths in the home folder. */
export function expandHome(path: string, homeDir: string): string {
  if (path === '~') return homeDir;
  return path.startsWith('~/') || path.startsWith('~\\') ? join(homeDir, path.slice(2)) : path;
}
