/**
 * Reads what server documentation shows: an entry or a file of any client (JSON with or without braces, YAML, TOML), a URL, a
 * command line, `claude mcp add`, or an install link.
 */
import { commandName, hostName, splitCommandLine, uniqueName } from '../../../shared/command-line.ts';
import { fail } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { limits } from '../../../shared/limits.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { type Format, parseText } from '../files/document.ts';
import type { ClientDefinition } from './client-definition.ts';
import { type Understood, understand } from './import/normalize.ts';
import type { JsonObject } from './import/raw-servers.ts';
import { knownClients } from './known-clients.ts';

const maxServers = limits.file.pastedServers;

/** The servers in the text, with names that are not `taken`. Throws INPUT_INVALID. */
export function serversInText(text: string, taken: readonly string[]): ServerConfig[] {
  const found = understoodIn(text.trim());
  if (found.length === 0) throw invalid('No servers found in this text.');
  if (found.length > maxServers)
    throw invalid(`This text lists more than ${maxServers} servers. Import them from a file.`);
  const names = [...taken];
  return found.map(({ server, unusable }) => {
    if (unusable !== undefined) throw invalid(`"${server.name}": ${unusable}`);
    const name = uniqueName(server.name, names);
    names.push(name);
    return { ...server, name };
  });
}

