/** Measures the phases of one start. */
import type { Phase } from '../../../../shared/model/server.ts';
import type { ServerState } from '../types.ts';

/** Begins with the phase `configuration`. */
export function startPhases() {
  const done: ServerState['phases'] = [];
  let current: Phase = 'configuration';
  let since = performance.now();
  return {
    get current(): Phase {
      return current;
    },
    /** Ends the current phase and enters `next`, if given. A phase that is entered again continues. */
    enter(next?: Phase): ServerState['phases'] {
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
