/** Finds the file that Windows runs for a command, as a shell does: with the extensions of PATHEXT. */
import { stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { envVariable } from '../../files/env-variable.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The default PATHEXT of Windows. */
const usual = '.COM;.EXE;.BAT;.CMD';
/** A longer PATHEXT or PATH is cut, because Toolkeep looks for each of their combinations. */
const maxExtensions = 50;
const maxFolders = 500;

/** The full path with its extension; undefined if there is no such file. A path is relative to `cwd`. */
export async function findOnWindows(command: string, cwd: string, env: Env): Promise<string | undefined> {
  const extensions = envVariable(env, 'PATHEXT', true) || usual;
  const endings = extensions.split(';').filter(Boolean).slice(0, maxExtensions);
  const hasEnding = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
  // Windows ignores case in file names; the file systems of other platforms do not.
  const tried = [...(hasEnding ? [''] : []), ...endings, ...endings.map((ending) => ending.toLowerCase())];
  const folders = /[\\/]/.test(command)
    ? [cwd]
    : (envVariable(env, 'PATH', true) ?? '').split(delimiter).slice(0, maxFolders);
  for (const folder of folders) {
    if (folder === '') continue;
    const base = resolve(folder.replace(/^"(.*)"$/, '$1'), command);
    for (const ending of tried) if (await isFile(base + ending)) return base + ending;
  }
  return undefined;
}

const isFile = (file: string) =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
