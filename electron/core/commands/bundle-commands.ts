/** Commands that install servers from bundles. */
import { fail } from '../../../shared/failure.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { installBundle, planBundle } from '../registry/bundle/bundle.ts';
import type { CommandServices } from './services.ts';
import { storeInstalled } from './store-installed.ts';
import { takenNames } from './taken-names.ts';

type Handlers = Pick<CommandHandlers, 'bundle.plan' | 'bundle.install'>;

export function bundleCommands(services: CommandServices): Handlers {
  const { host } = services;
  return {
    'bundle.plan': async ({ file, inputs }) => (await planBundle(file, inputs, takenNames(services), host)).plan,
    'bundle.install': async ({ file, inputs, hash }) => {
      const planned = await planBundle(file, inputs, takenNames(services), host);
      if (planned.plan.refused) throw fail('INSTALL_REFUSED', planned.plan.refused);
      if (planned.plan.hash !== hash)
        throw fail('INSTALL_REFUSED', 'Something has changed since the plan was shown. Look at it again.');
      await installBundle(planned);
      await storeInstalled(services, planned);
      return { server: planned.plan.server };
    },
  };
}
