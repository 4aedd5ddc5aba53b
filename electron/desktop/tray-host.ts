/**
 * Follows whether the desktop shows tray icons. GNOME needs an extension for them; without it, the user could not reach a
 * hidden app.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { askBus, type BusCall } from './bus.ts';

const timeoutMs = 1_000;
/** At login, the desktop may start its tray after the app: how often and for how long to look for it, in milliseconds. */
const lookAgain = { everyMs: 2_000, forMs: 30_000 };

/** `isThere` tells the last answer, and `look` asks again. `onLate`: called when the tray appears after the start. */
export function followTrayHost({ onLate }: { onLate(): void }, platform = process.platform) {
  let isThere = true;
  async function look(): Promise<boolean> {
    const wasThere = isThere;
    isThere = platform !== 'linux' || (await hasWatcher());
    if (isThere && !wasThere) onLate();
    return isThere;
  }
  async function wait(): Promise<void> {
    for (let waited = 0; !(await look()) && waited < lookAgain.forMs; waited += lookAgain.everyMs)
      await delay(lookAgain.everyMs, undefined, { ref: false });
  }
  void wait();
  return { isThere: (): boolean => isThere, look };
}

/** Asks the session bus for the desktop's tray (StatusNotifierWatcher). Returns true if it cannot ask. */
async function hasWatcher(): Promise<boolean> {
  const strings = ['org.kde.StatusNotifierWatcher'];
  const method = 'org.freedesktop.DBus.NameHasOwner';
  const destination = 'org.freedesktop.DBus';
  const call: BusCall = { bus: 'session', destination, path: '/org/freedesktop/DBus', method, strings };
  return (await askBus(call, timeoutMs)) ?? true;
}
