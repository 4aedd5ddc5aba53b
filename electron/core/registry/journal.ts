/**
 * Stores an installed server in the settings and its secrets in the vault. If Core is killed, both or neither must be stored.
 * Core therefore writes a record of both first, so that the next start can finish the installation.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import { type ServerConfig, serverConfigSchema } from '../../../shared/model/server.ts';
import type { Host } from '../host.ts';
import type { Vault } from '../secrets/vault.ts';
import { changeSetting } from '../settings.ts';

type Machine = Pick<Host, 'dataDir' | 'store' | 'log'>;

/** `sealed`: the sealed secrets, by their names in the vault; null for one to remove. `old`: the server to replace. */
const recordSchema = z.object({
  config: serverConfigSchema,
  sealed: z.record(z.string(), z.string().nullable()),
  old: serverConfigSchema.optional(),
});
type JournalRecord = z.infer<typeof recordSchema>;

/** The server with this name in the settings; a config file or a folder may configure others. */
export function storedServer({ store }: Pick<Host, 'store'>, server: string): ServerConfig | undefined {
  return store.get('servers').find(({ name }) => name === server);
}

const folderOf = ({ dataDir }: Pick<Host, 'dataDir'>) => join(dataDir, 'registry');
const prefix = 'installing-';

/**
 * Adds the server, or replaces the server with this name. A secret without a value is removed from the vault. Rejects with
 * INSTALL_REFUSED if that server is no longer `old`. If it rejects, nothing has changed.
 */
export async function storeServer(
  host: Machine,
  vault: Vault,
  config: ServerConfig,
  secrets: ReadonlyMap<string, string | undefined>,
  old?: ServerConfig,
): Promise<void> {
  const sealed = await vault.seal(secrets);
  const file = join(folderOf(host), `${prefix}${randomUUID()}.json`);
  await mkdir(folderOf(host), { recursive: true, mode: 0o700 });
  // Without a persistent vault, the next run could not read the secrets.
  const recorded = vault.persistent ? Array.from(sealed, ([name, value]) => [name, value ?? null]) : [];
  const record: JournalRecord = { config, sealed: Object.fromEntries(recorded), old };
  await writeFileAtomic(file, JSON.stringify(record), { mode: 0o600 });
  let before: ReadonlyMap<string, string | undefined> = new Map();
  try {
    before = await vault.replace(sealed);
    requireUnchanged(host, config.name, old);
    setServer(host, config);
  } catch (error) {
    await vault.replace(before);
    await removeRecord(host, file);
    throw error;
  }
  await removeRecord(host, file);
}

/** Finishes the installations that a killed Core had started. Call this before any server starts. */
export async function finishInstallations(host: Machine, vault: Vault): Promise<void> {
  const names = await readdir(folderOf(host)).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const file = join(folderOf(host), name);
    // All other files are temporary files of incomplete records.
    const record = name.endsWith('.json') ? await readRecord(file) : undefined;
    if (record && isUnchanged(host, record)) {
      await vault.replace(new Map(Object.entries(record.sealed).map(([name, value]) => [name, value ?? undefined])));
      setServer(host, record.config);
      host.log('warn', `Finished the installation of "${record.config.name}", which was interrupted.`);
    }
    await removeRecord(host, file);
  }
}

/** Never rejects: on Windows, another program may keep the file open, and its content is already stored. */
async function removeRecord({ log }: Pick<Host, 'log'>, file: string): Promise<void> {
  // Without `recursive`, Node.js does not retry.
  await rm(file, { force: true, recursive: true, maxRetries: 5 }).catch((error: Error) =>
    log('warn', `${file} cannot be removed: ${error.message}`),
  );
}

/** True if the server is still the one that the record replaces. Otherwise, the record is outdated. */
function isUnchanged(host: Pick<Host, 'store'>, { config, old }: JournalRecord): boolean {
  const current = storedServer(host, config.name);
  return isDeepStrictEqual(current && serverConfigSchema.parse(JSON.parse(JSON.stringify(current))), old);
}

function requireUnchanged(host: Pick<Host, 'store'>, server: string, old: ServerConfig | undefined): void {
  if (!isDeepStrictEqual(storedServer(host, server), old))
    throw fail('INSTALL_REFUSED', `The server "${server}" has changed in the meantime. Review the plan again.`, {
      server,
    });
}

/** Adds the server to the settings, or replaces the server with this name. */
export function setServer({ store }: Pick<Host, 'store'>, config: ServerConfig): void {
  changeSetting(store, 'servers', (own) => [...own.filter(({ name }) => name !== config.name), config]);
}

async function readRecord(file: string): Promise<JournalRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
