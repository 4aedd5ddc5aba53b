/** What a test can see and do as the person at the desktop, over the IPC channel of the process. */
import { ipcChannel } from '../../shared/ipc.ts';
import { standInEvent, wholeApp } from './app.ts';
import { StandInWindow } from './browser-window.ts';
import { dialogs, openedOutside, permissions, trays } from './desktop.ts';
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
      title: window.options.title,
      visible: window.isVisible(),
      focused: window.isFocused(),
      bounds: window.getBounds(),
      sightings: window.sightings,
    })),
  closeWindow: (id: number) => windowAt(id).close(),
  blurWindow: (id: number) => windowAt(id).blur(),
  trayIsThere: () => trays.some((candidate) => !candidate.destroyed),
  trayMenu: () =>
    (tray().menu?.items ?? []).map(({ label, type, checked, enabled }) => ({ label, type, checked, enabled })),
  clickTray: () => void tray().emit('click'),
  clickTrayMenu(label: string) {
    const item = tray().menu?.items.find((candidate) => candidate.label === label);
    if (!item?.click) throw new Error(`The tray menu has nothing to click at "${label}"`);
    (item.click as () => void)();
  },
  dialogs: () => dialogs.map(({ id, kind, options, state }) => ({ id, kind, options, state })),
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
  /** Asks for a file dialog over IPC: from a window's own page, from a frame in it, or from a page that came in its place. */
  askOverIpc(id: number, from: 'page' | 'frame' | 'other page' | 'unknown window') {
    const { seen, mainFrame } = windowAt(id).webContents;
    const sender = from === 'unknown window' ? {} : seen;
    const senderFrame = from === 'frame' ? { url: mainFrame.url } : mainFrame;
    const { url } = mainFrame;
    if (from === 'other page') windowAt(id).webContents.mainFrame.url = 'https://example.com/';
    ipcMain.emit(ipcChannel, standInEvent({ sender, senderFrame }), { kind: 'pickFile', id: 1, folder: false });
    windowAt(id).webContents.mainFrame.url = url;
  },
  startSecondInstance: () => void wholeApp.emit('second-instance', {}, [], process.cwd()),
  quit: () => wholeApp.quit(),
};

export type Operations = typeof operations;

/** Answers the test's requests as long as it is there. */
export function listenToTest(): void {
  process.on('message', (request: { id: number; name: keyof Operations; args: never[] }) => {
    let reply: object;
    try {
      const run = operations[request.name] as (...args: never[]) => unknown;
      reply = { value: run(...request.args) };
    } catch (error) {
      reply = { error: String(error) };
    }
    process.send?.({ id: request.id, ...reply });
  });
}
