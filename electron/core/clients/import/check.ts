/** Notes about a server that was found: plain-text secrets, placeholder values, missing commands, other gateways. */
import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import which from 'which';
import type { Connection } from '../../../../shared/model/server.ts';
import { sourceOf } from '../../../../shared/program-sources.ts';
import { expandHome } from '../../files/expand-home.ts';
import { placeholdersIn } from '../../secrets/placeholders.ts';
import { plainSecrets } from '../../secrets/plain-secrets.ts';
import { referencesOf } from '../../secrets/resolve.ts';
import { isBlank } from '../../secrets/secret-names.ts';
import { otherGateway } from './gateways.ts';
import type { Machine } from './paths.ts';

/** All notes about a connection, except those about its command. */
export function notesOn(connection: Connection): string[] {
  const notes: string[] = [];
  const secrets = plainSecrets(connection).map(({ label }) => label);
  if (secrets.length > 0) {
    notes.push(`${capital(listed(secrets))} ${secrets.length === 1 ? 'is a secret' : 'are secrets'} in plain text.`);
  }
  const blanks = blanksIn(connection);
  if (blanks.length > 0) {
    notes.push(
      `${capital(listed(blanks))} still ${blanks.length === 1 ? 'contains a placeholder value' : 'contain placeholder values'}; replace ${blanks.length === 1 ? 'it' : 'them'} with the real ${blanks.length === 1 ? 'value' : 'values'}.`,
    );
  }
  const asked = [
    ...new Set(
      textsOf(connection).flatMap(([, text]) =>
        placeholdersIn(text).flatMap((p) => (p.kind === 'input' ? [p.name] : [])),
      ),
    ),
  ];
  if (asked.length > 0) notes.push(`Asks you for ${listed(asked)} when first needed.`);
  const references = [...new Set(referencesOf(connection))];
  if (references.length > 0) notes.push(`Reads ${listed(references)} from your password manager when it starts.`);
  notes.push(...foreignPlaceholders(connection));
  const gateway = otherGateway(connection);
  if (gateway) notes.push(`Is also a gateway (${gateway}), so its servers may appear twice.`);
  return notes;
}

function textsOf(connection: Connection): [string, string][] {
  if (connection.type !== 'stdio') return [['URL', connection.url], ...Object.entries(connection.headers)];
  return [...connection.args.map((arg): [string, string] => ['an argument', arg]), ...Object.entries(connection.env)];
}

/** Placeholders that only the client can resolve, and those with another meaning in Toolkeep. */
function foreignPlaceholders(connection: Connection): string[] {
  const more = connection.type === 'stdio' ? [connection.command, connection.cwd ?? '', connection.envFile ?? ''] : [];
  const texts = [...textsOf(connection).map(([, text]) => text), ...more];
  const foreign = texts.flatMap(
    (text) => text.match(/\$\{(?:command|config):[^{}]{1,200}\}|\{\{[A-Z_]{1,100}\}\}/g) ?? [],
  );
  const notes = [...new Set(foreign)].map(
    (what) => `${what} can only be resolved by its client; replace it with a value.`,
  );
  if (texts.some((text) => placeholdersIn(text).some(({ kind }) => kind === 'base'))) {
    notes.push('Refers to the folder that is open in the client; Toolkeep uses your home folder.');
  }
  return notes;
}

function blanksIn(connection: Connection): string[] {
  const found = textsOf(connection).filter(
    ([, text]) =>
      isBlank(text) || isBlank(text.replace(/^[^=\s]{1,100}=/, '')) || /<[A-Z][A-Z0-9_ -]{2,60}>/.test(text),
  );
  return [...new Set(found.map(([label]) => label))];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function listed(words: string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The problem with a command, and its fix. `isMissing`: the command is nowhere on this computer. */
interface CommandProblem {
  note: string;
  isMissing: boolean;
}

/** Returns a function that finds the problem with a connection's command. Caches its results. */
export function commandChecker(machine: Machine): (connection: Connection) => Promise<CommandProblem | undefined> {
  const known = new Map<string, Promise<CommandProblem | undefined>>();
  return async (connection) => {
    if (connection.type !== 'stdio') return undefined;
    const { command } = connection;
    const answer = known.get(command) ?? checkCommand(command, machine);
    known.set(command, answer);
    return answer;
  };
}

async function checkCommand(command: string, machine: Machine): Promise<CommandProblem | undefined> {
  if (command.includes('${')) return undefined;
  const path = expandHome(command, machine.homeDir);
  const source = sourceOf(path);
  const where = source ? ` Install ${source}.` : '';
  if (isAbsolute(path)) {
    if (await isRunnable(path)) return undefined;
    return { note: `${command} does not exist or is not executable.${where}`, isMissing: true };
  }
  if (/[\\/]/.test(path)) return undefined;
  const options = { nothrow: true, path: machine.env.PATH ?? machine.env.Path ?? '' } as const;
  if (await which(path, options)) return undefined;
  const elsewhere = await which(path, { ...options, path: (await usualFolders(machine)).join(delimiter) });
  if (elsewhere) return { note: `${command} is not on PATH; found at ${elsewhere}.`, isMissing: false };
  return { note: `${command} is not installed.${where}`, isMissing: true };
}

/** Folders of version managers and installers that a desktop app's PATH does not contain. */
async function usualFolders({ platform, homeDir, env }: Machine): Promise<string[]> {
  const home = (...segments: string[]) => join(homeDir, ...segments);
  const nvm = home('.nvm', 'versions', 'node');
  const versions = (await readdir(nvm).catch(() => [])).sort((a, b) =>
    b.localeCompare(a, undefined, { numeric: true }),
  );
  const common = [
    ...versions.map((version) => join(nvm, version, 'bin')),
    ...[
      ['.volta', 'bin'],
      ['.local', 'bin'],
      ['.cargo', 'bin'],
      ['.bun', 'bin'],
      ['.deno', 'bin'],
      ['.asdf', 'shims'],
    ].map((s) => home(...s)),
    home('.local', 'share', 'mise', 'shims'),
    home('.local', 'share', 'fnm', 'aliases', 'default', 'bin'),
    home('.docker', 'bin'),
  ];
  if (platform === 'win32') {
    return [
      ...common,
      join(env.APPDATA ?? home('AppData', 'Roaming'), 'npm'),
      'C:\\Program Files\\nodejs',
      'C:\\Program Files\\Docker\\Docker\\resources\\bin',
    ];
  }
  return [
    ...common,
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/usr/bin',
    '/snap/bin',
    '/Applications/Docker.app/Contents/Resources/bin',
  ];
}

async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
