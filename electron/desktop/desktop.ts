/**
 * The desktop app around a Core: single instance, windows, tray and shutdown. The UI appears before Core has started.
 */
import { join } from 'node:path';
import { app, crashReporter, dialog, shell } from 'electron';
import ElectronStore from 'electron-store';
import type { Wire } from '../../shared/protocol/wire.ts';
import type { Core } from '../core/core.ts';
import { dataFolder, type NodeHostOptions } from '../host/host.ts';
import { openLog } from '../host/log.ts';
import { openPage } from '../host/open-page.ts';
import { checkedUrl } from '../host/open-url.ts';
import { releaseMemory } from '../host/release-memory.ts';
import { holdBridges } from '../host/running-core.ts';
import { describeUncaught, reportUncaughtErrors } from '../host/uncaught-errors.ts';
import { followMove, ownLoginItem, writeLocation } from './app-location.ts';
import { claimScheme, serveScheme } from './app-protocol.ts';
import { offerToMove } from './applications-folder.ts';
import { createCrashNotice } from './crash-notice.ts';
import { closeOtherChannels, listenToPages } from './ipc-wire.ts';
import { lockDown } from './lock-down.ts';
import { openLogFolder } from './log-folder.ts';
import { isStartedHidden } from './login-item.ts';
import { setMenus } from './menus.ts';
import { notifyUser, sayThatAppStays, sayThatSandboxIsOff } from './notifications.ts';
import { followOpened, routeOfArguments } from './opened.ts';
import { followLock, onPresence } from './presence.ts';
import { createPromptWindow, type PromptWindow } from './prompt-window.ts';
import { createRecovery } from './recovery.ts';
import { closeBeforeQuit, quitNow, quitOnSignals } from './shutdown.ts';
import { keepSpareWindow } from './spare-window.ts';
import { loadLanguage, t } from './text.ts';
import { showTray } from './tray.ts';
import { followTrayHost } from './tray-host.ts';
import { createUpdates } from './updates.ts';
import { createMainWindow, followEnds, type MainWindow, openPromptWindow } from './window.ts';
import { openWindowState } from './window-state.ts';

/** The message from a second instance to the first. The Windows installer starts an instance with `--quit`. */
interface Launch {
  isHidden: boolean;
  quits: boolean;
}

/** Milliseconds for the app to exit, and for the installer that it starts to take the bridges' lock. */
const installingMs = 20_000;

type Attach = (wire: Wire, ui: { answersQuestions: boolean }) => void;

export interface Desktop {
  /** The host options that Electron replaces. */
  readonly hostOptions: NodeHostOptions;
  /** Connects the windows and the tray to Core. `attach` connects one page. */
  connect(core: Pick<Core, 'handlers' | 'isIdle' | 'subscribe' | 'prepareForKill'>, attach: Attach): void;
  /** `close` runs once, before the app quits for any reason. */
  onQuit(close: () => Promise<void>): void;
  /** Opens the page of a Core that is already running, and quits this app. */
  leaveTo(page: string): Promise<void>;
  /** Shows why the app cannot start, then quits. */
  giveUp(message: string): void;
}

/**
 * Resolves when the window and the tray exist. Resolves with undefined if another instance is running, which then shows its
 * window.
 */
