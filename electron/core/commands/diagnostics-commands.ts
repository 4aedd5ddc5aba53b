/** The command for diagnostics. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { diagnosticsText } from './diagnostics/diagnostics.ts';
import { shownServer } from './server-commands.ts';
import type { CommandServices } from './services.ts';

export function diagnosticsCommands(services: CommandServices): Pick<CommandHandlers, 'core.diagnostics'> {
  const { servers } = services;
  return {
    'core.diagnostics': async () => {
      const views = servers.configs().map((config) => shownServer(services, config));
      return { text: await diagnosticsText(services, views) };
    },
  };
}
