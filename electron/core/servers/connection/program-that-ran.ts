/** The program that ran for a server's command. Another version than in the user's terminal is a common cause of crashes. */
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import which from 'which';
import type { Launch } from './spawn-server.ts';

/** Only programs that print their version and do nothing else: others may be the server itself. */
const runtimes = /^(?:node|bun|deno|python[\d.]*|uv|ruby|php)$/;
/** Scripts that run in Node.js. */
const ofNode = /^(?:npx|npm|pnpm|yarn)$/;
const versionMs = 1_000;

/** Like `/usr/bin/node v20.19.0`, or `/usr/bin/npx with /usr/bin/node v20.19.0`. */
export async function programThatRan({ command, cwd, env }: Launch): Promise<string> {
  const runtime = await runtimeOf(command, env.PATH);
  if (runtime === undefined) return command;
  const version = await promisify(execFile)(runtime, ['--version'], { cwd, env, timeout: versionMs }).then(
    ({ stdout }) => stdout.trim().split('\n')[0]?.slice(0, 60) ?? '',
    () => 'of unknown version',
  );
  return runtime === command ? `${command} ${version}` : `${command} with ${runtime} ${version}`;
}

/** The path of the runtime that a command starts in this PATH. */
async function runtimeOf(command: string, path = ''): Promise<string | undefined> {
  const name = basename(command).replace(/\.(?:exe|cmd)$/i, '');
  if (runtimes.test(name)) return (await which(command, { path, nothrow: true })) ?? command;
  return ofNode.test(name) ? ((await which('node', { path, nothrow: true })) ?? undefined) : undefined;
}

/** Whether the command starts another program, or another runtime, in `other` than in `path`. */
export async function differsIn(command: string, path: string, other: string): Promise<boolean> {
  const found = (at: string) =>
    Promise.all([which(command, { path: at, nothrow: true }), runtimeOf(command, at)]).then(String);
  return (await found(path)) !== (await found(other));
}
