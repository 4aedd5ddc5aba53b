/** Starts a stdio server's process, and explains precisely why it could not be started. */
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { delimiter, resolve } from 'node:path';
import spawn from 'cross-spawn';
import which from 'which';
import { fail, type ToolkeepError } from '../../../../shared/failure.ts';
import type { Environment } from '../../../../shared/model/server.ts';
import { sourceOf } from '../../../../shared/program-sources.ts';
import { ownTurn } from '../../async/slices.ts';
import { envVariable } from '../../files/env-variable.ts';
import type { Host } from '../../host.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import { inheritedEnvironment } from '../process/environment.ts';
import type { Limits } from '../types.ts';

/** Toolkeep may be a server of another Toolkeep; deeper nesting indicates a loop. */
const maxDepth = 3;
/** O_CLOEXEC of Linux. */
const closeOnExec = 0o2000000;

export interface LaunchOptions {
  host: Host;
  /** Server name for messages. */
  server: string;
  connection: Extract<ResolvedConnection, { type: 'stdio' }>;
  environment: Environment;
  /** The limits of a confined server; absent for an unconfined one. */
  limits?: Limits | undefined;
}

export interface Launch {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** The data that the process reads from its descriptors 3, 4, and so on. */
  inputs?: readonly (string | Buffer)[];
}

/** Finds the command and builds its environment. Rejects with SERVER_SPAWN_FAILED. */
export async function prepareLaunch(options: LaunchOptions): Promise<Launch> {
  const { host, server, connection } = options;
  const env = childEnvironment(options);
  const cwd = connection.cwd ?? host.homeDir;
  const command = await findCommand(connection.command, cwd, env, options);
  refuseBatchInjection(command, connection.args, server);
  // Starting a process takes milliseconds, so use a separate event loop turn.
  await ownTurn();
  return { command, args: withExtraCertificates({ command, args: connection.args, env }), cwd, env };
}

/**
 * Starts the process in its own group, so that npx and its child processes can be ended together. The start may fail
 * later: see `hasSpawned`.
 */
export function spawnInGroup(
  { command, args, cwd, env, inputs = [] }: Launch,
  platform: Host['platform'],
  stdin: 'pipe' | 'ignore' = 'pipe',
): ChildProcess {
  const nothing = platform === 'linux' ? openSync(devNull, 'r+') : undefined;
  const others = nothing === undefined ? [] : inheritedDescriptors();
  const given = [stdin, 'pipe', 'pipe', ...inputs.map(() => 'pipe' as const)] as const;
  const stdio = Array.from(
    { length: Math.max(given.length, ...others.map((descriptor) => descriptor + 1)) },
    (_, index) => given[index] ?? (others.includes(index) ? nothing : 'ignore'),
  );
  const child = spawn(command, args, { cwd, env, stdio, detached: platform !== 'win32', windowsHide: true });
  if (nothing !== undefined) closeSync(nothing);
  for (const [index, input] of inputs.entries()) {
    const pipe = child.stdio[index + 3];
    // A process that has ended reads nothing; its exit says why.
    if (pipe && 'write' in pipe) pipe.on('error', () => {}).end(input);
  }
  return child;
}

let inherited: number[] | undefined;

/** Those that Core's own parent left open, such as a file of the user's shell. A server would inherit them. Linux only. */
function inheritedDescriptors(): number[] {
  const isPassedOn = (descriptor: number) => {
    const [, flags = ''] = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  };
  // Node.js marks all that it opens.
  inherited ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && existsSync(`/proc/self/fdinfo/${descriptor}`) && isPassedOn(descriptor));
  return inherited;
}

/** Resolves when the process has started. Rejects with SERVER_SPAWN_FAILED. */
export function hasSpawned(child: ChildProcess, { server, connection }: LaunchOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(spawnFailed(server, connection.command, error.message)));
  });
}

/** The inherited environment, overridden by the server's own values. */
function childEnvironment({ host, connection, environment, server }: LaunchOptions): Record<string, string> {
  const depth = (Number(host.env.TOOLKEEP_DEPTH) || 0) + 1;
  if (depth > maxDepth) {
    throw fail('SERVER_SPAWN_FAILED', `"${server}" would run Toolkeep inside Toolkeep, ${depth} levels deep.`, {
      server,
      hint: 'Remove Toolkeep from its own list of servers.',
    });
  }
  return { ...inheritedEnvironment(host.env, environment), ...connection.env, TOOLKEEP_DEPTH: String(depth) };
}

