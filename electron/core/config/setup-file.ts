/** Exports servers, rules and profiles to a setup file without secrets, and imports one. */

import type { Profile } from '../../../shared/model/profile.ts';
import type { OwnRule, Rule } from '../../../shared/model/rule.ts';
import { strictSandbox } from '../../../shared/model/sandbox.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { Setup, SetupReport } from '../../../shared/model/setup-file.ts';
import { messageOf } from '../../../shared/text-from.ts';
import type { Host } from '../host.ts';
import { secretNames, tryResolve } from '../secrets/resolve.ts';
import { referencesToInputs, secretsToInputs, type Vault } from '../secrets/vault.ts';
import { changeSetting } from '../settings.ts';
import { describeConnectionInFull } from './folder/describe-server.ts';
import { describeTarget } from './folder/rules.ts';

export interface SetupContext {
  host: Pick<Host, 'store' | 'env' | 'homeDir'>;
  vault: Vault;
  /** All configured servers, from every source. */
  servers: ServerConfig[];
  configRules: Rule[];
  profiles: Profile[];
  /** Confines a server without limits of its own, like any server that the user adds. */
  confine(server: ServerConfig): Promise<ServerConfig>;
}

/** Returns the setup file. Omits the servers' origins, because they are local paths, and their previous versions. */
export function exportSetup({ host, servers, configRules, profiles }: SetupContext): Setup {
  return {
    toolkeep: 'setup',
    version: 1,
    servers: servers.map(secretsToInputs).map(({ origins: _, previous: __, ...server }) => server),
    rules: allRules({ host, configRules }),
    profiles,
  };
}

const allRules = ({ host, configRules }: Pick<SetupContext, 'host' | 'configRules'>): OwnRule[] => [
  ...host.store.get('rules'),
  ...configRules.map((rule) => ({ ...rule, active: true })),
];

/** Returns the changes that importing `setup` would make. `replace` also overwrites entries with different content. */
export async function planSetup(setup: Setup, parts: SetupContext, replace: boolean): Promise<SetupReport> {
  const compared = await comparedServers(setup, parts, []);
  const taken = takenFrom(setup, compared, parts, replace);
  const missing = await Promise.all(taken.servers.map((server) => missingFor(server, parts)));
  return {
    servers: compared.map(({ given, server, state }) => ({
      name: server.name,
      state,
      target: describeConnectionInFull({ ...server, connection: given.connection }),
    })),
    rules: [
      ...taken.rules.map(({ id, rule, loosens }) => ({ id, text: ruleText(rule), loosens })),
      ...compared.flatMap(({ given, limits }) =>
        limits === undefined ? [] : [{ id: limits, text: limitsText(given), loosens: true }],
      ),
    ],
    profiles: setup.profiles.map((profile) => ({
      name: profile.name,
      state: stateOf(profile, parts.profiles, (known) => same(known, profile)),
    })),
    missing: missing.filter(({ secrets }) => secrets.length > 0),
  };
}

/**
 * Saves the imported entries, which the caller then applies to the running servers. `accept` has the IDs of the rules
 * that weaken the user's protection and that the user accepted; they come after all other rules. Returns the names of
 * the saved servers.
 */
export async function applySetup(
  setup: Setup,
  parts: SetupContext,
  replace: boolean,
  accept: string[],
): Promise<string[]> {
  const { store } = parts.host;
  const { servers, rules, profiles } = takenFrom(setup, await comparedServers(setup, parts, accept), parts, replace);
  const wanted = rules
    .filter(({ id, loosens }) => !loosens || accept.includes(id))
    .map(({ rule, loosens }): OwnRule => (loosens ? { ...rule, isLast: true } : rule));
  changeSetting(store, 'servers', (own) => merged(own, servers));
  changeSetting(store, 'rules', (own) => [...own, ...wanted]);
  changeSetting(store, 'profiles', (own) => merged(own, profiles));
  return servers.map(({ name }) => name);
}

type State = 'new' | 'same' | 'other';

