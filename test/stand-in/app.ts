/** `app`: the lifecycle of the program, with Electron's order of events. */
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import manifest from '../../package.json' with { type: 'json' };
import { checkOptions } from './option-names.ts';
import { behavior, isPackaged, platform } from './platform.ts';
import { strict } from './strict.ts';

/** An event with a default action that a listener can prevent. */
export interface StandInEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function standInEvent<T extends object>(more: T): T & StandInEvent {
  return {
    ...more,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}

type Parts = Pick<
  App,
  | 'quit'
  | 'exit'
  | 'whenReady'
  | 'isReady'
  | 'getPath'
  | 'setPath'
  | 'getVersion'
  | 'getName'
  | 'getPreferredSystemLanguages'
  | 'relaunch'
  | 'getAppPath'
  | 'isPackaged'
  | 'requestSingleInstanceLock'
  | 'setAppUserModelId'
  | 'setToastActivatorCLSID'
  | 'getLoginItemSettings'
  | 'setLoginItemSettings'
  | 'enableSandbox'
  | 'setAsDefaultProtocolClient'
>;

class StandInApp extends EventEmitter implements Parts {
  readonly isPackaged = isPackaged;
  readonly paths = new Map<string, string>([['userData', join(tmpdir(), 'toolkeep-stand-in')]]);
  readonly ready = Promise.withResolvers<void>();
  hasBecomeReady = false;
  isQuitting = false;
  isExiting = false;
  /** The arguments of the login item; undefined without one. */
  loginItem: string[] | undefined;
  activationPolicy = 'regular';
  /** The user chose *Hide* on macOS. */
  isHiddenApp = false;
  readonly isHidden = behavior.hasDock ? () => this.isHiddenApp : undefined;
  readonly show = behavior.hasDock
    ? () => {
        this.isHiddenApp = false;
      }
    : undefined;
  readonly hide = behavior.hasDock
    ? () => {
        this.isHiddenApp = true;
      }
    : undefined;
  /** How often the icon was shown: each time, the Dock takes the focus for a moment (browser_mac.mm). */
  dockShows = 0;
  dockShownAt = 0;
  readonly dock = behavior.hasDock
    ? {
        isVisible: () => this.activationPolicy === 'regular',
        show: async () => {
          this.dockShows += 1;
          this.dockShownAt = Date.now();
          this.activationPolicy = 'regular';
        },
        /** Does nothing in the second after the icon was shown (browser_mac.mm). */
        hide: () => {
          if (Date.now() - this.dockShownAt > 1_000) this.activationPolicy = 'accessory';
        },
      }
    : undefined;
  badgeCount = 0;
  readonly commandLine = strict('commandLine', {
    hasSwitch: (name: string) => process.argv.some((given) => given === `--${name}` || given.startsWith(`--${name}=`)),
  });
  /** Closes all windows; the windows set this. Resolves with false if a listener prevented a window from closing. */
  closeWindows: () => Promise<boolean> = async () => true;
  /** Destroys all windows, which set this. */
  destroyWindows: () => void = () => undefined;
  /** Closes the browser, which sets this. */
  end: () => Promise<void> = async () => undefined;

  /** Quits the app. Before `ready`, waits for it. */
  quit() {
    void this.ready.promise.then(() => this.#quit());
  }

  async #quit() {
    this.isQuitting = true;
    this.emit('before-quit', standInEvent({}));
    if (!(await this.closeWindows())) {
      this.isQuitting = false;
      return;
    }
    const event = standInEvent({});
    this.emit('will-quit', event);
    if (event.defaultPrevented) return;
    this.exit(0);
  }

  /** Destroys the windows and emits `quit`, but not the events before it (browser.cc, `Browser::Exit`). */
  exit(code = 0) {
    if (this.isExiting) return;
    this.isExiting = true;
    this.isQuitting = true;
    this.destroyWindows();
    this.emit('quit', standInEvent({}), code);
    void this.end().finally(() => process.exit(code));
  }

  whenReady() {
    return this.ready.promise;
  }

  isReady() {
    return this.hasBecomeReady;
  }