export async function openDesktop({ root }: { root: string }): Promise<Desktop | undefined> {
  const dataDir = dataFolder();
  if (!mayStart(dataDir)) return undefined;
  crashReporter.start({ uploadToServer: false });
  const log = openLog(join(dataDir, 'logs'), { verbose: !app.isPackaged });
  let restart = () => {};
  reportUncaughtErrors((error, isException) => {
    log('error', describeUncaught(error));
    if (isException) restart();
  });
  app.enableSandbox();
  claimScheme();

  let mainWindow: MainWindow | undefined;
  let isServing = false;
  let route = routeOfArguments(process.argv.slice(1), process.cwd());
  let wantsWindow = route !== undefined || !process.argv.includes('--hidden');
  const openAt = (at?: string) => {
    wantsWindow = true;
    if (mainWindow) mainWindow.show(at);
    else route = at ?? route;
  };
  const openWindow = () => openAt(undefined);
  const notifyOfCrash = createCrashNotice(openAt);
  const ends = {
    log(what: string, isGpu = false) {
      log('error', what);
      notifyOfCrash({ isGpu });
    },
  };
  app.on('child-process-gone', (_event, { type, reason, exitCode }) =>
    ends.log(`A process of the app ended: ${type} (${reason}, exit code ${exitCode}).`, type === 'GPU'),
  );
  followOpened(openAt);
  followSecondInstances(openAt);
  // A bridge that starts the app together with the login item also activates it.
  app.on('activate', () => (isServing || !isStartedHidden()) && openWindow());
  // Keep running without a window; the tray remains.
  app.on('window-all-closed', () => undefined);
  await app.whenReady();
  // Electron installs its own handlers of signals just before it is ready.
  let prepareForKill = () => {};
  quitOnSignals(() => prepareForKill());
  await loadLanguage(app.getPreferredSystemLanguages());

  app.setAppUserModelId('app.toolkeep.desktop');
  // Windows stores it in the Start menu and the registry, and the uninstaller removes it there. It must not change.
  if (process.platform === 'win32') app.setToastActivatorCLSID('{7B0D3C0E-2A64-4C7B-9E5F-5D1C8A4F6E21}');
  const openUrl = async (url: string) => shell.openExternal(checkedUrl(url));
  lockDown(openUrl);
  const openLogs = () => void openLogFolder(dataDir, log);
  setMenus({ openLogs, openSettings: () => openAt('#/settings') });
  serveScheme(join(root, 'dist', 'renderer'));
  if (app.isPackaged) writeLocation(dataDir, log);

  const waiting = holdPages();
  // The hidden prompt window must not count as an attached UI.
  const pages = listenToPages((wire, { isPrompt }) => waiting.join(wire, { answersQuestions: !isPrompt }));
  const icons = join(root, 'build', 'icons');
  const files = { preloadFile: join(root, 'dist', 'preload.cjs'), iconFile: join(icons, 'icon-256.png') };
  const showInDock = createDockIcon();
  const tray = showTray({ iconsFolder: icons, loginItem: ownLoginItem(), openWindow: openAt, openLogs });
  const trayHost = followTrayHost({ onLate: tray.replace });
  mainWindow = createMainWindow({
    ...files,
    trust: pages.trust,
    state: openWindowState(join(dataDir, 'electron', 'window.json')),
    icon: trayHost,
    onVisible: showInDock,
    onFirstShow: (window) => void offerToMove(window),
    onStay: (window) => sayThatAppStays({ window, marker: join(dataDir, 'electron', 'stays'), openWindow }),
    isRestarting: () => updates?.isRestarting() ?? false,
    onQuitCanceled: () => updates?.cancelRestart(),
    ends,
  });
  const prompts = createPromptWindow((listener) => {
    const window = openPromptWindow({ ...files, trust: (contents) => pages.trust(contents, listener) });
    const { webContents } = window;
    followEnds(window, 'questions', ends);
    return {
      window,
      send: (prompt) => pages.sendPrompt(webContents, prompt),
      isPicking: () => pages.isPicking(webContents),
    };
  });
  const updates = createUpdates({
    log,
    // On Windows and macOS, another program installs the update after the app has exited.
    onInstalling: () => void holdBridges(dataDir, { forMs: process.platform === 'linux' ? 0 : installingMs }),
    onMoved: (appImage) => followMove(appImage, dataDir),
  });
  if (route !== undefined || (wantsWindow && !isStartedHidden())) mainWindow.show(route);
  else showInDock(false);

  return {
    hostOptions: hostOptionsOf({ mainWindow, prompts, updates, openUrl, hasTray: trayHost.isThere }),
    connect(core, attach) {
      waiting.attachTo(attach);
      isServing = true;
      prepareForKill = core.prepareForKill;
      tray.follow(core);
      followLock(core);
      // Wayland decides which window is in front, so the prompt window may open behind others.
      notifyUser({
        core,
        openWindow: openAt,
        isFocused: mainWindow.isFocused,
        announcesQuestions: process.env.XDG_SESSION_TYPE === 'wayland',
      });
      sayThatSandboxIsOff({ marker: join(dataDir, 'electron', 'unsandboxed'), openWindow: openAt });
      keepSpareWindow(core, prompts);
      releaseMemory();
      const marker = join(dataDir, 'electron', 'restarted');
      restart = createRecovery({ core, marker, isWindowVisible: mainWindow.isVisible });
    },
    onQuit: (close) =>
      closeBeforeQuit(
        async () => {
          await close();
          pages.close();
        },
        () => updates?.install() ?? false,
      ),
    async leaveTo(page) {
      await openPage(dataDir, page, (file) => shell.openExternal(file)).catch(() => undefined);
      app.exit(0);
    },
    giveUp(message) {
      dialog.showErrorBox(t('Toolkeep cannot start'), message);
      app.exit(1);
    },
  };
}

