/** Enables or disables one tool with a user override. */
import type { Store } from '../settings.ts';
import { withPolicy } from './overrides.ts';

/** `applyRules` applies the stored overrides to the tools. */
export function createSetToolEnabled(store: Store, applyRules: () => void) {
  return async function setToolEnabled(server: string, tool: string, enabled: boolean): Promise<void> {
    store.set('overrides', withPolicy(store.get('overrides'), { server, tool }, { enabled }));
    applyRules();
  };
}
