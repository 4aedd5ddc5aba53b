/** The view and actions of a desktop user for tests, over the IPC channel of the process. */
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ipcChannel } from '../../shared/protocol/ipc.ts';
import { standInEvent, wholeApp } from './app.ts';
import { squirrel } from './auto-updater.ts';
import { StandInWindow } from './browser-window.ts';
import {
  contextMenus,
  notifications,
  openedOutside,
  permissionRequests,
  permissions,
  StandInMenu,
  trays,
  wholePowerMonitor,
} from './desktop.ts';
import { dialogs } from './dialogs.ts';
import { behavior } from './platform.ts';
import { ipcMain } from './web-contents.ts';

const tray = () => {
  const [first] = trays.filter((candidate) => !candidate.destroyed);
  if (!first) throw new Error('There is no tray icon');
  return first;
};

function windowAt(id: number): StandInWindow {
  const window = StandInWindow.getAllWindows().find((candidate) => candidate.id === id);
  if (!window) throw new Error(`There is no window ${id}`);
  return window;
}

const operations = {
  windows: () =>
    StandInWindow.getAllWindows().map((window) => ({
      id: window.id,
      url: window.webContents.getURL(),
      title: window.title,
      visible: window.isVisible(),
      focused: window.isFocused(),
      bounds: window.getBounds(),
      type: window.options.type,
      isProtected: window.isProtected,
      hasMenu: window.hasMenu,
      maximized: window.isMaximized(),
      sightings: window.sightings,
    })),
  closeWindow: (id: number) => windowAt(id).close(),
  maximizeWindow: (id: number) => windowAt(id).maximize(),
  minimizeWindow: (id: number) => windowAt(id).minimize(),
  /** The page hangs, which Electron notices only when the window is closed. */
  freezeWindow(id: number) {
    windowAt(id).hangs = true;
  },
  moveWindow(id: number, x: number, y: number) {
    windowAt(id).setBounds({ x, y });
  },
  hangWindow: (id: number) => void windowAt(id).emit('unresponsive'),
  blurWindow: (id: number) => windowAt(id).blur(),
  /** Another window covers this one, which macOS reports as hidden (electron_ns_window_delegate.mm). */
  coverWindow: (id: number) => void windowAt(id).emit('hide'),
  uncoverWindow: (id: number) => void windowAt(id).emit('show'),
  hideApp: () => wholeApp.hide?.(),
  trayIsThere: () => trays.some((candidate) => !candidate.destroyed),
  /** How many icons the app has created, also those that it has destroyed. */
  trays: () => trays.length,
  trayMenu: () =>
    (tray().menu?.items ?? []).map(({ label, type, checked, enabled, submenu }) => ({
      ...{ label, type, checked, enabled },
      submenu: Array.isArray(submenu) ? submenu.map((item) => item.label) : undefined,
    })),
  clickTray: () => void tray().emit('click'),
  clickTrayMenu(label: string) {
    const { menu } = tray();
    if (!menu) throw new Error('The tray icon has no menu');
    menu.click(label);
  },
  trayToolTip: () => tray().toolTip,
  trayIcon: () => basename(tray().image.file),
  menuRoles: () => (StandInMenu.application?.items ?? []).map(({ role, label }) => role ?? label),
  contextMenus: () => contextMenus.map((items) => items.map(({ role, label, type }) => role ?? label ?? type)),
  rightClick: (id: number, params: object) => {
    windowAt(id).webContents.emit('context-menu', standInEvent({}), params);
  },
  notifications: () => notifications.map(({ options, state }) => ({ ...options, state })),
  clickNotification: (index: number) => void notifications[index]?.app.deref()?.emit('click', standInEvent({})),
  async collectGarbage() {
    setFlagsFromString('--expose-gc');
    // Objects that this turn has read are still in use.
    await nextTurn();
    runInNewContext('gc')();
  },
  isUpdateOffered: () => squirrel.isOffered,
  fetchUpdate: () => squirrel.fetch(),
  power(event: 'suspend' | 'resume' | 'lock-screen' | 'unlock-screen' | 'shutdown') {
    if (/lock/.test(event) && !behavior.reportsLocks) throw new Error('Electron reports no locks on Linux');
    wholePowerMonitor.emit(event, standInEvent({}));
  },
  /**
   * Ends the user's session when a page is next sent `text`. Windows notifies only windows, and ends the process once they
   * return (native_window_views_win.cc).
   */
  endSessionUpon(text: string) {
    const end = (sent: string) => {
      if (!sent.includes(text)) return;
      for (const window of StandInWindow.getAllWindows())
        window.emit('session-end', standInEvent({ reasons: ['logoff'] }));
      process.kill(process.pid, 'SIGKILL');
    };
    for (const { webContents } of StandInWindow.getAllWindows()) webContents.on('stand-in-sent', end);
  },
  endGpuProcess: () =>
    void wholeApp.emit('child-process-gone', standInEvent({}), { type: 'GPU', reason: 'crashed', exitCode: 5 }),
  /** The user opens the running app on macOS. */
  activate: () => void wholeApp.emit('activate', standInEvent({}), false),
  setFullScreen: (id: number) => windowAt(id).setFullScreen(true),
  dockPolicy: () => wholeApp.activationPolicy,
  dockShows: () => wholeApp.dockShows,
  aboutPanel: () => wholeApp.aboutPanel,
  userTasks: () => wholeApp.userTasks.map(({ title, arguments: args }) => ({ title, args })),
  permissionRequests: () => permissionRequests.count,
  dialogs: () => dialogs.map(({ id, kind, options, parent, state }) => ({ id, kind, options, parent, state })),
  answerDialog(id: number, result: unknown) {
    const shown = dialogs.find((candidate) => candidate.id === id);
    if (shown?.state !== 'open') throw new Error(`The dialog ${id} is not open`);
    shown.answer(result);
  },
  openedOutside: () => openedOutside,
  isPermitted: (permission: string) => {
    let granted: boolean | undefined;
    permissions.request?.(undefined, permission, (given) => {
      granted = given;
    });
    return { requested: granted, checked: permissions.check?.(undefined, permission) };
  },
  /** Requests a file dialog over IPC: from a window's page, from a frame in it, or from a page that replaced it. */
  askOverIpc(id: number, from: 'page' | 'frame' | 'other page' | 'unknown window') {
    const { seen, mainFrame } = windowAt(id).webContents;
    const sender = from === 'unknown window' ? {} : seen;
    const senderFrame = from === 'frame' ? { url: mainFrame.url } : mainFrame;
    const { url } = mainFrame;
    if (from === 'other page') windowAt(id).webContents.mainFrame.url = 'https://example.com/';
    ipcMain.emit(ipcChannel, standInEvent({ sender, senderFrame }), {
      kind: 'pickFile',
      id: 1,
      options: { pick: 'file' },
    });
    windowAt(id).webContents.mainFrame.url = url;
  },
  /** Any message that a page could send. */
  sendOverIpc(id: number, message: unknown) {
    const { seen, mainFrame } = windowAt(id).webContents;
    ipcMain.emit(ipcChannel, standInEvent({ sender: seen, senderFrame: mainFrame }), message);
  },
  ipcChannels: () => ipcMain.eventNames().map(String),
  /** Starts a second instance, with the data that it passes to `requestSingleInstanceLock`. */
  startSecondInstance(...args: string[]) {
    const data = { isHidden: args.includes('--hidden'), quits: args.includes('--quit') };
    wholeApp.emit('second-instance', {}, ['toolkeep', ...args], process.cwd(), data);
  },
  /** Opens a file or a link as macOS does. */
  openFromSystem(kind: 'open-file' | 'open-url', what: string) {
    const event = standInEvent({});
    wholeApp.emit(kind, event, what);
    return event.defaultPrevented;
  },
  /** Throws in code without a caller. */
  throwLater: () =>
    void setImmediate(() => {
      throw new Error('thrown for a test');
    }),
  quit: () => wholeApp.quit(),
};

export type Operations = typeof operations;

/** Answers the requests of the test. */
export function listenToTest(): void {
  const channel = process.channel as { fd?: number } | undefined;
  if (channel?.fd === 3) throw new Error('Chromium uses descriptor 3 (electron#17044)');
  process.on('message', async (request: { id: number; name: keyof Operations; args: never[] }) => {
    let reply: object;
    try {
      const run = operations[request.name] as (...args: never[]) => unknown;
      reply = { value: await run(...request.args) };
    } catch (error) {
      reply = { error: String(error) };
    }
    process.send?.({ id: request.id, ...reply });
  });
}
