/**
 * Everything that the user decided about a server: it ends with the server, returns when the user restores it, and moves
 * with its name. The table names every setting, so that a new one does not compile before it says how it belongs to servers.
 */
import { changeSetting, type KeptDecisions, type Settings, type Store } from '../settings.ts';
import type { Pins } from '../tools/pins.ts';

type Entry<K extends keyof Settings> = Settings[K] extends readonly (infer E)[] ? E : never;

/**
 * How a setting belongs to servers: its entries name one in a field, are its name, or list several; its keys are names; or not
 * at all. `isWritten`: the user wrote the name, possibly before the server existed.
 */
type Belonging<K extends keyof Settings> =
  | { field: keyof Entry<K>; isWritten?: true }
  | { is: Entry<K> extends string ? 'name' : never }
  | { list: keyof Entry<K> }
  | { keys: Settings[K] extends Record<string, unknown> ? 'names' : never }
  | 'the server'
  | 'none';

const belonging: { readonly [K in keyof Settings]: Belonging<K> } = {
  servers: 'the server',
  removedServers: 'the server',
  overrides: { field: 'server' },
  grants: { field: 'server' },
  knownDestinations: { field: 'server' },
  serverTags: { field: 'server' },
  rules: { field: 'server', isWritten: true },
  disabledServers: { is: 'name' },
  profiles: { list: 'servers' },
  imports: { list: 'servers' },
  eras: { keys: 'names' },
  routing: 'none',
  batch: 'none',
  enableRequests: 'none',
  userSettings: 'none',
  seenImports: 'none',
  registries: 'none',
  lastConnections: 'none',
  clientTokens: 'none',
  pause: 'none',
  setupStep: 'none',
  windowState: 'none',
};

type AnyBelonging =
  | 'the server'
  | 'none'
  | { field?: string; is?: string; list?: string; keys?: string; isWritten?: true };
const all = Object.entries(belonging) as [keyof Settings, AnyBelonging][];

/** The server to which an entry of a list belongs. */
function serverOf(entry: unknown, { field, is }: Exclude<AnyBelonging, string>): unknown {
  if (is !== undefined) return entry;
  return field === undefined ? undefined : (entry as Record<string, unknown>)[field];
}

interface Kept {
  store: Store;
  pins: Pick<Pins, 'take'>;
}

/** Removes all decisions about the server, and returns those that can be given back. */
export function takeDecisions({ store, pins }: Kept, server: string): KeptDecisions {
  return { settings: take(store, server, () => true), pins: pins.take(server) };
}

/** Removes what the user decided about an earlier server of this name, but not what names servers of any kind. */
export function dropDecisions({ store, pins }: Kept, server: string): void {
  take(store, server, ({ isWritten }) => !isWritten);
  pins.take(server);
}

function take(
  store: Store,
  server: string,
  isTaken: (belongs: Exclude<AnyBelonging, string>) => boolean,
): KeptDecisions['settings'] {
  const taken: KeptDecisions['settings'] = {};
  for (const [key, belongs] of all) {
    const value: unknown = store.get(key);
    if (typeof belongs === 'string' || !isTaken(belongs)) continue;
    if (Array.isArray(value)) {
      const found = value.flatMap((entry, at) => (serverOf(entry, belongs) === server ? { at, entry } : []));
      if (found.length === 0) continue;
      taken[key] = found;
      store.set(key, value.filter((entry) => serverOf(entry, belongs) !== server) as never);
    } else if (belongs.keys !== undefined && Object.hasOwn(value as object, server)) {
      const { [server]: _, ...others } = value as Record<string, unknown>;
      store.set(key, others as never);
    }
  }
  return taken;
}

/** Puts decisions back where they were. */
export function giveBackDecisions(store: Store, settings: KeptDecisions['settings']): void {
  for (const [key] of all)
    for (const { at, entry } of settings[key] ?? [])
      store.set(key, (store.get(key) as unknown[]).toSpliced(at, 0, entry) as never);
}

/** Renames a server in every setting. */
export function renameServer(store: Store, from: string, to: string): void {
  changeSetting(store, 'servers', (servers) => servers.map((one) => (one.name === from ? { ...one, name: to } : one)));
  for (const [key, belongs] of all) {
    const value: unknown = store.get(key);
    if (typeof belongs === 'string') continue;
    if (Array.isArray(value)) store.set(key, value.map((entry) => renamed(entry, belongs, from, to)) as never);
    else if (belongs.keys !== undefined && Object.hasOwn(value as object, from)) {
      const { [from]: own, ...others } = value as Record<string, unknown>;
      store.set(key, { ...others, [to]: own } as never);
    }
  }
}

function renamed(entry: unknown, belongs: Exclude<AnyBelonging, string>, from: string, to: string): unknown {
  const { is, list, field } = belongs;
  if (is !== undefined) return entry === from ? to : entry;
  const fields = entry as Record<string, unknown>;
  if (list !== undefined)
    return { ...fields, [list]: (fields[list] as string[]).map((name) => (name === from ? to : name)) };
  return field !== undefined && fields[field] === from ? { ...fields, [field]: to } : entry;
}
