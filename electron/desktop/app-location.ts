/** Files and entries on this computer that name the path of the app: for bridges, for links, and for the start at login. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { writeAppFile } from '../host/app-file.ts';
import { ownAppImage } from '../host/app-image.ts';
import { bridgeCommand } from '../host/launcher.ts';
import { temporaryApp } from '../host/temporary-app.ts';
import { type LoginItem, loginItem } from './login-item.ts';
import { linkScheme } from './opened.ts';

export function ownLoginItem(): LoginItem {
  const configDir = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return loginItem({ command: ownAppImage() ?? process.execPath, configDir });
}

/** For a packaged app. If the file cannot be written, bridges start a headless Core instead of the app. */
export function writeLocation(dataDir: string, log: (level: 'warn', message: string) => void): void {
  try {
    if (!temporaryApp()) writeAppFile(dataDir);
  } catch (error) {
    log('warn', `Clients cannot start this app: ${(error as Error).message}`);
  }
  if (process.platform === 'win32') app.setAsDefaultProtocolClient(linkScheme);
}

/** An update gave the AppImage another path. */
export function followMove(appImage: string, dataDir: string): void {
  process.env.APPIMAGE = appImage;
  writeAppFile(dataDir);
  bridgeCommand(dataDir, homedir());
  if (ownLoginItem().isEnabled()) ownLoginItem().set(true);
}
