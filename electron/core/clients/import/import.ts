/** Reads clients' config files and plans which servers Toolkeep can import. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { type Failure, toFailure } from '../../../../shared/failure.ts';
import type { ImportFile, ImportPlan } from '../../../../shared/model/import.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import { createSlices } from '../../async/slices.ts';
import { formatOfFile } from '../../files/document.ts';
import { expandHome } from '../../files/expand-home.ts';
import type { Host } from '../../host.ts';
import { referencesToInputs } from '../../secrets/vault.ts';
import type { ClientDefinition } from '../client-definition.ts';
import { findClient, knownClients } from '../known-clients.ts';
import { commandChecker, notesOn } from './check.ts';
import { distinctNames } from './distinct-names.ts';
import { isToolkeep, ownAddress } from './gateways.ts';
import { isSameServer } from './identity.ts';
import { type FoundEntry, mergeEntries } from './merge.ts';
import { understand } from './normalize.ts';
import { type ConfigLocation, expandPath } from './paths.ts';
import { readLocation } from './read-file.ts';
import { readAnyShape } from './readers.ts';

export interface PlanOptions {
  /** Client ids or file paths. Default: all clients. */
  sources?: string[];
  /** The servers that Toolkeep already has. */
  known: ServerConfig[];
}

/**
 * Reads the files of the given clients and lists all servers, merged, with unique names and notes. Writes nothing. Reports
 * problems with the file instead of throwing.
 */
export async function planImport(host: Host, options: PlanOptions): Promise<ImportPlan> {
  const files: ImportFile[] = [];
  const entries: FoundEntry[] = [];
  const { sources, problems } = selectSources(options.sources, host);
  files.push(...problems);
  const address = await ownAddress(host);
  for (const { source, locations } of sources) {
    const seen: ImportFile[] = [];
    const read = new Set<string>();
    for (const location of locations) {
      for (const path of await expandPath(location.path)) {
        // If the current folder is the home folder, the user's file and the project's file are the same.
        const real = await realpath(path).catch(() => path);
        if (read.has(real)) continue;
        read.add(real);
        const file = await readOne(host, source, { ...location, path }, address);
        seen.push(file.file);
        entries.push(...file.entries);
      }
    }
    // For a client without files, list only the first location.
    const found = seen.filter((file) => file.found);
    files.push(...(found.length > 0 ? found : seen.slice(0, 1)));
  }
  const checkCommand = commandChecker(host);
  const merged = await mergeEntries(entries, options.known, host);
  const rest = createSlices();
  for (const entry of merged) {
    await rest();
    if (entry.state === 'self' || entry.state === 'unusable') continue;
    const { connection } = entry.server;
    const problem = await checkCommand(connection);
    entry.notes.push(...notesOn(connection), ...(problem ? [problem.note] : []));
    if (problem?.isMissing) entry.missing = problem.note;
  }
  return { files, entries: merged };
}

/** Reads one file of one client, for the `sources` of a config. Returns problems instead of throwing. */
export async function readSource(
  host: Host,
  { type, path }: { type: string; path: string },
): Promise<{ files: string[]; found: boolean; servers: ServerConfig[]; problems: Failure[] }> {
  const source = findClient(type);
  if (!source) {
    const known = knownClients.map(({ id }) => id).join(', ');
    const message = `Unknown source type "${type}".`;
    return {
      files: [],
      found: false,
      servers: [],
      problems: [{ code: 'CONFIG_INVALID', message, hint: `Known types: ${known}.` }],
    };
  }
  const ofUser = await usualLocations(source, host);
  const locations = path === '' ? ofUser : [locationAt(source, path, host)];
  const isOfUser = locations.every((location) => ofUser.some((own) => own.path === location.path));
  const address = await ownAddress(host);
  const read = await Promise.all(locations.map((location) => readOne(host, source, location, address)));
  const entries = read.flatMap((one) => one.entries);
  const merged = await mergeEntries(entries, [], host);
  const unusable = merged.filter(({ state }) => state === 'unusable');
  const found = read.filter(({ file }) => file.found);
  return {
    files: (found.length > 0 ? found : read).map(({ file }) => file.file),
    found: found.length > 0,
    servers: merged
      .filter(({ state }) => state === 'new')
      .map(({ server, origins }) => ({ ...(isOfUser ? server : referencesToInputs(server)), origins })),
    problems: [
      ...read.flatMap(({ file }) => file.problems),
      ...unusable.map(({ server, notes, origins: [origin] }): Failure => {
        const message = `${server.name} in ${origin?.file}: ${notes[0] ?? 'cannot be used.'}`;
        return { code: 'CONFIG_INVALID', message, file: origin?.file };
      }),
    ],
  };
}

