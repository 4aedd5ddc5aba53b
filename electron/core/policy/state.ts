/** The current state: compiled at its first use after a change, and kept until the next one. */
import type { Profile } from '../../../shared/model/profile.ts';
import type { Events } from '../events.ts';
import type { Settings, Store } from '../settings.ts';
import type { Pins } from '../tools/pins.ts';
import { compileState, compileTools, type Decides, type KnownTo } from './decide/compile.ts';
import type { Grants } from './grants.ts';
import type { KnownDestinations } from './known-destinations.ts';
import type { PolicyRow, State } from './rows.ts';

export interface StateSources {
  events: Pick<Events, 'on' | 'emit'>;
  store: Pick<Store, 'follow'>;
  configStore: { onChange(listener: () => void): unknown };
  servers: { readonly isPaused: boolean; configs(): readonly { name: string; enabled: boolean }[] };
  catalog: KnownTo & { isDiscovered(server: string): boolean };
  rules(): Decides;
  pins: Pick<Pins, 'heldReason'>;
  profiles: { list(): readonly { profile: Profile }[] };
  grants: Pick<Grants, 'all'>;
  known: Pick<KnownDestinations, 'all'>;
  config(): { approvals: PolicyRow };
}

/** The settings that decide about calls, other than those that are applied as rules and servers. */
const decisive: readonly (keyof Settings)[] = ['grants', 'knownDestinations', 'profiles', 'userSettings'];

/** Every other module that changes one of the sources emits `state.changed` before it returns. */
export function createState(sources: StateSources): () => State {
  const { events, store, configStore } = sources;
  let current: State | undefined;
  const changed = () => events.emit('state.changed', {});
  events.on('state.changed', () => {
    current = undefined;
  });
  configStore.onChange(changed);
  store.follow((key) => {
    if (decisive.includes(key)) changed();
  });
  return () => {
    current ??= stateOf(sources);
    return current;
  };
}

function stateOf({ servers, catalog, rules: rulesOf, pins, profiles, grants, known, config }: StateSources): State {
  const rules = rulesOf();
  return compileState({
    isPaused: servers.isPaused,
    servers: servers.configs().map(({ name, enabled }) => ({
      name,
      isEnabled: enabled,
      isDiscovered: catalog.isDiscovered(name),
    })),
    tools: compileTools(catalog, rules, pins),
    rules,
    profiles: profiles.list().map(({ profile }) => profile),
    grants: grants.all(),
    known: known.all(),
    approvals: config().approvals,
  });
}
