/** The icons that servers declare, loaded when they are first shown. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Link } from './link.ts';

export interface IconsStore {
  /** `data:` URIs by the icon's ID. */
  readonly state: StoreApi<Readonly<Record<string, string>>>;
  /** Loads the icon of a server unless it is known. */
  load(server: string, icon: string): void;
}

export function createIcons(link: Link): IconsStore {
  const state = createStore<Readonly<Record<string, string>>>(() => ({}));
  const requested = new Set<string>();

  async function request(server: string, icon: string): Promise<void> {
    try {
      const { src } = await link.call('servers.icon', { server });
      if (src?.startsWith('data:image/')) state.setState({ [icon]: src });
    } catch {
      requested.delete(icon);
    }
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
