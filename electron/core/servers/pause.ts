/** The pause of all tools: until the user resumes, or until a time that the user chose. */
import type { Events } from '../events.ts';
import type { Servers } from './servers.ts';

/** Timers stand still while the computer sleeps, so the clock is compared at least this often. */
const checkMs = 30_000;

export interface Pause {
  /** When the pause ends automatically, in epoch milliseconds. */
  readonly until: number | undefined;
  /** Replaces the current pause. Without `minutes`, the pause lasts until the user resumes. */
  set(paused: boolean, minutes?: number): void;
  close(): void;
}

export function createPause(servers: Pick<Servers, 'isPaused'>, events: Pick<Events, 'emit'>): Pause {
  let until: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function set(paused: boolean, minutes?: number): void {
    clearTimeout(timer);
    servers.isPaused = paused;
    until = paused && minutes !== undefined ? Date.now() + Math.round(minutes * 60_000) : undefined;
    if (until !== undefined) resumeAt(until);
    events.emit('core.changed', {});
    events.emit('list.changed', { list: 'tools' });
  }

  function resumeAt(end: number): void {
    const check = () => (Date.now() >= end ? set(false) : resumeAt(end));
    timer = setTimeout(check, Math.min(end - Date.now(), checkMs)).unref();
  }

  return {
    get until() {
      return until;
    },
    set,
    close: () => clearTimeout(timer),
  };
}