/** The servers of the file as they would be saved, beside those of the user. */
function comparedServers(setup: Setup, { servers: own, confine }: SetupContext, accept: string[]) {
  return Promise.all(
    setup.servers.map(async (given, index) => {
      // A file without limits does not remove the user's own, and its author does not choose wider ones.
      const mine = own.find(({ name }) => name === given.name);
      const { sandbox: chosen, ...free } = given;
      const strict = strictSandbox(chosen);
      const isAsMine = mine !== undefined && same(chosen || undefined, mine.sandbox || undefined);
      const isLoose = chosen !== undefined && strict === undefined && !isAsMine;
      const limits = isLoose ? `servers[${index}].sandbox` : undefined;
      const sandbox = limits !== undefined && accept.includes(limits) ? chosen : (strict ?? mine?.sandbox);
      const limited = { ...free, ...(sandbox !== undefined && { sandbox }) };
      const state = stateOf(limited, own, (known) => essence(known) === essence(limited));
      const server = referencesToInputs(state === 'same' ? limited : await confine(limited));
      return { given, server, state, limits };
    }),
  );
}

const limitsText = ({ name, sandbox }: ServerConfig) =>
  sandbox === false
    ? `${name} runs with all your rights, not confined`
    : `${name} is confined with the limits of the file: ${JSON.stringify(sandbox)}`;

function takenFrom(
  setup: Setup,
  compared: { server: ServerConfig; state: State }[],
  parts: SetupContext,
  replace: boolean,
) {
  const isWanted = (state: State) => state === 'new' || (state === 'other' && replace);
  const known = allRules(parts);
  const profileTags = new Set(parts.profiles.flatMap(({ tags }) => tags));
  return {
    servers: compared.filter(({ state }) => isWanted(state)).map(({ server }) => server),
    rules: setup.rules
      .map((rule, index) => ({ rule, id: `rules[${index}]`, loosens: weakens(rule, known, profileTags) }))
      .filter(
        ({ rule }) => !known.some((mine) => same({ ...mine, isLast: undefined }, { ...rule, isLast: undefined })),
      ),
    profiles: setup.profiles.filter((profile) =>
      isWanted(stateOf(profile, parts.profiles, (mine) => same(mine, profile))),
    ),
  };
}

/**
 * True for a rule that asks less often, that adds tools to a profile of the user, or that enables tools although the user's
 * other rules decide which are enabled.
 */
function weakens(
  { active, confirm, destinations, enabled, tags = [] }: OwnRule,
  known: OwnRule[],
  profileTags: ReadonlySet<string>,
): boolean {
  if (!active) return false;
  if (destinations === 'any' || tags.some((tag) => profileTags.has(tag))) return true;
  if (confirm === 'auto' && known.some((rule) => rule.active && rule.confirm === 'always')) return true;
  return confirm === 'never' || (enabled === true && known.some((rule) => rule.active && rule.enabled !== undefined));
}

function ruleText(rule: OwnRule): string {
  const { enabled, confirm, destinations, tags = [], active } = rule;
  const parts = [
    ...(enabled === undefined ? [] : [enabled ? 'enables' : 'disables']),
    ...(confirm === undefined ? [] : [{ always: 'always asks', never: 'never asks', auto: 'asks by safety' }[confirm]]),
    ...(destinations === undefined
      ? []
      : [{ known: 'asks about new destinations', any: 'allows new destinations' }[destinations]]),
    ...(tags.length > 0 ? [`tags ${tags.join(', ')}`] : []),
  ];
  return `${parts.join(', ')}: ${describeTarget(rule)}${active ? '' : ' (inactive)'}`;
}

function stateOf<T extends { name: string }>(item: T, known: T[], isSame: (known: T) => boolean): State {
  const mine = known.find(({ name }) => name === item.name);
  if (!mine) return 'new';
  return isSame(mine) ? 'same' : 'other';
}

/** Returns the comparable content of a server, ignoring its secrets. */
function essence(server: ServerConfig): string {
  const { connection, description, slug, lifecycle, sandbox } = secretsToInputs(server);
  const bare = JSON.stringify({ connection, description, slug, lifecycle, sandbox });
  // A secret stored here and an input in the file are the same setting.
  return bare.replaceAll(/\$\{(?:secret|input):[^{}]{1,1000}\}/g, '${}');
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function merged<T extends { name: string }>(own: readonly T[], taken: T[]): T[] {
  const names = new Set(taken.map(({ name }) => name));
  return [...own.filter(({ name }) => !names.has(name)), ...taken];
}

async function missingFor({ name, connection }: ServerConfig, { host, vault }: SetupContext) {
  const stored = await vault.reveal(secretNames(connection, name));
  const { env, homeDir } = host;
  try {
    const { missing } = tryResolve(connection, { server: name, env, homeDir, stored });
    return { server: name, secrets: missing.map(({ label }) => label) };
  } catch (error) {
    // The env file does not exist on this machine.
    return { server: name, secrets: [messageOf(error)] };
  }
}
