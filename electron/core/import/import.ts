/** Import: reads the config files of other apps and plans what Gatehouse can take over (requirement rows A7, F5). */
import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { ImportFile, ImportPlan, ServerConfig } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import { commandChecker, notesOn } from './check.ts';
import { ownAddress } from './gateways.ts';
import { isSameServer } from './identity.ts';
import { type FoundEntry, mergeEntries } from './merge.ts';
import { understand } from './normalise.ts';
import { expandHome, expandPath, type Place } from './places.ts';
import { readPlace } from './read-file.ts';
import { readAnyShape } from './readers.ts';
import { type ClientSource, formatOf } from './source.ts';
import { clientSources, findSource } from './sources.ts';

export { type Format, parseText } from './document.ts';
export { isOurselves } from './gateways.ts';
export { expandPath } from './places.ts';
export { type DecodedText, decodeText, encodeText } from './text.ts';
export { watchSources } from './watch.ts';
export { type ClientSource, clientSources, findSource };

export interface PlanOptions {
  /** Ids of clients, or paths of files; all clients if not given. */
  sources?: string[] | undefined;
  /** What Gatehouse has already. */
  known: ServerConfig[];
}

/**
 * Looks into the files of the given clients and lists every server found, merged, named and annotated. Writes nothing
 * and never throws for what it finds: each problem stands with its file.
 */
export async function planImport(host: Host, options: PlanOptions): Promise<ImportPlan> {
  const files: ImportFile[] = [];
  const entries: FoundEntry[] = [];
  const { sources, problems } = chosenSources(options.sources, host);
  files.push(...problems);
  for (const { source, places } of sources) {
    const seen: ImportFile[] = [];
    const read = new Set<string>();
    for (const place of places) {
      for (const path of await expandPath(place.path)) {
        // In the home folder, the user's file and the project's are the same one.
        const real = await realpath(path).catch(() => path);
        if (read.has(real)) continue;
        read.add(real);
        const file = await readOne(host, source, { ...place, path });
        seen.push(file.file);
        entries.push(...file.entries);
      }
    }
    // One line says that an app was looked for; the rest of its possible files would only be noise.
    const found = seen.filter((file) => file.found);
    files.push(...(found.length > 0 ? found : seen.slice(0, 1)));
  }
  const address = await ownAddress(host);
  const checkCommand = commandChecker(host);
  const merged = mergeEntries(entries, options.known, host, address);
  for (const entry of merged) {
    if (entry.state === 'self') continue;
    if (entry.state !== 'unusable') entry.notes.push(...(await notesOn(entry.server.connection, checkCommand)));
  }
  return { files, entries: merged };
}

/** One file of one client, for the `sources` of a config. What is wrong is in `problems`; never throws. */
export async function readSource(
  host: Host,
  { type, path }: { type: string; path: string },
): Promise<{ found: boolean; servers: ServerConfig[]; problems: Failure[] }> {
  const source = findSource(type);
  if (!source) {
    const known = clientSources.map(({ id }) => id).join(', ');
    const message = `There is no source of the type "${type}".`;
    return {
      found: false,
      servers: [],
      problems: [{ code: 'CONFIG_INVALID', message, hint: `Known types: ${known}.` }],
    };
  }
  const places = path === '' ? await usualPlaces(source, host) : [placeAt(source, path, host)];
  const read = await Promise.all(places.map((place) => readOne(host, source, place)));
  const address = await ownAddress(host);
  const entries = read.flatMap((one) => one.entries);
  const merged = mergeEntries(entries, [], host, address);
  const unusable = merged.filter(({ state }) => state === 'unusable');
  return {
    found: read.some(({ file }) => file.found),
    servers: merged.filter(({ state }) => state === 'new').map(({ server, origins }) => ({ ...server, origins })),
    problems: [
      ...read.flatMap(({ file }) => file.problems),
      ...unusable.map(({ server, notes, origins: [origin] }): Failure => {
        const message = `${server.name} in ${origin?.file}: ${notes[0] ?? 'cannot be used.'}`;
        return { code: 'CONFIG_INVALID', message, file: origin?.file };
      }),
    ],
  };
}

/** Names, as they stand in that file, of the servers that Gatehouse has already. */
export async function namesTakenOver(
  host: Host,
  file: { type: string; path: string },
  known: ServerConfig[],
): Promise<string[]> {
  const { servers } = await readSource(host, file);
  return servers
    .filter((server) => known.some(({ connection }) => isSameServer(connection, server.connection, host)))
    .map(({ name }) => name);
}

/** Wherever the client itself looks. */
async function usualPlaces(source: ClientSource, host: Host): Promise<Place[]> {
  const places = source.places(host).map(async (place) => {
    return (await expandPath(place.path)).map((path) => ({ ...place, path }));
  });
  return (await Promise.all(places)).flat();
}

function placeAt(source: ClientSource, path: string, host: Host): Place {
  const expanded = expandHome(path, host.homeDir);
  const file = isAbsolute(expanded) ? expanded : resolve(host.cwd, expanded);
  return source.places(host).find((candidate) => candidate.path === file) ?? guessedPlace(source, file);
}

async function readOne(
  host: Host,
  source: ClientSource,
  place: Place,
): Promise<{ file: ImportFile; entries: FoundEntry[] }> {
  const read = await readPlace(source, place, host).catch((error: unknown) => ({
    found: true,
    servers: [],
    problems: [toFailure(error, 'CLIENT_FILE_INVALID')],
  }));
  const entries = read.servers.map((raw): FoundEntry => {
    return { source, file: place.path, line: raw.line, understood: understand(raw, source) };
  });
  const { found, problems } = read;
  return {
    file: { source: source.id, app: source.app, file: place.path, found, serverCount: entries.length, problems },
    entries,
  };
}

/** A file at a place of its own choosing: its ending tells the format, its client the reader. */
function guessedPlace(source: ClientSource, path: string): Place {
  const format = /\.(?:jsonc?|ya?ml|toml)$/i.test(path) ? formatOf(path) : source.format;
  const elsewhere = format !== source.format;
  return { path, scope: 'user', format, ...(elsewhere ? { reader: readAnyShape } : {}) };
}

function chosenSources(
  wanted: string[] | undefined,
  host: Host,
): { sources: { source: ClientSource; places: Place[] }[]; problems: ImportFile[] } {
  if (!wanted) {
    return { sources: clientSources.map((source) => ({ source, places: source.places(host) })), problems: [] };
  }
  const sources: { source: ClientSource; places: Place[] }[] = [];
  const problems: ImportFile[] = [];
  for (const name of wanted) {
    const source = findSource(name);
    const custom = findSource('custom') as ClientSource;
    if (source) sources.push({ source, places: source.places(host) });
    else if (/[\\/.]/.test(name)) {
      const path = resolve(host.cwd, expandHome(name, host.homeDir));
      sources.push({ source: custom, places: [guessedPlace(custom, path)] });
    } else {
      const known = clientSources.map(({ id }) => id).join(', ');
      const message = `No app is known by the name "${name}".`;
      const failure: Failure = {
        code: 'CLIENT_UNKNOWN',
        message,
        hint: `Known: ${known}; or give the path of a file.`,
      };
      problems.push({ source: name, app: name, file: '', found: false, serverCount: 0, problems: [failure] });
    }
  }
  return { sources, problems };
}
