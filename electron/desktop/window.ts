/** The main window and the prompt window: sandboxed, and limited to our own page. */
import { EventEmitter, once } from 'node:events';
import { app, BrowserWindow, dialog, nativeTheme, screen, type WebContents } from 'electron';
import { pageUrl } from './app-protocol.ts';
import { t } from './text.ts';
import { askAboutUnsaved } from './unsaved.ts';

export interface WindowOptions {
  preloadFile: string;
  iconFile: string;
  /** Called before a window loads its page. */
  trust(contents: WebContents): void;
}

export type MainWindow = ReturnType<typeof createMainWindow>;

export interface WindowState {
  get(): unknown;
  set(state: Bounds & { isMaximized: boolean }): void;
}

type Ends = { log(what: string): void };
type Bounds = { x: number; y: number; width: number; height: number };

const size = { width: 1080, height: 720 };
const smallest = { minWidth: 640, minHeight: 480 };
/**
 * After this many crashes within one minute, the page is not reloaded, and the window stays closed until the user opens it.
 */
const maxCrashes = 3;
const crashWindowMs = 60_000;

/** Creates the window when it is first shown. Closing the window hides it. */
export function createMainWindow(
  options: WindowOptions & {
    state: WindowState;
    /** Whether the desktop shows an icon that opens the hidden window: `isThere`, as last seen; `look` looks again. */
    icon: { isThere(): boolean; look(): Promise<boolean> };
    onVisible(isVisible: boolean): void;
    onFirstShow(window: BrowserWindow): void;
    /** Called when the user has closed the window and the app keeps running. */
    onStay(window: BrowserWindow): Promise<unknown> | undefined;
    /** Whether the app starts again after it has quit. */
    isRestarting(): boolean;
    /** Called when the user cancels quitting because of unsaved changes. */
    onQuitCanceled(): void;
    /** Logs why the page has crashed or hangs. */
    ends: Ends;
  },
) {
  const { state, icon, onVisible, onFirstShow, onStay, isRestarting, onQuitCanceled, ends } = options;
  const lost = new EventEmitter().setMaxListeners(0);
  let window: BrowserWindow | undefined;
  let quitting = false;
  let crashes: number[] = [];
  let wasShown = false;
  let isClosing = false;
  let mayStay: boolean | undefined;
  app.on('before-quit', () => {
    quitting = true;
  });

  function make(route?: string): BrowserWindow {
    const remembered = state.get();
    const made = new BrowserWindow({
      ...size,
      ...smallest,
      ...rememberedBounds(remembered),
      ...look(options),
      title: 'Toolkeep',
      autoHideMenuBar: true,
      show: false,
    });
    options.trust(made.webContents);
    made.on('close', (event) => {
      if (!made.isMinimized()) state.set({ ...made.getNormalBounds(), isMaximized: made.isMaximized() });
      if (quitting) return;
      event.preventDefault();
      if (isClosing) return;
      const asked = icon.isThere() ? onStay(made) : askToStay(made);
      if (asked) void closeAfter(asked, made);
      else hide(made, () => onVisible(false));
    });
    made.on('closed', () => {
      if (window === made) window = undefined;
      lost.emit('lost');
    });
    made.on('minimize', () => lost.emit('lost'));
    const onStayOpen = () => {
      quitting = false;
    };
    askAboutUnsaved(made, { isRestarting, onStay: onStayOpen, onCancel: onQuitCanceled });
    made.on('show', () => {
      onVisible(true);
      if (!wasShown) onFirstShow(made);
      wasShown = true;
    });
    // On macOS, a window that another one covers is hidden to Electron, but still open (electron#8664).
    made.on('hide', () => lost.emit('lost'));
    showOnceReady(made, (remembered as { isMaximized?: boolean } | undefined)?.isMaximized === true);
    followEnds(made, 'main', ends);
    made.webContents.on('render-process-gone', () => recover(made));
    made.on('unresponsive', () => recover(made));
    load(made, pageUrl({ route }));
    return made;
  }

  async function closeAfter(asked: Promise<unknown>, made: BrowserWindow): Promise<void> {
    isClosing = true;
    await asked;
    isClosing = false;
    if (mayStay === false) return app.quit();
    if (!made.isDestroyed()) hide(made, () => onVisible(false));
  }

  /** Without an icon that opens the window again, asks the user once whether the app keeps running. */
  async function askToStay(made: BrowserWindow): Promise<void> {
    if (await icon.look()) await onStay(made);
    else mayStay ??= await mayKeepRunning(made);
  }

  /** Replaces a window whose page crashed or hangs. A hidden window is created again when it is next shown. */
  function recover(crashed: BrowserWindow): void {
    // A page that hangs would keep the app from quitting.
    if (quitting) crashed.destroy();
    if (quitting || window !== crashed) return;
    const wasVisible = crashed.isVisible();
    window = undefined;
    crashed.destroy();
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < crashWindowMs), now];
    if (wasVisible && crashes.length <= maxCrashes) window = make();
    else onVisible(false);
  }

  return {
    /** Shows the window at `route`, such as `#/browse`, or by default at its current route. */
    show(route?: string): void {
      if (!window) {
        window = make(route);
        return;
      }
      // Changes the fragment only, so the page stays loaded.
      if (route !== undefined) load(window, pageUrl({ route }));
      if (window.isMinimized()) window.restore();
      // Its screen may have been disconnected while it was hidden. On Windows, a maximized window exceeds its screen.
      const fillsScreen = window.isMaximized() || window.isFullScreen();
      if (!window.isVisible() && !fillsScreen && !isOnScreen(window.getBounds())) window.center();
      window.show();
      window.focus();
    },
    isVisible: (): boolean => window?.isVisible() ?? false,
    isFocused: (): boolean => window?.isFocused() ?? false,
    /** Resolves when the user no longer sees the window: it is hidden, minimized or gone. Also resolves on abort. */
    async unseen(signal: AbortSignal): Promise<void> {
      await once(lost, 'lost', { signal }).catch(() => undefined);
    },
  };
}

