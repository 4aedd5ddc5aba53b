/** Where and how Toolkeep is installed in a client, from the client's definition. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail } from '../../../../shared/failure.ts';
import type { Host } from '../../host.ts';
import type { ClientDefinition, InstallDefinition } from '../client-definition.ts';
import { expandPath } from '../import/paths.ts';
import { findClient, knownClients } from '../known-clients.ts';
import type { EntryPlace } from './entry-path.ts';

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

/**
 * Toolkeep's entry in the user's config file for a client: the first file that exists, else the first in an existing
 * folder, else the first.
 */
export async function placeIn({ source, section, list }: Target, host: Host): Promise<EntryPlace> {
  const locations = source.locations(host).filter(({ scope, readOnly }) => scope === 'user' && !readOnly);
  const candidates: EntryPlace[] = [];
  for (const location of locations) {
    const files = await expandPath(location.path);
    const format = location.format ?? source.format;
    const found = files.map((file) => ({ file, format, section, name: 'toolkeep', ...(list && { list }) }));
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
