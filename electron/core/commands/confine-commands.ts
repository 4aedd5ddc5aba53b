/** Commands that confine a server which ran without, after a trial start, and that undo this. */
import { fail, toFailure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { setServer, storedServer } from '../registry/journal.ts';
import { compareTools } from '../tools/compare-tools.ts';
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
      const nothing = { tools: [], same: 0, more: 0 };
      if (!isWanted) {
        await change({ ...config, sandbox: false });
        return nothing;
      }
      const confined: ServerConfig = { ...config, sandbox: config.sandbox || 'auto' };
      try {
        if (!stores.catalog.isDiscovered(server)) await servers.refresh(server);
        const { tools } = await servers.list(confined);
        const { changes } = await compareTools(stores.catalog.toolsOf(server), tools, () => undefined);
        if (changes.tools.length === 0) await change(confined);
        return changes;
      } catch (error) {
        return { ...nothing, failure: toFailure(error) };
      }
    },
  } satisfies Partial<CommandHandlers>;
}
