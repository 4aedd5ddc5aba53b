/** Bundles (`.mcpb`, `.dxt`). Planning only reads the file; installing unpacks it. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import type { RegistryOrigin } from '../../../../shared/model/registry.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import { exists } from '../../files/exists.ts';
import { openRegularFile, readRange } from '../../files/regular-file.ts';
import type { Host } from '../../host.ts';
import { redactServer } from '../../secrets/vault.ts';
import { changesOf } from '../changes.ts';
import type { Entered } from '../inputs.ts';
import { Refused } from '../launch.ts';
import { type ConfinementOf, cardNeeds, type Planned, planHash, serverName, wantsOf, withoutSecrets } from '../plan.ts';
import { findRuntime } from '../runtimes.ts';
import { secretsFor } from '../template.ts';
import { fileSource, installedBefore } from './installed.ts';
import { connectBundle, parseManifest } from './manifest.ts';
import { bytesOf, hashOf, openBundle, readEntry, readZip, unpack, type Zip } from './zip.ts';

export interface PlannedBundle extends Planned {
  file: string;
  folder: string;
}

/** The prefix of a folder's name while the bundle in it is incomplete. */
export const unpackingPrefix = '.tmp-';
export const unpackingName = () => `${unpackingPrefix}${randomUUID()}`;

const maxManifestBytes = limits.bundle.manifestBytes;

export interface BundleRequest {
  /** An absolute path. */
  file: string;
  inputs: Entered;
  /** The user's servers. */
  servers: readonly ServerConfig[];
  /** Names that are not available to a new server. */
  taken: ReadonlySet<string>;
  hasSecret(name: string): boolean;
  confinement: ConfinementOf;
}

/** Rejects with INSTALL_REFUSED for a file that is not a bundle or is unsafe to unpack. */
export async function planBundle(
  request: BundleRequest,
  host: Pick<Host, 'homeDir' | 'platform' | 'env' | 'dataDir'>,
): Promise<PlannedBundle> {
  try {
    return await readPlan(request, host);
  } catch (error) {
    if (error instanceof Refused) throw fail('INSTALL_REFUSED', error.message, { file: request.file });
    throw error;
  }
}

async function readPlan(...[request, host]: Parameters<typeof planBundle>): Promise<PlannedBundle> {
  const { file, servers, taken, hasSecret } = request;
  await using handle = await openBundle(file);
  const zip = await readZip(handle);
  const sha256 = await hashOf(handle);
  const content = await readEntry(zip, 'manifest.json', maxManifestBytes);
  if (!content) throw new Refused('The bundle has no manifest.json.');
  const manifest = parseManifest(content.toString('utf8'), host.platform);
  const { name, version, title, description, repository, author } = manifest;
  const folder = join(host.dataDir, 'bundles', safeName(name), folderName(version, sha256));
  const { replace, warning } = installedBefore(servers, manifest);
  const server = replace?.name ?? serverName(name, taken);
  const { owner, isStored } = secretsFor(server, { replace, servers, hasSecret });
  const entered = { ...replace?.registry?.inputs, ...request.inputs };
  const derived = connectBundle(manifest, { folder, entered, server: owner, host, isStored });
  const [program = ''] = derived.command;
  const isOnPath = program !== '' && program !== 'node' && !/[\\/]/.test(program);
  const runtime = isOnPath ? await findRuntime(program, host) : undefined;
  const target = `${name}@${version}`;
  const integrity = `sha256-${sha256}`;
  const origin: RegistryOrigin = {
    ...{ registry: fileSource, name, version, option: 'mcpb', target, integrity },
    inputs: withoutSecrets(entered, derived),
    owner,
    wants: wantsOf(derived.fields, []),
  };
  const { connection, refused } = derived;
  const confinement = connection && (await request.confinement(connection, replace));
  const hash = planHash(origin, server, { connection, replaced: replace?.name, confinement });
  const option = { id: 'mcpb', kind: 'mcpb', target, ...(refused && { refused }) };
  const plan: PlannedBundle['plan'] = {
    card: {
      ...{ registry: fileSource, name, description, version, isDeprecated: false, options: [option] },
      ...(title && { title }),
      ...(repository && { repository }),
      needs: cardNeeds(derived.fields, runtime?.command),
    },
    ...(replace?.registry && {
      replaces: replace.registry.version,
      changes: changesOf(redactServer(replace), { ...derived, wants: wantsOf(derived.fields, []) }),
    }),
    ...{ option: 'mcpb', server, fields: derived.fields, problems: Object.fromEntries(derived.problems) },
    ...{ command: derived.command, isRemote: false, values: derived.values, files: derived.files, hosts: [] },
    ...(runtime && { runtime }),
    ...(confinement && { confinement }),
    ownership: {
      state: 'unknown',
      detail: `Toolkeep cannot check who made a bundle. Author stated in the manifest: ${author ?? 'none'}.`,
    },
    integrity,
    warnings: [...(warning ? [warning] : []), ...warningsFor(manifest.node)],
    ...(refused && { refused }),
    ...(connection && !runtime?.isMissing && { hash }),
  };
  return { plan, derived, origin, owner, old: replace, file, folder };
}

