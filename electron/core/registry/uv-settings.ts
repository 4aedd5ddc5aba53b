/** The user's own uv settings, which decide where `uvx` gets packages from. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { objectsIn } from '../../../shared/is-object.ts';
import type { Machine } from '../host.ts';

/** The user's own `uv.toml`, which may not exist. */
function uvSettingsOf({ homeDir, platform, env }: Machine): string {
  const folder = platform === 'win32' ? env.APPDATA : (env.XDG_CONFIG_HOME ?? join(homeDir, '.config'));
  return join(folder ?? homeDir, 'uv', 'uv.toml');
}

/** The package index that `uvx` uses. */
export async function pypiIndexOf(host: Machine): Promise<string> {
  const text = await readFile(uvSettingsOf(host), 'utf8').catch(() => '');
  const found = indexIn(text);
  return found && URL.canParse(found) ? found : 'https://pypi.org/simple';
}

function indexIn(text: string): string | undefined {
  let settings: Record<string, unknown>;
  try {
    settings = parse(text);
  } catch {
    return undefined;
  }
  const own = objectsIn(settings.index).find((one) => one.default === true)?.url ?? settings['index-url'];
  return typeof own === 'string' ? own : undefined;
}
