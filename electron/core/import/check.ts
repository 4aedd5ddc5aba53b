/** Notes on a found server, in plain words: secrets in plain text, placeholders, missing commands, other gateways. */
import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import which from 'which';
import type { Connection } from '../../../shared/model.ts';
import { isBlank, placeholdersIn, plainSecrets } from '../secrets/secrets.ts';
import { otherGateway } from './gateways.ts';
import { expandHome, type Machine } from './places.ts';

/** Everything worth saying about a connection. `commandNote` is asked once per command. */
export async function notesOn(
  connection: Connection,
  commandNote: (command: string) => Promise<string | undefined>,
): Promise<string[]> {
  const notes: string[] = [];
  const secrets = plainSecrets(connection).map(({ label }) => label);
  if (secrets.length > 0) {
    notes.push(
      `${capital(listed(secrets))} ${secrets.length === 1 ? 'is a secret' : 'are secrets'} in plain text; can move to the vault.`,
    );
  }
  const blanks = blanksIn(connection);
  if (blanks.length > 0) {
    notes.push(
      `${capital(listed(blanks))} still ${blanks.length === 1 ? 'holds a stand-in' : 'hold stand-ins'}; put the real value in its place.`,
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
  notes.push(...foreignPlaceholders(connection));
  const gateway = otherGateway(connection);
  if (gateway) notes.push(`Is a gateway itself (${gateway}): its servers may then appear twice.`);
  if (connection.type === 'stdio') {
    const note = await commandNote(connection.command);
    if (note) notes.push(note);
  }
  return notes;
}

function textsOf(connection: Connection): [string, string][] {
  if (connection.type !== 'stdio') return [['URL', connection.url], ...Object.entries(connection.headers)];
  return [...connection.args.map((arg): [string, string] => ['an argument', arg]), ...Object.entries(connection.env)];
}

/** Placeholders that only the app itself can fill, and those that mean something else here. */
function foreignPlaceholders(connection: Connection): string[] {
  const more = connection.type === 'stdio' ? [connection.command, connection.cwd ?? '', connection.envFile ?? ''] : [];
  const texts = [...textsOf(connection).map(([, text]) => text), ...more];
  const foreign = texts.flatMap(
    (text) => text.match(/\$\{(?:command|config):[^{}]{1,200}\}|\{\{[A-Z_]{1,100}\}\}/g) ?? [],
  );
  const notes = [...new Set(foreign)].map(
    (what) => `${what} can only be filled by its own app; put a value in its place.`,
  );
  if (texts.some((text) => placeholdersIn(text).some(({ kind }) => kind === 'base'))) {
    notes.push('Refers to the folder open in the app; Gatehouse uses your home folder.');
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

/** Says what is wrong with a command, if anything, with a fix; answers are kept for the life of the returned function. */
export function commandChecker(machine: Machine): (command: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  return (command) => {
    const answer = known.get(command) ?? checkCommand(command, machine);
    known.set(command, answer);
    return answer;
  };
}

async function checkCommand(command: string, machine: Machine): Promise<string | undefined> {
  if (command.includes('${')) return undefined;
  const path = expandHome(command, machine.homeDir);
  if (isAbsolute(path)) {
    return (await isRunnable(path)) ? undefined : `${command} is not there or may not be run.`;
  }
  if (/[\\/]/.test(path)) return undefined;
  const options = { nothrow: true, path: machine.env.PATH ?? machine.env.Path ?? '' } as const;
  if (await which(path, options)) return undefined;
  const elsewhere = await which(path, { ...options, path: (await usualFolders(machine)).join(delimiter) });
  if (elsewhere) return `${command} is not on PATH; found at ${elsewhere}.`;
  return `${command} is not installed${cures[path] ?? ''}.`;
}

const cures: Record<string, string> = {
  npx: ' (it comes with Node.js, https://nodejs.org)',
  node: ' (https://nodejs.org)',
  uvx: ' (it comes with uv, https://docs.astral.sh/uv)',
  uv: ' (https://docs.astral.sh/uv)',
  docker: ' (https://docs.docker.com/get-docker)',
  bunx: ' (it comes with Bun, https://bun.sh)',
  deno: ' (https://deno.com)',
};

/** Where version managers and installers put programs that a desktop app's PATH does not hold. */
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
