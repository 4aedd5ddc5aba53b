/** The import plan: the servers that clients on this computer have configured, and the user's selection. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { CommandOutput } from '../../shared/protocol/contract.ts';
import type { Link } from './link.ts';

export interface ImportState {
  plan: CommandOutput<'import.plan'> | undefined;
  failure: Failure | undefined;
  picked: ReadonlySet<string>;
  isScanning: boolean;
}

export interface ImportStore {
  readonly state: StoreApi<ImportState>;
  /** Scans again and keeps the user's selection. */
  load(): Promise<void>;
  pick(ids: readonly string[], picked: boolean): void;
  /** Imports the selected servers. `moveSecrets` moves their secrets to the vault. */
  apply(moveSecrets: boolean): Promise<CommandOutput<'import.apply'>>;
}

export function createImport(link: Link): ImportStore {
  const state = createStore<ImportState>(() => ({
    plan: undefined,
    failure: undefined,
    picked: new Set<string>(),
    isScanning: false,
  }));
  const touched = new Map<string, boolean>();

  async function load(): Promise<void> {
    state.setState({ isScanning: true });
    try {
      const plan = await link.call('import.plan', {});
      const picked = plan.entries.filter(
        ({ id, state, picked: isPicked, missing }) => state === 'new' && (touched.get(id) ?? (isPicked && !missing)),
      );
      state.setState({ plan, failure: undefined, picked: new Set(picked.map(({ id }) => id)) });
    } catch (error) {
      const failure = toFailure(error);
      // A banner reports the lost connection. Keep the data on screen; the next connection reloads it.
      if (failure.code !== 'CORE_UNREACHABLE') state.setState({ failure });
    } finally {
      state.setState({ isScanning: false });
    }
  }

  link.on('import.changed', () => {
    if (state.getState().plan) void load();
  });
  return {
    state,
    load,
    pick(ids, isPicked) {
      const picked = new Set(state.getState().picked);
      for (const id of ids) {
        touched.set(id, isPicked);
        if (isPicked) picked.add(id);
        else picked.delete(id);
      }
      state.setState({ picked });
    },
    async apply(moveSecrets) {
      const done = await link.call('import.apply', { entries: [...state.getState().picked], moveSecrets });
      touched.clear();
      await load();
      return done;
    },
  };
}
