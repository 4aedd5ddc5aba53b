/** The table of client config sources: one pure entry per client. Everything else about a client is derived from it. */
import { foldersOf } from './places.ts';
import { section } from './readers.ts';
import type { ClientSource } from './source.ts';
import { rows } from './table.ts';

/** All clients, in the order in which people see them. */
export const clientSources: readonly ClientSource[] = Object.entries(rows).map(([id, row]) => ({
  aliases: [],
  format: 'json',
  reader: section('mcpServers'),
  urlMeans: undefined,
  timeoutUnit: undefined,
  placeholders: [],
  ...row,
  id,
  places: (machine) => row.places(foldersOf(machine), machine),
}));

/** The client of that id or alias. */
export function findSource(name: string): ClientSource | undefined {
  const wanted = name.toLowerCase();
  return clientSources.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
}
