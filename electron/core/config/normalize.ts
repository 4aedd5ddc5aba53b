/** Converts the accepted spellings of a config document to the one that the schema checks, without validating. */
import { isObject } from '../../../shared/is-object.ts';

type Json = Record<string, unknown>;

export const connectionKeys = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'envFile',
  'environment',
  'url',
  'headers',
  'instances',
  'replicas',
  'oauth',
];

/** The document for the schema, with a mapping of its paths to those of the file. */
export interface Normalized {
  document: unknown;
  /** Path in the normalized document → path in the file. */
  pathInFile(path: PropertyKey[]): PropertyKey[];
  /** Keys next to a `discovery` wrapper, which have no effect. */
  ignoredKeys: string[];
}

/**
 * Unwraps `discovery:`, converts a map of servers (also under `mcpServers`) to a list, and moves connection keys next
 * to the name into `connection`. Leaves values that are not objects for the schema to report.
 */
export function normalize(written: unknown): Normalized {
  const wrapped = isObject(written) && isObject(written.discovery);
  const prefix: PropertyKey[] = wrapped ? ['discovery'] : [];
  const root = wrapped ? (written.discovery as Json) : written;
  if (!isObject(root)) return { document: root, pathInFile: (path) => [...prefix, ...path], ignoredKeys: [] };
  const { mcpServers, ...document } = root;
  const key = document.servers === undefined && mcpServers !== undefined ? 'mcpServers' : 'servers';
  const servers = root[key];
  const names = isObject(servers) ? Object.keys(servers) : undefined;
  if (isObject(servers)) document.servers = Object.entries(servers).map(([name, entry]) => namedServer(name, entry));
  else if (Array.isArray(servers)) document.servers = servers.map(serverEntry);
  else if (servers !== undefined) document.servers = servers;
  if (key === 'servers' && mcpServers !== undefined) document.mcpServers = mcpServers;
  const ignoredKeys = wrapped ? Object.keys(written).filter((key) => key !== 'discovery' && key !== '$schema') : [];
  return { document, pathInFile: (path) => [...prefix, ...serverPath(path, key, names, servers)], ignoredKeys };
}

function serverPath(path: PropertyKey[], key: string, names: string[] | undefined, servers: unknown): PropertyKey[] {
  if (path[0] !== 'servers') return path;
  const [, index, ...rest] = path;
  if (index === undefined) return [key];
  const step = names?.[Number(index)] ?? index;
  const entry = isObject(servers) || Array.isArray(servers) ? (servers as Json)[step as string] : undefined;
  const flat = rest[0] === 'connection' && isObject(entry) && entry.connection === undefined;
  if (!flat) return [key, step, ...rest];
  const [, required, ...inner] = rest;
  return [key, step, ...(required === undefined ? [] : [writtenKey(entry, required)]), ...inner];
}

/** The name of a missing key in the spelling that the entry uses. */
function writtenKey(entry: Json, key: PropertyKey): PropertyKey {
  if (entry[key as string] !== undefined) return key;
  if (key === 'command' && entry.transport_type === 'stdio') return 'server_path';
  if (key === 'type' && entry.transport_type !== undefined) return 'transport_type';
  return key === 'url' && entry.transport_type !== undefined ? 'http_endpoint' : key;
}

/** In a map, the key is the server's name, so a different `name` in the entry becomes the description. */
function namedServer(key: string, entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { name, ...rest } = entry;
  const label = typeof name === 'string' && name !== key ? { description: name } : {};
  return serverEntry({ ...label, ...rest, name: key });
}

function serverEntry(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  // `disabled` is how several clients write `enabled: false`. A list of names in `tools` is another client's filter.
  const { tools, disabled, server_slug: slug, ...rest } = fromRegistrationKeys(entry);
  if (slug !== undefined && rest.slug === undefined) rest.slug = slug;
  if (Array.isArray(tools) && tools.some(isObject)) rest.tools = tools;
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
  if (isObject(rest.connection)) {
    rest.connection = withEnvironmentBraces(rest.connection);
    (rest.connection as Json).type = transportOf((rest.connection as Json).type);
  }
  return rest;
}

function typed(connection: Json): Json {
  if (typeof connection.url === 'string') return { type: 'http' };
  // A command that is not a string is an error, which the schema reports at its key.
  if (connection.command !== undefined) return { type: 'stdio' };
  return connection.url === undefined ? {} : { type: 'http' };
}

function transportOf(type: unknown): unknown {
  return typeof type === 'string' && /^(?:streamable[-_]?http|http[-_]?stream)$/i.test(type) ? 'http' : type;
}

/**
 * Accepts the keys with which other MCP hosts register servers: `transport_type`, `server_path` (a Python script), `http_endpoint`,
 * `timeout` (30 by default for `http_endpoint`) and `sse_read_timeout`, both in seconds. A transport without the key that it needs is left for the schema to report.
 */
function fromRegistrationKeys(entry: Json): Json {
  const { transport_type: type, server_path: script, http_endpoint: url, timeout, sse_read_timeout, ...rest } = entry;
  if (type === undefined && script === undefined && url === undefined) return entry;
  const ms = (seconds: unknown) =>
    typeof seconds === 'number' && seconds > 0 ? Math.round(seconds * 1000) : undefined;
  const timeoutMs = ms(timeout) ?? (url === undefined ? undefined : 30_000);
  const readTimeoutMs = ms(sse_read_timeout);
  if (rest.type === undefined && type !== undefined) rest.type = type === 'local' ? 'stdio' : type;
  if (rest.url === undefined && url !== undefined) rest.url = url;
  if (rest.command === undefined && typeof script === 'string') {
    rest.command = 'python';
    rest.args = [script, ...(Array.isArray(rest.args) ? rest.args : [])];
  }
  if (rest.lifecycle === undefined && (timeoutMs ?? readTimeoutMs) !== undefined)
    rest.lifecycle = { ...(timeoutMs && { timeoutMs }), ...(readTimeoutMs && { readTimeoutMs }) };
  return rest;
}

/** Converts `{API_TOKEN}` to `${API_TOKEN}`. An unset variable then prevents the connection. */
function withEnvironmentBraces(connection: Json): Json {
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(/(?<!\$)\{([A-Z][A-Z0-9_]{1,100})\}/g, '$${$1}');
    if (Array.isArray(value)) return value.map(change);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
      : value;
  };
  const changed = ['url', 'headers', 'args', 'env', 'replicas'].filter((key) => connection[key] !== undefined);
  return { ...connection, ...Object.fromEntries(changed.map((key) => [key, change(connection[key])])) };
}
