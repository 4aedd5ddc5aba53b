/** `app`: the life of the program, with Electron's order of events. */
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import { strict } from './strict.ts';

/** An event whose default can be prevented. */
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
  | 'getAppPath'
  | 'isPackaged'
  | 'requestSingleInstanceLock'
  | 'setAppUserModelId'
  | 'getLoginItemSettings'
  | 'setLoginItemSettings'
>;

class StandInApp extends EventEmitter implements Parts {
  readonly isPackaged = false;
  readonly paths = new Map<string, string>([['userData', join(tmpdir(), 'gatehouse-stand-in')]]);
  readonly ready = Promise.withResolvers<void>();
  hasBecomeReady = false;
  openAtLogin = false;
  /** Set by the windows: closes all of them; false when one refused. */
  closeWindows: () => Promise<boolean> = async () => true;
  /** Set by the browser. */
  end: () => Promise<void> = async () => undefined;

  quit() {
    void this.#quit();
  }

  async #quit() {
    this.emit('before-quit', standInEvent({}));
    if (!(await this.closeWindows())) return;
    const event = standInEvent({});
    this.emit('will-quit', event);
    if (event.defaultPrevented) return;
    this.emit('quit', standInEvent({}), 0);
    this.exit(0);
  }

  exit(code = 0) {
    void this.end().finally(() => process.exit(code));
  }

  whenReady() {
    return this.ready.promise;
  }

  isReady() {
    return this.hasBecomeReady;
  }

  /** Electron becomes ready only after the entry has been evaluated. */
  becomeReady() {
    this.hasBecomeReady = true;
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
    return '0.0.0';
  }

  getAppPath() {
    return process.cwd();
  }

  requestSingleInstanceLock() {
    return process.env.GATEHOUSE_STAND_IN_SECOND !== '1';
  }

  setAppUserModelId() {}

  getLoginItemSettings() {
    return { openAtLogin: this.openAtLogin } as Electron.LoginItemSettings;
  }

  setLoginItemSettings({ openAtLogin }: Electron.Settings) {
    this.openAtLogin = openAtLogin ?? false;
  }
}

/** The whole object for the stand-in's own parts; `app` is what the program sees. */
export const wholeApp = new StandInApp();
export const app = strict('app', wholeApp);
