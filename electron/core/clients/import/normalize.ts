/** Converts any client's raw entry to a server config, and accepts the field names of all clients. Pure. */
import { isAbsolute, resolve } from 'node:path';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import { maxTimerMs } from '../../../../shared/max-timer.ts';
import { type Sandbox, sandboxSchema } from '../../../../shared/model/sandbox.ts';
import {
  type Connection,
  declaredToolSchema,
  environmentSchema,
  type ServerConfig,
} from '../../../../shared/model/server.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import type { Host } from '../../host.ts';
import { mapStrings } from '../../secrets/plain-secrets.ts';
import { isValueAsName } from '../../secrets/secret-names.ts';
import { referencesToInputs } from '../../secrets/vault.ts';
import type { ClientDefinition } from '../client-definition.ts';
import { unwrapCommand } from './command.ts';
import { normalizePlaceholders } from './dialect.ts';
import { oauthOf } from './oauth.ts';
import type { JsonObject, RawServer } from './raw-servers.ts';
import { kindOf } from './readers.ts';
import { filterNote, filtersInEntry, patternsOf } from './tool-filters.ts';

export interface Understood {
  server: ServerConfig;
  notes: string[];
  /** Why the entry cannot be used. If set, the server is only for display. */
  unusable?: string;
}

type Dialect = Pick<ClientDefinition, 'urlMeans' | 'timeoutUnit' | 'placeholders'>;

const maxNameLength = 100;
/** Control and invisible characters, line breaks and halves of characters: with them, two names could look the same. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const maxCharacters = limits.file.serverCharacters;
/** Toolkeep gives every server this long to start. */
const startTimeoutSeconds = 60;

/** Converts one entry. Never throws: if an entry cannot be converted, `unusable` says why. */
export function understand(raw: RawServer, dialect: Dialect, platform?: Host['platform']): Understood {
  const notes = [...(raw.notes ?? [])];
  const name = raw.name.trim().slice(0, maxNameLength).replace(invisible, '').trim() || 'unnamed';
  if (raw.name.trim() === '') notes.push('Has no name in the file.');
  const unusable = (reason: string, connection?: Connection): Understood => ({
    server: { name, connection: connection ?? { type: 'stdio', command: '?', args: [], env: {} }, enabled: false },
    notes,
    unusable: reason,
  });
  if (raw.unusable !== undefined) return unusable(raw.unusable);
  if (!isObject(raw.value)) return unusable(`The entry should be an object but is ${kindOf(raw.value)}.`);
  if (JSON.stringify(raw.value).length > maxCharacters)
    return unusable(`The entry has more than ${maxCharacters / 1024}K characters.`);
  const entry = flattened(raw.value);
  const text = (value: string) => normalizePlaceholders(value, dialect.placeholders, { folder: raw.folder });
  const understood = connectionOf(entry, dialect, text, raw.folder, notes);
  if ('reason' in understood) return unusable(understood.reason, understood.connection);

  const timeoutMs = timeoutOf(entry, dialect);
  const filters = [...filtersInEntry(entry), ...(raw.filters ?? [])];
  notes.push(...new Set(filters.map(filterNote)));
  const description = typeof entry.description === 'string' ? entry.description.trim().slice(0, 2000) : '';
  const server: ServerConfig = {
    name,
    connection: withoutValueAsName(understood.connection, notes),
    enabled: !(raw.disabled || entry.disabled === true || entry.enabled === false || entry.isActive === false),
    ...(description === '' ? {} : { description }),
    ...(timeoutMs === undefined ? {} : { lifecycle: { timeoutMs } }),
    ...declaredTools(entry.tools),
    ...(filters.length > 0 && { disabledTools: filters.map(patternsOf) }),
  };
  const dropped = ['startup_timeout_sec', 'oauth_resource'].filter((key) => {
    const isCovered = key === 'startup_timeout_sec' && numberIn(entry[key]) <= startTimeoutSeconds;
    return entry[key] !== undefined && !isCovered;
  });
  const isSandboxed = entry.sandboxEnabled === true || isObject(entry.sandbox);
  if (isSandboxed && platform === 'linux' && server.connection.type === 'stdio')
    server.sandbox = sandboxOf(entry.sandbox);
  else if (isSandboxed) notes.push('Its client runs it in a sandbox; Toolkeep runs it without one.');
  if (dropped.length > 0) notes.push(`Has settings that are not imported: ${dropped.join(', ')}.`);
  const { entered } = raw;
  return { server: entered ? referencesToInputs(server, { keep: new Set(entered.map(text)) }) : server, notes };
}

