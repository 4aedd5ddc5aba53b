/** A Core in a separate process with a temporary home, a connected UI, and the bridge for clients. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reachCore } from '../../../electron/bridge/reach-core.ts';
import { socketWire } from '../../../electron/core/gateway/socket-wire.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { type Command, compileCache } from '../../fixtures/commands.ts';
import { bridgeFile } from '../gateway/harness.ts';

const entry = join(import.meta.dirname, '../../../electron/headless.ts');

export interface RealCore {
  readonly home: string;
  /** `~/.toolkeep` */
  readonly data: string;
  readonly process: ChildProcess;
  readonly url: URL;
  readonly token: string;
  readonly output: string;
  configure(config: object): void;
  start(): Promise<void>;
  /** Connects a UI; a `silent` one sees everything but cannot answer. */
  attachUi(options?: { silent: boolean }): Promise<CoreClient>;
  bridge(...args: string[]): Required<Command>;
  dispose(): Promise<void>;
}

export async function startRealCore(config: object): Promise<RealCore> {
  const home = mkdtempSync(join(tmpdir(), 'toolkeep-matrix-'));
  const data = join(home, '.toolkeep');
  mkdirSync(data, { mode: 0o700 });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TOOLKEEP_HOME: data,
    TOOLKEEP_NO_SHELL_ENV: '1',
    ...compileCache,
  };
  let child: ChildProcess;
  let output = '';
  let token = '';

  const core: RealCore = {
    ...{ home, data },
    get process() {
      return child;
    },
    get url() {
      return new URL(/http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '');
    },
    get output() {
      return output;
    },
    get token() {
      return token;
    },
    configure: (next) => writeFileSync(join(data, 'config.json'), JSON.stringify(next)),
    async start() {
      output = '';
      child = spawn(process.execPath, [entry], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          output += chunk;
          if (output.includes('is ready')) resolve();
        });
      }
      child.once('exit', (code) => reject(new Error(`The Core ended with ${code}: ${output}`)));
      await promise;
    },
    async attachUi({ silent } = { silent: false }) {
      const reached = await reachCore(data, { purpose: 'rpc', interactive: true, answersQuestions: !silent });
      if (!reached) throw new Error('The Core cannot be reached.');
      return connectCore(socketWire(reached.socket));
    },
    bridge: (...args) => ({ command: process.execPath, args: [bridgeFile, ...args], env }),
    async dispose() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await exited;
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
  core.configure(config);
  await core.start();
  const ui = await core.attachUi({ silent: true });
  token = (await ui.call('tokens.create', { name: 'test' })).token;
  ui.close();
  return core;
}
