/** From the entries of all files to the entries of the plan: equal servers become one, equal names become distinct. Pure. */
import type { ImportEntry, Origin, ServerConfig } from '../../../shared/model.ts';
import { isOurselves } from './gateways.ts';
import { identityOf, isSameServer, shortHash } from './identity.ts';
import type { Understood } from './normalise.ts';
import type { Machine } from './places.ts';
import type { ClientSource } from './source.ts';

export interface FoundEntry {
  source: ClientSource;
  file: string;
  line: number | undefined;
  understood: Understood;
}

const maxNameLength = 100;

/** The entries of the plan, in the order found. `known` are the servers that Gatehouse has. */
export function mergeEntries(
  found: FoundEntry[],
  known: ServerConfig[],
  machine: Pick<Machine, 'env' | 'homeDir'>,
  address: string | undefined,
): ImportEntry[] {
  const byIdentity = new Map<string, ImportEntry>();
  for (const { source, file, line, understood } of found) {
    const { server, unusable } = understood;
    const origin: Origin = { source: source.id, file };
    const self = isOurselves(server.name, server.connection, address);
    const identity = unusable
      ? `${source.id}\n${file}\n${server.name}\n${line}`
      : identityOf(server.connection, machine);
    const earlier = byIdentity.get(identity);
    if (earlier) {
      mergeInto(earlier, server, origin, source.app, understood.notes);
      continue;
    }
    const state = self ? 'self' : unusable ? 'unusable' : 'new';
    const place = line === undefined ? file : `${file}, line ${line}`;
    const notes = unusable ? [`${unusable} (${place})`, ...understood.notes] : [...understood.notes];
    if (self) notes.unshift('This is Gatehouse itself; it is never imported.');
    const id = unusable ? shortHash(identity) : identity;
    byIdentity.set(identity, { id, server: { ...server }, origins: [origin], state, picked: state === 'new', notes });
  }
  const entries = [...byIdentity.values()];
  markKnown(entries, known, machine);
  giveNames(entries, known);
  return entries;
}

function mergeInto(entry: ImportEntry, server: ServerConfig, origin: Origin, app: string, notes: string[]): void {
  const repeated = entry.origins.some(({ source, file }) => source === origin.source && file === origin.file);
  if (!repeated) entry.origins.push(origin);
  if (entry.server.name !== server.name) entry.notes.push(`Also listed as "${server.name}" (${app}).`);
  if (entry.server.enabled !== server.enabled) {
    entry.notes.push('Switched on in one app and off in another; it comes over switched on.');
    entry.server.enabled = true;
  }
  for (const note of notes) if (!entry.notes.includes(note)) entry.notes.push(note);
}

function markKnown(entries: ImportEntry[], known: ServerConfig[], machine: Pick<Machine, 'env' | 'homeDir'>): void {
  for (const entry of entries) {
    if (entry.state !== 'new') continue;
    const match = known.find(({ connection }) => isSameServer(connection, entry.server.connection, machine));
    if (!match) continue;
    entry.state = 'known';
    entry.picked = false;
    if (match.name !== entry.server.name) entry.notes.unshift(`Gatehouse has it as "${match.name}".`);
  }
}

/** `github`, then `github-2`: a name is given once, and the note says why. Names differ by more than case. */
function giveNames(entries: ImportEntry[], known: ServerConfig[]): void {
  const taken = new Map(known.map(({ name }) => [name.toLowerCase(), 'a server that Gatehouse has']));
  for (const entry of entries) {
    if (entry.state !== 'new') continue;
    const wanted = entry.server.name;
    const holder = taken.get(wanted.toLowerCase());
    let name = wanted;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) {
      const suffix = `-${count}`;
      name = wanted.slice(0, maxNameLength - suffix.length) + suffix;
    }
    const where = entry.origins[0]?.file ?? 'another file';
    taken.set(name.toLowerCase(), `a different server in ${where}`);
    if (name === wanted) continue;
    entry.server = { ...entry.server, name };
    entry.notes.unshift(`Renamed from "${wanted}": that name belongs to ${holder}.`);
  }
}
