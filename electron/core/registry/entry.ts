/** Reads a registry entry in any version of the format. */
import { isObject, objectsIn } from '../../../shared/is-object.ts';

/** A value that the publisher fixes (`value`) or asks for. */
export interface Input {
  /** The label; by default the name. */
  title?: string;
  /** Whether a path is a file or a folder; only bundles specify this. */
  pick?: 'file' | 'folder';
  description?: string;
  isRequired: boolean;
  isSecret: boolean;
  format: 'string' | 'number' | 'boolean' | 'filepath';
  /** The fixed value. Each `{name}` in it is replaced with the variable `name`. */
  value?: string;
  default?: string;
  placeholder?: string;
  choices?: string[];
  variables: ReadonlyMap<string, Input>;
  /** A list: the text that contains this variable is repeated for each value. */
  isList?: boolean;
}

export interface NamedInput extends Input {
  name: string;
}

export interface Argument extends Input {
  /** The flag with its dashes; absent for a positional argument. */
  flag?: string;
  /** The meaning of a positional argument, for example `folder`. */
  hint?: string;
  isRepeated: boolean;
}

export interface Package {
  type: string;
  identifier: string;
  version: string;
  baseUrl?: string;
  /** Lower-case SHA-256 of a bundle. */
  fileSha256?: string;
  /** `stdio`, or the transport of a local HTTP server. */
  transport: string;
  runtimeArguments: Argument[];
  packageArguments: Argument[];
  environment: NamedInput[];
  /** The hosts that the server contacts, according to its publisher. */
  hosts: string[];
  /** A part of the entry that cannot be converted to a command. */
  unsupported?: string;
}

export interface Remote {
  type: 'http' | 'sse';
  url: string;
  headers: NamedInput[];
  variables: ReadonlyMap<string, Input>;
}

export interface RegistryEntry {
  /** `namespace/name`. */
  name: string;
  title?: string;
  description: string;
  version: string;
  status: 'active' | 'deprecated' | 'deleted';
  statusMessage?: string;
  /** Epoch milliseconds. */
  publishedAt?: number;
  updatedAt?: number;
  isLatest: boolean;
  repository?: string;
  website?: string;
  packages: Package[];
  remotes: Remote[];
}

type Json = Record<string, unknown>;

const officialMeta = 'io.modelcontextprotocol.registry/official';
const maxItems = 100;

/** Returns undefined if `item` is not an entry. Ignores unknown keys and malformed parts. */
export function parseEntry(item: unknown): RegistryEntry | undefined {
  if (!isObject(item)) return undefined;
  const server = isObject(item.server) ? item.server : item;
  const name = text(server.name);
  const detail = object(read(server, 'versionDetail'));
  const version = text(server.version) ?? text(detail.version);
  if (!name || name.length > 200 || !/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name) || !version) return undefined;
  const meta = metaOf(item);
  const status = text(meta.status) ?? text(server.status);
  const published = time(read(meta, 'publishedAt')) ?? time(read(detail, 'releaseDate'));
  return {
    name,
    ...optional('title', text(server.title)),
    description: text(server.description) ?? '',
    version,
    status: status === 'deprecated' || status === 'deleted' ? status : 'active',
    ...optional('statusMessage', text(meta.statusMessage)),
    ...optional('publishedAt', published),
    ...optional('updatedAt', time(read(meta, 'updatedAt')) ?? published),
    isLatest: (read(meta, 'isLatest') ?? read(detail, 'isLatest')) !== false,
    ...optional('repository', webAddress(object(server.repository).url)),
    ...optional('website', webAddress(read(server, 'websiteUrl'))),
    packages: objects(server.packages).flatMap(parsePackage),
    remotes: objects(server.remotes).flatMap(parseRemote),
  };
}

/** The metadata from the registry. The same keys below `server` would come from the publisher. */
function metaOf(item: Json): Json {
  const meta = object(item._meta)[officialMeta];
  return isObject(meta) ? meta : object(item['x-io.modelcontextprotocol.registry']);
}

