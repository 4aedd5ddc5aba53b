/** Commands that install servers from bundles. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { installBundle, planBundle } from '../registry/bundle/bundle.ts';
import type { CommandServices } from './services.ts';
import { requireSeen, storeInstalled } from './store-installed.ts';
import { takenNames } from './taken-names.ts';

type Handlers = Pick<CommandHandlers, 'bundle.plan' | 'bundle.install'>;

export function bundleCommands(services: CommandServices): Handlers {
  const { host } = services;
  return {
    'bundle.plan': async ({ file, inputs }) => (await planBundle(file, inputs, takenNames(services), host)).plan,
    'bundle.install': async ({ file, inputs, hash }) => {
      const planned = await planBundle(file, inputs, takenNames(services), host);
      requireSeen(planned, hash);
      await installBundle(planned);
      await storeInstalled(services, planned);
      return { server: planned.plan.server };
    },
  };
}
