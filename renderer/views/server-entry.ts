/** Turns what a person typed or pasted into server configurations, or says what is wrong with it. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { isObject } from '../../shared/is-object.ts';
import { type Connection, type ServerConfig, serverConfigSchema } from '../../shared/model.ts';
import { type Advanced, addressWords, advancedOf, isAddress, problemsOf } from './server-advanced.ts';

export type EntryKind = 'command' | 'url' | 'json';

export interface Entered extends Advanced {
  kind: EntryKind;
  name: string;
  command: string;
  /** `NAME=value` lines: environment variables or headers. */
  variables: string;
  url: string;
  transport: 'http' | 'sse';
  json: string;
}

export type ReadEntry = { ok: true; servers: ServerConfig[] } | { ok: false; problems: Problems };

/** What is wrong, beside the field that it is wrong with. */
export type Problems = Partial<Record<keyof Entered, string>>;

const refused = (field: keyof Entered, problem: string): ReadEntry => ({ ok: false, problems: { [field]: problem } });

/** `taken` are the names in use; a given name may not be one of them, a chosen one is made to differ. */
export function readEntry(entered: Entered, taken: readonly string[]): ReadEntry {
  if (entered.kind === 'json') return readJson(entered.json, taken);
  const name = entered.name.trim();
  if (taken.includes(name)) return refused('name', `There is a server “${name}” already.`);
  const pairs = readPairs(entered.variables);
  if (typeof pairs === 'string') return refused('variables', pairs);
  if (entered.kind === 'url') {
    const url = entered.url.trim();
    if (!isAddress(url)) return refused('url', addressWords);
    return one(name || freeName(hostName(url), taken), { type: entered.transport, url, headers: pairs }, entered);
  }
  const words = splitCommandLine(entered.command);
  if (typeof words === 'string') return refused('command', words);
  const [command, ...args] = words;
  if (!command) return refused('command', 'Please enter the command that starts the server.');
  return one(name || freeName(commandName(words), taken), { type: 'stdio', command, args, env: pairs }, entered);
}

function one(name: string, plain: Connection, advanced: Advanced): ReadEntry {
  const connection = { ...plain, ...advancedOf(plain, advanced) };
  const parsed = serverConfigSchema.safeParse({ name, connection }, { reportInput: true });
  const problems = problemsOf(connection, parsed.error?.issues ?? []);
  if (!parsed.success || Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, servers: [parsed.data] };
}

/** Words of a command line with quotes and backslashes as in a POSIX shell; a text says what is wrong. */
export function splitCommandLine(line: string): string[] | string {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (quote) {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && /["\\]/.test(line[index + 1] ?? '')) word += line[++index] ?? '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && /[\s"'\\]/.test(line[index + 1] ?? '')) {
      word = (word ?? '') + (line[++index] ?? '');
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote) return `The quote ${quote} is not closed.`;
  if (word !== undefined) words.push(word);
  return words;
}

function readPairs(text: string): Record<string, string> | string {
  const pairs: Record<string, string> = {};
  for (const line of text.split('\n').map((entry) => entry.trim())) {
    if (!line) continue;
    const match = /^([\w-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (!match?.[1]) return `“${line}” is not of the form NAME=value.`;
    pairs[match[1]] = match[2] ?? '';
  }
  return pairs;
}

function readJson(text: string, taken: readonly string[]): ReadEntry {
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length;
    return refused('json', `This is not valid JSON: ${printParseErrorCode(error.error)} in line ${line}.`);
  }
  const entries = entriesOf(root);
  if (entries.length === 0)
    return refused('json', 'No server was found in it. It should hold an object such as {"mcpServers": {…}}.');
  const servers: ServerConfig[] = [];
  for (const [key, raw] of entries) {
    const connection = connectionOf(raw);
    if (!connection) return refused('json', `“${key}” has neither a "command" nor a "url".`);
    const parsed = serverConfigSchema.safeParse({
      name: freeName(key, [...taken, ...servers.map(({ name }) => name)]),
      connection,
    });
    if (!parsed.success)
      return refused('json', `“${key}”: ${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`);
    servers.push(parsed.data);
  }
  return { ok: true, servers };
}

type Entry = Record<string, unknown>;

/** The servers of a whole file, of its section, of a map of servers, or a single one. */
function entriesOf(root: unknown): [string, Entry][] {
  if (!isObject(root)) return [];
  if ('command' in root || 'url' in root || 'serverUrl' in root)
    return [[typeof root.name === 'string' ? root.name : 'server', root]];
  const section = root.mcpServers ?? root.servers ?? (isObject(root.mcp) ? (root.mcp.servers ?? root.mcp) : root);
  return isObject(section)
    ? Object.entries(section).filter((entry): entry is [string, Entry] => isObject(entry[1]))
    : [];
}

function connectionOf(raw: Entry): unknown {
  const address = raw.url ?? raw.serverUrl ?? raw.httpUrl;
  if (typeof address === 'string')
    return { type: raw.type === 'sse' ? 'sse' : 'http', url: address, headers: texts(raw.headers) };
  if (typeof raw.command !== 'string') return undefined;
  const { command, args, cwd } = raw;
  return { type: 'stdio', command, args: args ?? [], env: texts(raw.env), ...(typeof cwd === 'string' ? { cwd } : {}) };
}

const texts = (value: unknown): Record<string, string> =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, String(entry ?? '')])) : {};

/** The package or program that a command line runs, without runner, scope and flags. */
function commandName(words: readonly string[]): string {
  const runners = /^(?:npx|bunx|uvx|pnpm|dlx|yarn|node|python3?|uv|run|docker|deno|exec|cmd|\/c)(?:\.cmd|\.exe)?$/;
  const word = words.find((entry) => !entry.startsWith('-') && !runners.test(entry)) ?? words[0] ?? 'server';
  const base =
    word
      .replace(/(?<=.)@[^/@]*$/, '')
      .split(/[/\\:]/)
      .filter(Boolean)
      .at(-1) ?? word;
  return (
    base
      .replace(/\.(?:[cm]?[jt]s|py|exe)$/, '')
      .replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$/g, '') || 'server'
  );
}

function hostName(url: string): string {
  const parts = /^https?:\/\/([^/:?#]+)/i.exec(url)?.[1]?.split('.') ?? [];
  return parts.filter((part) => !/^(?:www|mcp|api)$/.test(part))[0] ?? 'remote';
}

function freeName(wanted: string, taken: readonly string[]): string {
  const base = wanted.slice(0, 90);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
