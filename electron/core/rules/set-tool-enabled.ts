/** Enables or disables one tool with a user override. */
import { changeSetting, type Store } from '../settings.ts';
import { withPolicy } from './overrides.ts';

/** `applyRules` applies the stored overrides to the tools. */
export function createSetToolEnabled(store: Store, applyRules: () => void) {
  return async function setToolEnabled(server: string, tool: string, enabled: boolean): Promise<void> {
    changeSetting(store, 'overrides', (all) => withPolicy(all, { server, tool }, { enabled }));
    applyRules();
  };
}
