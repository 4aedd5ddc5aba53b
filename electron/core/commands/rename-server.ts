/** Renames one of the user's servers everywhere in the settings. */
import { changeSetting, type Store } from '../settings.ts';

/** Does not transfer grants, because the user gave them to a server with the old name. */
export function renameServer(store: Store, from: string, to: string): void {
  const renamed = (name: string) => (name === from ? to : name);
  const inField = <T extends { server?: string }>(item: T): T =>
    item.server === from ? { ...item, server: to } : item;
  const inList = <T extends { servers: string[] }>(item: T): T => ({ ...item, servers: item.servers.map(renamed) });
  changeSetting(store, 'servers', (all) => all.map((server) => ({ ...server, name: renamed(server.name) })));
  changeSetting(store, 'disabledServers', (names) => names.map(renamed));
  changeSetting(store, 'serverTags', (all) => all.map(inField));
  changeSetting(store, 'rules', (rules) => rules.map(inField));
  changeSetting(store, 'overrides', (overrides) => overrides.map(inField));
  changeSetting(store, 'profiles', (profiles) => profiles.map(inList));
  changeSetting(store, 'imports', (imports) => imports.map(inList));
}
