/** The tray icon, which shows Core's state. */
import { join } from 'node:path';
import { app, Menu, type NativeImage, nativeImage, Tray } from 'electron';
import type { Question } from '../../shared/model/question.ts';
import type { Core } from '../core/core.ts';
import type { LoginItem } from './login-item.ts';
import { type TrayActions, type TrayStatus, toolTip, trayItems } from './tray-menu.ts';

export interface TrayOptions extends Pick<TrayActions, 'openWindow' | 'openLogs'> {
  iconsFolder: string;
  loginItem: LoginItem;
}

/**
 * Milliseconds during which changes are collected. On Linux, rebuilding the menu closes it while the user reads it, so
 * calls change it less often.
 */
const collectMs = { state: 200, calls: 10_000 };
const shownCalls = 5;

/** Shows the icon immediately, before Core has started. The icon stays until the app quits. */
export function showTray({ iconsFolder, loginItem, openWindow, openLogs }: TrayOptions) {
  const icons = {
    calm: readIcon(iconsFolder, 'tray'),
    waiting: readIcon(iconsFolder, 'trayWaiting'),
    paused: readIcon(iconsFolder, 'trayPaused'),
  };
  let tray = newTray();
  let shown = '';
  let renderAgain = () => render();

  function newTray(): Tray {
    const made = new Tray(icons.calm);
    // On macOS a click opens the menu.
    if (process.platform !== 'darwin') made.on('click', () => openWindow());
    return made;
  }

  function render(status?: TrayStatus, coreActions: Pick<TrayActions, 'pause' | 'restart'> = {}): void {
    const login = { isEnabled: loginItem.isEnabled(), needsApproval: loginItem.needsApproval() };
    const state = JSON.stringify([status, login]);
    if (tray.isDestroyed() || state === shown) return;
    shown = state;
    renderAgain = () => render(status, coreActions);
    const items = trayItems(status, login, {
      openWindow,
      openLogs,
      setStartsAtLogin(isWanted) {
        loginItem.set(isWanted);
        renderAgain();
      },
      quit: () => app.quit(),
      ...coreActions,
    });
    tray.setContextMenu(Menu.buildFromTemplate(items));
    tray.setImage(icons[status ? stateOf(status) : 'calm']);
    tray.setToolTip(status ? toolTip(status) : 'Toolkeep');
  }

  app.once('will-quit', () => tray.destroy());
  render();
  return {
    /** Creates the icon again: on Linux, a tray that started later does not show an icon from before. */
    replace(): void {
      tray.destroy();
      tray = newTray();
      shown = '';
      renderAgain();
    },
    /** Starts showing Core's state. */
    follow({ handlers, subscribe }: Pick<Core, 'handlers' | 'subscribe'>): void {
      const actions: Pick<TrayActions, 'pause' | 'restart'> = {
        pause: (paused, minutes) => void handlers['core.pause']({ paused, minutes }),
        restart: (wanted) => void handlers['updates.restart']({ wanted }),
      };
      const timers: { [kind in keyof typeof collectMs]?: NodeJS.Timeout } = {};
      let isReading = false;
      let calls: TrayStatus['calls'] = [];
      const read = async (kind: keyof typeof collectMs) => {
        // A slow response must not overwrite a newer one.
        if (isReading) return schedule(kind);
        isReading = true;
        try {
          const names = await handlers['clients.names']();
          const named = ({ client = '', ...from }: Question['from']) => ({ ...from, client: names[client] ?? client });
          const { paused, pausedUntil, servers, enabledTools } = await handlers['core.status']();
          const questions = (await handlers['questions.list']()).map(({ id, from }) => ({ id, from: named(from) }));
          if (kind === 'calls')
            calls = (await handlers['history.list']({ kind: 'call', limit: shownCalls })).map(
              ({ id, at, client, server, tool, outcome }) => ({ id, at, outcome, ...named({ client, server, tool }) }),
            );
          const update = await handlers['updates.show'](undefined);
          render({ paused, pausedUntil, servers, enabledTools, questions, calls, update }, actions);
        } finally {
          isReading = false;
        }
      };
      const schedule = (kind: keyof typeof collectMs) => {
        timers[kind] ??= setTimeout(() => {
          delete timers[kind];
          void read(kind).catch(() => undefined);
        }, collectMs[kind]);
      };
      const unsubscribe = subscribe((name) => {
        if (/^(core|servers|tools|questions|updates)\.changed$/.test(name)) schedule('state');
        else if (name === 'calls.recorded') schedule('calls');
      });
      app.once('will-quit', () => {
        for (const timer of Object.values(timers)) clearTimeout(timer);
        unsubscribe();
      });
      void read('calls').catch(() => undefined);
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

/** A question takes precedence over the pause, which the user already knows about. */
function stateOf({ paused, questions }: TrayStatus): 'waiting' | 'paused' | 'calm' {
  if (questions.length > 0) return 'waiting';
  return paused ? 'paused' : 'calm';
}
