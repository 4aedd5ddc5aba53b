/** Where and how Toolkeep is installed in a client, from the client's definition. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail } from '../../../../shared/failure.ts';
import type { Format } from '../../files/document.ts';
import type { Host } from '../../host.ts';
import type { ClientDefinition, InstallDefinition } from '../client-definition.ts';
import { expandPath } from '../import/paths.ts';
import { findClient, knownClients } from '../known-clients.ts';
import type { EntryPath } from './entry-path.ts';

/** A client that Toolkeep can be installed in. */
export type Target = InstallDefinition & { source: ClientDefinition };

/** All targets, in display order. */
export const targets: readonly Target[] = knownClients.flatMap((source) =>
  source.install ? [{ ...source.install, source }] : [],
);

/** The target with this id or alias. */
export function findTarget(name: string): Target | undefined {
  const id = findClient(name)?.id;
  return targets.find(({ source }) => source.id === id);
}

export function entryPathIn({ section, list }: Target): EntryPath {
  return { section, name: 'toolkeep', ...(list ? { list } : {}) };
}

/** The user's config file for a client: the first that exists, else the first in an existing folder, else the first. */
export async function fileOf({ source }: Target, host: Host): Promise<{ file: string; format: Format }> {
  const locations = source.locations(host).filter(({ scope, readOnly }) => scope === 'user' && !readOnly);
  const candidates: { file: string; format: Format }[] = [];
  for (const location of locations) {
    const files = await expandPath(location.path);
    const found = files.map((file) => ({ file, format: location.format ?? source.format }));
    // The pattern matches only if the app from the Windows Store is installed. That app reads no other file.
    if (location.path.includes('*') && found[0]) return found[0];
    candidates.push(...found);
  }
  const chosen =
    candidates.find(({ file }) => existsSync(file)) ??
    candidates.find(({ file }) => existsSync(dirname(file))) ??
    candidates[0];
  if (chosen) return chosen;
  throw fail('CLIENT_UNKNOWN', `${source.app} has no config file that Toolkeep can write on this system.`, {
    hint: 'Run `toolkeep install --list` to see the clients of this computer.',
  });
}
