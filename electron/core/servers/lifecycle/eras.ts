/**
 * The protocol era of each server, and whether it uses roots or keeps state for its client, kept for the next run. Changes are saved together, because
 * saving blocks Core, and many servers start at once.
 */
import { isDeepStrictEqual } from 'node:util';
import { batched } from '../../async/batched.ts';
import { changeSetting, type Settings, type Store } from '../../settings.ts';

type Era = Settings['eras'][string];

/** After as many good starts, Toolkeep offers to confine a server. */
export const enoughStarts = 5;

const saveDelayMs = 500;
const ofStores = new WeakMap<Store, ReturnType<typeof createEras>>();

export function erasOf(store: Store) {
  const eras = ofStores.get(store) ?? createEras(store);
  ofStores.set(store, eras);
  return eras;
}

function createEras(store: Store) {
  const learned = new Map<string, Era>();

  function save(): void {
    if (learned.size === 0) return;
    try {
      changeSetting(store, 'eras', (known) => ({ ...known, ...Object.fromEntries(learned) }));
      learned.clear();
    } catch {
      // Without stored eras, the next run only probes servers again. The next change saves them.
    }
  }

  const saveLater = batched(save, saveDelayMs);
  const get = (server: string): Era | undefined => learned.get(server) ?? store.get('eras')[server];
  return {
    get,
    learn(server: string, era: Era): void {
      const known = get(server);
      if (known && isDeepStrictEqual({ ...known }, era)) return;
      learned.set(server, era);
      saveLater();
    },
    /** Saves pending changes. */
    flush: save,
  };
}
