/**
 * The app's environment: its platform, and whether it is packaged.
 * `TOOLKEEP_STAND_IN_PLATFORM`: `process.platform` of the app. `TOOLKEEP_STAND_IN_PACKAGED`: the folder of the packaged
 * app; its binary is `TOOLKEEP_STAND_IN_BINARY`.
 */
import { join } from 'node:path';

const { TOOLKEEP_STAND_IN_PLATFORM, TOOLKEEP_STAND_IN_PACKAGED, TOOLKEEP_STAND_IN_BINARY } = process.env;

export const isPackaged = Boolean(TOOLKEEP_STAND_IN_PACKAGED);
export const platform = (TOOLKEEP_STAND_IN_PLATFORM ?? process.platform) as NodeJS.Platform;

const define = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true });

/** Makes `process` look as it does in Electron. Called after Chromium's driver is loaded, which needs the real platform. */
export function enterElectron(): void {
  define(process.versions, 'electron', '45.4.1');
  define(process, 'type', 'browser');
  define(process, 'platform', platform);
  if (TOOLKEEP_STAND_IN_PACKAGED) define(process, 'resourcesPath', join(TOOLKEEP_STAND_IN_PACKAGED, 'resources'));
  if (TOOLKEEP_STAND_IN_BINARY) define(process, 'execPath', TOOLKEEP_STAND_IN_BINARY);
}

/** How Electron behaves on each platform, where the app can tell the difference. */
export const behavior = {
  /** The name of the login item includes its arguments: reading without them finds nothing. */
  loginItemComparesArgs: platform === 'win32',
  hasLoginItem: platform !== 'linux',
  /** `app.dock`, `app.isHidden` and `app.show` exist. */
  hasDock: platform === 'darwin',
  /** A hidden window is painted, so that `ready-to-show` comes before `show`. Not on Wayland (electron#48859). */
  paintsHiddenWindows: platform !== 'linux',
  /** `lock-screen` and `unlock-screen` come (only power_monitor_mac.mm and power_monitor_win.cc emit them). */
  reportsLocks: platform !== 'linux',
  /** Windows other than those on macOS show the menu of the app unless `autoHideMenuBar` is set (lib/browser/api/base-window.ts). */
  hasMenuBars: platform !== 'darwin',
};