function parsePackage(json: Json): Package[] {
  const type = (text(read(json, 'registryType')) ?? text(read(json, 'registryName')) ?? '').toLowerCase();
  const identifier = text(json.identifier) ?? text(json.name);
  if (type === '' || !identifier) return [];
  // The same object in every argument, so that the user is asked once.
  const shared = variablesOf(json);
  const withShared = <T extends Input>(input: T): T =>
    shared.size === 0 ? input : { ...input, variables: new Map([...shared, ...input.variables]) };
  return [
    {
      type: type === 'docker' ? 'oci' : type,
      identifier,
      version: text(json.version) ?? '',
      ...optional('baseUrl', text(read(json, 'registryBaseUrl'))),
      ...optional('fileSha256', text(read(json, 'fileSha256'))?.toLowerCase()),
      transport: text(object(json.transport).type) ?? 'stdio',
      runtimeArguments: objects(read(json, 'runtimeArguments')).flatMap(parseArgument).map(withShared),
      packageArguments: objects(read(json, 'packageArguments')).flatMap(parseArgument).map(withShared),
      environment: objects(read(json, 'environmentVariables')).flatMap(parseNamed).map(withShared),
      hosts: hostNames(read(json, 'allowHosts')),
      ...optional('unsupported', text(json.unsupported)?.slice(0, 200)),
    },
  ];
}

function parseRemote(json: Json): Remote[] {
  const url = text(json.url);
  const transport = text(json.type) ?? text(read(json, 'transportType')) ?? 'streamable-http';
  if (!url) return [];
  const headers = objects(json.headers).flatMap(parseNamed);
  return [{ type: /sse/i.test(transport) ? 'sse' : 'http', url, headers, variables: variablesOf(json) }];
}

function parseArgument(json: Json): Argument[] {
  const input = parseInput(json);
  const isRepeated = read(json, 'isRepeated') === true;
  if (json.type !== 'named') return [{ ...input, isRepeated, ...optional('hint', text(read(json, 'valueHint'))) }];
  const flag = text(json.name);
  return flag ? [{ ...input, isRepeated, flag }] : [];
}

function parseNamed(json: Json): NamedInput[] {
  const name = text(json.name);
  return name ? [{ ...parseInput(json), name }] : [];
}

function parseInput(json: Json): Input {
  const format = text(json.format);
  const choices = Array.isArray(json.choices) ? json.choices.flatMap((choice) => scalar(choice) ?? []) : [];
  return {
    ...optional('description', text(json.description)),
    isRequired: read(json, 'isRequired') === true,
    isSecret: read(json, 'isSecret') === true,
    format: format === 'number' || format === 'boolean' || format === 'filepath' ? format : 'string',
    ...optional('value', scalar(json.value)),
    ...optional('default', scalar(json.default)),
    ...optional('placeholder', text(json.placeholder)),
    ...optional('choices', choices.length > 0 ? choices.slice(0, maxItems) : undefined),
    variables: variablesOf(json),
  };
}

function variablesOf(json: Json): Map<string, Input> {
  const entries = Object.entries(object(json.variables)).slice(0, maxItems);
  // A variable cannot contain other variables.
  return new Map(
    entries.map(([name, value]) => {
      const input = object(value);
      const isList = read(input, 'isRepeated') === true;
      return [name, { ...parseInput(input), variables: new Map(), ...(isList && { isList }) }];
    }),
  );
}

function hostNames(value: unknown): string[] {
  const names = (Array.isArray(value) ? value : []).filter((name) => typeof name === 'string' && name !== '');
  return [...new Set(names.slice(0, maxItems).map((name: string) => name.toLowerCase().slice(0, 255)))];
}

/** Entries from before September 2025 have keys in snake case. */
function read(json: Json, key: string): unknown {
  return json[key] ?? json[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

const object = (value: unknown): Json => (isObject(value) ? value : {});
const objects = (value: unknown): Json[] => objectsIn(value).slice(0, maxItems);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const scalar = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

function webAddress(value: unknown): string | undefined {
  const url = URL.parse(text(value) ?? '');
  return url?.protocol === 'https:' ? url.href : undefined;
}

function time(value: unknown): number | undefined {
  const parsed = Date.parse(text(value) ?? '');
  return Number.isNaN(parsed) ? undefined : parsed;
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
