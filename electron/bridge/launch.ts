/**
 * Chooses the program that a bridge starts if no Core runs: the installed app, or a headless Core if there is no app or no
 * display.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** A program to start. `mayFail`: if it exits with an error, try the next launch. */
export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  /** False for the app, because Windows would hide its first window. */
  windowsHide: boolean;
  isApp: boolean;
  mayFail: boolean;
  /** Launch Services or Explorer starts the app, so the command's exit does not mean that another instance is running. */
  isIndirect?: boolean;
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

/** An app that exits later than this did not fail to start. Launch Services and Explorer start it within this time. */
const startedAfterMs = 20_000;
/**
 * An app that exits earlier with code 0 handed over to another instance. If that one does not answer within this time, it may
 * have been quitting, so the app is started again. Starting a second instance does no harm.
 */
const handoverMs = 2_000;

export type Started = ReturnType<typeof startFirst>;

/** Starts the first launch, detached. If it fails at once, starts the next. */
export function startFirst(list: Launch[]) {
  let isRunning = false;
  let isDone = false;
  const start = ([launch, ...others]: Launch[]): void => {
    isRunning = launch !== undefined && !isDone;
    if (!launch || isDone) return;
    const { command, args, env, windowsHide, isApp, mayFail, isIndirect } = launch;
    const startedAt = Date.now();
    const child = spawn(command, args, { cwd: homedir(), detached: true, stdio: 'ignore', windowsHide, env });
    child.once('error', () => start(others));
    child.once('exit', (code) => {
      const isEarly = Date.now() - startedAt < startedAfterMs;
      if (code !== 0 && mayFail && isEarly) start(others);
      // Another instance of the app is starting, or Launch Services or Explorer is starting it.
      else if (isApp && isEarly)
        setTimeout(() => (isRunning = false), isIndirect ? startedAfterMs : handoverMs).unref();
      else isRunning = false;
    });
    child.unref();
  };
  start(list);
  return {
    /** False once every started process has exited; for an app that hands over to another instance, some time after that. */
    isRunning: (): boolean => isRunning,
    /** Call when a Core answers. No other launch is tried from then on. */
    done(): void {
      isDone = true;
    },
  };
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
    // An app that runs would show its window if Launch Services opened it again; a second instance only announces itself.
    if (isOpen(dataDir)) return direct;
    const [, bundle] = /^(.+\.app)\/Contents\/MacOS\//.exec(app.command) ?? [];
    // Let Launch Services start the app, so that it has its own permissions rather than the client's. Not hidden (`-j`),
    // because a hidden app shows no questions.
    const variables = Object.entries(situation.env).flatMap(([name, value]) =>
      name.startsWith('TOOLKEEP_') && value !== undefined ? ['--env', `${name}=${value}`] : [],
    );
    const args = ['-g', '-a', bundle ?? '', ...variables, '--args', ...app.args];
    return bundle ? { ...direct, command: '/usr/bin/open', args, isIndirect: true } : direct;
  }
  if (platform === 'win32') {
    // Let the shell start the app, so that it is outside the job object of a client from the Store and can be updated.
    // The installer has written this shortcut.
    const shortcut = join(dirname(app.command), 'start.lnk');
    // Explorer exits with 1 even on success.
    if (existsSync(shortcut) && !situation.env.TOOLKEEP_HOME)
      return { ...direct, command: 'explorer.exe', args: [shortcut], mayFail: false, isIndirect: true };
  }
  return direct;
}

/** Whether the process that holds the app's single-instance lock is alive. Its name ends with the process ID. */
function isOpen(dataDir: string): boolean {
  try {
    const pid = /\d+$/.exec(readlinkSync(join(dataDir, 'electron', 'SingletonLock')))?.[0];
    return pid !== undefined && process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

interface InstalledApp {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** The folder with the app's archive. */
  resources?: string;
}

/** The app as it recorded itself at its last start, or the package that contains this bridge. */
function installedApp(situation: LaunchSituation): InstalledApp | undefined {
  try {
    const app: Partial<InstalledApp> = JSON.parse(readFileSync(join(situation.dataDir, 'run', 'app.json'), 'utf8'));
    const { command, args = [], env = {}, resources } = app;
    if (command !== undefined && existsSync(command)) return { command, args, env, resources };
  } catch {
    // The app has never been opened.
  }
  const { isElectron, execPath, resourcesPath } = situation;
  return isElectron && hasArchive(resourcesPath)
    ? { command: execPath, args: ['--hidden'], env: {}, resources: resourcesPath }
    : undefined;
}

const hasArchive = (resources?: string): resources is string =>
  resources !== undefined && existsSync(join(resources, 'app.asar'));

function headlessLaunch(situation: LaunchSituation): Launch[] {
  const { env, execPath, isElectron, coreFlags } = situation;
  const shared = { windowsHide: true, isApp: false, mayFail: false };
  const asNode = { ...env, ELECTRON_RUN_AS_NODE: '1' };
  const packaged = packagedBinary(situation);
  if (packaged) {
    const script = join(packaged.resources, 'app.asar', 'dist', 'headless.js');
    return [{ command: packaged.command, args: [...coreFlags, script, '--on-demand'], env: asNode, ...shared }];
  }
  const [command, ...args] = situation.headless;
  if (!command) return [];
  return [{ command, args, env: isElectron && command === execPath ? asNode : env, ...shared }];
}

/** A binary that can read the app's archive: this process, or the installed app if the bridge has a program of its own. */
function packagedBinary(situation: LaunchSituation): { command: string; resources: string } | undefined {
  const { isElectron, execPath, resourcesPath, headless } = situation;
  if (isElectron && hasArchive(resourcesPath)) return { command: execPath, resources: resourcesPath };
  const { command, resources } = (headless.length === 0 && installedApp(situation)) || {};
  return command !== undefined && hasArchive(resources) ? { command, resources } : undefined;
}
