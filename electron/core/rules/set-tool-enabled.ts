/** Enables or disables one tool with a user override. */
import type { Store } from '../host.ts';
import { withPolicy } from './overrides.ts';

/** `reconfigure` applies the stored overrides to the tools. */
export function createSetToolEnabled(store: Store, reconfigure: () => Promise<unknown>) {
  return async function setToolEnabled(server: string, tool: string, enabled: boolean): Promise<void> {
    store.set('overrides', withPolicy(store.get('overrides'), { server, tool }, { enabled }));
    await reconfigure();
  };
}