/** VS Code names what its sandbox allows. Other paths and hosts are left out, and asked about. */
function sandboxOf(given: unknown): Sandbox {
  const { filesystem, network } = isObject(given) ? given : {};
  const listOf = (of: unknown, key: string) => (isObject(of) && Array.isArray(of[key]) ? of[key] : []);
  const limits = (files: object, allow: readonly unknown[]) =>
    sandboxSchema.safeParse({ auto: true, files, network: { allow } }).success;
  const read = listOf(filesystem, 'allowRead').filter((path) => limits({ read: [path] }, []));
  const write = listOf(filesystem, 'allowWrite').filter((path) => limits({ write: [path] }, []));
  const allow = listOf(network, 'allowedDomains').filter((host) => limits({}, [host]));
  return sandboxSchema.parse({ auto: true, files: { read, write }, network: { allow } });
}

/** In our own YAML format, a server may declare its tools. In other clients' files, a list of names is a filter. */
function declaredTools(tools: unknown): Pick<ServerConfig, 'tools'> {
  const declared = Array.isArray(tools) ? tools.flatMap((tool) => declaredToolSchema.safeParse(tool).data ?? []) : [];
  return declared.length > 0 ? { tools: declared } : {};
}

/** Flattens entries with a nested connection: our `connection`, Zed's older `command` object, Cline's `transport`. */
function flattened(entry: JsonObject): JsonObject {
  if (isObject(entry.connection)) {
    const { connection, ...rest } = entry;
    return { ...rest, ...(connection as JsonObject) };
  }
  if (isObject(entry.command)) {
    const { command, ...rest } = entry;
    const inner = command as JsonObject;
    return { ...rest, ...inner, command: inner.path ?? inner.command };
  }
  if (isObject(entry.transport)) {
    const { transport, ...rest } = entry;
    return { ...rest, ...(transport as JsonObject) };
  }
  return entry;
}

type Found = { connection: Connection } | { reason: string; connection?: Connection };

function connectionOf(
  entry: JsonObject,
  dialect: Dialect,
  text: (value: string) => string,
  folder: string | undefined,
  notes: string[],
): Found {
  const declared = firstText(entry, ['type', 'transport', 'transportType']);
  const kind = transportKind(declared);
  const url = firstText(entry, ['httpUrl', 'url', 'serverUrl', 'server_url', 'uri', 'endpoint']);
  const command = entry.command ?? entry.cmd;
  const hasCommand = typeof command === 'string' ? command.trim() !== '' : Array.isArray(command) && command.length > 0;
  if (kind === 'unknown') {
    return { reason: `The transport "${declared}" is not supported; use stdio, http or sse.` };
  }
  if (hasCommand && kind !== 'http' && kind !== 'sse') return stdioOf(entry, command, text, folder, notes);
  if (url !== undefined && kind !== 'stdio') return remoteOf(entry, url.trim(), kind, dialect, text, notes);
  if (hasCommand) return { reason: `The type is "${declared}" but there is no URL.` };
  if (url !== undefined) return { reason: `The type is "${declared}" but there is no command.` };
  const blank = typeof command === 'string' || (Array.isArray(command) && command.length === 0);
  if (blank) return { reason: 'The command is empty.' };
  if (command !== undefined) return { reason: `"command" should be a string but is ${kindOf(command)}.` };
  if (entry.settings !== undefined) {
    return { reason: 'It belongs to an extension of the client, which starts it.' };
  }
  return { reason: 'It has neither a command nor a URL.' };
}

function transportKind(declared: string | undefined): 'stdio' | 'http' | 'sse' | 'unknown' | undefined {
  if (declared === undefined) return undefined;
  const plain = declared.toLowerCase().replace(/[\s_-]/g, '');
  if (['stdio', 'local', 'command', 'process', 'docker', 'node', 'python', 'binary', 'uv'].includes(plain))
    return 'stdio';
  if (['http', 'https', 'streamablehttp', 'streamable', 'httpstream', 'remote'].includes(plain)) return 'http';
  return plain === 'sse' ? 'sse' : 'unknown';
}

