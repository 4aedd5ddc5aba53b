/** The vault holds secrets sealed by the host, never in plain text on disk. Connections refer to them as `${secret:name}`. */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail, lockedSecret, toFailure } from '../../../shared/failure.ts';
import type { VaultView } from '../../../shared/model/secret.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { Host } from '../host.ts';
import { escapePlaceholders, replacePlaceholders } from './placeholders.ts';
import { mapStrings, plainSecrets, replaceSecrets } from './plain-secrets.ts';
import { createValueRedactor } from './redact-values.ts';
import { withSecretTimeout } from './timeout.ts';
import { redaction } from './token-patterns.ts';

export interface Vault {
  /** If false, secrets are lost when Toolkeep quits, and the user must be warned. */
  readonly persistent: boolean;
  /** The display name of the mechanism that seals the secrets. */
  readonly label: string;
  view(): VaultView;
  names(): string[];
  has(name: string): boolean;
  /** Resolves after the sealed value is on disk. */
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Seals values by name for `replace`, without storing them; undefined stays undefined. */
  seal(values: ReadonlyMap<string, string | undefined>): Promise<Map<string, string | undefined>>;
  /** Stores sealed values in one step; undefined removes a value. Resolves with the previous sealed values. */
  replace(values: ReadonlyMap<string, string | undefined>): Promise<Map<string, string | undefined>>;
  /**
   * Returns the values of these names, without those that are missing or cannot be unsealed. Rejects with SECRET_TIMEOUT
   * when the platform does not answer, for example because its keyring is locked.
   */
  reveal(names: Iterable<string>): Promise<Map<string, string>>;
  /** Redacts every value that was set or revealed in this run, for text that is stored or shown. */
  redact(text: string): string;
}

const fileSchema = z.object({ version: z.literal(1), secrets: z.record(z.string(), z.string()) });

/** Opens the vault in the data folder. Renames a damaged file. Uses no file if the sealer is not persistent. */
export async function openVault(
  host: Pick<Host, 'dataDir' | 'sealer' | 'log'>,
  fileName = 'vault.json',
): Promise<Vault> {
  const { sealer } = host;
  const file = join(host.dataDir, fileName);
  const sealed = new Map(sealer.persistent ? Object.entries(await readVault(file, host)) : []);
  const inTurn = pLimit(1);
  const known = new Set<string>();
  let redactKnown: ((text: string) => string) | undefined;
  const remember = (value: string) => {
    if (known.has(value)) return;
    known.add(value);
    redactKnown = undefined;
  };

  /** Until a passphrase is entered, the secrets are in memory only. Then those of the file must not be overwritten. */
  let isFileRead = sealer.persistent;
  const readFileOnce = async () => {
    if (isFileRead) return;
    for (const [name, value] of Object.entries(await readVault(file, host)))
      if (!sealed.has(name)) sealed.set(name, value);
    isFileRead = true;
  };

  const save = () => {
    if (!sealer.persistent) return Promise.resolve();
    return inTurn(async () => {
      await readFileOnce();
      const secrets = Object.fromEntries([...sealed].sort(([a], [b]) => (a < b ? -1 : 1)));
      await writeFileAtomic(file, `${JSON.stringify({ version: 1, secrets }, null, 2)}\n`, { mode: 0o600 });
    });
  };

  sealer.passphrase?.onEntered(async () => {
    if (isFileRead) return;
    const fromThisRun = [...sealed.keys()];
    await inTurn(readFileOnce);
    // Unsealing seals them with the passphrase.
    await unsealAll(fromThisRun);
    await save();
  });

  return {
    get persistent() {
      return sealer.persistent;
    },
    get label() {
      return sealer.label;
    },
    view: () => ({
      label: sealer.label,
      persistent: sealer.persistent,
      ...(sealer.passphrase && { passphrase: sealer.passphrase.state }),
    }),
    names: () => [...sealed.keys()].sort(),
    has: (name) => sealed.has(name),
    async set(name, value) {
      sealed.set(name, await sealValue(name, value));
      await save();
    },
    async remove(name) {
      if (sealed.delete(name)) await save();
    },
    async seal(values) {
      const result = new Map<string, string | undefined>();
      for (const [name, value] of values)
        result.set(name, value === undefined ? undefined : await sealValue(name, value));
      return result;
    },
    async replace(values) {
      const before = new Map(Array.from(values.keys(), (name) => [name, sealed.get(name)]));
      const put = (all: typeof values) => {
        for (const [name, value] of all) value === undefined ? sealed.delete(name) : sealed.set(name, value);
      };
      put(values);
      try {
        if (values.size > 0) await save();
      } catch (error) {
        put(before);
        throw error;
      }
      return before;
    },
    async reveal(names) {
      const values = await withSecretTimeout(unsealAll(names), `The ${sealer.label}`);
      for (const value of values.values()) remember(value);
      return values;
    },
    redact(text) {
      redactKnown ??= createValueRedactor(known);
      return redactKnown(text);
    },
  };

  function sealValue(name: string, value: string): Promise<string> {
    if (!/^[^${}\n]{1,200}$/.test(name))
      throw fail('INPUT_INVALID', `"${name}" cannot be the name of a secret.`, {
        hint: 'Use 1 to 200 characters other than $, {, } and line breaks.',
      });
    remember(value);
    return sealer.seal(value);
  }

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
      } catch (error) {
        // The value exists, and the user only has to unlock it.
        if (lockedSecret.includes(toFailure(error).code)) throw error;
        // The machine's key changed, or the file came from another machine. Treat the value as missing.
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
    // Continuing with an empty vault would overwrite the existing file.
    throw fail('INTERNAL', `The vault ${file} cannot be read.`, {
      file,
      hint: 'Give your user account permission to read it.',
    });
  }
  try {
    return fileSchema.parse(JSON.parse(text)).secrets;
  } catch {
    const backup = `${file}.damaged-${Date.now()}`;
    await rename(file, backup);
    log('error', `The vault was damaged and renamed to ${backup}; enter its secrets again.`);
    return {};
  }
}

