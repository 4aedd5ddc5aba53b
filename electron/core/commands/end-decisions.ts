/** Ends what the user allowed a server, so that no other server of its name gets it. */
import { dropDecisions, takeDecisions } from '../policy/server-decisions.ts';
import type { KeptDecisions } from '../settings.ts';
import type { CommandServices } from './services.ts';

type Ending = Pick<CommandServices, 'host' | 'stores' | 'events'>;

/** Call when the server is removed. Returns what a restored server gets back. */
export function endDecisions({ host, stores, events }: Ending, server: string): KeptDecisions {
  const taken = takeDecisions({ store: host.store, pins: stores.pins }, server);
  events.emit('server.forgotten', { server });
  return taken;
}

/** Call before another server gets one of these names. */
export function endNamesakes({ host, stores, events }: Ending, names: readonly string[]): void {
  for (const server of names) {
    dropDecisions({ store: host.store, pins: stores.pins }, server);
    events.emit('server.forgotten', { server });
  }
}
