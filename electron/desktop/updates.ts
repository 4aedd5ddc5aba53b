/**
 * Updates of the packaged app with electron-updater: checks the feed quietly, downloads in the background, and installs when
 * the app quits, after Core has closed. electron-updater verifies the checksum of every download, and on macOS and Windows its
 * signature. Without a feed, nothing happens.
 */
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { app, autoUpdater } from 'electron';
import type { AppUpdater, BaseUpdater } from 'electron-updater';
import manifest from '../../package.json' with { type: 'json' };
import type { UpdateView } from '../../shared/model/update.ts';
import type { Host, Updates } from '../core/host.ts';
import { ownAppImage } from '../host/app-image.ts';
import { feedOf, type Package, packageIn } from './update-package.ts';
import { createUpdateSchedule } from './update-schedule.ts';

export interface DesktopUpdates extends Updates {
  /**
   * Installs the update that is ready. Call it when Core has closed and the app is about to exit. Returns true if the updater
   * ends the app itself.
   */
  install(): boolean;
  /** Whether the app restarts after the update. */
  isRestarting(): boolean;
  /** Call when the app does not quit after all. */
  cancelRestart(): void;
}

export interface UpdateOptions {
  log: Host['log'];
  /** Called with the new path if the update renames the AppImage. */
  onMoved(appImage: string): void;
  /** Called before Core closes if an update will be installed then. */
  onInstalling(): void;
}

/**
 * When an update is installed. `quit`: when the app quits. `request`: only if the user asks for it, because the system asks
 * for a password. `never`: the app cannot replace its files, so the user downloads the package.
 */
type Installs = 'quit' | 'request' | 'never';

/** Creates the updater; undefined if the app is not packaged, or its package has no usable feed. */
export function createUpdates(options: UpdateOptions): DesktopUpdates | undefined {
  const { log, onInstalling } = options;
  const feed = app.isPackaged ? feedOf(process.resourcesPath, log) : undefined;
  if (feed === undefined) return undefined;
  const kind = packageIn(process.resourcesPath);
  const installs = installsOf(kind);
  const isForbidden = process.env.TOOLKEEP_NO_UPDATES === '1';
  const listeners = new Set<() => void>();
  let view: UpdateView = { state: 'disabled' };
  let loading: Promise<AppUpdater> | undefined;
  let updater: AppUpdater | undefined;
  let cancelDownload: (() => void) | undefined;
  let isRestarting = false;
  const isEnabled = () => view.state !== 'disabled';
  const willInstall = () => view.state === 'ready' && (isRestarting || installs === 'quit');
  app.on('will-quit', () => willInstall() && onInstalling());

  function show(next: UpdateView): void {
    view = next;
    for (const listener of listeners) listener();
  }

  async function load(): Promise<AppUpdater> {
    const loaded = await createUpdater(kind, options);
    const answered = (state: UpdateView['state'], version?: string, url?: string) => {
      if (isEnabled()) show({ state, version, url, checkedAt: Date.now() });
    };
    loaded.on('update-not-available', () => answered('current'));
    loaded.on('update-available', ({ version }) => {
      if (installs === 'never') answered('available', version, manifest.homepage);
      // The file may have been downloaded by an earlier check.
      else if (view.state !== 'ready' || view.version !== version) answered('downloading', version);
    });
    let downloaded: string | undefined;
    loaded.on('update-downloaded', ({ version }) => {
      downloaded = version;
      if (kind !== 'zip') answered('ready', version);
    });
    // On macOS, Squirrel then fetches the file, and can install it only afterwards.
    if (kind === 'zip') autoUpdater.on('update-downloaded', () => answered('ready', downloaded));
    loaded.on('error', (error) => {
      const problem = error.message.split('\n')[0]?.slice(0, 200) ?? '';
      log('warn', `Looking for a new version failed: ${problem}`);
      if (!isEnabled()) return;
      show(view.state === 'ready' ? view : { state: 'current', problem, checkedAt: view.checkedAt });
    });
    updater = loaded;
    return loaded;
  }

  async function check(): Promise<void> {
    if (!isEnabled()) return;
    try {
      loading ??= load();
      const result = await (await loading).checkForUpdates();
      cancelDownload = () => result?.cancellationToken?.cancel();
      if (!isEnabled()) cancelDownload();
      // A failure is also an `error` event.
      result?.downloadPromise?.catch(() => undefined);
    } catch {
      // The failure is also an `error` event.
    }
  }

  const schedule = createUpdateSchedule(() => void check());

  return {
    channel: `${kind}, ${feed}`,
    view: () => view,
    onChange: (listener) => void listeners.add(listener),
    enable(wanted) {
      const isWanted = wanted && !isForbidden;
      if (isWanted === isEnabled()) return;
      show({ state: isWanted ? 'current' : 'disabled' });
      if (isWanted) return schedule.start();
      schedule.stop();
      cancelDownload?.();
    },
    check,
    restart() {
      if (view.state !== 'ready') return;
      isRestarting = true;
      app.quit();
    },
    isRestarting: () => isRestarting,
    cancelRestart() {
      isRestarting = false;
    },
    install() {
      if (!updater || !willInstall()) return false;
      log('info', `Installing version ${view.version}.`);
      // Without a request, Squirrel installs the update after the app has exited.
      if (process.platform === 'darwin') {
        if (isRestarting) updater.quitAndInstall();
        return isRestarting;
      }
      const isInstalled = hasRoom(updater) && (updater as BaseUpdater).install(true, isRestarting);
      if (!isInstalled && isRestarting) app.relaunch({ execPath: ownAppImage() ?? process.execPath, args: [] });
      return false;
    },
  };
}

const installsOf = (kind: Package): Installs =>
  kind === 'unknown' ? 'never' : kind === 'deb' || kind === 'rpm' ? 'request' : 'quit';

async function createUpdater(kind: Package, { log, onMoved }: UpdateOptions): Promise<AppUpdater> {
  const updaters = await import('electron-updater');
  const { AppImageUpdater, DebUpdater, RpmUpdater, NsisUpdater, MacUpdater } = updaters;
  const Updater = { AppImage: AppImageUpdater, deb: DebUpdater, rpm: RpmUpdater, exe: NsisUpdater, zip: MacUpdater }[
    kind === 'unknown' ? 'AppImage' : kind
  ];
  const updater = new Updater();
  // APPIMAGE may be unset, or name the file of another program. This updater would replace that file, so it must not download.
  if (kind === 'unknown') updater.forceDevUpdateConfig = true;
  updater.autoDownload = kind !== 'unknown';
  updater.autoInstallOnAppQuit = kind === 'zip';
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  // Otherwise, each request would contain a permanent ID of this installation.
  updater.requestHeaders = { 'x-user-staging-id': '' };
  const debug = (message: unknown) => log('debug', String(message));
  updater.logger = { debug, info: debug, warn: debug, error: debug };
  updater.on('appimage-filename-updated', onMoved);
  return updater;
}

/** electron-updater deletes the old AppImage before it moves the new one, which may be on another disk. */
function hasRoom(updater: AppUpdater): boolean {
  const appImage = ownAppImage();
  if (!appImage) return true;
  const { bavail, bsize } = statfsSync(dirname(appImage));
  const { installerPath } = updater as unknown as { installerPath: string | null };
  return installerPath !== null && bavail * bsize > statSync(installerPath).size;
}
