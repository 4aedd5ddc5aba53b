/** `BrowserWindow`: a page of a real Chromium, with the state of a desktop window. */
import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { standInEvent, wholeApp } from './app.ts';
import { display, newPage, openBrowser } from './browser.ts';
import { checkOptions } from './option-names.ts';
import { behavior } from './platform.ts';
import { strict } from './strict.ts';
import { WebContents } from './web-contents.ts';

type Options = Electron.BrowserWindowConstructorOptions;

const windows = new Set<StandInWindow>();
const pages = new Map<Page, StandInWindow>();
let lastId = 0;
/** Milliseconds after which a page that does not answer its window's closing is unresponsive (electron_api_browser_window.cc). */
const unresponsiveAfterMs = 5_000;

/** Stricter than Electron: every window of this app must be sandboxed. Returns the preload file. */
function checkPreferences({ webPreferences = {}, ...options }: Options): string {
  checkOptions('BrowserWindowConstructorOptions', options);
  checkOptions('WebPreferences', webPreferences);
  if (behavior.hasMenuBars && !options.autoHideMenuBar) throw new Error('A window was opened with a menu bar');
  const { preload, contextIsolation, sandbox, nodeIntegration } = webPreferences;
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
  /** Each `show` and `hide`, in milliseconds since 1970. */
  readonly sightings: { at: number; visible: boolean }[] = [];

  constructor(options: Options) {
    super();
    if (!wholeApp.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const preload = checkPreferences(options);
    lastId += 1;
    this.id = lastId;
    this.options = options;
    this.title = options.title ?? '';
    this.visible = options.show !== false;
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    const page = openBrowser((opened, url) => pages.get(opened)?.webContents.mayNavigate(url) ?? false).then(
      async (context) => {
        const blank = context.pages().find((candidate) => !pages.has(candidate) && candidate.url() === 'about:blank');
        const opened = blank ?? (await newPage(context));
        pages.set(opened, this);
        await opened.setViewportSize({ width: this.bounds.width, height: this.bounds.height });
        return opened;
      },
    );
    this.webContents = new WebContents(this.id, page, preload);
    windows.add(this);
    wholeApp.emit('web-contents-created', standInEvent({}), this.webContents.seen);
  }

  displayed: Promise<unknown> = Promise.resolve();
  title = '';
  isFull = false;
  isLarge = false;
  isProtected = false;
  isLoaded = false;
  isReady = false;

  static fromWebContents(contents: WebContents) {
    const found = [...windows].find(({ webContents }) => webContents.id === contents.id);
    return found ? seen.get(found) : null;
  }

  static getAllWindows() {
    return [...windows];
  }

  async loadURL(url: string) {
    await this.webContents.load(url);
    const event = standInEvent({});
    const title = await (await this.webContents.page).title();
    this.emit('page-title-updated', event, title, true);
    if (!event.defaultPrevented) this.title = title;
    this.isLoaded = true;
    if (this.visible || behavior.paintsHiddenWindows) this.becomeReady();
  }

  becomeReady() {
    if (!this.isLoaded || this.isReady) return;
    this.isReady = true;
    this.emit('ready-to-show');
  }

  getTitle() {
    return this.title;
  }

  setTitle(title: string) {
    this.title = title;
  }

  setMenuBarVisibility() {}

  hasMenu = true;
  removeMenu() {
    this.hasMenu = false;
  }

  setContentProtection(isProtected: boolean) {
    this.isProtected = isProtected;
  }

  setVisibleOnAllWorkspaces(_visible: boolean, options: Electron.VisibleOnAllWorkspacesOptions = {}) {
    checkOptions('VisibleOnAllWorkspacesOptions', options);
  }

  isFullScreen() {
    return this.isFull;
  }

  setFullScreen(isFull: boolean) {
    this.isFull = isFull;
    // The transition is asynchronous.
    setTimeout(() => this.emit(isFull ? 'enter-full-screen' : 'leave-full-screen'), 20);
  }

  show() {
    this.visible = true;
    this.sightings.push({ at: performance.timeOrigin + performance.now(), visible: true });
    this.minimized = false;
    // A panel does not activate the app, so it stays hidden (native_window_mac.mm).
    if (this.options.type !== 'panel') wholeApp.isHiddenApp = false;
    this.updateDisplay();
    this.emit('show');
    this.focus();
    this.becomeReady();
  }

  /** Shows the state on the display, after earlier changes. */
  updateDisplay() {
    const { visible } = this;
    this.displayed = Promise.all([this.webContents.page, this.displayed])
      .then(([page]) => display(page, visible))
      // The page may have been closed.
      .catch(() => undefined);
  }

  focus() {
    for (const other of windows) other.focused = other.id === this.id;
    this.emit('focus');
  }

  hide() {
    this.visible = false;
    this.sightings.push({ at: performance.timeOrigin + performance.now(), visible: false });
    this.focused = false;
    this.updateDisplay();
    this.emit('hide');
  }

  setBounds(bounds: Partial<Electron.Rectangle>) {
    if (!Object.values(bounds).every(Number.isInteger)) throw new TypeError('Error processing argument at index 0');
    this.bounds = { ...this.bounds, ...bounds };
  }

  blur() {
    this.focused = false;
    this.emit('blur');
  }

  minimize() {
    this.minimized = true;
    this.focused = false;
    this.emit('minimize');
  }

  restore() {
    this.minimized = false;
  }

  isVisible() {
    return this.visible && !wholeApp.isHiddenApp;
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

  isMaximized() {
    return this.isLarge;
  }

  /** Also shows the window. */
  maximize() {
    this.isLarge = true;
    if (!this.visible) this.show();
  }

  /** On Windows, a maximized window exceeds its screen. */
  getBounds() {
    return this.isLarge ? { x: -8, y: -8, width: 1936, height: 1096 } : { ...this.bounds };
  }

  getNormalBounds() {
    return { ...this.bounds };
  }

  center() {
    this.isLarge = false;
    this.bounds = { ...this.bounds, x: 0, y: 0 };
  }

  /** If true, the page does not answer when its window is closed. */
  hangs = false;

  /** Presses the close button. The window closes later, unless a listener or the page prevents that. */
  close(): void {
    void this.tryClose();
  }

  /** Resolves with false if a listener or the page prevented the window from closing. */
  async tryClose(): Promise<boolean> {
    const event = standInEvent({});
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    const closed = once(this, 'closed').then(() => true);
    const unresponsive = setTimeout(() => this.emit('unresponsive'), unresponsiveAfterMs);
    const mayClose = await Promise.race([closed, this.hangs ? closed : this.webContents.mayUnload()]);
    clearTimeout(unresponsive);
    if (mayClose) this.destroy();
    return mayClose;
  }

  destroy() {
    if (this.destroyed) return;
    this.destroyed = true;
    for (const window of windows) if (window.id === this.id) windows.delete(window);
    this.webContents.destroy();
    this.emit('closed');
    if (windows.size === 0 && !wholeApp.isQuitting) wholeApp.emit('window-all-closed');
  }
}

wholeApp.closeWindows = async () => {
  for (const window of [...windows]) if (!(await window.tryClose())) return false;
  return true;
};
wholeApp.destroyWindows = () => {
  for (const window of [...windows]) window.destroy();
};

/** The windows as the program sees them. */
const seen = new WeakMap<StandInWindow, object>();

/** The windows that the program creates also throw for unknown members. */
export const BrowserWindow = new Proxy(StandInWindow, {
  construct: (target, [options]: [Options]) => {
    const window = new target(options ?? {});
    const contents = window.webContents.seen;
    const strictWindow = strict(
      'BrowserWindow',
      new Proxy(window, {
        get: (object, key) => (key === 'webContents' ? contents : Reflect.get(object, key, object)),
      }),
    );
    seen.set(window, strictWindow);
    wholeApp.emit('browser-window-created', standInEvent({}), strictWindow);
    return strictWindow;
  },
});
