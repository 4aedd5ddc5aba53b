/** What both hosts take from the machine itself: data folder, lock, login-shell environment, settings, log, sealing. No Electron. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { Host, Sealer } from '../core/host.ts';
import { holdDataFolder, openDataFolder } from './data-folder.ts';
import { bridgeCommand } from './entry-file.ts';
import { loginShellEnv } from './environment.ts';
import { keyringSealer } from './keyring.ts';
import { openLog } from './log.ts';
import { openInBrowser } from './open-url.ts';
import { passphraseIn, passphraseSealer } from './passphrase.ts';
import { openSettings, type SettingsFile, type settingsOptions } from './settings.ts';

export { coreFlags, entryFile } from './entry-file.ts';
export { memorySealer } from './memory-sealer.ts';
export { checkedUrl, openInBrowser } from './open-url.ts';
export { openPageFiles, type PageFiles } from './page-files.ts';
export type { SettingsFile } from './settings.ts';

export interface NodeHostOptions {
  /** Default `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Also write the log's warnings and errors to stderr. */
  verbose?: boolean;
  /** Only reads the data folder: no lock is taken, so a running Core is not disturbed. */
  guest?: boolean;
  /** What a shell does better than plain Node; anything left out is done with Node's means. */
  settingsFile?(options: ReturnType<typeof settingsOptions>): SettingsFile;
  sealer?(dataDir: string): Promise<Sealer>;
  openUrl?(url: string): Promise<void>;
  ask?: Host['ask'];
}

export interface NodeHost extends Host {
  /** Gives the data folder free for another Core. */
  release(): void;
}

/**
 * The host of `gatehouse serve`, and the ground on which the Electron app builds its own. Takes the lock of the data folder:
 * fails with CORE_RUNNING when another Core has it.
 */
export async function createNodeHost(options: NodeHostOptions = {}): Promise<NodeHost> {
  const processEnv = options.env ?? process.env;
  const homeDir = processEnv.HOME || processEnv.USERPROFILE || homedir();
  const dataDir = openDataFolder(processEnv, homeDir);
  const release = options.guest ? () => {} : holdDataFolder(dataDir);
  const log = openLog(join(dataDir, 'logs'), { verbose: options.verbose ?? false, level: processEnv.GATEHOUSE_LOG });
  try {
    const [env, sealer] = await Promise.all([
      loginShellEnv(processEnv, log),
      chooseSealer(dataDir, processEnv, options.sealer),
    ]);
    // Servers inherit this environment; what opens the vault is none of theirs.
    delete env.GATEHOUSE_PASSPHRASE;
    log('info', `Gatehouse ${manifest.version} starts, data in ${dataDir}, secrets: ${sealer.label}`);
    return {
      version: manifest.version,
      platform: process.platform,
      homeDir,
      dataDir,
      cwd: processEnv.INIT_CWD || process.cwd(),
      env,
      bridge: bridgeCommand(dataDir, homeDir),
      store: openSettings(dataDir, log, options.settingsFile),
      sealer,
      openUrl: options.openUrl ?? openInBrowser,
      ...(options.ask && { ask: options.ask }),
      log,
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** A passphrase that was given is meant to be used; else what the platform has; else memory, and the label says so. */
async function chooseSealer(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  platformSealer: NodeHostOptions['sealer'],
): Promise<Sealer> {
  const passphrase = passphraseIn(env);
  if (passphrase !== undefined) return passphraseSealer(dataDir, passphrase);
  return platformSealer ? platformSealer(dataDir) : keyringSealer(dataDir, env);
}

/** Where Gatehouse keeps what it remembers, for this environment (`GATEHOUSE_HOME` or `~/.gatehouse`); made if it is not there. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return openDataFolder(env, env.HOME || env.USERPROFILE || homedir());
}
