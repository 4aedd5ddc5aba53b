/** Commands that add Gatehouse to a client's config file and remove it: plan, show, apply, undo. */
import { fail } from '../../../shared/failure.ts';
import type { InstallChoice } from '../../../shared/model/install.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { namesTakenOver } from '../clients/import/import.ts';
import { applyInstall, clientFile, installStatus, undo } from '../clients/install/install.ts';
import { type PlannedInstall, planInstall, planUninstall } from '../clients/plan-install.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'install.status' | 'install.plan' | 'install.apply' | 'install.undo'>;

export function installCommands({ host, servers, clients, events }: CommandServices): Handlers {
  async function plan({ client, action, mode, profile, moveServers }: InstallChoice): Promise<PlannedInstall> {
    if (action === 'uninstall') return planUninstall(host, client);
    const moved = moveServers && (await namesTakenOver(host, await clientFile(host, client), servers.configs()));
    return planInstall(host, client, { mode, profile, ...(moved && { moveServers: moved }) });
  }

  return {
    'install.status': async () => {
      const connected = new Map(clients.views().map(({ via, connectedAt }) => [via, connectedAt]));
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
        throw fail('CLIENT_FILE_CHANGED', `${file} changed after the preview. Nothing was written.`, { file });
      const record = await applyInstall(host, planned);
      events.emit('import.changed', {});
      return { file, changed: record !== undefined };
    },
    'install.undo': async ({ client }) => {
      const done = await undo(host, client);
      events.emit('import.changed', {});
      return done;
    },
  };
}
