/** Restarts the app after an unexpected error, because its effects on Core are unknown. */
import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { app } from 'electron';
import type { Core } from '../core/core.ts';
import { ownAppImage } from '../host/app-image.ts';
import { writeMarker } from './marker.ts';
import { notify } from './notifications.ts';
import { quitNow } from './shutdown.ts';
import { t } from './text.ts';

export interface RecoveryOptions {
  core: Pick<Core, 'isIdle'>;
  /** A file whose modification time is the time of the last restart. */
  marker: string;
  isWindowVisible(): boolean;
}

const lookMs = 500;
/** Milliseconds after which calls and questions are interrupted. The error may have prevented them from ending. */
const maxWaitMs = 60_000;
/** If the same error occurs again soon, a restart does not help. */
const minIntervalMs = 600_000;

/** Call the returned function after an error. The app restarts as soon as no call is running and no question is open. */
export function createRecovery({ core, marker, isWindowVisible }: RecoveryOptions): () => void {
  let isWaiting = false;

  async function restartWhenIdle(): Promise<void> {
    for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline && !core.isIdle(); ) {
      await delay(lookMs);
    }
    const args = process.argv.slice(1).filter((arg) => arg !== '--hidden');
    app.relaunch({
      execPath: ownAppImage() ?? process.execPath,
      args: isWindowVisible() ? args : [...args, '--hidden'],
    });
    quitNow();
  }

  return () => {
    if (isWaiting || !mayRestart(marker)) return;
    isWaiting = true;
    notify(t('Toolkeep will restart'), t('An unexpected error occurred. See the log for details.'));
    void restartWhenIdle();
  };
}

/** False soon after the last restart, or if this one cannot be recorded. Otherwise, the app could restart endlessly. */
function mayRestart(marker: string): boolean {
  try {
    const last = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - last >= minIntervalMs && writeMarker(marker);
  } catch {
    return false;
  }
}
