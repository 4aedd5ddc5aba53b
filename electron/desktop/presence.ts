/** Whether the user is at the computer: the screen is not locked, and the computer is awake. */
import { powerMonitor } from 'electron';

/** Calls `listener` at each change. If the computer wakes up with a locked screen, the user still counts as away. */
export function onPresence(listener: (isAway: boolean) => void): void {
  const reasons = new Set<string>();
  const change = (reason: string, isAway: boolean) => {
    const wasAway = reasons.size > 0;
    if (isAway) reasons.add(reason);
    else reasons.delete(reason);
    if (wasAway !== reasons.size > 0) listener(!wasAway);
  };
  powerMonitor.on('suspend', () => change('asleep', true));
  powerMonitor.on('resume', () => change('asleep', false));
  powerMonitor.on('lock-screen', () => change('locked', true));
  powerMonitor.on('unlock-screen', () => change('locked', false));
}