/** Moves the plain-text secrets of `server` to the vault. `moved` contains their names in the vault. */
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
    const unused = await unusedName(vault, base, value);
    nameOf.set(key, unused);
    await vault.set(unused, value);
  }
  const connection = replaceSecrets(
    server.connection,
    secrets,
    ({ name, value }) => `\${secret:${nameOf.get(`${name}\n${value}`)}}`,
  );
  return { server: { ...server, connection }, moved: [...nameOf.values()] };
}

/** Returns `base`, or `base-2`, `base-3` … if another value already has that name. */
async function unusedName(vault: Vault, base: string, value: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!vault.has(name) || (await vault.reveal([name])).get(name) === value) return name;
  }
}

/** Moves the secrets of several servers if the vault is persistent. `plain` lists the servers that keep theirs. */
export async function moveAllToVault(
  servers: ServerConfig[],
  vault: Vault,
): Promise<{ servers: ServerConfig[]; moved: string[]; plain: string[] }> {
  if (!vault.persistent) return { servers, moved: [], plain: serversWithPlainSecrets(servers) };
  const results: Awaited<ReturnType<typeof moveToVault>>[] = [];
  // Run sequentially, because each name depends on the names already in use.
  for (const server of servers) results.push(await moveToVault(server, vault));
  return { servers: results.map(({ server }) => server), moved: results.flatMap(({ moved }) => moved), plain: [] };
}

/** Returns the names of the servers that contain a plain-text secret. */
export function serversWithPlainSecrets(servers: ServerConfig[]): string[] {
  return servers.filter(({ connection }) => plainSecrets(connection).length > 0).map(({ name }) => name);
}

/**
 * Returns a copy of a server that someone else wrote, with references to the user's secrets, files and environment
 * replaced with inputs, because naming a secret must not be enough to receive it. `keepVariables` keeps references to the
 * environment and to password managers, for a file of the user's own client. `keep` are strings that the user wrote.
 */
export function referencesToInputs(
  server: ServerConfig,
  { keepVariables = false, keep }: { keepVariables?: boolean; keep?: ReadonlySet<string> } = {},
): ServerConfig {
  const prefix = `${server.name}/`;
  const change = (text: string) =>
    replacePlaceholders(text, (placeholder) => {
      if (placeholder.kind === 'secret') {
        const { name } = placeholder;
        return toInput(name.startsWith(prefix) ? name.slice(prefix.length) : name);
      }
      if (placeholder.kind === 'file') return toInput(placeholder.path);
      if (placeholder.kind === 'reference' && !keepVariables) return toInput(placeholder.to);
      if (placeholder.kind === 'variable' && !keepVariables) return placeholder.fallback ?? toInput(placeholder.name);
      return undefined;
    });
  // A default and its surroundings may form a new placeholder: `${A:-$}{secret:x}`.
  const changeAll = (text: string, left = maxNested): string => {
    const changed = change(text);
    if (changed === text) return text;
    return left > 0 ? changeAll(changed, left - 1) : escapePlaceholders(changed);
  };
  const changeOthers = (text: string) => (keep?.has(text) ? text : changeAll(text));
  return { ...server, connection: mapStrings(server.connection, changeOthers) };
}

/** No entry needs so many. */
const maxNested = 50;

const toInput = (name: string) => `\${input:${name.trim()}}`;

/** Returns a copy for display, with secrets redacted. */
export function redactServer(server: ServerConfig): ServerConfig {
  const { connection } = server;
  return { ...server, connection: replaceSecrets(connection, plainSecrets(connection), () => redaction) };
}

/** Returns a copy for a setup file, with every plain-text secret replaced by an input. */
export function secretsToInputs(server: ServerConfig): ServerConfig {
  const { connection } = server;
  const asked = ({ name }: { name: string }) => `\${input:${name.replaceAll(/[${}\n]/g, '_')}}`;
  return { ...server, connection: replaceSecrets(connection, plainSecrets(connection), asked) };
}
