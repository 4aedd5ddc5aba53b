/** The names that a new server must not receive, because settings or secrets already refer to them. */
import { namedSecrets } from '../secrets/resolve.ts';
import type { CommandServices } from './services.ts';

type Services = Pick<CommandServices, 'host' | 'servers' | 'profiles' | 'approvals' | 'config' | 'stores'>;

/** A removed server that the user can restore keeps its name, and written rules and secrets name servers that may not exist. */
export function takenNames({ host, servers, profiles, approvals, config, stores }: Services): Set<string> {
  const { store } = host;
  const configs = servers.configs();
  const rules = [...store.get('rules'), ...config().toolRules];
  const secrets = [
    ...stores.vault.names(),
    ...configs.flatMap(({ name, connection }) => namedSecrets(connection, name)),
  ];
  return new Set([
    ...configs.map(({ name }) => name),
    ...store.get('removedServers').map((removed) => removed.config.name),
    ...store.get('disabledServers'),
    ...[...store.get('overrides'), ...approvals.grants(), ...approvals.known.list(), ...rules].flatMap(
      ({ server }) => server ?? [],
    ),
    ...rules.flatMap(({ pattern }) => pattern).flatMap((pattern) => startOf(pattern, ':')),
    ...profiles.list().flatMap(({ profile }) => profile.servers),
    ...secrets.flatMap((secret) => startOf(secret, '/')),
  ]);
}

/** A list with the text before the separator; empty if there is none. */
function startOf(text: string, separator: string): string[] {
  const end = text.indexOf(separator);
  return end > 0 ? [text.slice(0, end)] : [];
}
