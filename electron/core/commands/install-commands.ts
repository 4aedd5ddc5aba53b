/** Commands that put Gatehouse into other apps and take it out again: plan, show, apply, undo (row N5). */
import type { CommandHandlers } from '../../../shared/contract.ts';
import { fail } from '../../../shared/failure.ts';
import type { InstallChoice } from '../../../shared/model.ts';
import { namesTakenOver } from '../import/import.ts';
import {
  applyInstall,
  clientFile,
  installStatus,
  type PlannedInstall,
  planInstall,
  planUninstall,
  undo,
} from '../install/install.ts';
import type { Parts } from './parts.ts';

type Handlers = Pick<CommandHandlers, 'install.status' | 'install.plan' | 'install.apply' | 'install.undo'>;

export function installCommands({ host, servers, clients, emit }: Parts): Handlers {
  async function plan({ client, action, mode, profile, moveServers }: InstallChoice): Promise<PlannedInstall> {
    if (action === 'uninstall') return planUninstall(host, client);
    const moved = moveServers && (await namesTakenOver(host, await clientFile(host, client), servers.configs()));
    return planInstall(host, client, { mode, profile, ...(moved && { moveServers: moved }) });
  }

  return {
    'install.status': async () => {
      const connected = new Map(clients().map(({ via, connectedAt }) => [via, connectedAt]));
      return (await installStatus(host)).map((status) => {
        const connectedAt = connected.get(status.client);
        return connectedAt === undefined ? status : { ...status, connectedAt };
      });
    },
    'install.plan': async (choice) => {
      const { change: _, ...shown } = await plan(choice);
      return shown;
    },
    'install.apply': async ({ token, ...choice }) => {
      const planned = await plan(choice);
      const { file } = planned;
      if (planned.token !== token)
        throw fail('CLIENT_FILE_CHANGED', `${file} changed since the change was shown. Nothing was written.`, { file });
      const record = await applyInstall(host, planned);
      emit('import.changed', {});
      return { file, changed: record !== undefined };
    },
    'install.undo': async ({ client }) => {
      const done = await undo(host, client);
      emit('import.changed', {});
      return done;
    },
  };
}
