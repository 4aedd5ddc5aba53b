/** The `electron` module of the stand-in. Throws if the app uses a member that it lacks. */
import { app } from './app.ts';
import { autoUpdater } from './auto-updater.ts';
import { protocol } from './browser.ts';
import { BrowserWindow } from './browser-window.ts';
import {
  crashReporter,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  screen,
  session,
  shell,
  Tray,
} from './desktop.ts';
import { dialog } from './dialogs.ts';
import { net } from './net.ts';
import { ipcMain } from './web-contents.ts';

export const electron: Partial<Record<keyof typeof Electron, unknown>> = {
  app,
  autoUpdater,
  BrowserWindow,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
};
