/** The desktop app around a Core: one instance, a window, a tray, native prompts, and an orderly end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, Menu, shell } from 'electron';
import ElectronStore from 'electron-store';
import type { Wire } from '../../shared/wire.ts';
import type { Core } from '../core/core.ts';
import { checkedUrl, dataFolder, type NodeHost, type NodeHostOptions } from '../host/host.ts';
import { claimScheme, serveScheme } from './app-protocol.ts';
import { listenToPages } from './ipc-wire.ts';
import { createPrompts } from './prompts.ts';
import { safeStorageSealer } from './safe-storage.ts';
import { showTray } from './tray.ts';
import { createMainWindow, lockDown, type MainWindow, openPromptWindow, type WindowOptions } from './window.ts';

export interface Shell {
  /** What Electron does better than plain Node. */
  readonly hostOptions: NodeHostOptions;
  /** Shows the app; pages are joined to the Core by `attach`. */
  show(
    host: NodeHost,
    core: Pick<Core, 'handlers' | 'subscribe'>,
    attach: (wire: Wire, face: { answersQuestions: boolean }) => void,
  ): Promise<void>;
  /** `close` runs once, before the app ends, however it was told to. */
  onEnd(close: () => Promise<void>): void;
  /** Shows the page of a Core that runs already, and ends the app. */
  leaveTo(page: string): Promise<void>;
  /** Says why the app cannot run, and ends it. */
  giveUp(message: string): void;
}

/** Resolves when Electron is ready; with undefined when another instance runs, which then shows its window. */
export async function openShell({ root }: { root: string }): Promise<Shell | undefined> {
  const dataDir = dataFolder();
  // Electron's own files go with ours, so that one data folder is one app.
  app.setPath('userData', join(dataDir, 'electron'));
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return undefined;
  }
  claimScheme();
  let mainWindow: MainWindow | undefined;
  app.on('second-instance', () => mainWindow?.show());
  app.on('activate', () => mainWindow?.show());
  // The tray keeps the app alive.
  app.on('window-all-closed', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, () => app.quit());
  process.channel?.unref();
  await app.whenReady();

  app.setAppUserModelId('app.gatehouse.desktop');
  Menu.setApplicationMenu(
    process.platform === 'darwin'
      ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
      : null,
  );
  const openUrl = async (url: string) => shell.openExternal(checkedUrl(url));
  lockDown(openUrl);
  serveScheme(join(root, 'dist', 'renderer'));

  const icons = join(root, 'build', 'icons');
  const windowOptions: Omit<WindowOptions, 'trust'> = {
    preloadFile: join(root, 'dist', 'preload.cjs'),
    iconFile: join(icons, 'icon-256.png'),
    openUrl,
  };
  let attachPage: (wire: Wire, from: { isPrompt: boolean }) => void = (wire) => wire.close();
  const pages = listenToPages((wire, from) => attachPage(wire, from));
  const trusting: WindowOptions = { ...windowOptions, trust: pages.trust };
  const prompts = createPrompts({
    openPromptPage(listener) {
      const window = openPromptWindow({ ...windowOptions, trust: (contents) => pages.trust(contents, listener) });
      return { window, tell: (prompt) => pages.tellPrompt(window.webContents, prompt) };
    },
    isLookedAt: () => mainWindow?.isFocused() ?? false,
  });

  return {
    hostOptions: {
      settingsFile: (options) => new ElectronStore<Record<string, unknown>>(options),
      sealer: () => safeStorageSealer(process.platform),
      openUrl,
      ask: prompts.ask,
    },
    async show(host, core, attach) {
      // What a prompt window answers is asked through the host: hidden and ready, it is nobody to ask.
      attachPage = (wire, { isPrompt }) => attach(wire, { answersQuestions: !isPrompt });
      mainWindow = createMainWindow(trusting, host.store);
      if (!process.argv.includes('--hidden')) mainWindow.show();
      rememberApp(dataDir);
      const trayIcon = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
      await showTray({ iconFile: join(icons, trayIcon), core, openWindow: mainWindow.show });
      prompts.keepReady();
    },
    onEnd(close) {
      let isClosing = false;
      app.on('will-quit', (event) => {
        event.preventDefault();
        if (isClosing) return;
        isClosing = true;
        void close().finally(() => {
          pages.close();
          app.exit(0);
        });
      });
    },
    async leaveTo(page) {
      await openUrl(page).catch(() => undefined);
      app.exit(0);
    },
    giveUp(message) {
      dialog.showErrorBox('Gatehouse cannot start', message);
      app.exit(1);
    },
  };
}

/** Bridges that find no Core start the installed app; from a checkout they start a Core without a window. */
function rememberApp(dataDir: string): void {
  if (!app.isPackaged) return;
  const command = process.env.APPIMAGE ?? process.execPath;
  writeFileSync(join(dataDir, 'run', 'app.json'), `${JSON.stringify({ command, args: ['--hidden'] })}\n`, {
    mode: 0o600,
  });
}
