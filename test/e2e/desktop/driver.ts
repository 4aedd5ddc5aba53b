/**
 * Runs the built app on the stand-in, or on real Electron with `TOOLKEEP_REAL=1`, and lets a test act as the user.
 * `TOOLKEEP_REAL_LIKE=1` limits the stand-in to what a real Electron can do. Tests that need more have the tag `stand-in`.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findElectron } from '../../../build/electron.mjs';
import { eventually } from '../../fixtures/eventually.ts';
import { freePort } from '../../fixtures/free-port.ts';
import type { Operations } from '../../stand-in/control.ts';
import { keepArtifacts } from './artifacts.ts';
import { type Control, ipcControl, socketControl } from './control.ts';

const root = join(import.meta.dirname, '../../..');
const node = join(root, 'node_modules', '.bin', 'node');
const isReal = process.env.TOOLKEEP_REAL === '1';
const isLimited = isReal || process.env.TOOLKEEP_REAL_LIKE === '1';

type Values = { [N in keyof Operations]: Awaited<ReturnType<Operations[N]>> };

export interface App {
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** The user's view and actions outside the pages. */
  desk<N extends keyof Operations>(name: N, ...args: Parameters<Operations[N]>): Promise<Values[N]>;
  /** Resolves with the page of the window whose URL, without the hash, ends with `part`. */
  page(part?: string): Promise<Page>;
  /** Resolves with the open native dialog. */
  dialog(): Promise<Values['dialogs'][number]>;
  stderr(): string;
  /** Ends the app as Quit does; resolves with the exit code. */
  quit(): Promise<number | null>;
  dispose(): Promise<void>;
}

export interface AppOptions {
  args?: string[];
  env?: Record<string, string>;
  /** Written to `TOOLKEEP_HOME/config.json` before the start. */
  config?: object;
  /** Written to settings.json before the start. */
  settings?: object;
  /** Bounds of the main window in the last run. */
  windowState?: object;
  /** If false, `startApp` resolves when the app has started, before its Core accepts connections. */
  waits?: boolean;
  dataDir?: string;
}

/** Starts the app with a temporary home and waits until its Core serves. */
export async function startApp(options: AppOptions = {}): Promise<App> {
  const home = mkdtempSync(join(tmpdir(), 'toolkeep-shell-'));
  const dataDir = options.dataDir ?? join(home, '.toolkeep');
  mkdirSync(dataDir, { recursive: true });
  if (options.config) writeFileSync(join(dataDir, 'config.json'), JSON.stringify(options.config));
  if (options.settings) writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(options.settings));
  if (options.windowState) {
    mkdirSync(join(dataDir, 'electron'), { recursive: true });
    writeFileSync(join(dataDir, 'electron', 'window.json'), JSON.stringify(options.windowState));
  }
  const port = await freePort();
  const sockets = isLimited ? await socketControl() : undefined;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    // A test must not use the user's keyring.
    TOOLKEEP_NO_KEYRING: '1',
    TOOLKEEP_HOME: dataDir,
    // Files that a killed browser leaves behind are removed together with the home folder.
    TMPDIR: home,
    TOOLKEEP_NO_SHELL_ENV: '1',
    TOOLKEEP_STAND_IN_PORT: String(port),
    ...(sockets && { TOOLKEEP_CONTROL: sockets.path }),
    ...options.env,
  };
  // A real Electron runs the tests of its own system only, the stand-in those of all systems.
  const unknown = isReal ? /^TOOLKEEP_STAND_IN/ : /^TOOLKEEP_STAND_IN_(?!PLATFORM$)/;
  if (isLimited) for (const name of Object.keys(options.env ?? {})) if (unknown.test(name)) delete env[name];
  const [program = node, ...start] = startCommand(port);
  const child = spawn(program, [...start, ...(options.args ?? [])], {
    cwd: home,
    env,
    // Chromium uses descriptor 3 (electron#17044).
    stdio: isLimited ? ['ignore', 'ignore', 'pipe'] : ['ignore', 'ignore', 'pipe', 'ignore', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let browser: Browser | undefined;

  /** False while the app runs; throws once it has ended. */
  const ended = (): false => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The app has ended. ${stderr}`);
    return false;
  };
  const control = sockets?.control ?? ipcControl(child);
  const desk = createDesk(control, exited, () => stderr);
  const app: App = {
    dataDir,
    process: child,
    desk,
    stderr: () => stderr,
    async page(part = 'index.html') {
      await eventually(async () => (await reachable(port)) || ended(), 'Chromium answers');
      browser ??= await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      const pages = () => browser?.contexts().flatMap((context) => context.pages()) ?? [];
      return eventually(
        () =>
          pages().find((page) => !page.isClosed() && page.url().split('#')[0]?.endsWith(part)) ??
          (ended() && undefined),
        `a page of ${part}`,
      );
    },
    dialog: () =>
      eventually(async () => (await desk('dialogs')).find(({ state }) => state === 'open'), 'an open dialog'),
    async quit() {
      desk('quit').catch(() => undefined);
      return (await exited)[0];
    },
    async dispose() {
      await keepArtifacts(app, browser).catch(() => undefined);
      await browser?.close().catch(() => undefined);
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(timer);
      sockets?.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
  try {
    if (options.waits !== false) await eventually(() => isServing(dataDir) || ended(), 'the Core serves');
    return app;
  } catch (error) {
    await app.dispose();
    throw new Error(`The app did not start: ${stderr}`, { cause: error });
  }
}

/** Starts the app on the stand-in, or on real Electron. */
function startCommand(port: number): string[] {
  if (!isReal) {
    return [node, join(root, 'test', 'stand-in', 'run.ts'), join(root, 'dist', 'main.js')];
  }
  const electron = findElectron();
  if (!electron) throw new Error('TOOLKEEP_REAL=1 needs the Electron binary: node node_modules/electron/install.js');
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const control = join(import.meta.dirname, 'real-control.cjs');
  return [electron, '-r', control, ...sandbox, `--remote-debugging-port=${port}`, root];
}

/** Resolves with the stand-in's next report to the test, such as `relaunched`. */
export function told(app: App, what: 'relaunched' | 'moved' | 'installed' | 'error'): Promise<unknown> {
  return new Promise((resolve) => {
    app.process.on('message', (message: Record<string, unknown>) => what in message && resolve(message[what]));
  });
}

/** Presses the button of a question. A window that asked for a secret may close before the press is acknowledged. */
export async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.click().catch((error: Error) => {
    if (!error.message.includes('page, context or browser has been closed')) throw error;
  });
}

function createDesk(control: Control, exited: Promise<unknown>, stderr: () => string): App['desk'] {
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let lastId = 0;
  let hasEnded = false;
  control.onReply((reply) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.error !== undefined) call?.reject(new Error(reply.error));
    else call?.resolve(reply.value as never);
  });
  const fail = () => new Error(`The app has ended. ${stderr()}`);
  void exited.then(() => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(fail());
  });
  return (name, ...args) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(fail());
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      control.send({ id: lastId, name, args });
    });
}

function isServing(dataDir: string): boolean {
  const file = join(dataDir, 'run', 'core.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes('httpUrl');
}

const reachable = (port: number) =>
  fetch(`http://127.0.0.1:${port}/json/version`).then(
    (response) => response.ok,
    () => false,
  );
