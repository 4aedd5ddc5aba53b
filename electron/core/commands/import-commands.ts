/** Commands that take over what other apps have configured: plan, then apply. */
import type { CommandHandlers } from '../../../shared/contract.ts';
import { planImport } from '../import/import.ts';
import { holdingSecrets, moveAllToVault, withSecretsMasked } from '../secrets/secrets.ts';
import type { Parts } from './commands.ts';

type Handlers = Pick<CommandHandlers, 'import.plan' | 'import.apply'>;

export function importCommands(parts: Parts): Handlers {
  const { host, servers, vault } = parts;
  const plan = (sources?: string[]) => planImport(host, { ...(sources && { sources }), known: servers.configs() });
  return {
    'import.plan': async ({ sources }) => {
      const { files, entries } = await plan(sources);
      // It goes to windows and terminals; what is applied is planned anew.
      return { files, entries: entries.map((entry) => ({ ...entry, server: withSecretsMasked(entry.server) })) };
    },
    'import.apply': async ({ entries, sources, moveSecrets }) => {
      const wanted = new Set(entries);
      const taken = (await plan(sources)).entries.filter((entry) => wanted.has(entry.id) && entry.state === 'new');
      const found = taken.map(({ server, origins }) => ({ ...server, origins }));
      const { servers: fresh, ...secrets } = moveSecrets
        ? await moveAllToVault(found, vault)
        : { servers: found, moved: [], plain: holdingSecrets(found) };
      host.store.set('servers', [...host.store.get('servers'), ...fresh]);
      await parts.reconfigure();
      const imported = fresh.map(({ name }) => name);
      for (const { name, enabled } of fresh) if (enabled) servers.refresh(name).catch(() => undefined);
      parts.emit('import.changed', {});
      return { imported, ...secrets };
    },
  };
}
