/** Brings the spellings that people use for servers into the one that the schema checks, without judging them. */
import { isObject } from '../../../shared/is-object.ts';

type Json = Record<string, unknown>;

const connectionKeys = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'envFile',
  'url',
  'headers',
  'instances',
  'replicas',
  'oauth',
];

/** What the schema gets, and how its paths read in the file. */
export interface Normalised {
  document: unknown;
  /** Path in the normalised document → path in the file. */
  pathInFile(path: PropertyKey[]): PropertyKey[];
  /** Keys next to a `discovery` wrapper. */
  besides: string[];
}

/**
 * Unwraps `discovery:`, turns a map of servers (also under `mcpServers`) into the list, and gathers connection keys that
 * stand beside the name under `connection`. What is not an object is left for the schema to complain about.
 */
export function normalise(written: unknown): Normalised {
  const wrapped = isObject(written) && isObject(written.discovery);
  const prefix: PropertyKey[] = wrapped ? ['discovery'] : [];
  const root = wrapped ? (written.discovery as Json) : written;
  if (!isObject(root)) return { document: root, pathInFile: (path) => [...prefix, ...path], besides: [] };
  const { mcpServers, ...document } = root;
  const key = document.servers === undefined && mcpServers !== undefined ? 'mcpServers' : 'servers';
  const servers = root[key];
  const names = isObject(servers) ? Object.keys(servers) : undefined;
  if (isObject(servers)) document.servers = Object.entries(servers).map(([name, entry]) => namedServer(name, entry));
  else if (Array.isArray(servers)) document.servers = servers.map(serverEntry);
  else if (servers !== undefined) document.servers = servers;
  if (key === 'servers' && mcpServers !== undefined) document.mcpServers = mcpServers;
  const besides = wrapped ? Object.keys(written).filter((other) => other !== 'discovery' && other !== '$schema') : [];
  return { document, pathInFile: (path) => [...prefix, ...serverPath(path, key, names, servers)], besides };
}

function serverPath(path: PropertyKey[], key: string, names: string[] | undefined, servers: unknown): PropertyKey[] {
  if (path[0] !== 'servers') return path;
  const [, index, ...rest] = path;
  if (index === undefined) return [key];
  const step = names?.[Number(index)] ?? index;
  const entry = isObject(servers) || Array.isArray(servers) ? (servers as Json)[step as string] : undefined;
  const flat = rest[0] === 'connection' && isObject(entry) && entry.connection === undefined;
  return [key, step, ...(flat ? rest.slice(1) : rest)];
}

/** In a map the key is the server's name, so a `name` inside can only be a longer one for people. */
function namedServer(key: string, entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { name, ...rest } = entry;
  const label = typeof name === 'string' && name !== key ? { description: name } : {};
  return serverEntry({ ...label, ...rest, name: key });
}

function serverEntry(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  // `tools` lists what the server will tell us itself; `disabled` is how several clients write `enabled: false`.
  const { tools: _tools, disabled, ...rest } = entry;
  if (typeof disabled === 'boolean' && rest.enabled === undefined) rest.enabled = !disabled;
  else if (disabled !== undefined) rest.disabled = disabled;
  if (rest.connection === undefined) {
    const connection: Json = {};
    for (const key of connectionKeys) {
      if (rest[key] === undefined) continue;
      connection[key] = rest[key];
      delete rest[key];
    }
    if (Object.keys(connection).length > 0) rest.connection = connection;
  }
  if (isObject(rest.connection)) rest.connection = { ...typed(rest.connection), ...rest.connection };
  if (isObject(rest.connection)) rest.connection.type = transportOf(rest.connection.type);
  return rest;
}

function typed(connection: Json): Json {
  if (typeof connection.url === 'string') return { type: 'http' };
  return typeof connection.command === 'string' ? { type: 'stdio' } : {};
}

function transportOf(type: unknown): unknown {
  return typeof type === 'string' && /^streamable[-_]?http$/i.test(type) ? 'http' : type;
}