function understoodIn(text: string): Understood[] {
  if (text === '') throw invalid('Paste a command, a URL, JSON, YAML or TOML.');
  if (/^\[[\w."-]+\]/m.test(text)) return inDocument(parsed(text, 'toml'));
  if (/^[{"]/.test(text) || text.startsWith('/*') || text.startsWith('//')) return inDocument(parsed(text, 'json'));
  const link = serverOfLink(text);
  if (link) return inLink(link);
  if (isUrl(text)) return inDocument({ url: text });
  if (looksLikeYaml(text)) return inDocument(parsed(text, 'yaml'));
  return inCommand(text.replace(/\\\r?\n\s*/g, ' ').replace(/^\$\s+/, ''));
}

const invalid = (message: string) => fail('INPUT_INVALID', message);
const isUrl = (text: string) => /^https?:\/\/\S+$/i.test(text);
/** True for `key:` at the end of a line or before a space. */
const looksLikeYaml = (text: string) => /^\s*(?:-\s+)?["']?[\w.-]+["']?:(?:\s|$)/.test(text) && text.includes('\n');

/** Documentation often shows only the inside of an object: `"github": { … }`. */
function parsed(text: string, format: Format): unknown {
  const candidates = text.startsWith('"') ? [`{${text}}`, `{${text}`, `{${text.replace(/\}\s*$/, '')}}`] : [text];
  const documents = candidates.map((candidate) => parseText(candidate, format, 'this text'));
  const good = documents.find(({ value }) => value !== undefined);
  if (good) return good.value;
  const line = documents[0]?.problems[0]?.line ?? 1;
  if (format === 'json')
    throw invalid(`This JSON is incomplete or has an error near line ${line}. Check the brackets, commas and quotes.`);
  throw invalid(documents[0]?.problems[0]?.message ?? 'This text cannot be parsed.');
}

/** The first client that finds the most usable servers wrote the text, because each client has its own sections and units. */
function inDocument(document: unknown): Understood[] {
  const value = Array.isArray(document) ? { mcpServers: document } : document;
  if (!isObject(value)) return [];
  const single = isEntry(value) ? { mcpServers: { [nameOf(value)]: value } } : value;
  const found = bestReading(single);
  if (found.length > 0) return found;
  // The entries without their section.
  return Object.values(single).every(isObject) ? bestReading({ mcpServers: single }) : [];
}

function bestReading(document: JsonObject): Understood[] {
  let best: Understood[] = [];
  for (const client of knownClients) {
    const found = readBy(client, document);
    if (usable(found) > usable(best) || best.length === 0) best = found;
  }
  return best;
}

const usable = (found: readonly Understood[]) => found.filter((one) => one.unusable === undefined).length;
const isEntry = (value: JsonObject) =>
  ['command', 'cmd', 'url', 'serverUrl', 'httpUrl'].some((key) => typeof value[key] === 'string');

function readBy(client: ClientDefinition, document: JsonObject): Understood[] {
  const context = { file: '', homeDir: '', platform: 'linux' as const, companions: [] };
  const { servers } = client.reader(document, context);
  return servers.slice(0, maxServers + 1).map((raw) => understand(raw, client));
}

function nameOf({ name, command, cmd, args, url, serverUrl, httpUrl }: JsonObject): string {
  if (typeof name === 'string' && name !== '') return name;
  const address = url ?? serverUrl ?? httpUrl;
  if (typeof address === 'string') return hostName(address);
  return commandName([command ?? cmd, ...(Array.isArray(args) ? args : [])].map(String));
}

/** The link names its server outside the configuration. */
function inLink({ name, json }: { name?: string; json: string }): Understood[] {
  const [first, ...others] = inDocument(parsed(json, 'json'));
  if (!first || others.length > 0 || name === undefined) return first ? [first, ...others] : [];
  return [{ ...first, server: { ...first.server, name } }];
}

function inCommand(text: string): Understood[] {
  const argv = splitCommandLine(text);
  if (typeof argv === 'string') throw invalid(`Unclosed quote: ${argv}`);
  const [client = '', sub, action] = argv;
  if (/^(?:claude|codex|gemini)$/.test(client) && sub === 'mcp') {
    if (action === 'add') return inMcpAdd(argv.slice(3));
    if (action === 'add-json' && argv[4]) return inDocument(parsed(`{"${argv[3]}": ${argv[4]}}`, 'json'));
    throw invalid(`Toolkeep does not understand "${client} mcp ${action ?? ''}".`);
  }
  const [command, ...args] = argv;
  return command ? inDocument({ command, args }) : [];
}

const optionsWithValue = new Set(['-s', '--scope', '-t', '--transport', '-e', '--env', '-H', '--header', '--url']);

/**
 * `claude mcp add [options] NAME -- COMMAND…` or `… --transport http NAME URL`, and the same commands of Codex and
 * Gemini.
 */
function inMcpAdd(args: readonly string[]): Understood[] {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const rest: string[] = [];
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  let type: string | undefined;
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
    if (option === '-t' || option === '--transport') type = value;
    else if (option === '--url') url = value;
    else if (option === '-e' || option === '--env') addPair(env, value, '=');
    else if (option === '-H' || option === '--header') addPair(headers, value, ':');
  }
  const [name, ...command] = end < 0 ? rest : [...rest, ...args.slice(end + 1)];
  if (!name) throw invalid('This command does not name a server.');
  url ??= command[0] && isUrl(command[0]) ? command[0] : undefined;
  if (url) return inDocument({ mcpServers: { [name]: { url, type, headers } } });
  if (!command[0]) throw invalid('This command contains neither a command nor a URL for the server.');
  return inDocument({ mcpServers: { [name]: { command: command[0], args: command.slice(1), env } } });
}

function addPair(pairs: Record<string, string>, text: string, separator: string): void {
  const at = text.indexOf(separator);
  if (at > 0) pairs[text.slice(0, at).trim()] = text.slice(at + 1).trim();
}

/** The name and the configuration (JSON) in a link; undefined for any other text. */
function serverOfLink(link: string): { name?: string; json: string } | undefined {
  const vscode = /^vscode(?:-insiders)?:(?:\/\/)?mcp\/install\?(.+)$/s.exec(link)?.[1];
  if (vscode) {
    const json = decoded(() => decodeURIComponent(vscode));
    return json === undefined ? undefined : { json };
  }
  const url = URL.parse(link);
  if (!url) return undefined;
  const isCursor = url.protocol === 'cursor:' || /^(?:www\.)?cursor\.com$/.test(url.hostname);
  const isToolkeep = url.protocol === 'toolkeep:';
  const config = url.searchParams.get('config');
  if (!(isCursor || isToolkeep) || !config || !/\bmcp\/install\b|install-mcp\b/.test(url.href)) return undefined;
  const json = decoded(() => new TextDecoder().decode(Uint8Array.from(atob(config), (char) => char.charCodeAt(0))));
  const name = url.searchParams.get('name');
  return json === undefined ? undefined : { json, ...(name && { name }) };
}

function decoded(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
