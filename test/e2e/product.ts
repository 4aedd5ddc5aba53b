/** The built product with a temporary home, started and used as a user would. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reachCore } from '../../electron/bridge/reach-core.ts';
import { compileCache } from '../fixtures/commands.ts';

const root = join(import.meta.dirname, '../..');
const launcher = join(root, 'build/toolkeep.cjs');

/** The exit code that shells report for SIGKILL. */
export const killedCode = 137;

export interface Product {
  readonly home: string;
  readonly env: Record<string, string>;
  /** Writes a file below the home folder. */
  file(path: string, content: string | object): void;
  /** Runs `toolkeep serve` and resolves when it reports that it is ready. */
  serve(): Promise<ChildProcess & { output(): string }>;
  /** The process of Core itself. */
  corePid(): number;
  /** The flags of Core's process, as the operating system reports them. */
  coreFlags(): string[];
  /** A new address of the page of the running Core. */
  pageUrl(): Promise<string>;
  /** Runs `toolkeep …`. The code is `killedCode` if a signal ended it. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Runs `toolkeep …` in a terminal that has no input. Its stdout and stderr are one text. */
  inTerminal(...args: string[]): Promise<{ code: number; output: string }>;
  /** How a client spawns the bridge. */
  bridge(...args: string[]): { command: string; args: string[]; env: Record<string, string> };
  /** Processes with this home in their environment: all descendants that were started for it. */
  processes(): { pid: number; command: string }[];
  /** Resolves when no process is left; rejects with the remaining processes after ten seconds. */
  nothingLeft(): Promise<void>;
  dispose(): Promise<void>;
}

/** `home`: an empty folder, which is removed in the end. */
export function newProduct(home = mkdtempSync(join(tmpdir(), 'toolkeep-e2e-'))): Product {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TOOLKEEP_NO_SHELL_ENV: '1',
    ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent',
    ...compileCache,
  };
  const project = join(home, 'project');
  mkdirSync(project);
  const started: ChildProcess[] = [];

  const product: Product = {
    home,
    env,
    file(path, content) {
      const full = join(home, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
    },
    async serve() {
      const child = spawn(process.execPath, [launcher, 'serve', '--no-open'], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.push(child);
      let output = '';
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk;
          if (output.includes('is ready')) resolve();
        });
      }
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${output}`)));
      await promise;
      return Object.assign(child, { output: () => output });
    },
    corePid: () => Number(JSON.parse(readFileSync(join(home, '.toolkeep/run/core.json'), 'utf8')).pid),
    coreFlags: () => {
      const line = readFileSync(`/proc/${product.corePid()}/cmdline`, 'utf8').split('\0');
      return line.slice(
        1,
        line.findIndex((part) => /headless\.js$/.test(part)),
      );
    },
    async pageUrl() {
      const reached = await reachCore(join(home, '.toolkeep'), { purpose: 'page' });
      reached?.socket.destroy();
      return reached?.reply.pageUrl ?? '';
    },
    cli: (...args) =>
      new Promise((resolve) => {
        execFile(
          process.execPath,
          [launcher, ...args],
          { cwd: project, env, maxBuffer: 2 ** 26 },
          (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? killedCode) : 0, stdout, stderr }),
        );
      }),
    inTerminal: (...args) =>
      new Promise((resolve) => {
        const words = [process.execPath, launcher, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
        const child = execFile(
          'script',
          ['--quiet', '--return', '--command', words.join(' '), '/dev/null'],
          { cwd: project, env: { ...env, TERM: 'dumb', SHELL: '/bin/sh' } },
          (error, output) => resolve({ code: error ? Number(error.code ?? killedCode) : 0, output }),
        );
        child.stdin?.end();
      }),
    bridge: (...args) => ({ command: process.execPath, args: [launcher, 'connect', ...args], env }),
    processes() {
      return readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
        .flatMap((pid) => {
          try {
            if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home)) return [];
            const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
            return command === '' ? [] : [{ pid: Number(pid), command }];
          } catch {
            return [];
          }
        });
    },
    async nothingLeft() {
      for (const deadline = Date.now() + 10_000; ; await delay(50)) {
        const left = product.processes();
        if (left.length === 0) return;
        if (Date.now() > deadline)
          throw new Error(`Still running:\n${left.map(({ pid, command }) => `${pid} ${command}`).join('\n')}`);
      }
    },
    async dispose() {
      for (const child of started) child.kill('SIGTERM');
      for (const deadline = Date.now() + 5_000; product.processes().length > 0 && Date.now() < deadline; )
        await delay(50);
      for (const { pid } of product.processes()) process.kill(pid, 'SIGKILL');
      if (existsSync(home)) rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
  return product;
}
