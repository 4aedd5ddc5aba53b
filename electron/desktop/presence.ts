/** Whether the user is at the computer: the screen is not locked, and the computer is awake. */
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { powerMonitor } from 'electron';
import type { Core } from '../core/core.ts';
import { askBus, type BusCall } from './bus.ts';

/** Electron reports no locks on Linux. */
const linuxLock = new EventEmitter();
const lookMs = 2_000;

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
  const lock: NodeJS.EventEmitter = process.platform === 'linux' ? linuxLock : powerMonitor;
  lock.on('lock-screen', () => change('locked', true));
  lock.on('unlock-screen', () => change('locked', false));
}

/** On Linux, looks while a question is open whether the screen is locked, and then until it is unlocked. */
export function followLock(core: Pick<Core, 'handlers' | 'subscribe'>): void {
  if (process.platform !== 'linux') return;
  let openQuestions = 0;
  let isLooking = false;
  let isLocked = false;
  async function read(): Promise<void> {
    openQuestions = (await core.handlers['questions.list']()).length;
    if (!isLooking) await look();
  }
  async function look(): Promise<void> {
    isLooking = true;
    while (isLocked || openQuestions > 0) {
      const isLockedNow = await isSessionLocked();
      if (isLockedNow !== isLocked) linuxLock.emit(isLockedNow ? 'lock-screen' : 'unlock-screen');
      isLocked = isLockedNow;
      await delay(lookMs, undefined, { ref: false });
    }
    isLooking = false;
  }
  core.subscribe((name) => name === 'questions.changed' && void read().catch(() => undefined));
}

/** Asks logind. False if it cannot answer. */
async function isSessionLocked(): Promise<boolean> {
  // untranslated: a property of logind
  const strings = ['org.freedesktop.login1.Session', 'LockedHint'];
  const path = '/org/freedesktop/login1/session/auto';
  const method = 'org.freedesktop.DBus.Properties.Get';
  const call: BusCall = { bus: 'system', destination: 'org.freedesktop.login1', path, method, strings };
  return (await askBus(call, lookMs)) ?? false;
}
