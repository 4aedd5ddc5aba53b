/** The vault: secrets sealed by the host, referenced from connections as `${secret:name}`; never in plain text on disk. */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import { withPatience } from './patience.ts';
import { mapTexts, plainSecrets, replaceSecrets } from './plain-secrets.ts';
import { mask } from './tokens.ts';

export interface Vault {
  /** False: secrets are gone when Gatehouse ends, and the person should be told. */
  readonly persistent: boolean;
  /** For people: where the secrets lie. */
  readonly label: string;
  names(): string[];
  has(name: string): boolean;
  /** Returns after the sealed value is safely on disk. */
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  /**
   * The values of these names; what is not there or cannot be unsealed is left out. Rejects with SECRET_TIMEOUT when the
   * platform does not answer, as a keyring that is locked.
   */
  reveal(names: Iterable<string>): Promise<Map<string, string>>;
}

const fileSchema = z.object({ version: z.literal(1), secrets: z.record(z.string(), z.string()) });

/** Opens a vault in the data folder. A damaged one is set aside; with a sealer of memory only it is not touched. */
export async function openVault(
  host: Pick<Host, 'dataDir' | 'sealer' | 'log'>,
  fileName = 'vault.json',
): Promise<Vault> {
  const { sealer } = host;
  const file = join(host.dataDir, fileName);
  const sealed = new Map(sealer.persistent ? Object.entries(await readVault(file, host)) : []);
  let writing: Promise<unknown> = Promise.resolve();

  const save = () => {
    if (!sealer.persistent) return Promise.resolve();
    const write = async () => {
      const secrets = Object.fromEntries([...sealed].sort(([a], [b]) => (a < b ? -1 : 1)));
      await writeFileAtomic(file, `${JSON.stringify({ version: 1, secrets }, null, 2)}\n`, { mode: 0o600 });
    };
    // One after the other, and a failed one does not stop the next.
    const done = writing.then(write, write);
    writing = done.catch(() => {});
    return done;
  };

  return {
    persistent: sealer.persistent,
    label: sealer.label,
    names: () => [...sealed.keys()].sort(),
    has: (name) => sealed.has(name),
    async set(name, value) {
      if (!/^[^${}\n]{1,200}$/.test(name)) throw fail('INPUT_INVALID', `"${name}" cannot be the name of a secret.`);
      sealed.set(name, await sealer.seal(value));
      await save();
    },
    async remove(name) {
      if (sealed.delete(name)) await save();
    },
    reveal: (names) => withPatience(unsealAll(names), `The ${sealer.label}`),
  };

  async function unsealAll(names: Iterable<string>): Promise<Map<string, string>> {
    const values = new Map<string, string>();
    for (const name of new Set(names)) {
      const stored = sealed.get(name);
      if (stored === undefined) continue;
      try {
        values.set(
          name,
          await sealer.unseal(stored, (again) => {
            if (sealed.get(name) !== stored) return;
            sealed.set(name, again);
            save().catch((error: unknown) => host.log('warn', `The vault could not be saved: ${String(error)}`));
          }),
        );
      } catch {
        // The key of the machine changed, or the file came from another one. The value counts as missing.
        host.log('warn', `The secret "${name}" could not be unsealed by ${sealer.label}; enter it again.`);
      }
    }
    return values;
  }
}

async function readVault(file: string, { log }: Pick<Host, 'log'>): Promise<Record<string, string>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    // Going on with an empty vault would overwrite what is there.
    throw fail('INTERNAL', `The vault ${file} cannot be read.`, {
      file,
      hint: 'Give your user permission to read it.',
    });
  }
  try {
    return fileSchema.parse(JSON.parse(text)).secrets;
  } catch {
    const aside = `${file}.damaged-${Date.now()}`;
    await rename(file, aside);
    log('error', `The vault was damaged and set aside as ${aside}; secrets have to be entered again.`);
    return {};
  }
}

/** Moves every secret of `server` that stands in plain text to the vault; `moved` are their names there. */
export async function moveToVault(
  server: ServerConfig,
  vault: Vault,
  secrets = plainSecrets(server.connection),
): Promise<{ server: ServerConfig; moved: string[] }> {
  const nameOf = new Map<string, string>();
  for (const { name, value } of secrets) {
    const key = `${name}\n${value}`;
    if (nameOf.has(key)) continue;
    const base = `${server.name}/${name}`.replaceAll(/[${}\n]/g, '_').slice(0, 180);
    const free = await freeName(vault, base, value);
    nameOf.set(key, free);
    await vault.set(free, value);
  }
  const connection = replaceSecrets(
    server.connection,
    secrets,
    ({ name, value }) => `\${secret:${nameOf.get(`${name}\n${value}`)}}`,
  );
  return { server: { ...server, connection }, moved: [...nameOf.values()] };
}

/** `base`, or `base-2` … when another value has that name. */
async function freeName(vault: Vault, base: string, value: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!vault.has(name) || (await vault.reveal([name])).get(name) === value) return name;
  }
}

/** The same for many, as far as the vault lasts; `plain` names those whose secrets stay where they are. */
export async function moveAllToVault(
  servers: ServerConfig[],
  vault: Vault,
): Promise<{ servers: ServerConfig[]; moved: string[]; plain: string[] }> {
  if (!vault.persistent) return { servers, moved: [], plain: holdingSecrets(servers) };
  const results: Awaited<ReturnType<typeof moveToVault>>[] = [];
  // One after the other: names are given by what is there already.
  for (const server of servers) results.push(await moveToVault(server, vault));
  return { servers: results.map(({ server }) => server), moved: results.flatMap(({ moved }) => moved), plain: [] };
}

/** Names of the servers that hold a secret in plain text. */
export function holdingSecrets(servers: ServerConfig[]): string[] {
  return servers.filter(({ connection }) => plainSecrets(connection).length > 0).map(({ name }) => name);
}

/**
 * A copy of a server that somebody else wrote. The vault is ours alone: whoever knows the name of a secret in it must not get
 * it by naming it, so the person is asked instead.
 */
export function withoutReferences(server: ServerConfig): ServerConfig {
  const own = `${server.name}/`;
  const asked = (_whole: string, name: string) => `\${input:${name.startsWith(own) ? name.slice(own.length) : name}}`;
  const change = (text: string) => text.replaceAll(/\$\{\s*secret:([^{}]{1,1000})\}/g, asked);
  return { ...server, connection: mapTexts(server.connection, change) };
}

/** A copy for people to see. */
export function withSecretsMasked(server: ServerConfig): ServerConfig {
  const { connection } = server;
  return { ...server, connection: replaceSecrets(connection, plainSecrets(connection), () => mask) };
}

/** A copy of `server` in which every plain secret became a question, for setups that are handed on. */
export function withoutSecrets(server: ServerConfig): ServerConfig {
  const { connection } = server;
  const asked = ({ name }: { name: string }) => `\${input:${name.replaceAll(/[${}\n]/g, '_')}}`;
  return { ...server, connection: replaceSecrets(connection, plainSecrets(connection), asked) };
}