async function mayKeepRunning(window: BrowserWindow): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    message: t('Keep Toolkeep running?'),
    detail: t(
      'Clients need it. This desktop may not show its icon, so open the window again from the list of your apps.',
    ),
    buttons: [t('Keep Running'), t('Quit')],
    defaultId: 0,
    cancelId: 0,
  });
  return response === 0;
}

/** Logs why a page crashes or hangs. `page`: the name of the page in the log. */
export function followEnds(window: BrowserWindow, page: 'main' | 'questions', ends: Ends): void {
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) =>
    ends.log(`A page ended: ${page} (${reason}, exit code ${exitCode}).`),
  );
  window.on('unresponsive', () => ends.log(`A page does not respond: ${page}.`));
}

/** How long a hidden window may take to be painted, in milliseconds. */
const paintedWithinMs = 1_000;

/** Shows a new window once its page is painted. On Wayland, a hidden window may never be (electron#48859). */
function showOnceReady(window: BrowserWindow, isMaximized: boolean): void {
  let wasShown = false;
  const show = () => {
    if (!wasShown && !window.isDestroyed()) window.show();
  };
  window.once('show', () => {
    wasShown = true;
    if (isMaximized) window.maximize();
  });
  window.once('ready-to-show', show);
  if (process.platform !== 'linux') return;
  window.webContents.once('did-finish-load', show);
  setTimeout(show, paintedWithinMs);
}

/** On macOS, hiding a full-screen window leaves an empty Space behind. */
function hide(window: BrowserWindow, onHidden: () => void): void {
  const hideNow = () => {
    window.hide();
    onHidden();
  };
  if (process.platform === 'darwin' && window.isFullScreen()) {
    window.once('leave-full-screen', hideNow);
    window.setFullScreen(false);
  } else {
    hideNow();
  }
}

/**
 * A small window for open questions, in front of all other windows. It stays hidden until its question has been
 * painted.
 */
export function openPromptWindow(options: WindowOptions): BrowserWindow {
  const { webPreferences, ...others } = look(options);
  const isMac = process.platform === 'darwin';
  const window = new BrowserWindow({
    ...others,
    // A hidden, throttled page would not paint.
    webPreferences: { ...webPreferences, backgroundThrottling: false },
    width: 500,
    height: 700,
    title: t('A question for you · Toolkeep'),
    autoHideMenuBar: true,
    alwaysOnTop: true,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    skipTaskbar: false,
    show: false,
    // A panel receives keys without activating the app, so that focus returns to the client's window afterwards.
    ...(isMac && { type: 'panel', hiddenInMissionControl: true }),
  });
  if (isMac) window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
  // A hidden menu bar keeps its shortcuts, and Ctrl+Q would end every client's connection.
  else window.removeMenu();
  window.on('page-title-updated', (event) => event.preventDefault());
  options.trust(window.webContents);
  load(window, pageUrl({ view: 'questions' }));
  return window;
}

/** `loadURL` also rejects if the window is closed while it loads. */
function load(window: BrowserWindow, url: string): void {
  window.loadURL(url).catch((error: unknown) => {
    if (!window.isDestroyed()) throw error;
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
      devTools: !app.isPackaged,
    },
  };
}

/** The bounds of the previous run, if that screen still exists. */
function rememberedBounds(given: unknown): Partial<Bounds> {
  const bounds = given as Bounds | undefined;
  if (!bounds || ![bounds.x, bounds.y, bounds.width, bounds.height].every(Number.isFinite)) return {};
  const { workArea } = screen.getDisplayMatching(bounds);
  const width = Math.min(bounds.width, workArea.width);
  const height = Math.min(bounds.height, workArea.height);
  return isOnScreen({ ...bounds, width }) ? { x: bounds.x, y: bounds.y, width, height } : {};
}

function isOnScreen({ x, y, width }: Bounds): boolean {
  const { workArea } = screen.getDisplayMatching({ x, y, width, height: smallest.minHeight });
  return (
    x < workArea.x + workArea.width - 50 &&
    x + width > workArea.x + 50 &&
    y >= workArea.y &&
    y < workArea.y + workArea.height - 50
  );
}
