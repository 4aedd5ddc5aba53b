/** Checks at each start that the package has the hash that was recorded when the user installed it. */
import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import type { Machine } from '../host.ts';
import { isSameContent } from './integrity.ts';
import { npmCacheOf } from './npmrc.ts';
import { npmIntegrity } from './ownership.ts';

/** A larger package list is not read, so that it cannot block Core. */
const maxBytes = 2 * 1024 * 1024;

/**
 * Rejects with PACKAGE_UNVERIFIED. `npx` stores the package with its hash, so this usually needs no network. If the package
 * must be downloaded, Core first asks the npm registry, which `npx` would contact anyway.
 */
export async function requireRecorded({ name, connection, registry }: ServerConfig, host: Machine): Promise<void> {
  if (connection.type !== 'stdio' || connection.command !== 'npx' || registry?.integrity === undefined) return;
  const { target, integrity } = registry;
  // The user may have edited the command since.
  if (!connection.args.includes(target)) return;
  const at = target.lastIndexOf('@');
  const [identifier, version] = [target.slice(0, at), target.slice(at + 1)];
  const folder = await npxFolder(target, host);
  const kept = await keptIntegrity(folder, identifier);
  if (kept !== undefined) {
    if (isSameContent(integrity, kept)) return;
    const hint = 'Delete this folder; the next start downloads the package again and compares it.';
    throw changed(name, `${target} in ${folder} is not the package that was installed as "${name}".`, hint);
  }
  const found = await npmIntegrity(identifier, version, host).catch(() => undefined);
  if (found?.integrity !== undefined && isSameContent(integrity, found.integrity)) return;
  if (found)
    throw changed(
      name,
      `${found.host} no longer offers the ${target} that was installed as "${name}".`,
      'Do not use this version. Ask its publisher, or install another one with `toolkeep registry add NAME@VERSION`.',
    );
  throw changed(
    name,
    `${target} must be downloaded again, and npm did not confirm that it is still the package that was installed.`,
    'Restart the server when this computer is online.',
  );
}

const changed = (server: string, message: string, hint: string): ToolkeepError =>
  fail('PACKAGE_UNVERIFIED', message, { server, hint });

/** The folder of `npx PACKAGE@VERSION`, as npm names it. */
async function npxFolder(target: string, host: Machine): Promise<string> {
  return join(await npmCacheOf(host), '_npx', hash('sha512', target, 'hex').slice(0, 16));
}

/** The hash that npm recorded for the package in this folder; undefined if there is none. */
async function keptIntegrity(folder: string, identifier: string): Promise<string | undefined> {
  const file = join(folder, 'node_modules', '.package-lock.json');
  const size = await stat(file).then(
    (stats) => stats.size,
    () => undefined,
  );
  if (size === undefined) return undefined;
  const lock = size <= maxBytes ? parseJson(await readFile(file, 'utf8')) : undefined;
  const packages = isObject(lock) && isObject(lock.packages) ? lock.packages : {};
  const found = packages[`node_modules/${identifier}`];
  if (!isObject(found)) return undefined;
  return typeof found.integrity === 'string' ? found.integrity : 'none';
}