  /** Called after the entry module has been evaluated, as in Electron. */
  becomeReady() {
    this.hasBecomeReady = true;
    // Electron replaces the handlers of its entry module (electron_browser_main_parts.cc).
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
    this.emit('ready', standInEvent({}), {});
    this.ready.resolve();
  }

  getPath(name: string) {
    const path = this.paths.get(name);
    if (!path) throw new Error(`The Electron stand-in has no path "${name}"`);
    return path;
  }

  setPath(name: string, path: string) {
    this.paths.set(name, path);
  }

  getVersion() {
    return manifest.version;
  }

  getPreferredSystemLanguages() {
    return ['en-US'];
  }

  getName() {
    return manifest.productName;
  }

  relaunch(options: Electron.RelaunchOptions = {}) {
    checkOptions('RelaunchOptions', options);
    // A message to the test, because the app ends afterwards.
    process.send?.({ relaunched: options });
  }

  getAppPath() {
    return process.cwd();
  }

  requestSingleInstanceLock() {
    if (this.hasBecomeReady) throw new Error('The lock has to be requested before the app is ready');
    return process.env.TOOLKEEP_STAND_IN_SECOND !== '1';
  }

  enableSandbox() {
    if (this.hasBecomeReady) throw new Error('app.enableSandbox() can only be called before app is ready');
  }

  setAppUserModelId() {}

  userTasks: Electron.Task[] = [];
  setUserTasks(tasks: Electron.Task[]) {
    if (platform !== 'win32') throw new TypeError('app.setUserTasks is not a function');
    for (const task of tasks) checkOptions('Task', task);
    this.userTasks = tasks;
    return true;
  }

  aboutPanel: Electron.AboutPanelOptionsOptions = {};
  setAboutPanelOptions(options: Electron.AboutPanelOptionsOptions) {
    checkOptions('AboutPanelOptionsOptions', options);
    this.aboutPanel = options;
  }

  setToastActivatorCLSID(id: string) {
    if (platform !== 'win32') throw new TypeError('app.setToastActivatorCLSID is not a function');
    if (!/^\{[0-9A-F-]{36}\}$/.test(id)) throw new TypeError('Invalid CLSID format');
  }

  setAsDefaultProtocolClient(_scheme: string) {
    return true;
  }

  isInApplicationsFolder() {
    return process.env.TOOLKEEP_STAND_IN_DOWNLOADS !== '1';
  }

  moveToApplicationsFolder() {
    if (!behavior.hasDock) throw new TypeError('app.moveToApplicationsFolder is not a function');
    process.send?.({ moved: true });
    return true;
  }

  setBadgeCount(count = 0) {
    this.badgeCount = count;
    return true;
  }

  getLoginItemSettings(options: Electron.LoginItemSettingsOptions = {}) {
    if (!behavior.hasLoginItem) throw new Error('There are no login items on this platform');
    checkOptions('LoginItemSettingsOptions', options);
    const isSame = !behavior.loginItemComparesArgs || String(this.loginItem) === String(options.args ?? []);
    return {
      openAtLogin: this.loginItem !== undefined && isSame,
      status: this.loginItem && process.env.TOOLKEEP_STAND_IN_LOGIN_STATUS,
      wasOpenedAtLogin: behavior.hasDock && process.env.TOOLKEEP_STAND_IN_OPENED_AT_LOGIN === '1',
    } as Electron.LoginItemSettings;
  }

  setLoginItemSettings({ openAtLogin, ...options }: Electron.Settings) {
    if (!behavior.hasLoginItem) throw new Error('There are no login items on this platform');
    checkOptions('Settings', options);
    this.loginItem = openAtLogin ? (options.args ?? []) : undefined;
  }
}

/** Used by the other modules of the stand-in. The program gets `app`, which throws for unknown members. */
export const wholeApp = new StandInApp();
/** Throws as Electron does for modules that need the app to be ready. */
export function needsReady(what: string): void {
  if (!wholeApp.isReady()) throw new Error(`${what} can only be used after the app is ready`);
}

export const app = strict('app', wholeApp);
