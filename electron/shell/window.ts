/** The main window and the small prompt windows: no rights, no way out of our page, hidden instead of closed. */
import { app, BrowserWindow, nativeTheme, screen, session, type WebContents } from 'electron';
import type { Store } from '../core/host.ts';
import { isOwnPage, pageUrl } from './app-protocol.ts';

export interface WindowOptions {
  preloadFile: string;
  iconFile: string;
  openUrl(url: string): Promise<void>;
  /** Called before a window loads its page. */
  trust(contents: WebContents): void;
}

export interface MainWindow {
  show(): void;
  isFocused(): boolean;
}

const size = { width: 1080, height: 720 };
const smallest = { minWidth: 640, minHeight: 480 };

/** The window is made when it is first shown; closing it leaves Gatehouse in the tray. */
export function createMainWindow(options: WindowOptions, store: Store): MainWindow {
  let window: BrowserWindow | undefined;
  let quitting = false;
  app.on('before-quit', () => {
    quitting = true;
  });

  function make(): BrowserWindow {
    const made = new BrowserWindow({
      ...size,
      ...smallest,
      ...rememberedBounds(store),
      ...look(options),
      title: 'Gatehouse',
      show: false,
    });
    options.trust(made.webContents);
    made.on('close', (event) => {
      rememberBounds(store, made);
      if (quitting) return;
      event.preventDefault();
      made.hide();
    });
    made.on('closed', () => {
      window = undefined;
    });
    made.once('ready-to-show', () => made.show());
    load(made, pageUrl());
    return made;
  }

  return {
    show() {
      if (!window) {
        window = make();
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    isFocused: () => window?.isFocused() ?? false,
  };
}

/** A small window in front of everything for open questions; whoever opened it shows it once they are painted. */
export function openPromptWindow(options: WindowOptions): BrowserWindow {
  const { webPreferences, ...others } = look(options);
  const window = new BrowserWindow({
    ...others,
    // It has to paint before it is shown, and a throttled page that is out of sight does not.
    webPreferences: { ...webPreferences, backgroundThrottling: false },
    width: 500,
    height: 600,
    title: 'Gatehouse asks',
    alwaysOnTop: true,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    show: false,
  });
  options.trust(window.webContents);
  load(window, pageUrl('questions'));
  return window;
}

/** A window that is closed before its page is there ends the loading with an error, which is none. */
function load(window: BrowserWindow, url: string): void {
  window.loadURL(url).catch((error: unknown) => {
    if (!window.isDestroyed()) throw error;
  });
}

/** No page of ours, and none that slips in, gets a permission, a new window or another address. */
export function lockDown(openUrl: (url: string) => Promise<void>): void {
  // Copy buttons write to the clipboard; nothing else is needed.
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write';
  session.defaultSession.setPermissionRequestHandler((_contents, permission, grant) => grant(isAllowed(permission)));
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      openUrl(url).catch(() => undefined);
      return { action: 'deny' };
    });
    contents.on('will-navigate', (event) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

function look({ preloadFile, iconFile }: WindowOptions) {
  return {
    icon: iconFile,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
    webPreferences: {
      preload: preloadFile,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  };
}

type Bounds = { x: number; y: number; width: number; height: number };

function rememberBounds(store: Store, window: BrowserWindow): void {
  if (window.isMinimized()) return;
  store.set('face', { ...store.get('face'), window: window.getBounds() });
}

/** Only while they are on a screen that is still there. */
function rememberedBounds(store: Store): Partial<Bounds> {
  const bounds = store.get('face').window as Bounds | undefined;
  if (!bounds || ![bounds.x, bounds.y, bounds.width, bounds.height].every(Number.isFinite)) return {};
  const { workArea } = screen.getDisplayMatching(bounds);
  const isVisible =
    bounds.x < workArea.x + workArea.width - 50 &&
    bounds.x + bounds.width > workArea.x + 50 &&
    bounds.y >= workArea.y &&
    bounds.y < workArea.y + workArea.height - 50;
  return isVisible ? bounds : {};
}
