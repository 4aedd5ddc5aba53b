/** System notifications. Questions cannot be answered in them: a click opens the window where the user decides. */

import { rmSync } from 'node:fs';
import { app, type BrowserWindow, dialog, Notification } from 'electron';
import { addressOf } from '../../shared/address.ts';
import type { Attention } from '../../shared/model/home.ts';
import type { EventData } from '../../shared/protocol/contract.ts';
import { toolKey } from '../../shared/tool-key.ts';
import { batched } from '../core/async/batched.ts';
import type { Core } from '../core/core.ts';
import { ownAppImage } from '../host/app-image.ts';
import { callText } from './call-text.ts';
import { isFirstTime } from './marker.ts';
import { onPresence } from './presence.ts';
import { t } from './text.ts';

export interface NotificationOptions {
  core: Pick<Core, 'handlers' | 'subscribe'>;
  /** `route`: the address of a view. */
  openWindow(route?: string): void;
  /** True if the main window has the focus and shows the news itself. */
  isFocused(): boolean;
  /** True if the prompt window may open behind other windows, so that every question needs a notification. */
  announcesQuestions: boolean;
}

/** Servers that start together report many changes at once. */
const readAfterMs = 500;

/** `route`: what a click opens. */
type Notify = (title: string, body: string, route?: string) => void;

export function notifyUser(options: NotificationOptions): void {
  notifyOfQuestions(options);
  notifyOfNews(options);
}

/** A notification that nothing refers to is garbage-collected, and a click on it is lost. */
const kept = new Set<Notification>();

/** Shows one notification, if the system supports them. On macOS, only asking this already asks the user for permission. */
export function notify(title: string, body: string, onClick?: () => void): Notification | undefined {
  if (!Notification.isSupported()) return undefined;
  const shown = new Notification({ title, body });
  const forget = () => kept.delete(shown);
  kept.add(shown);
  shown.on('click', forget);
  shown.on('close', forget);
  shown.on('failed', forget);
  if (onClick) shown.on('click', onClick);
  shown.show();
  return shown;
}

/**
 * Tells the user, only once, that closing the window does not quit the app. `marker`: a file that exists from then on. On
 * macOS, asks in the window before it closes, because a notification needs a permission that the user may not have given.
 */
export function sayThatAppStays(given: {
  window: BrowserWindow;
  marker: string;
  openWindow: () => void;
}): Promise<unknown> | undefined {
  if (!isFirstTime(given.marker)) return undefined;
  if (process.platform !== 'darwin') {
    const body = t('Clients can still use it. To open or quit it, use its icon in the tray.');
    const shown = notify(t('Toolkeep is still running'), body, given.openWindow);
    const sayAgain = () => rmSync(given.marker, { force: true });
    if (shown) shown.once('failed', sayAgain);
    else sayAgain();
    return undefined;
  }
  return dialog.showMessageBox(given.window, {
    message: t('Toolkeep keeps running'),
    detail: t('Clients can still use it. To open or quit it, use its icon in the menu bar.'),
  });
}

/** The start script of an AppImage disables Chromium's sandbox where it cannot work, such as on Ubuntu 24.04. Says so once. */
export function sayThatSandboxIsOff({ marker, openWindow }: { marker: string; openWindow(route: string): void }): void {
  if (!ownAppImage() || !app.commandLine.hasSwitch('no-sandbox') || !isFirstTime(marker)) return;
  notify(t('Toolkeep runs without its sandbox'), t('Install the deb package instead of the AppImage.'), () =>
    openWindow('#/settings/status'),
  );
}

/** Shows one notification at a time: a new one replaces the previous one. */
function notifier(openWindow: NotificationOptions['openWindow']): { notify: Notify; close(): void } {
  let shown: Notification | undefined;
  const close = () => {
    shown?.close();
    shown = undefined;
  };
  return {
    notify(title, body, route) {
      close();
      shown = notify(title, body, () => openWindow(route));
    },
    close,
  };
}

/**
 * Notifies about open questions if the user may not see the prompt window. When the user comes back, notifies about
 * questions that went unanswered in the meantime.
 */
function notifyOfQuestions({ core, openWindow, announcesQuestions }: NotificationOptions): void {
  const { notify: notifyOfQuestion, close } = notifier(openWindow);
  let isAway = false;
  let open = new Set<string>();
  let missed = 0;

  async function read(): Promise<void> {
    const questions = await core.handlers['questions.list']();
    const now = new Set(questions.map(({ id }) => id));
    if (isAway) missed += [...open].filter((id) => !now.has(id)).length;
    const added = questions.find(({ id }) => !open.has(id));
    open = now;
    if (open.size === 0 && !isAway) close();
    if (added && (announcesQuestions || isAway)) {
      const text = callText(added.from) || t('Open Toolkeep to answer it.');
      notifyOfQuestion(t('A question is waiting'), text, addressOf('question', added.id));
    }
  }
  core.subscribe((name) => name === 'questions.changed' && void read().catch(() => undefined));
  onPresence((away) => {
    isAway = away;
    if (!isAway && missed > 0)
      notifyOfQuestion(
        t('Requests were denied while you were away'),
        t('{count, plural, one {# question} other {# questions}} went unanswered. See the history.', {
          count: missed,
        }),
      );
    missed = 0;
  });
}

/** Notifies about tools that are held, servers that need a sign-in, and agents that try to use a disabled tool. */
function notifyOfNews({ core, openWindow, isFocused }: NotificationOptions): void {
  const { notify: notifyOfItem } = notifier(openWindow);
  /** The keys of the items that existed at the start or were reported since. */
  let known: Set<string> | undefined;

  async function read(): Promise<void> {
    const items = news(await core.handlers['attention.list']());
    const added = known && [...items].find(([key]) => !known?.has(key));
    known = new Set(items.keys());
    if (added && !isFocused()) notifyOfItem(t('Toolkeep needs your attention'), added[1]);
  }
  const refresh = () => void read().catch(() => undefined);
  const refreshLater = batched(refresh, readAfterMs);
  refresh();
  core.subscribe((name, data) => {
    if (name === 'tools.changed' || name === 'servers.changed') refreshLater();
    if (name !== 'tools.enableRequested' || isFocused()) return;
    const { client, server, tool } = data as EventData<'tools.enableRequested'>;
    notifyOfItem(t('An agent tried to use a disabled tool'), callText({ client, server, tool }));
  });
}

/** A string for each item that needs attention, by a key that stays the same until the item is resolved. */
function news(items: readonly Attention[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const item of items) {
    if (item.kind === 'sign-in')
      found.set(item.server, t('Sign in to {server} again.', { server: item.server }).slice(0, 120));
    if (item.kind === 'held-tools')
      for (const tool of item.tools)
        found.set(
          toolKey(item.server, tool),
          t('{tool} is held until you accept its changes.', { tool: `${item.server} › ${tool}` }).slice(0, 120),
        );
  }
  return found;
}