/**
 * Unpacks the bundle into its folder, which is either complete or absent at any time. Replaces a folder whose files are no
 * longer those of the bundle, but keeps the files that the server added. Rejects with INSTALL_REFUSED.
 */
export async function installBundle({ file, folder, origin }: PlannedBundle): Promise<void> {
  const isThere = await exists(folder);
  const aside = () => join(folder, '..', unpackingName());
  const [copy, temporary, damaged] = [aside(), aside(), aside()];
  try {
    await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 });
    // Another program could replace the file between its check and each of its entries, but not a private copy.
    await using source = await openBundle(file);
    await writeFile(copy, bytesOf(source), { flag: 'wx', mode: 0o600 });
    await using handle = await openBundle(copy);
    if (`sha256-${await hashOf(handle)}` !== origin.integrity)
      throw new Refused('The file has changed in the meantime.');
    const checked = await readZip(handle);
    if (isThere && (await isUnpacked(checked, folder))) return;
    await unpack(checked, temporary);
    if (isThere) {
      await copyAdded(folder, temporary);
      await rename(folder, damaged);
    }
    // On Windows, this fails while another program holds a file.
    await rename(temporary, folder).catch(async (error: Error) => {
      if (isThere) await rename(damaged, folder);
      throw error;
    });
  } catch (error) {
    if (error instanceof Refused) throw fail('INSTALL_REFUSED', error.message, { file });
    throw error;
  } finally {
    // On Windows, another program may hold a file. The next cleanup deletes it.
    for (const left of [copy, temporary, damaged])
      await rm(left, { recursive: true, force: true }).catch(() => undefined);
  }
}

const folderName = (version: string, sha256: string) => `${safeName(version)}-${sha256.slice(0, 32)}`;
export const isBundleFolder = (name: string): boolean => /^[\w-][\w.-]{0,63}-[a-f0-9]{32}$/.test(name);

const safeName = (name: string) =>
  name
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 64);

function warningsFor(node: string | undefined): string[] {
  const wanted = Number(/^>=\s*(\d+)/.exec(node ?? '')?.[1] ?? 0);
  const own = Number(process.versions.node.split('.')[0]);
  return wanted > own
    ? [`The bundle requires Node.js ${wanted} or newer, but Toolkeep runs it with Node.js ${own}.`]
    : [];
}

/** True if the folder has every file of the archive, unchanged. A server may have added others. */
async function isUnpacked({ entries }: Zip, folder: string): Promise<boolean> {
  for (const { name, size, crc } of entries) {
    const path = join(folder, ...name.split('/'));
    const found = await lstat(path).catch(() => undefined);
    if (name.endsWith('/')) {
      if (!found?.isDirectory()) return false;
    } else if (!found?.isFile() || found.size !== size || (await checksumOf(path, size)) !== crc) return false;
  }
  return true;
}

/** Copies the files of `folder` that `target` does not have, such as a database. */
async function copyAdded(folder: string, target: string): Promise<void> {
  await cp(folder, target, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    async filter(source, copy) {
      const [found, other] = [await lstat(source), await lstat(copy).catch(() => undefined)];
      if (found.isDirectory()) return other?.isDirectory() ?? true;
      return !other && (found.isFile() || found.isSymbolicLink());
    },
  });
}

async function checksumOf(path: string, size: number): Promise<number | undefined> {
  const handle = await openRegularFile(path, size);
  if ('isFile' in handle) return undefined;
  let sum = 0;
  try {
    for await (const piece of readRange(handle, 0, size)) sum = crc32(piece, sum);
  } finally {
    await handle.close();
  }
  return sum;
}
