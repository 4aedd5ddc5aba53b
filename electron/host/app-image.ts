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

/** Removes the variables that an AppImage adds for itself, because servers must not load our package's libraries. */
export function withoutAppImage(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { APPDIR } = env;
  if (!APPDIR) return env;
  const clean: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    if (['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD'].includes(name) || value === undefined) continue;
    const kept = value.split(':').filter((part) => part !== APPDIR && !part.startsWith(`${APPDIR}/`));
    if (kept.length > 0 || value === '') clean[name] = value.includes(APPDIR) ? kept.join(':') : value;
  }
  return clean;
}
