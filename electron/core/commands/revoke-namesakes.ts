/** Revokes what the user allowed a removed server to do, before another server gets its name. */
import { withPolicies } from '../rules/overrides.ts';
import type { CommandServices } from './services.ts';

export function revokeNamesakes(
  { host, approvals }: Pick<CommandServices, 'host' | 'approvals'>,
  names: readonly string[],
): void {
  for (const { id, server } of approvals.grants()) if (names.includes(server)) approvals.revoke(id);
  const overrides = host.store.get('overrides');
  const loose = overrides.filter(
    ({ server, confirm, destinations }) => names.includes(server) && (confirm === 'never' || destinations === 'any'),
  );
  if (loose.length > 0)
    host.store.set('overrides', withPolicies(overrides, loose, { confirm: null, destinations: null }));
}
