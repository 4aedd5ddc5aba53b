/**
 * Chooses what a bridge starts if no Core runs: the installed app, or a headless Core if there is no app or no display.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A program to start. `mayFail`: if it exits with an error, try the next launch. */
export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  /** False for the app, because Windows would hide its first window. */
  windowsHide: boolean;
  isApp: boolean;
  mayFail: boolean;
}

export interface LaunchSituation {
  dataDir: string;
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  execPath: string;
  isElectron: boolean;
  /** `process.resourcesPath`; only in Electron. */
  resourcesPath?: string;
  /** The command that starts a headless Core from source; empty if it is missing. */
  headless: string[];
  coreFlags: readonly string[];
  uid?: number;
}

/**
 * An app that exits later than this did not fail to start. An app that exits earlier with code 0 handed over to another
 * instance, whose Core answers within this time.
 */
const startedAfterMs = 20_000;

export interface Started {
  /** False after every started process has exited; for an app that handed over, after another `startedAfterMs`. */
  isRunning(): boolean;
}

/** Starts the first launch, detached. If it fails at once, starts the next. */
export function startFirst(list: Launch[]): Started {
  let isRunning = false;
  const start = ([launch, ...others]: Launch[]): void => {
    isRunning = launch !== undefined;
    if (!launch) return;
    const { command, args, env, windowsHide, isApp, mayFail } = launch;
    const startedAt = Date.now();
    const child = spawn(command, args, { cwd: homedir(), detached: true, stdio: 'ignore', windowsHide, env });
    child.once('error', () => start(others));
    child.once('exit', (code) => {
      const isEarly = Date.now() - startedAt < startedAfterMs;
      if (code !== 0 && mayFail && isEarly) start(others);
      // Another instance of the app is starting, or Launch Services or Explorer is starting it.
      else if (isApp && isEarly) setTimeout(() => (isRunning = false), startedAfterMs).unref();
      else isRunning = false;
    });
    child.unref();
  };
  start(list);
  return { isRunning: () => isRunning };
}

/** The launches, in the order to try them. */
export function launches(situation: LaunchSituation): Launch[] {
  const app = appLaunch(situation);
  return [...(app ? [app] : []), ...headlessLaunch(situation)];
}

function appLaunch(situation: LaunchSituation): Launch | undefined {
  const { dataDir, platform } = situation;
  const app = installedApp(situation);
  if (!app) return undefined;
  const env: Launch['env'] = { ...app.env, ...situation.env };
  // Otherwise, the app would start as plain Node.
  delete env.ELECTRON_RUN_AS_NODE;
  const direct = { command: app.command, args: app.args, env, windowsHide: false, isApp: true, mayFail: true };
  if (platform === 'linux') {
    const runtimeDir = `/run/user/${situation.uid}`;
    if (env.XDG_RUNTIME_DIR === undefined && existsSync(runtimeDir)) env.XDG_RUNTIME_DIR = runtimeDir;
    return env.DISPLAY || env.WAYLAND_DISPLAY ? direct : undefined;
  }
  if (platform === 'darwin') {
    const [, bundle] = /^(.+\.app)\/Contents\/MacOS\//.exec(app.command) ?? [];
    // Started by Launch Services, the app has its own permissions rather than the client's.
    const home = situation.env.GATEHOUSE_HOME;
    const variables = home ? ['--env', `GATEHOUSE_HOME=${home}`] : [];
    const args = ['-g', '-j', '-a', bundle ?? '', ...variables, '--args', ...app.args];
    return bundle ? { ...direct, command: '/usr/bin/open', args } : direct;
  }
  if (platform === 'win32') {
    // Started by the shell, the app is outside the job object of a client from the Store, so it can be updated.
    const shortcut = join(dataDir, 'run', 'start.lnk');
    // Explorer exits with 1 even on success.
    if (existsSync(shortcut) && !situation.env.GATEHOUSE_HOME)
      return { ...direct, command: 'explorer.exe', args: [shortcut], mayFail: false };
  }
  return direct;
}

/** The app as it recorded itself at its last start, or the package that contains this bridge. */
function installedApp({ dataDir, execPath, isElectron, resourcesPath }: LaunchSituation) {
  try {
    const app: { command: string; args?: string[]; env?: Record<string, string> } = JSON.parse(
      readFileSync(join(dataDir, 'run', 'app.json'), 'utf8'),
    );
    if (existsSync(app.command)) return { command: app.command, args: app.args ?? [], env: app.env ?? {} };
  } catch {
    // The app has never been opened.
  }
  if (!isElectron || !resourcesPath || !existsSync(join(resourcesPath, 'app.asar'))) return undefined;
  return { command: execPath, args: ['--hidden'], env: {} };
}

function headlessLaunch(situation: LaunchSituation): Launch[] {
  const { env, execPath, isElectron, resourcesPath, coreFlags } = situation;
  const shared = { windowsHide: true, isApp: false, mayFail: false };
  const script = resourcesPath && join(resourcesPath, 'app.asar', 'dist', 'headless.js');
  if (isElectron && script && existsSync(script)) {
    const args = [...coreFlags, script, '--on-demand'];
    return [{ command: execPath, args, env: { ...env, ELECTRON_RUN_AS_NODE: '1' }, ...shared }];
  }
  const [command, ...args] = situation.headless;
  if (!command) return [];
  const asNode = isElectron && command === execPath;
  return [{ command, args, env: asNode ? { ...env, ELECTRON_RUN_AS_NODE: '1' } : env, ...shared }];
}
