/** Enables or disables one tool with an override of the user. */
import type { Store } from '../host.ts';
import { withPolicy } from '../rules/overrides.ts';

/** `reconfigure` brings the tools in line with the stored overrides. */
export function createToolOverride(store: Store, reconfigure: () => Promise<unknown>) {
  return async function setToolEnabled(server: string, tool: string, enabled: boolean): Promise<void> {
    store.set('overrides', withPolicy(store.get('overrides'), { server, tool }, { enabled }));
    await reconfigure();
  };
}
