/**
 * The host on plain Node, which the Electron app extends: data folder, lock, login-shell environment, settings, log and
 * sealer.
 */
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { Host, Updates } from '../core/host.ts';
import { writeCommandLauncher } from './command-launcher.ts';
import { holdDataFolder, openDataFolder } from './data-folder.ts';
import { entryFile } from './entry-file.ts';
import { loginShellEnv } from './environment.ts';
import { howToUpdate } from './how-to-update.ts';
import { bridgeCommand } from './launcher.ts';
import { openLog, readLog } from './log.ts';
import { openInBrowser } from './open-url.ts';
import { createSealer } from './sealer.ts';
import { openSettings, type SettingsFile, type settingsOptions } from './settings.ts';
import { temporaryApp } from './temporary-app.ts';

export interface NodeHostOptions {
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** True if a client started this Core, so the user did not choose the current folder. */
  onDemand?: boolean;
  settingsFile?(options: ReturnType<typeof settingsOptions>): SettingsFile;
  openUrl?(url: string): Promise<void>;
  ask?: Host['ask'];
  updates?: Updates;
  desktop?: Host['desktop'];
  onPresence?: Host['onPresence'];
}

export interface NodeHost extends Host {
  /** Releases the data folder's lock. */
  release(): void;
}

/** Locks the data folder. Fails with CORE_RUNNING if another Core holds the lock. */
export async function createNodeHost(options: NodeHostOptions = {}): Promise<NodeHost> {
  const processEnv = options.env ?? process.env;
  const homeDir = processEnv.HOME || processEnv.USERPROFILE || homedir();
  const dataDir = openDataFolder(processEnv, homeDir);
  const release = holdDataFolder(dataDir);
  const logFolder = join(dataDir, 'logs');
  const log = openLog(logFolder, { level: processEnv.TOOLKEEP_LOG });
  try {
    const [env, sealer] = await Promise.all([
      loginShellEnv(processEnv, log),
      createSealer({ dataDir, env: processEnv, log }),
    ]);
    writeCommandLauncher(dataDir);
    log('info', `Toolkeep ${manifest.version} starts, data in ${dataDir}, vault: ${sealer.label}`);
    return {
      version: manifest.version,
      platform: process.platform,
      homeDir,
      dataDir,
      cwd: process.cwd(),
      projectDir: options.onDemand ? undefined : process.cwd(),
      env,
      terminalPath: processEnv.PATH,
      bridge: bridgeCommand(dataDir, homeDir),
      bridgeProblem: temporaryApp(),
      ...openSettings(dataDir, log, options.settingsFile),
      sealer,
      openUrl: options.openUrl ?? openInBrowser,
      ask: options.ask,
      updates: options.updates,
      desktop: options.desktop,
      onPresence: options.onPresence,
      howToUpdate: howToUpdate({
        folder: dirname(entryFile('headless')),
        resourcesPath: (process as { resourcesPath?: string }).resourcesPath,
      }),
      log,
      recentLog: () => readLog(logFolder),
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The data folder for this environment (`TOOLKEEP_HOME` or `~/.toolkeep`), created if necessary. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return openDataFolder(env, env.HOME || env.USERPROFILE || homedir());
}
