/** NuGet's settings, which decide where `dnx` gets packages from. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exists } from '../files/exists.ts';
import type { Machine } from '../host.ts';

export interface NugetSources {
  /** The addresses that Toolkeep can ask. */
  urls: string[];
  /** False if the package may also come from elsewhere, such as a folder. */
  isComplete: boolean;
}

const official = 'https://api.nuget.org/v3/index.json';

/** The user's own `NuGet.Config`, which may not exist. */
export function nugetConfigOf({ homeDir, platform, env }: Machine): string {
  const folder = platform === 'win32' ? join(env.APPDATA ?? homeDir, 'NuGet') : join(homeDir, '.nuget', 'NuGet');
  return join(folder, 'NuGet.Config');
}

/** The files in a folder that NuGet would read for a program in that folder. */
export const nugetConfigsIn = (folder: string): string[] =>
  ['nuget.config', 'NuGet.config', 'NuGet.Config'].map((name) => join(folder, name));

/** The first file besides the user's own that NuGet reads for a program in the home folder. */
export async function otherNugetConfig(host: Machine): Promise<string | undefined> {
  const { homeDir, platform } = host;
  for (let folder = homeDir; ; folder = dirname(folder)) {
    for (const file of nugetConfigsIn(folder)) if (await exists(file)) return file;
    if (dirname(folder) === folder) break;
  }
  const own = join(dirname(nugetConfigOf(host)), platform === 'win32' ? 'config' : '../config');
  for (const folder of [own, commonFolder(host)]) {
    if (folder === undefined) continue;
    const names = await readdir(folder).catch((): string[] => []);
    const name = names.find((one) => /\.config$/i.test(one));
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}

/** The folder with the settings of all users. */
function commonFolder({ platform, env }: Machine): string | undefined {
  if (platform === 'darwin') return '/Library/Application Support/NuGet/Config';
  if (platform !== 'win32') return '/etc/opt/NuGet/Config';
  const programs = env['ProgramFiles(x86)'];
  return programs && join(programs, 'NuGet', 'Config');
}

/** The package sources in the user's own configuration. */
export async function nugetSourcesOf(host: Machine): Promise<NugetSources> {
  const text = await readFile(nugetConfigOf(host), 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? '<configuration/>' : '',
  );
  return sourcesIn(text.replaceAll(/<!--.*?-->/gs, ''));
}

function sourcesIn(text: string): NugetSources {
  // A file in another encoding matches nothing.
  if (!/<configuration\b/i.test(text)) return { urls: [], isComplete: false };
  const [, list, ...more] = text.split(/<packageSources\b/i);
  if (list === undefined) return { urls: [official], isComplete: true };
  const [inside = ''] = list.split(/<\/packageSources\b/i);
  const added = inside.match(/<add\b[^>]*>/gi) ?? [];
  const urls = added.flatMap((element) => {
    const [, , value = ''] = /\svalue\s*=\s*(["'])(.*?)\1/i.exec(element) ?? [];
    return /^https?:$/.test(URL.parse(value)?.protocol ?? '') && !value.includes('&') ? [value] : [];
  });
  return { urls, isComplete: more.length === 0 && urls.length > 0 && urls.length === added.length };
}