/** The path of the command. Reports what is missing more precisely than ENOENT does. */
async function findCommand(
  command: string,
  cwd: string,
  env: Record<string, string | undefined>,
  { server, host }: LaunchOptions,
): Promise<string> {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw fail('SERVER_SPAWN_FAILED', `The working directory ${cwd} of "${server}" does not exist.`, {
      server,
      hint: "Correct the server's `cwd`.",
    });
  }
  const path = env.PATH ?? env.Path ?? '';
  const isPath = /[\\/]/.test(command);
  // Windows may start a batch file for a command without an extension, which decides what its arguments may contain.
  const onWindows = host.platform === 'win32' ? await findOnWindows(command, cwd, env) : undefined;
  // As in a shell, a command with a slash is relative to `cwd`.
  const found = onWindows ?? (isPath ? command : await which(command, { path, nothrow: true }));
  if (found) return found;
  throw fail('SERVER_SPAWN_FAILED', `"${server}" did not start: the command "${command}" was not found.`, {
    server,
    hint: `Install ${sourceOf(command) ?? 'it'}, or set its full path. Searched: ${path.split(delimiter).join(', ')}`,
  });
}

/**
 * On Windows, a batch file such as `npx.cmd` passes its arguments to the shell again. The shell treats every quotation mark,
 * even an escaped one, as the start or end of quoted text. Text outside the quotation marks could then run as a command.
 */
function refuseBatchInjection(command: string, args: readonly string[], server: string): void {
  // Windows ignores dots and spaces at the end of a name.
  if (!/\.(?:cmd|bat)[. ]*$/i.test(command)) return;
  const unsafe = args.find((arg) => {
    const outside = arg.split('"').filter((_, index) => index % 2 === 1);
    return /[\r\n]/.test(arg) || arg.split('"').length % 2 === 0 || outside.some((part) => /[&|<>^%]/.test(part));
  });
  if (unsafe === undefined) return;
  throw fail(
    'SERVER_SPAWN_FAILED',
    `Windows could run part of the argument ${JSON.stringify(unsafe)} of "${server}".`,
    {
      server,
      hint: `Remove the quotation marks or line breaks, or start the server without ${command}.`,
    },
  );
}

function spawnFailed(server: string, command: string, reason: string): ToolkeepError {
  return fail('SERVER_SPAWN_FAILED', `"${command}" of "${server}" could not be started: ${reason}`, {
    server,
    hint: 'Check that it is installed and executable.',
  });
}

/** Returns `args`, preceded by an option that loads the certificates in `file`, if the app's binary runs them. */
export function withExtraCertificates(
  { command, args, env }: { command: string; args: string[]; env: Record<string, string> },
  { execPath, versions }: { execPath: string; versions: NodeJS.ProcessVersions } = process,
): string[] {
  const file = env.NODE_EXTRA_CA_CERTS;
  if (versions.electron === undefined || command !== execPath || !env.ELECTRON_RUN_AS_NODE || !file) return args;
  const source = `import { readFileSync } from 'node:fs';
    import tls from 'node:tls';
    const begin = '-----BEGIN CERTIFICATE-----';
    try {
      const extra = readFileSync(${JSON.stringify(file)}, 'utf8').split(begin).slice(1).map((text) => begin + text);
      tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...extra]);
    } catch (error) {
      console.error('NODE_EXTRA_CA_CERTS cannot be used:', error.message);
    }`;
  return [`--import=data:text/javascript,${encodeURIComponent(source)}`, ...args];
}

type Env = Readonly<Record<string, string | undefined>>;

/** The default PATHEXT of Windows. */
const usual = '.COM;.EXE;.BAT;.CMD';
/** A longer PATHEXT or PATH is cut, because Toolkeep looks for each of their combinations. */
const maxExtensions = 50;
const maxFolders = 500;

/** The full path with its extension; undefined if there is no such file. A path is relative to `cwd`. */
async function findOnWindows(command: string, cwd: string, env: Env): Promise<string | undefined> {
  const extensions = envVariable(env, 'PATHEXT', true) || usual;
  const endings = extensions.split(';').filter(Boolean).slice(0, maxExtensions);
  const hasEnding = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
  // Windows ignores case in file names; the file systems of other platforms do not.
  const tried = [...(hasEnding ? [''] : []), ...endings, ...endings.map((ending) => ending.toLowerCase())];
  const folders = /[\\/]/.test(command)
    ? [cwd]
    : (envVariable(env, 'PATH', true) ?? '').split(delimiter).slice(0, maxFolders);
  for (const folder of folders) {
    if (folder === '') continue;
    const base = resolve(folder.replace(/^"(.*)"$/, '$1'), command);
    for (const ending of tried) if (await isFile(base + ending)) return base + ending;
  }
  return undefined;
}

const isFile = (file: string) =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
