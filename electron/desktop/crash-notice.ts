/** Tells the user that a part of the app has crashed. A click opens the diagnostics for a bug report. */
import { app } from 'electron';
import { notify } from './notifications.ts';
import { t } from './text.ts';

const statusRoute = '#/settings/status';

/** Notifies only once per run, because a part that crashes again and again would fill the desktop with notifications. */
export function createCrashNotice(openAt: (route: string) => void): () => void {
  let wasShown = false;
  return () => {
    if (wasShown || !app.isReady()) return;
    wasShown = true;
    notify(t('A part of Toolkeep crashed'), t('It has been started again. Click to report the crash.'), () =>
      openAt(statusRoute),
    );
  };
}
