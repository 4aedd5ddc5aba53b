/** Parses what the user typed or pasted into server configs, or reports what is wrong. */
import { commandName, hostName, joinCommandLine, splitCommandLine, uniqueName } from '../../../shared/command-line.ts';
import { type Connection, type ServerConfig, serverConfigSchema } from '../../../shared/model/server.ts';
import { t } from '../../text.tsx';
import {
  type AdvancedInput,
  advancedOptions,
  isUrl,
  noAdvancedInput,
  problemsByField,
  urlHint,
} from './advanced-input.ts';

export type InputKind = 'command' | 'url' | 'paste';

export interface ServerInput extends AdvancedInput {
  kind: InputKind;
  name: string;
  command: string;
  /** `NAME=value` lines: environment variables or headers. */
  variables: string;
  url: string;
  transport: 'http' | 'sse';
  pasted: string;
  /** `default`: as for all new servers. */
  confine: 'default' | 'on' | 'off';
}

export const emptyInput: Readonly<ServerInput> = {
  kind: 'command',
  name: '',
  command: '',
  variables: '',
  url: '',
  transport: 'http',
  pasted: '',
  confine: 'default',
  ...noAdvancedInput,
};

export type ParsedInput = { ok: true; servers: ServerConfig[] } | { ok: false; problems: Problems };

/** Validation messages by field. */
export type Problems = Partial<Record<keyof ServerInput, string>>;

const invalid = (field: keyof ServerInput, problem: string): ParsedInput => ({
  ok: false,
  problems: { [field]: problem },
});

/** The input that produces this config again. */
export function inputFromConfig({ name, connection, sandbox }: ServerConfig): ServerInput {
  const input: ServerInput = { ...emptyInput, name, confine: sandbox ? 'on' : 'off' };
  if (connection.type === 'stdio') {
    input.command = joinCommandLine([connection.command, ...connection.args]);
    input.variables = joinPairs(connection.env);
    input.instances = String(connection.instances ?? '');
    return input;
  }
  const { type, url, headers, replicas = [], oauth } = connection;
  return {
    ...input,
    kind: 'url',
    url,
    transport: type,
    variables: joinPairs(headers),
    replicas: replicas.join('\n'),
    clientId: oauth?.clientId ?? '',
    clientSecret: oauth?.clientSecret ?? '',
    scopes: (oauth?.scopes ?? []).join(' '),
    redirectUrl: oauth?.redirectUrl ?? '',
  };
}

const joinPairs = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

/** Applies edited input to a config, which has its new name. Settings that the form does not show stay unchanged. */
export function editConfig(config: ServerConfig, input: ServerInput, taken: readonly string[]): ParsedInput {
  if (config.name === '') return invalid('name', t('Enter a name.'));
  const parsed = parseServerInput(input, taken);
  const [edited] = parsed.ok ? parsed.servers : [];
  if (!edited) return parsed;
  const connection = { ...config.connection, ...edited.connection } as Connection;
  const isSame = (edited.sandbox !== false) === Boolean(config.sandbox);
  const sandbox = isSame ? config.sandbox : edited.sandbox;
  return { ok: true, servers: [{ ...config, connection, sandbox }] };
}

/**
 * `taken` are the names in use. A typed name must be unique; a derived name gets a number. Core parses what the user pasted
 * (`import.parse`).
 */
export function parseServerInput(input: ServerInput, taken: readonly string[]): ParsedInput {
  const name = input.name.trim();
  if (taken.includes(name)) return invalid('name', t('A server named “{name}” already exists.', { name }));
  const pairs = parsePairs(input.variables);
  if (typeof pairs === 'string') return invalid('variables', pairs);
  if (input.kind === 'url') {
    const url = input.url.trim();
    if (!isUrl(url)) return invalid('url', urlHint);
    return single(name || uniqueName(hostName(url), taken), { type: input.transport, url, headers: pairs }, input);
  }
  const argv = splitCommandLine(input.command);
  if (typeof argv === 'string') return invalid('command', t('Unclosed quote: {quote}', { quote: argv }));
  const [command, ...args] = argv;
  if (!command) return invalid('command', t('Enter the command that starts the server.'));
  return single(name || uniqueName(commandName(argv), taken), { type: 'stdio', command, args, env: pairs }, input);
}

function single(name: string, basic: Connection, input: ServerInput): ParsedInput {
  const connection = { ...basic, ...advancedOptions(basic, input) };
  const sandbox =
    basic.type === 'stdio' ? ({ default: undefined, on: 'auto', off: false } as const)[input.confine] : undefined;
  const parsed = serverConfigSchema.safeParse({ name, connection, sandbox }, { reportInput: true });
  const problems = problemsByField(connection, parsed.error?.issues ?? []);
  if (!parsed.success || Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, servers: [parsed.data] };
}

function parsePairs(text: string): Record<string, string> | string {
  const pairs: Record<string, string> = {};
  for (const line of text.split('\n').map((entry) => entry.trim())) {
    if (!line) continue;
    const match = /^([\w-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (!match?.[1]) return t('Give each value a name that contains only letters, digits, hyphens and underscores.');
    pairs[match[1]] = match[2] ?? '';
  }
  return pairs;
}
