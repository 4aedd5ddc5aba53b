/** `BrowserWindow`: a page of a real Chromium with the state that a desktop window would have. */
import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { standInEvent, wholeApp } from './app.ts';
import { openBrowser } from './browser.ts';
import { strict } from './strict.ts';
import { WebContents } from './web-contents.ts';

type Options = Electron.BrowserWindowConstructorOptions;

const windows = new Set<StandInWindow>();
const pages = new Map<Page, StandInWindow>();
let lastId = 0;

/** Electron refuses nothing here, so the stand-in must: every window of this app is locked down. */
function checkPreferences({ webPreferences }: Options): string {
  const { preload, contextIsolation, sandbox, nodeIntegration } = webPreferences ?? {};
  if (!preload || !contextIsolation || !sandbox || nodeIntegration !== false)
    throw new Error('A window was opened without preload, contextIsolation, sandbox and nodeIntegration: false');
  return preload;
}

export class StandInWindow extends EventEmitter {
  readonly id: number;
  readonly options: Options;
  readonly webContents: WebContents;
  visible: boolean;
  focused = false;
  minimized = false;
  destroyed = false;
  bounds: Electron.Rectangle;
  /** Each time it came or went, in milliseconds since 1970. */
  readonly sightings: { at: number; visible: boolean }[] = [];

  constructor(options: Options) {
    super();
    if (!wholeApp.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const preload = checkPreferences(options);
    lastId += 1;
    this.id = lastId;
    this.options = options;
    this.visible = options.show !== false;
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    const page = openBrowser((opened, url) => pages.get(opened)?.webContents.mayNavigate(url) ?? false).then(
      async (context) => {
        const blank = context.pages().find((candidate) => !pages.has(candidate) && candidate.url() === 'about:blank');
        const opened = blank ?? (await context.newPage());
        pages.set(opened, this);
        await opened.setViewportSize({ width: this.bounds.width, height: this.bounds.height });
        return opened;
      },
    );
    this.webContents = new WebContents(this.id, page, preload);
    windows.add(this);
    wholeApp.emit('web-contents-created', standInEvent({}), this.webContents.seen);
  }

  static getAllWindows() {
    return [...windows];
  }

  async loadURL(url: string) {
    await this.webContents.load(url);
    this.emit('ready-to-show');
  }

  show() {
    this.visible = true;
    this.sightings.push({ at: performance.timeOrigin + performance.now(), visible: true });
    this.minimized = false;
    this.focus();
  }

  focus() {
    for (const other of windows) other.focused = other.id === this.id;
    this.emit('focus');
  }

  hide() {
    this.visible = false;
    this.sightings.push({ at: performance.timeOrigin + performance.now(), visible: false });
    this.focused = false;
    this.emit('hide');
  }

  center() {
    this.bounds = { ...this.bounds, x: (1920 - this.bounds.width) / 2, y: (1080 - this.bounds.height) / 2 };
  }

  blur() {
    this.focused = false;
    this.emit('blur');
  }

  restore() {
    this.minimized = false;
  }

  isVisible() {
    return this.visible;
  }

  isFocused() {
    return this.focused && this.visible;
  }

  isMinimized() {
    return this.minimized;
  }

  isDestroyed() {
    return this.destroyed;
  }

  getBounds() {
    return { ...this.bounds };
  }

  /** As if the person had clicked the cross; false when the window stays. */
  close(): boolean {
    const event = standInEvent({});
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    this.destroy();
    return true;
  }

  destroy() {
    if (this.destroyed) return;
    this.destroyed = true;
    for (const window of windows) if (window.id === this.id) windows.delete(window);
    this.webContents.destroy();
    this.emit('closed');
    if (windows.size === 0) wholeApp.emit('window-all-closed');
  }
}

wholeApp.closeWindows = async () => [...windows].every((window) => window.close());

/** Instances are strict too: what the stand-in lacks throws. */
export const BrowserWindow = new Proxy(StandInWindow, {
  construct: (target, [options]: [Options]) => {
    const window = new target(options ?? {});
    const { seen } = window.webContents;
    return strict(
      'BrowserWindow',
      new Proxy(window, { get: (object, key) => (key === 'webContents' ? seen : Reflect.get(object, key, object)) }),
    );
  },
});