/** The servers of the file that Toolkeep already has, by the names that the file gives them. `as`: their names in Toolkeep. */
export async function serversTakenOver(
  host: Host,
  file: { type: string; path: string },
  known: ServerConfig[],
): Promise<{ name: string; as: string[] }[]> {
  const { servers } = await readSource(host, file);
  return servers.flatMap(({ name, connection }) => {
    const same = known.filter((server) => isSameServer(server.connection, connection, host));
    return same.length > 0 ? { name, as: same.map((server) => server.name) } : [];
  });
}

/**
 * The servers of all sources. `own` has the names of the user's own servers; `renamed` has a sentence for each renamed
 * server.
 */
export async function readSources(
  host: Host,
  sources: readonly { type: string; path: string }[],
  own: ReadonlySet<string>,
): Promise<{ servers: ServerConfig[]; renamed: string[] }> {
  const read = sources.map(async (source) => ({ type: source.type, ...(await readSource(host, source)) }));
  return distinctNames(await Promise.all(read), own, host);
}

/** The current folder, if the location belongs to it. In the home folder, every file is the user's own. */
function folderOf({ scope }: ConfigLocation, { cwd, homeDir }: Host): string | undefined {
  return scope === 'project' && cwd !== homeDir ? cwd : undefined;
}

/** The locations where the client itself looks, except in a folder that the user may not trust. */
async function usualLocations(source: ClientDefinition, host: Host): Promise<ConfigLocation[]> {
  const own = source.locations(host).filter((location) => folderOf(location, host) === undefined);
  const locations = own.map(async (location) => {
    return (await expandPath(location.path)).map((path) => ({ ...location, path }));
  });
  return (await Promise.all(locations)).flat();
}

/**
 * The files of the user's own clients, unlike every other file, which anyone may have written: one of a project, or at a path
 * that the user only named.
 */
export async function filesOfUser(host: Host): Promise<ReadonlySet<string>> {
  const locations = await Promise.all(knownClients.map((client) => usualLocations(client, host)));
  return new Set(locations.flat().map(({ path }) => path));
}

function locationAt(source: ClientDefinition, path: string, host: Host): ConfigLocation {
  const expanded = expandHome(path, host.homeDir);
  const file = isAbsolute(expanded) ? expanded : resolve(host.cwd, expanded);
  return source.locations(host).find((candidate) => candidate.path === file) ?? guessedLocation(source, file);
}

async function readOne(
  host: Host,
  source: ClientDefinition,
  location: ConfigLocation,
  address: string | undefined,
): Promise<{ file: ImportFile; entries: FoundEntry[] }> {
  const read = await readLocation(source, location, host).catch((error: unknown) => ({
    found: true,
    servers: [],
    problems: [toFailure(error, 'CLIENT_FILE_INVALID')],
  }));
  const entries: FoundEntry[] = [];
  const rest = createSlices();
  for (const raw of read.servers) {
    await rest();
    const understood = understand(raw, source, host.platform);
    const { name, connection } = understood.server;
    entries.push({
      source,
      file: location.path,
      folder: folderOf(location, host),
      line: raw.line,
      understood,
      isSelf: isToolkeep(name, connection, address),
    });
  }
  const { found, problems } = read;
  const others = entries.filter(({ isSelf }) => !isSelf);
  return {
    file: { source: source.id, app: source.app, file: location.path, found, serverCount: others.length, problems },
    entries,
  };
}

/** A file at an unusual path. Its extension determines the format; if the client uses another one, any structure is read. */
function guessedLocation(source: ClientDefinition, path: string): ConfigLocation {
  const format = /\.(?:jsonc?|ya?ml|toml)$/i.test(path) ? formatOfFile(path) : source.format;
  const elsewhere = format !== source.format;
  return { path, scope: 'user', format, ...(elsewhere ? { reader: readAnyShape } : {}) };
}

function selectSources(
  wanted: string[] | undefined,
  host: Host,
): { sources: { source: ClientDefinition; locations: ConfigLocation[] }[]; problems: ImportFile[] } {
  if (!wanted) {
    return { sources: knownClients.map((source) => ({ source, locations: source.locations(host) })), problems: [] };
  }
  const sources: { source: ClientDefinition; locations: ConfigLocation[] }[] = [];
  const problems: ImportFile[] = [];
  for (const name of wanted) {
    const source = findClient(name);
    const custom = findClient('custom') as ClientDefinition;
    if (source) sources.push({ source, locations: source.locations(host) });
    else if (/[\\/.]/.test(name)) {
      const path = resolve(host.cwd, expandHome(name, host.homeDir));
      sources.push({ source: custom, locations: [guessedLocation(custom, path)] });
    } else {
      const known = knownClients.map(({ id }) => id).join(', ');
      const message = `Unknown client "${name}".`;
      const failure: Failure = {
        code: 'CLIENT_UNKNOWN',
        message,
        hint: `Known: ${known}. You can also pass the path of a file.`,
      };
      problems.push({ source: name, app: name, file: '', found: false, serverCount: 0, problems: [failure] });
    }
  }
  return { sources, problems };
}
