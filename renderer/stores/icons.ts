/** The icons that servers declare, loaded when they are first shown. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CoreClient } from '../../shared/protocol/contract.ts';

export interface IconsStore {
  /** `data:` URIs by the icon's ID. */
  readonly state: StoreApi<Readonly<Record<string, string>>>;
  /** Loads the icon of a server unless it is known. */
  load(server: string, icon: string): void;
}

/** Above this, the icon that was loaded first is dropped. */
const maxIcons = 500;

export function createIcons(link: Pick<CoreClient, 'call'>): IconsStore {
  const state = createStore<Readonly<Record<string, string>>>(() => ({}));
  const requested = new Set<string>();

  async function request(server: string, icon: string): Promise<void> {
    const { src } = await link.call('servers.icon', { server, icon }).catch(() => ({ src: undefined }));
    if (!src?.startsWith('data:image/')) {
      requested.delete(icon);
      return;
    }
    const [oldest, ...kept] = Object.entries(state.getState());
    const isFull = oldest !== undefined && kept.length + 1 >= maxIcons;
    if (isFull) requested.delete(oldest[0]);
    state.setState(Object.fromEntries([...(oldest && !isFull ? [oldest] : []), ...kept, [icon, src]]), true);
  }
  return {
    state,
    load(server, icon) {
      if (requested.has(icon)) return;
      requested.add(icon);
      void request(server, icon);
    },
  };
}
