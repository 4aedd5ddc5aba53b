/** The `electron` module as the program sees it under the stand-in. What is not here throws when it is used. */
import { app } from './app.ts';
import { protocol } from './browser.ts';
import { BrowserWindow } from './browser-window.ts';
import { dialog, Menu, nativeImage, nativeTheme, safeStorage, screen, session, shell, Tray } from './desktop.ts';
import { ipcMain } from './web-contents.ts';

export const electron: Partial<Record<keyof typeof Electron, unknown>> = {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
};