/**
 * False, and the app exits, if a debugger is attached, if another instance is running, or if this one was started only to
 * quit the other.
 */
function mayStart(dataDir: string): boolean {
  // A debugger could answer approvals in the page, and no Electron fuse disables it.
  const isDebugged = ['remote-debugging-port', 'remote-debugging-pipe'].some((name) => app.commandLine.hasSwitch(name));
  if (app.isPackaged && isDebugged) {
    app.exit(1);
    return false;
  }
  // Electron stores its files in our data folder, so each data folder has its own single-instance lock.
  app.setPath('userData', join(dataDir, 'electron'));
  app.setPath('crashDumps', join(dataDir, 'logs', 'crashes'));
  const launch: Launch = { isHidden: process.argv.includes('--hidden'), quits: process.argv.includes('--quit') };
  if (app.requestSingleInstanceLock({ ...launch }) && !launch.quits) return true;
  app.quit();
  return false;
}

/**
 * A client's bridge may start the app a second time with `--hidden`. The window is not shown then, because the user may be typing.
 */
function followSecondInstances(openAt: (route: string | undefined) => void): void {
  app.on('second-instance', (_event, argv, cwd, data) => {
    const { isHidden, quits } = (data ?? {}) as Partial<Launch>;
    if (quits) return quitNow();
    const at = routeOfArguments(argv.slice(1), cwd);
    if (at !== undefined || !isHidden) openAt(at);
  });
}

/** The parts of the host that need Electron. */
function hostOptionsOf({
  mainWindow,
  prompts,
  updates,
  openUrl,
  hasTray,
}: {
  mainWindow: MainWindow;
  prompts: PromptWindow;
  updates: NodeHostOptions['updates'];
  openUrl: NodeHostOptions['openUrl'];
  hasTray(): boolean;
}): NodeHostOptions {
  return {
    settingsFile(options) {
      const file = new ElectronStore<Record<string, unknown>>(options);
      closeOtherChannels();
      return file;
    },
    openUrl,
    updates,
    desktop: () => ({ isSandboxed: !app.commandLine.hasSwitch('no-sandbox'), hasTray: hasTray() }),
    onPresence,
    async ask(question, signal) {
      // A focused main window shows the question itself, until the user leaves the window without answering.
      if (mainWindow.isFocused()) await mainWindow.unseen(signal);
      return prompts.ask(question, signal);
    },
  };
}

/** Pages open before Core has started, and are attached to it later. */
function holdPages(): { join: Attach; attachTo(attach: Attach): void } {
  const early: Parameters<Attach>[] = [];
  let attach: Attach | undefined;
  return {
    join(...page) {
      if (attach) attach(...page);
      else early.push(page);
    },
    attachTo(core) {
      attach = core;
      for (const page of early.splice(0)) attach(...page);
    },
  };
}

/** For this many milliseconds after the Dock icon has appeared, macOS ignores a request to hide it. */
const dockSettlesMs = 1_100;

/**
 * On macOS, the app has a Dock icon only while the window is open. Electron also reports a window as shown when another one
 * no longer covers it, and showing the icon again would take the focus from the user's window.
 */
function createDockIcon(): (isWanted: boolean) => void {
  let isShown = false;
  const apply = () => {
    if (!app.dock || app.dock.isVisible() === isShown) return;
    // `setActivationPolicy` would also hide an open question.
    if (isShown) void app.dock.show();
    else app.dock.hide();
  };
  return (isWanted) => {
    isShown = isWanted;
    apply();
    if (!isWanted) setTimeout(apply, dockSettlesMs).unref();
  };
}
