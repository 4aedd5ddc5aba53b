/** The tray icon and its menu: open, pause, start at login, quit. */
import { join } from 'node:path';
import { app, Menu, type MenuItemConstructorOptions, type NativeImage, nativeImage, Tray } from 'electron';
import type { UpdateView } from '../../shared/model/update.ts';
import type { Core } from '../core/core.ts';
import type { LoginItem } from './login-item.ts';
import { t } from './text.ts';

export interface TrayOptions {
  iconsFolder: string;
  loginItem: LoginItem;
  openWindow(): void;
  openLogs(): void;
}

export interface AppTray {
  /** Starts showing Core's state. */
  follow(core: Pick<Core, 'handlers' | 'subscribe'>): void;
}

type Status = { paused: boolean; servers: number; enabledTools: number; waiting: number; update?: UpdateView };

interface Actions {
  setPaused(paused: boolean): void;
  /** Requests a restart that installs the update, or cancels the request. */
  restart(wanted: boolean): void;
}

/** Milliseconds during which changes are collected. On Linux, rebuilding the menu closes it while the user reads it. */
const collectMs = 200;

/** Shows the icon immediately, before Core has started. The icon stays until the app quits. */
export function showTray({ iconsFolder, loginItem, openWindow, openLogs }: TrayOptions): AppTray {
  const icons = {
    calm: readIcon(iconsFolder, 'tray'),
    waiting: readIcon(iconsFolder, 'trayWaiting'),
    paused: readIcon(iconsFolder, 'trayPaused'),
  };
  const tray = new Tray(icons.calm);
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', openWindow);
  let shown = '';

  function render(status?: Status, { setPaused, restart }: Partial<Actions> = {}): void {
    const startsAtLogin = loginItem.isEnabled();
    const needsApproval = loginItem.needsApproval();
    const state = JSON.stringify([status, startsAtLogin, needsApproval]);
    if (tray.isDestroyed() || state === shown) return;
    shown = state;
    const items: MenuItemConstructorOptions[] = [
      { label: t('Open Toolkeep'), click: openWindow },
      { label: status ? summary(status) : t('Starting…'), enabled: false },
      { type: 'separator' },
      {
        label: t('Pause All Tools'),
        type: 'checkbox',
        checked: status?.paused ?? false,
        enabled: setPaused !== undefined,
        // Electron toggles the item before it calls the handler.
        click: ({ checked }) => setPaused?.(checked),
      },
      {
        label: needsApproval ? t('Start at Login (Allow It in System Settings)') : t('Start at Login'),
        type: 'checkbox',
        checked: startsAtLogin,
        click: ({ checked }) => {
          loginItem.set(checked);
          render(status, { setPaused, restart });
        },
      },
      { type: 'separator' },
      ...updateItems(status?.update, restart),
      { label: t('Open Log Folder'), click: openLogs },
      { label: t('Quit Toolkeep'), click: () => app.quit() },
    ];
    tray.setContextMenu(Menu.buildFromTemplate(items));
    tray.setImage(icons[status ? stateOf(status) : 'calm']);
    tray.setToolTip(status ? toolTip(status) : 'Toolkeep');
  }

  app.once('will-quit', () => tray.destroy());
  render();
  return {
    follow(core) {
      const actions: Actions = {
        setPaused: (paused) => void core.handlers['core.pause']({ paused }),
        restart: (wanted) => void core.handlers['updates.restart']({ wanted }),
      };
      let timer: NodeJS.Timeout | undefined;
      let isReading = false;
      const read = async () => {
        timer = undefined;
        // A slow response must not overwrite a newer one.
        if (isReading) return schedule();
        isReading = true;
        try {
          const { paused, servers, enabledTools } = await core.handlers['core.status']();
          const { length } = await core.handlers['questions.list']();
          const update = await core.handlers['updates.show'](undefined);
          render({ paused, servers, enabledTools, waiting: length, update }, actions);
        } finally {
          isReading = false;
        }
      };
      const schedule = () => {
        timer ??= setTimeout(() => void read().catch(() => undefined), collectMs);
      };
      const unsubscribe = core.subscribe((name) => {
        if (/^(core|servers|tools|questions|updates)\.changed$/.test(name)) schedule();
      });
      app.once('will-quit', () => {
        clearTimeout(timer);
        unsubscribe();
      });
      void read().catch(() => undefined);
    },
  };
}

function readIcon(folder: string, name: string): NativeImage {
  // macOS draws template images in the color of the menu bar. Windows would scale a PNG.
  // untranslated: the names of files
  const suffix = { darwin: 'Template.png', win32: '.ico' }[process.platform as string] ?? '.png';
  const icon = nativeImage.createFromPath(join(folder, `${name}${suffix}`));
  if (process.platform === 'darwin') icon.setTemplateImage(true);
  return icon;
}

function updateItems(update?: UpdateView, restart?: Actions['restart']): MenuItemConstructorOptions[] {
  const { state, version = '' } = update ?? {};
  if (state === 'ready')
    return [{ label: t('Restart to Update to {version}', { version }), click: () => restart?.(true) }];
  if (state === 'waiting') return [{ label: t('Cancel Restart'), click: () => restart?.(false) }];
  return [];
}

/** A question takes precedence over the pause, which the user already knows about. */
function stateOf({ paused, waiting }: Status): 'waiting' | 'paused' | 'calm' {
  if (waiting > 0) return 'waiting';
  return paused ? 'paused' : 'calm';
}

function toolTip({ paused, waiting }: Status): string {
  if (waiting > 0) return t('Toolkeep: {state}', { state: questions(waiting) });
  return paused ? t('Toolkeep (paused)') : 'Toolkeep';
}

function summary({ servers, enabledTools, waiting, paused }: Status): string {
  if (waiting > 0) return questions(waiting);
  if (paused) return t('Paused: no tool can run');
  return t('{tools, plural, one {# tool} other {# tools}} from {servers, plural, one {# server} other {# servers}}', {
    tools: enabledTools,
    servers,
  });
}

const questions = (count: number) =>
  t('{count, plural, one {# question is waiting} other {# questions are waiting}}', { count });
