/** Parses anything that server documentation shows: JSON with or without braces, TOML, a URL, a command, `claude mcp add`. */
import { type ParseError, parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { isObject } from '../../../shared/is-object.ts';
import { type ServerConfig, serverConfigSchema } from '../../../shared/model/server.ts';
import { t } from '../../text.tsx';
import { isUrl } from './advanced-input.ts';
import { commandName, hostName, splitCommandLine, uniqueName } from './command-line.ts';
import { serverOfLink } from './install-link.ts';

/** Servers with unique names, or a string that says what is wrong. */
export function parsePasted(pasted: string, taken: readonly string[]): ServerConfig[] | string {
  const text = pasted.trim();
  if (text === '') return t('Paste a command, a URL, JSON or TOML.');
  const entries = entriesFromText(text);
  if (typeof entries === 'string') return entries;
  if (entries.length === 0) return t('No servers found in this text.');
  const servers: ServerConfig[] = [];
  for (const [key, raw] of entries) {
    const connection = connectionOf(raw);
    if (!connection) return t('“{key}” has neither a "command" nor a "url".', { key });
    const name = uniqueName(key, [...taken, ...servers.map((server) => server.name)]);
    const parsed = serverConfigSchema.safeParse({ name, connection });
    if (!parsed.success)
      return `“${key}”: ${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`;
    servers.push(parsed.data);
  }
  return servers;
}

function entriesFromText(text: string): [string, Entry][] | string {
  if (/^\[[\w."-]+\]/m.test(text)) return entriesFromToml(text);
  if (/^[{"]/.test(text) || text.startsWith('/*') || text.startsWith('//')) return entriesFromJson(text);
  const link = serverOfLink(text);
  if (link) return entriesFromLink(link);
  if (isUrl(text)) return [[hostName(text), { url: text }]];
  return entriesFromCommand(text.replace(/\\\r?\n\s*/g, ' ').replace(/^\$\s+/, ''));
}

/** Documentation often shows only the inside of an object: `"github": { … }`. */
function entriesFromJson(text: string): [string, Entry][] | string {
  const candidates = text.startsWith('"') ? [`{${text}}`, `{${text}`, `{${text.replace(/\}\s*$/, '')}}`] : [text];
  let firstError: ParseError | undefined;
  for (const candidate of candidates) {
    const errors: ParseError[] = [];
    const root: unknown = parse(candidate, errors, { allowTrailingComma: true });
    if (errors.length === 0) return entriesOf(root);
    firstError ??= errors[0];
  }
  const line = text.slice(0, firstError?.offset ?? 0).split('\n').length;
  return t('This JSON is incomplete or has an error near line {line}. Check the brackets, commas and quotes.', {
    line,
  });
}

/** The link names its server outside the configuration. */
function entriesFromLink({ name, json }: { name?: string; json: string }): [string, Entry][] | string {
  const entries = entriesFromJson(json);
  if (typeof entries === 'string' || entries.length !== 1 || !name) return entries;
  return entries.map(([, entry]) => [name, entry]);
}

function entriesFromToml(text: string): [string, Entry][] | string {
  try {
    return entriesOf(parseToml(text));
  } catch (error) {
    return t('This TOML has an error: {problem}', {
      problem: error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '',
    });
  }
}

function entriesFromCommand(text: string): [string, Entry][] | string {
  const argv = splitCommandLine(text);
  if (typeof argv === 'string') return argv;
  const [client = '', sub, action] = argv;
  if (/^(?:claude|codex|gemini)$/.test(client) && sub === 'mcp') {
    if (action === 'add') return entryFromMcpAdd(argv.slice(3));
    if (action === 'add-json' && argv[4]) return entriesFromJson(`{"${argv[3]}": ${argv[4]}}`);
    return t('Toolkeep does not understand “{client} mcp {action}”.', { client, action: action ?? '' });
  }
  const [command, ...args] = argv;
  return command ? [[commandName(argv), { command, args }]] : [];
}

const optionsWithValue = new Set(['-s', '--scope', '-t', '--transport', '-e', '--env', '-H', '--header', '--url']);

/**
 * `claude mcp add [options] NAME -- COMMAND…` or `… --transport http NAME URL`, and the same commands of Codex and
 * Gemini.
 */
function entryFromMcpAdd(args: readonly string[]): [string, Entry][] | string {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const rest: string[] = [];
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  let transport: string | undefined;
  let url: string | undefined;
  for (let index = 0; index < before.length; index += 1) {
    const option = before[index] ?? '';
    // After the name, options belong to the server's command.
    const isCommandOption = end < 0 && rest.length > 1 && !isUrl(rest[1] ?? '');
    if (!option.startsWith('-') || isCommandOption) {
      rest.push(option);
      continue;
    }
    if (!optionsWithValue.has(option)) continue;
    index += 1;
    const value = before[index] ?? '';
    if (option === '-t' || option === '--transport') transport = value;
    else if (option === '--url') url = value;
    else if (option === '-e' || option === '--env') addPair(env, value, '=');
    else if (option === '-H' || option === '--header') addPair(headers, value, ':');
  }
  const [name, ...command] = end < 0 ? rest : [...rest, ...args.slice(end + 1)];
  if (!name) return t('This command does not name a server.');
  url ??= command[0] && isUrl(command[0]) ? command[0] : undefined;
  if (url) return [[name, { url, type: transport, headers }]];
  if (!command[0]) return t('This command contains neither a command nor a URL for the server.');
  return [[name, { command: command[0], args: command.slice(1), env }]];
}

function addPair(pairs: Record<string, string>, text: string, separator: string): void {
  const at = text.indexOf(separator);
  if (at > 0) pairs[text.slice(0, at).trim()] = text.slice(at + 1).trim();
}

type Entry = Record<string, unknown>;

/** The server entries in a config file or in one of its sections, or a single entry. */
function entriesOf(root: unknown): [string, Entry][] {
  if (!isObject(root)) return [];
  if ('command' in root || 'url' in root || 'serverUrl' in root)
    return [[typeof root.name === 'string' ? root.name : nameOf(root), root]];
  const section =
    root.mcpServers ?? root.mcp_servers ?? root.servers ?? (isObject(root.mcp) ? (root.mcp.servers ?? root.mcp) : root);
  return isObject(section)
    ? Object.entries(section).filter((entry): entry is [string, Entry] => isObject(entry[1]))
    : [];
}

function nameOf({ command, args, url, serverUrl }: Entry): string {
  const address = url ?? serverUrl;
  if (typeof address === 'string') return hostName(address);
  return commandName([command, ...(Array.isArray(args) ? args : [])].map(String));
}

function connectionOf(raw: Entry): unknown {
  const address = raw.url ?? raw.serverUrl ?? raw.httpUrl;
  if (typeof address === 'string')
    return {
      type: raw.type === 'sse' ? 'sse' : 'http',
      url: address,
      headers: stringValues(raw.headers ?? raw.http_headers),
    };
  if (typeof raw.command !== 'string') return undefined;
  const { command, args, cwd } = raw;
  return {
    type: 'stdio',
    command,
    args: args ?? [],
    env: stringValues(raw.env),
    cwd: typeof cwd === 'string' ? cwd : undefined,
  };
}

const stringValues = (value: unknown): Record<string, string> =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, String(entry ?? '')])) : {};
