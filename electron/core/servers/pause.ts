/** The pause of all tools: until the user resumes, or until a time that the user chose. It outlives a restart of Core. */
import type { Events } from '../events.ts';
import type { Store } from '../settings.ts';
import type { Servers } from './servers.ts';

/** Timers stand still while the computer sleeps, so the clock is compared at least this often. */
const checkMs = 30_000;

export type Pause = ReturnType<typeof createPause>;

export function createPause(
  servers: Pick<Servers, 'isPaused'>,
  events: Pick<Events, 'emit'>,
  store: Pick<Store, 'get' | 'set'>,
) {
  let until: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function hold(paused: boolean, end?: number): void {
    clearTimeout(timer);
    servers.isPaused = paused;
    events.emit('state.changed', {});
    until = end;
    if (end !== undefined) resumeAt(end);
    events.emit('core.changed', {});
    events.emit('list.changed', { list: 'tools' });
  }

  function resumeAt(end: number): void {
    const check = () => (Date.now() >= end ? hold(false) : resumeAt(end));
    timer = setTimeout(check, Math.min(end - Date.now(), checkMs)).unref();
  }

  const stored = store.get('pause');
  // One that has ended meanwhile stays ended.
  if (stored && (stored.until ?? Number.POSITIVE_INFINITY) > Date.now()) hold(true, stored.until);
  return {
    /** When the pause ends automatically, in epoch milliseconds. */
    get until(): number | undefined {
      return until;
    },
    /** Replaces the current pause. Without `minutes`, the pause lasts until the user resumes. */
    set(paused: boolean, minutes?: number): void {
      const end = paused && minutes !== undefined ? Date.now() + Math.round(minutes * 60_000) : undefined;
      hold(paused, end);
      store.set('pause', paused ? { until: end } : undefined);
    },
    close: () => clearTimeout(timer),
  };
}
