/** Handing the whole setup on, and taking one over (issue 4, point 6): servers, rules and profiles, never a secret. */
import type { OwnRule, Profile, Rule, ServerConfig, Setup, SetupReport } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import {
  describeConnection,
  secretNames,
  tryResolve,
  type Vault,
  withoutReferences,
  withoutSecrets,
} from '../secrets/secrets.ts';

export interface SetupParts {
  host: Pick<Host, 'store' | 'env' | 'homeDir'>;
  vault: Vault;
  /** Every server that there is, wherever it is configured. */
  servers: ServerConfig[];
  configRules: Rule[];
  profiles: Profile[];
}

/** Where a server came from stays behind: it is a path on this machine. */
export function exportSetup({ host, servers, configRules, profiles }: SetupParts): Setup {
  return {
    gatehouse: 'setup',
    version: 1,
    servers: servers.map(withoutSecrets).map(({ origins: _, ...server }) => server),
    rules: [...host.store.get('rules'), ...configRules.map((rule) => ({ ...rule, active: true }))],
    profiles,
  };
}

/** What `setup` would bring; `replace` also takes what has another content here. */
export async function planSetup(setup: Setup, parts: SetupParts, replace: boolean): Promise<SetupReport> {
  const taken = takenFrom(setup, parts, replace);
  const missing = await Promise.all(taken.servers.map((server) => missingFor(server, parts)));
  return {
    servers: setup.servers.map((server) => ({
      name: server.name,
      state: stateOf(server, parts.servers, (known) => essence(known) === essence(server)),
      target: describeConnection(server.connection),
    })),
    rules: taken.rules.length,
    profiles: setup.profiles.map((profile) => ({
      name: profile.name,
      state: stateOf(profile, parts.profiles, (known) => same(known, profile)),
    })),
    missing: missing.filter(({ secrets }) => secrets.length > 0),
  };
}

/** Writes it to the settings; the caller then brings the running servers in line. */
export function applySetup(setup: Setup, parts: SetupParts, replace: boolean): void {
  const { store } = parts.host;
  const { servers, rules, profiles } = takenFrom(setup, parts, replace);
  store.set('servers', merged(store.get('servers'), servers));
  store.set('rules', [...store.get('rules'), ...rules]);
  store.set('profiles', merged(store.get('profiles'), profiles));
}

function takenFrom(setup: Setup, parts: SetupParts, replace: boolean) {
  const isWanted = (state: 'new' | 'same' | 'other') => state === 'new' || (state === 'other' && replace);
  const known: OwnRule[] = [
    ...parts.host.store.get('rules'),
    ...parts.configRules.map((rule) => ({ ...rule, active: true })),
  ];
  return {
    servers: setup.servers
      .filter((server) => isWanted(stateOf(server, parts.servers, (mine) => essence(mine) === essence(server))))
      .map((server) => withoutReferences(server)),
    rules: setup.rules.filter((rule) => !known.some((mine) => same(mine, rule))),
    profiles: setup.profiles.filter((profile) =>
      isWanted(stateOf(profile, parts.profiles, (mine) => same(mine, profile))),
    ),
  };
}

function stateOf<T extends { name: string }>(
  item: T,
  known: T[],
  isSame: (known: T) => boolean,
): 'new' | 'same' | 'other' {
  const mine = known.find(({ name }) => name === item.name);
  if (!mine) return 'new';
  return isSame(mine) ? 'same' : 'other';
}

/** A server as a setup holds it: what it resolves to, its secrets aside. */
function essence(server: ServerConfig): string {
  const { connection, description, lifecycle } = withoutSecrets(server);
  const bare = JSON.stringify({ connection, description, lifecycle });
  // A secret that was asked for here and one that is named there are the same blank.
  return bare.replaceAll(/\$\{(?:secret|input):[^{}]{1,1000}\}/g, '${}');
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function merged<T extends { name: string }>(own: readonly T[], taken: T[]): T[] {
  const names = new Set(taken.map(({ name }) => name));
  return [...own.filter(({ name }) => !names.has(name)), ...taken];
}

async function missingFor({ name, connection }: ServerConfig, { host, vault }: SetupParts) {
  const stored = await vault.reveal(secretNames(connection, name));
  const { env, homeDir } = host;
  try {
    const { missing } = tryResolve(connection, { server: name, env, homeDir, stored });
    return { server: name, secrets: missing.map(({ label }) => label) };
  } catch (error) {
    // A file of variables that is not here.
    return { server: name, secrets: [error instanceof Error ? error.message : String(error)] };
  }
}
