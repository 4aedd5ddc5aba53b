/** Commands that confine a server which ran without, after a trial start, and that undo this. */
import { fail, toFailure } from '../../../shared/failure.ts';
import type { ConfinementTrial } from '../../../shared/model/sandbox.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { setServer, storedServer } from '../registry/journal.ts';
import { readOnly } from './read-only.ts';
import type { CommandServices } from './services.ts';

export function confineCommands(services: CommandServices) {
  const { host, servers, applier, stores } = services;

  function own(server: string): ServerConfig {
    servers.config(server);
    const config = storedServer(host, server);
    if (config?.connection.type === 'stdio') return config;
    if (!config) throw readOnly(services, server, 'Change its `sandbox` there.');
    const hint = 'Only servers with a command can be confined.';
    throw fail('INPUT_INVALID', `"${server}" is a remote server.`, { server, hint });
  }

  async function change(config: ServerConfig): Promise<void> {
    setServer(host, config);
    await applier.reconfigure();
    servers.refresh(config.name).catch(() => undefined);
  }

  return {
    'servers.confine': async ({ server, isWanted }) => {
      const config = own(server);
      const nothing = { different: [], same: 0 };
      if (!isWanted) {
        await change({ ...config, sandbox: false });
        return nothing;
      }
      const confined: ServerConfig = { ...config, sandbox: config.sandbox || 'auto' };
      try {
        if (!stores.catalog.isDiscovered(server)) await servers.refresh(server);
        const { tools } = await servers.list(confined);
        const trial = compareTools(stores.catalog.toolsOf(server), tools);
        if (trial.different.length === 0) await change(confined);
        return trial;
      } catch (error) {
        return { ...nothing, failure: toFailure(error) };
      }
    },
  } satisfies Partial<CommandHandlers>;
}

function compareTools(before: readonly Tool[], after: readonly Tool[]): ConfinementTrial {
  const old = new Map(before.map(({ name, fingerprint }) => [name, fingerprint]));
  const now = new Map(after.map(({ name, fingerprint }) => [name, fingerprint]));
  const names = new Set([...now.keys(), ...old.keys()]);
  const different = [...names].filter((name) => old.get(name) !== now.get(name));
  return { different, same: names.size - different.length };
}
