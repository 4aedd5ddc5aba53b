/** Merges the entries of all files: equal servers become one entry, and equal names become unique. Has no side effects. */
import type { ImportEntry } from '../../../../shared/model/import.ts';
import type { Origin, ServerConfig } from '../../../../shared/model/server.ts';
import { isReservedName } from '../../../../shared/reserved-name.ts';
import { createSlices } from '../../async/slices.ts';
import type { ClientDefinition } from '../client-definition.ts';
import { withToolsDisabled } from './distinct-names.ts';
import { identityOf, isSameServer, shortHash } from './identity.ts';
import type { Understood } from './normalize.ts';
import type { Machine } from './paths.ts';

export interface FoundEntry {
  source: ClientDefinition;
  file: string;
  /** The current folder, if the file belongs to it and not to the user. */
  folder?: string | undefined;
  line: number | undefined;
  understood: Understood;
  /** Whether the entry is Toolkeep itself. */
  isSelf: boolean;
}

const maxNameLength = 100;

/** The entries of the plan, in the order found. `known` are the servers that Toolkeep already has. */
export async function mergeEntries(
  found: FoundEntry[],
  known: ServerConfig[],
  machine: Pick<Machine, 'env' | 'homeDir'>,
): Promise<ImportEntry[]> {
  const byIdentity = new Map<string, ImportEntry>();
  const rest = createSlices();
  for (const { source, file, folder, line, understood, isSelf } of found) {
    await rest();
    const { server, unusable } = understood;
    const origin: Origin = { source: source.id, file };
    const identity = unusable
      ? `${source.id}\n${file}\n${server.name}\n${line}`
      : identityOf(server.connection, machine);
    const earlier = byIdentity.get(identity);
    if (earlier) {
      mergeInto(earlier, server, origin, source.app, understood.notes);
      if (folder === undefined) delete earlier.folder;
      continue;
    }
    const state = isSelf ? 'self' : unusable ? 'unusable' : 'new';
    const location = line === undefined ? file : `${file}, line ${line}`;
    const notes = unusable ? [`${unusable} (${location})`, ...understood.notes] : [...understood.notes];
    if (isSelf) notes.unshift('This is Toolkeep; it is never imported.');
    const id = unusable ? shortHash(identity) : identity;
    const entry: ImportEntry = { id, server: { ...server }, origins: [origin], state, picked: state === 'new', notes };
    byIdentity.set(identity, { ...entry, ...(folder !== undefined && { folder }) });
  }
  const entries = [...byIdentity.values()];
  markFolders(entries);
  await markKnown(entries, known, machine, rest);
  giveNames(entries, known);
  return entries;
}

function mergeInto(entry: ImportEntry, server: ServerConfig, origin: Origin, app: string, notes: string[]): void {
  const repeated = entry.origins.some(({ source, file }) => source === origin.source && file === origin.file);
  if (!repeated) entry.origins.push(origin);
  if (entry.server.name !== server.name) entry.notes.push(`Also listed as "${server.name}" (${app}).`);
  entry.server = withToolsDisabled(entry.server, server);
  if (entry.server.enabled !== server.enabled) {
    entry.notes.push('Enabled in one client and disabled in another; imported as enabled.');
    entry.server.enabled = true;
  }
  for (const note of notes) if (!entry.notes.includes(note)) entry.notes.push(note);
}

function markFolders(entries: ImportEntry[]): void {
  for (const entry of entries) {
    if (entry.folder === undefined || entry.state !== 'new') continue;
    entry.picked = false;
    entry.notes.unshift(`From the folder ${entry.folder}, not from your own files. Gets the minimal environment.`);
  }
}

async function markKnown(
  entries: ImportEntry[],
  known: ServerConfig[],
  machine: Pick<Machine, 'env' | 'homeDir'>,
  rest: () => Promise<void>,
): Promise<void> {
  for (const entry of entries) {
    if (entry.state !== 'new') continue;
    await rest();
    const match = known.find(({ connection }) => isSameServer(connection, entry.server.connection, machine));
    if (!match) continue;
    entry.state = 'known';
    entry.picked = false;
    if (match.name !== entry.server.name) entry.notes.unshift(`Already in Toolkeep as "${match.name}".`);
  }
}

/**
 * Makes names unique regardless of case (`github`, `github-2`), with a note on each renamed server. The user's own servers
 * come first, so that a folder cannot take their names.
 */
function giveNames(entries: ImportEntry[], known: ServerConfig[]): void {
  const taken = new Map(known.map(({ name }) => [name.toLowerCase(), 'a server in Toolkeep']));
  for (const entry of entries.toSorted((a, b) => Number(a.folder !== undefined) - Number(b.folder !== undefined))) {
    if (entry.state !== 'new') continue;
    const own = entry.server.name;
    const wanted = isReservedName(own) ? 'server' : own;
    const holder = taken.get(wanted.toLowerCase());
    let name = wanted;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) {
      const suffix = `-${count}`;
      name = wanted.slice(0, maxNameLength - suffix.length) + suffix;
    }
    const where = entry.origins[0]?.file ?? 'another file';
    taken.set(name.toLowerCase(), `a different server in ${where}`);
    if (name === own) continue;
    entry.server = { ...entry.server, name };
    const reason = wanted === own ? `that name belongs to ${holder}` : 'it could be mistaken for Toolkeep or for you';
    entry.notes.unshift(`Renamed from "${own}": ${reason}.`);
  }
}
