/** System notifications. The user cannot answer in them: a click opens the window where the user decides. */
import { Notification, powerMonitor } from 'electron';
import type { Core } from '../core/core.ts';

export interface NotificationOptions {
  core: Pick<Core, 'handlers' | 'subscribe'>;
  openWindow(): void;
  /** True if the prompt window may open behind other windows, so that every question needs a notification. */
  announcesQuestions: boolean;
}

/**
 * Notifies about open questions if the user may not see the prompt window. After the screen was locked, notifies about
 * questions that are still open or ended without an answer.
 */
export function notifyUser({ core, openWindow, announcesQuestions }: NotificationOptions): void {
  if (!Notification.isSupported()) return;
  let isAway = false;
  let open = new Set<string>();
  let missed = 0;
  let shown: Notification | undefined;

  function notify(title: string, body: string): void {
    shown?.close();
    shown = new Notification({ title, body });
    shown.on('click', openWindow);
    shown.show();
  }

  async function read(): Promise<void> {
    const questions = await core.handlers['questions.list']();
    const now = new Set(questions.map(({ id }) => id));
    if (isAway) missed += [...open].filter((id) => !now.has(id)).length;
    const added = questions.filter(({ id }) => !open.has(id));
    open = now;
    if (open.size === 0 && !isAway) {
      shown?.close();
      shown = undefined;
    }
    if (added.length > 0 && (announcesQuestions || isAway)) notify('A question is waiting', describe(added[0]?.from));
  }
  const refresh = () => void read().catch(() => undefined);
  core.subscribe((name) => name === 'questions.changed' && refresh());

  const leave = () => {
    isAway = true;
  };
  const come = () => {
    if (!isAway) return;
    isAway = false;
    if (missed > 0)
      notify(
        'Requests were denied while you were away',
        `${missed === 1 ? '1 question' : `${missed} questions`} ended without an answer. See the history.`,
      );
    missed = 0;
  };
  for (const event of ['lock-screen', 'suspend'] as const) powerMonitor.on(event as 'suspend', leave);
  for (const event of ['unlock-screen', 'resume'] as const) powerMonitor.on(event as 'resume', come);
}

/** Contains only names: arguments may be secret and are shown only in the window. */
function describe(from?: { client?: string; server?: string; tool?: string }): string {
  const { client, server, tool } = from ?? {};
  const what = [server, tool].filter(Boolean).join(' › ');
  return [client, what].filter(Boolean).join(': ').slice(0, 120) || 'Open Gatehouse to answer it.';
}
