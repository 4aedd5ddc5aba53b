/** Commands that add Toolkeep to a client's config file and remove it: plan, show, apply, undo. */
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { InstallChoice } from '../../../shared/model/install.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { serversTakenOver } from '../clients/import/import.ts';
import { applyInstall, clientFile, installStatus, undo } from '../clients/install/install.ts';
import { notAsShown, type PlannedInstall, planInstall, planUninstall, targetOf } from '../clients/plan-install.ts';
import type { CommandServices } from './services.ts';

export function installCommands({ host, servers, clients, events, stores, profiles }: CommandServices) {
  /** When the entries of clients last changed: older sessions still have the access of the entry before. */
  const entryChanges = new Map<string, number>();

  async function plan({ client, action, moveServers, ...options }: InstallChoice): Promise<PlannedInstall> {
    if (action === 'uninstall') return planUninstall(host, client);
    if (!moveServers) return planInstall(host, client, options);
    const file = await clientFile(host, client);
    const taken = await serversTakenOver(host, file, servers.configs());
    // An import may have renamed the server, and the user read its name in the file.
    const isPlanned = (name: string) => moveServers === true || moveServers.includes(name);
    const moves = taken.filter(({ name, as }) => isPlanned(name) && as.some(stores.catalog.isDiscovered));
    const moved = moves.map(({ name }) => name);
    const staying = taken.map(({ name }) => name).filter((name) => !moved.includes(name));
    return planInstall(host, client, { ...options, moveServers: moved, staying });
  }

  function note(client: string, kind: 'added' | 'removed' | 'changed'): void {
    const { id, app } = targetOf(client).source;
    stores.changes.add({ subject: 'clientFiles', key: id, name: app, kind });
  }

  async function apply({ token, ...choice }: InstallChoice & { token: string }) {
    const planned = await plan(choice);
    if (planned.token !== token) throw notAsShown(planned, token);
    const at = Date.now();
    const record = await applyInstall(host, planned);
    if (record) {
      entryChanges.set(planned.client, at);
      note(planned.client, choice.action === 'uninstall' ? 'removed' : 'added');
    }
    // A connection from before says nothing about the new entry.
    const { [planned.client]: _, ...others } = host.store.get('lastConnections');
    host.store.set('lastConnections', others);
    return { file: planned.file, changed: record !== undefined };
  }

  return {
    'install.status': async () => {
      const connected = new Map(clients.views().map(({ via, connectedAt }) => [via, connectedAt]));
      const known = new Set(profiles.list().map(({ profile }) => profile.name));
      return (await installStatus(host)).map((found) => {
        const { profile } = found.access ?? {};
        const isProfileMissing = profile !== undefined && !known.has(profile);
        const status = { ...found, ...(isProfileMissing && { isProfileMissing }) };
        const connectedAt = connected.get(status.client);
        if (connectedAt !== undefined && connectedAt >= (entryChanges.get(status.client) ?? 0))
          return { ...status, connectedAt };
        const lastConnectedAt = host.store.get('lastConnections')[status.client];
        return lastConnectedAt === undefined ? status : { ...status, lastConnectedAt };
      });
    },
    'install.plan': async (choice) => {
      const { change: _, ...shown } = await plan(choice);
      return shown;
    },
    'install.apply': async (choice) => {
      const done = await apply(choice);
      events.emit('import.changed', {});
      return done;
    },
    'install.planRemoval': async () => {
      const statuses = await installStatus(host);
      const candidates = statuses.filter(({ state }) => state !== 'absent' && state !== 'foreign');
      const { done, problems } = await each(candidates, ({ client }) => plan({ client, action: 'uninstall' }));
      const plans = done.filter(({ unchanged }) => !unchanged).map(({ change: _, ...shown }) => shown);
      return { plans, problems };
    },
    'install.removeAll': async ({ changes }) => {
      const { done, problems } = await each(changes, async ({ client, token }) => {
        await apply({ client, action: 'uninstall', token });
        return client;
      });
      events.emit('import.changed', {});
      return { removed: done, problems };
    },
    'install.undo': async ({ client, dryRun }) => {
      const done = await undo(host, client, { dryRun });
      if (!dryRun) {
        note(client, 'changed');
        events.emit('import.changed', {});
      }
      return done;
    },
  } satisfies Partial<CommandHandlers>;
}

/** Runs `action` for one item after the other. A failure does not stop the others. */
async function each<T, R>(
  items: readonly T[],
  action: (item: T) => Promise<R>,
): Promise<{ done: R[]; problems: Failure[] }> {
  const done: R[] = [];
  const problems: Failure[] = [];
  for (const item of items) {
    try {
      done.push(await action(item));
    } catch (error) {
      problems.push(toFailure(error));
    }
  }
  return { done, problems };
}
