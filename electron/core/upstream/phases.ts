/** The clock of the phases of one start (rows D1 to D3). */
import type { Phase } from '../../../shared/model.ts';
import type { UpstreamState } from './types.ts';

export interface Phases {
  readonly current: Phase;
  /** Ends the current phase and enters the next; without one, only ends it. A phase that is entered again goes on. */
  enter(next?: Phase): UpstreamState['phases'];
}

/** Begins with the phase `configuration`. */
export function startPhases(): Phases {
  const done: UpstreamState['phases'] = [];
  let current: Phase = 'configuration';
  let since = performance.now();
  return {
    get current() {
      return current;
    },
    enter(next) {
      const now = performance.now();
      const known = done.find((entry) => entry.phase === current);
      if (known) known.durationMs += now - since;
      else done.push({ phase: current, durationMs: now - since });
      since = now;
      current = next ?? current;
      return done.map((entry) => ({ ...entry }));
    },
  };
}
