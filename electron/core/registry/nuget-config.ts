/** The user's own settings of NuGet, which decide where `dnx` gets packages from. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../host.ts';

export interface NugetSources {
  /** The addresses that Gatehouse can ask. */
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

/** The package sources that `dnx` uses. */
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
