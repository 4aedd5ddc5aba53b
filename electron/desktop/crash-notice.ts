/** Tells the user that a part of the app has crashed. A click opens the diagnostics for a bug report. */
import { app } from 'electron';
import { notify } from './notifications.ts';
import { t } from './text.ts';

const statusRoute = '#/settings/status';

/** On a system without working graphics, the GPU process ends a few times before Chromium draws without it. */
const gpuEnds = { most: 3, withinMs: 60_000 };

/** Notifies only once per run, because a part that crashes again and again would fill the desktop with notifications. */
export function createCrashNotice(openAt: (route: string) => void): (what: { isGpu: boolean }) => void {
  let wasShown = false;
  let ends: number[] = [];
  return ({ isGpu }) => {
    const now = Date.now();
    if (isGpu) ends = [...ends.filter((at) => now - at < gpuEnds.withinMs), now];
    if (wasShown || !app.isReady() || (isGpu && ends.length <= gpuEnds.most)) return;
    wasShown = true;
    notify(t('A part of Toolkeep crashed'), t('It has been started again. Click to report the crash.'), () =>
      openAt(statusRoute),
    );
  };
}
