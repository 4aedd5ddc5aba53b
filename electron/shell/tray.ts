/** The icon in the tray: open, pause everything, start at login, quit. */
import { app, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { Core } from '../core/core.ts';

export interface TrayOptions {
  iconFile: string;
  core: Pick<Core, 'handlers' | 'subscribe'>;
  openWindow(): void;
}

/** Lives until the app ends. */
export async function showTray({ iconFile, core, openWindow }: TrayOptions): Promise<void> {
  const icon = nativeImage.createFromPath(iconFile);
  // macOS draws a template icon in the colour that its menu bar needs.
  if (process.platform === 'darwin') icon.setTemplateImage(true);
  const tray = new Tray(icon);
  tray.setToolTip('Gatehouse');
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', openWindow);

  const refresh = async () => {
    const { paused, servers, enabledTools } = await core.handlers['core.status']();
    const waiting = (await core.handlers['questions.list']()).length;
    if (tray.isDestroyed()) return;
    const items: MenuItemConstructorOptions[] = [
      { label: 'Open Gatehouse', click: openWindow },
      { label: summary(servers, enabledTools, waiting, paused), enabled: false },
      { type: 'separator' },
      {
        label: 'Pause All Tools',
        type: 'checkbox',
        checked: paused,
        click: () => void core.handlers['core.pause']({ paused: !paused }),
      },
      ...loginItem(),
      { type: 'separator' },
      { label: 'Quit Gatehouse', click: () => app.quit() },
    ];
    tray.setContextMenu(Menu.buildFromTemplate(items));
    tray.setToolTip(paused ? 'Gatehouse (paused)' : 'Gatehouse');
  };
  const unsubscribe = core.subscribe((name) => {
    if (
      name === 'core.changed' ||
      name === 'servers.changed' ||
      name === 'tools.changed' ||
      name === 'questions.changed'
    )
      void refresh();
  });
  app.once('will-quit', () => {
    unsubscribe();
    tray.destroy();
  });
  await refresh();
}

/** Off until the person switches it on. Linux desktops have no common way. */
function loginItem(): MenuItemConstructorOptions[] {
  if (process.platform === 'linux') return [];
  const { openAtLogin } = app.getLoginItemSettings();
  return [
    {
      label: 'Start at Login',
      type: 'checkbox',
      checked: openAtLogin,
      click: () => app.setLoginItemSettings({ openAtLogin: !openAtLogin, args: ['--hidden'] }),
    },
  ];
}

function summary(servers: number, tools: number, waiting: number, paused: boolean): string {
  if (waiting > 0) return waiting === 1 ? '1 question waits for you' : `${waiting} questions wait for you`;
  if (paused) return 'Paused: no tool can run';
  return `${tools} ${tools === 1 ? 'tool' : 'tools'} from ${servers} ${servers === 1 ? 'server' : 'servers'}`;
}
