/** Commands for the list of what Toolkeep changed for the user, and for undoing it. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { Changes } from '../history/changes.ts';
import type { CommandServices } from './services.ts';

type Undoing = 'servers.restore' | 'servers.remove' | 'servers.setEnabled' | 'install.undo';

export function changeCommands(
  { stores: { changes, pins }, applier, events }: CommandServices,
  handlers: () => Pick<CommandHandlers, Undoing>,
) {
  return {
    'changes.list': changes.list,
    'changes.undo': async ({ id }) => {
      await changes.undo(id, async ({ subject, key, kind, before }) => {
        const isAdded = kind === 'added';
        if (subject === 'disabledServers') await handlers()['servers.setEnabled']({ server: key, enabled: isAdded });
        else if (subject === 'servers')
          await handlers()[isAdded ? 'servers.remove' : 'servers.restore']({ server: key });
        else if (subject === 'clientFiles') await handlers()['install.undo']({ client: key });
        else if (subject === 'pins') pins.put(key, before);
        else return false;
        return true;
      });
      await applier.reconfigure();
      await applier.setRetention();
      events.emit('tools.changed', { servers: [] });
      events.emit('servers.changed', { servers: [] });
      events.emit('registry.changed', {});
      events.emit('clients.changed', {});
      events.allListsChanged();
    },
  } satisfies Partial<CommandHandlers>;
}

/** The commands of a UI. All that one of them changes becomes one entry of the list. */
export function recorded(commands: CommandHandlers, changes: Changes, ui: 'window' | 'terminal'): CommandHandlers {
  const entries = Object.entries(commands).map(([command, run]: [string, (input: never) => unknown]) => [
    command,
    (input: never) => changes.during({ ui, command }, () => run(input)),
  ]);
  return Object.fromEntries(entries) as CommandHandlers;
}