function stdioOf(
  entry: JsonObject,
  command: unknown,
  text: (value: string) => string,
  folder: string | undefined,
  notes: string[],
): Found {
  const argv = Array.isArray(command) ? command : [command];
  const rawArgs = entry.args ?? entry.arguments;
  if (rawArgs !== undefined && rawArgs !== null && !Array.isArray(rawArgs) && typeof rawArgs !== 'string') {
    return { reason: `"args" should be a list but is ${kindOf(rawArgs)}.` };
  }
  const args = typeof rawArgs === 'string' ? [rawArgs] : ((rawArgs ?? []) as unknown[]);
  const odd = [...argv, ...args].find((part) => typeof part === 'object' || part === undefined);
  if (odd !== undefined) return { reason: `"args" should contain strings but contains ${kindOf(odd)}.` };
  const unwrapped = unwrapCommand(
    [...argv, ...args].map((part) => text(String(part))),
    typeof rawArgs === 'string',
  );
  if (unwrapped.note) notes.push(unwrapped.note);
  // A string under this key is Toolkeep's own setting; some clients store a map of variables there.
  const environment = environmentSchema.safeParse(entry.environment).data;
  const env = {
    ...namesAsVariables(entry.env_vars),
    ...namesAsInputs(entry.env_keys),
    ...texts(
      entry.env ?? (environment ? undefined : entry.environment) ?? entry.envs ?? entry.environmentVariables,
      'env',
      text,
      notes,
    ),
  };
  const [program, ...rest] = unwrapped.argv;
  if (!program) return { reason: 'The command is empty.' };
  const given = firstText(entry, ['cwd', 'working_directory', 'workingDirectory', 'workingDir']);
  const relative = [program, ...rest].some((part) => /^\.{1,2}(?:[\\/]|$)/.test(part));
  // Resolve relative paths against the project folder, where the client would start the server.
  const cwd = given ? inFolder(text(given), folder) : relative ? folder : undefined;
  const envFile = firstText(entry, ['envFile', 'env_file']);
  return {
    connection: {
      type: 'stdio',
      command: program,
      args: rest,
      env,
      ...(environment && { environment }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(envFile === undefined ? {} : { envFile: inFolder(text(envFile), folder) }),
    },
  };
}

/** Resolves a relative path of a project file against the project folder. */
function inFolder(path: string, folder: string | undefined): string {
  return folder === undefined || isAbsolute(path) || /^(?:~|\$\{)/.test(path) ? path : resolve(folder, path);
}

function remoteOf(
  entry: JsonObject,
  url: string,
  kind: 'http' | 'sse' | undefined,
  dialect: Dialect,
  text: (value: string) => string,
  notes: string[],
): Found {
  const written = text(url);
  const requestInit = isObject(entry.requestInit) ? entry.requestInit.headers : undefined;
  const headers = texts(entry.headers ?? entry.http_headers ?? requestInit, 'headers', text, notes);
  for (const [header, variable] of Object.entries(isObject(entry.env_http_headers) ? entry.env_http_headers : {})) {
    headers[header] = variableIn(textFrom(variable), text);
  }
  const token = firstText(entry, ['bearer_token', 'bearerToken']);
  const tokenVariable = firstText(entry, ['bearer_token_env_var', 'bearerTokenEnvVar']);
  const bearer = token ? text(token) : tokenVariable && variableIn(tokenVariable, text);
  if (bearer) headers.Authorization = `Bearer ${bearer.replace(/^Bearer\s+/i, '')}`;
  const usual = dialect.urlMeans ?? (/\/sse\/?(?:[?#]|$)/i.test(written) ? 'sse' : 'http');
  const type = kind ?? (entry.httpUrl !== undefined ? 'http' : usual);
  const connection: Connection = { type, url: written, headers };
  if (/^(?:unix|pipe):/i.test(written))
    return { reason: 'The URL is a local socket, which Toolkeep does not support yet.', connection };
  if (/^wss?:/i.test(written)) return { reason: 'The URL is a WebSocket, which is not an MCP transport.', connection };
  if (!written.startsWith('${') && !/^https?:\/\/[^\s/]/i.test(written)) {
    return { reason: 'The URL does not start with http:// or https://.', connection };
  }
  if (entry.headersHelper !== undefined) {
    notes.push('Gets headers from a helper command ("headersHelper"), which is not imported.');
  }
  const oauth = oauthOf(entry, text, notes);
  return { connection: { ...connection, ...(oauth && { oauth }) } };
}

/** The placeholder for the variable with this name. A text that cannot be a name is the value itself. */
function variableIn(name: string, text: (value: string) => string): string {
  return /^[A-Za-z_][\w().]*$/.test(name.trim()) ? `\${${name.trim()}}` : text(name);
}

/** Replaces each placeholder that has a value in the place of its name with the value. */
function withoutValueAsName(connection: Connection, notes: string[]): Connection {
  let isMisplaced = false;
  const result = mapStrings(connection, (text) =>
    text.replace(/\$\{(?:(?:env|input|secret):)?([^{}:]{1,1000})(?::-?[^{}]*)?\}/g, (whole, name: string) => {
      if (!isValueAsName(name)) return whole;
      isMisplaced = true;
      return name;
    }),
  );
  if (isMisplaced) notes.push('Had a value where the name of a variable belongs; it is used as the value.');
  return result;
}

/** Reads a map of strings. Converts numbers and booleans, skips empty values, and adds a note about everything else. */
function texts(
  section: unknown,
  label: string,
  text: (value: string) => string,
  notes: string[],
): Record<string, string> {
  if (section === undefined || section === null) return {};
  const pairs = Array.isArray(section) ? listedPairs(section) : isObject(section) ? Object.entries(section) : undefined;
  if (!pairs) {
    notes.push(`"${label}" should be an object but is ${kindOf(section)}; it was ignored.`);
    return {};
  }
  const result: [string, string][] = [];
  for (const [key, value] of pairs) {
    if (value === null || value === undefined) continue;
    if (value instanceof Date) result.push([key, value.toISOString()]);
    else if (typeof value === 'object')
      notes.push(`"${label}.${key}" is ${kindOf(value)}, not a string; it was ignored.`);
    else result.push([key, text(String(value))]);
  }
  return Object.fromEntries(result);
}

/** `["KEY=value"]` and `[{name, value}]`, as used by Docker and registries. */
function listedPairs(list: unknown[]): [string, unknown][] {
  return list.flatMap((item): [string, unknown][] => {
    if (typeof item === 'string' && item.includes('=')) {
      return [[item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]];
    }
    return isObject(item) && typeof item.name === 'string' ? [[item.name, item.value]] : [];
  });
}

/** Codex passes these variables on from its own environment. */
function namesAsVariables(names: unknown): Record<string, string> {
  const pairs = (Array.isArray(names) ? names : []).flatMap((item: unknown) => {
    const name = isObject(item) ? item.name : item;
    if (typeof name !== 'string') return [];
    const equals = name.indexOf('=');
    if (equals > 0) return [[name.slice(0, equals), name.slice(equals + 1)]];
    return isValueAsName(name) ? [] : [[name, `\${${name}:-}`]];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Goose keeps these in the system keychain, which Toolkeep cannot read, so it asks the user. */
function namesAsInputs(names: unknown): Record<string, string> {
  const pairs = (Array.isArray(names) ? names : []).flatMap((name) =>
    typeof name === 'string' && !isValueAsName(name) ? [[name, `\${input:${name}}`]] : [],
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}

function timeoutOf(entry: JsonObject, { timeoutUnit }: Dialect): number | undefined {
  const seconds = numberIn(entry.tool_timeout_sec);
  if (entry.tool_timeout_sec !== undefined && Number.isFinite(seconds) && seconds > 0)
    return Math.min(maxTimerMs, Math.round(seconds * 1000));
  const value = numberIn(entry.timeout);
  if (timeoutUnit === undefined || entry.timeout === undefined || !Number.isFinite(value) || value <= 0)
    return undefined;
  return Math.min(maxTimerMs, Math.max(1, Math.round(timeoutUnit === 's' ? value * 1000 : value)));
}

/** Objects are not converted: their `toString` may not be a function. */
function numberIn(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

function firstText(entry: JsonObject, keys: string[]): string | undefined {
  for (const key of keys) if (typeof entry[key] === 'string') return entry[key];
  return undefined;
}
