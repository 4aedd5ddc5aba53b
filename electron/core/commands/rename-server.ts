/** Renames one of the user's servers everywhere in the settings. */
import type { Settings, Store } from '../settings.ts';

/** Does not transfer grants, because the user gave them to a server with the old name. */
export function renameServer(store: Store, from: string, to: string): void {
  const renamed = (name: string) => (name === from ? to : name);
  const inField = <T extends { server?: string }>(item: T): T =>
    item.server === from ? { ...item, server: to } : item;
  const set = <K extends keyof Settings>(key: K, value: Settings[K]) => store.set(key, value);
  set(
    'servers',
    store.get('servers').map((server) => ({ ...server, name: renamed(server.name) })),
  );
  set('disabledServers', store.get('disabledServers').map(renamed));
  set(
    'serverTags',
    store.get('serverTags').map((entry) => ({ ...entry, server: renamed(entry.server) })),
  );
  set('rules', store.get('rules').map(inField));
  set('overrides', store.get('overrides').map(inField));
  set(
    'profiles',
    store.get('profiles').map((profile) => ({ ...profile, servers: profile.servers.map(renamed) })),
  );
  set(
    'imports',
    store.get('imports').map((one) => ({ ...one, servers: one.servers.map(renamed) })),
  );
}
