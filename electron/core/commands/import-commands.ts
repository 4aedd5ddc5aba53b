/** Commands that take over what other apps have configured: plan, then apply. */
import type { CommandHandlers } from '../../../shared/contract.ts';
import { planImport } from '../import/import.ts';
import type { Parts } from './commands.ts';

type Handlers = Pick<CommandHandlers, 'import.plan' | 'import.apply'>;

export function importCommands(parts: Parts): Handlers {
  const { host, servers } = parts;
  const plan = (sources?: string[]) => planImport(host, { ...(sources && { sources }), known: servers.configs() });
  return {
    'import.plan': ({ sources }) => plan(sources),
    'import.apply': async ({ entries }) => {
      const wanted = new Set(entries);
      const taken = (await plan()).entries.filter((entry) => wanted.has(entry.id) && entry.state === 'new');
      const fresh = taken.map(({ server, origins }) => ({ ...server, origins }));
      host.store.set('servers', [...host.store.get('servers'), ...fresh]);
      await parts.reconfigure();
      const imported = fresh.map(({ name }) => name);
      for (const { name, enabled } of fresh) if (enabled) servers.refresh(name).catch(() => undefined);
      parts.emit('import.changed', {});
      return { imported };
    },
  };
}
