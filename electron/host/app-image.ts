/**
 * The AppImage that this process runs from. Every child of an AppImage inherits APPIMAGE, so the variable may name
 * another program.
 */
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** The path of our own AppImage; undefined in any other package and in a process that another AppImage started. */
export function ownAppImage(
  env: NodeJS.ProcessEnv = process.env,
  { execPath, isElectron }: { execPath: string; isElectron: boolean } = {
    execPath: process.execPath,
    isElectron: process.versions.electron !== undefined,
  },
): string | undefined {
  const { APPIMAGE, APPDIR } = env;
  if (!isElectron || !APPIMAGE || !APPDIR) return undefined;
  try {
    return realpathSync(execPath).startsWith(realpathSync(APPDIR) + sep) ? APPIMAGE : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Removes the variables that an AppImage and Electron add for themselves: servers must not load our package's libraries, and
 * their windows must not have our icon.
 */
export function withoutAppVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { APPDIR } = env;
  const ours = ['CHROME_DESKTOP', ...(APPDIR ? ['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD'] : [])];
  const clean: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    if (ours.includes(name) || value === undefined) continue;
    if (!APPDIR || !value.includes(APPDIR)) {
      clean[name] = value;
      continue;
    }
    const kept = value.split(':').filter((part) => part !== APPDIR && !part.startsWith(`${APPDIR}/`));
    if (kept.length > 0) clean[name] = kept.join(':');
  }
  return clean;
}
