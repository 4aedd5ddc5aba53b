/** Commands that install servers from bundles, and update them. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { installBundle, planBundle } from '../registry/bundle/bundle.ts';
import { createReceivedBundles } from '../registry/received-bundles.ts';
import { confinementFor, withVaultWarning } from './plan-entry.ts';
import type { CommandServices } from './services.ts';
import { requireSeen, storeInstalled } from './store-installed.ts';
import { takenNames } from './taken-names.ts';

type BundleChoice = Parameters<CommandHandlers['bundle.plan']>[0];

export function bundleCommands(services: CommandServices) {
  const { host, stores } = services;
  const plan = async (choice: BundleChoice) => {
    const own = { servers: host.store.get('servers'), taken: takenNames(services), hasSecret: stores.vault.has };
    const request = { ...choice, ...own, confinement: confinementFor(services) };
    return withVaultWarning(await planBundle(request, host), services);
  };

  const clean = () => stores.bundleFolders.clean();
  const received = createReceivedBundles(host.dataDir);

  return {
    'bundle.receive': ({ id, part }) => received.add(id, Buffer.from(part, 'base64')),
    'bundle.discard': ({ file }) => received.remove(file),
    'bundle.plan': (choice) => received.use(choice.file, async () => (await plan(choice)).plan),
    'bundle.install': async ({ hash, ...choice }) => {
      const install = async () => {
        const planned = await plan(choice);
        requireSeen(planned, hash);
        await installBundle(planned);
        await storeInstalled(services, planned);
        return planned;
      };
      const { bundleFolders } = stores;
      const planned = await received.use(choice.file, () => bundleFolders.keepAll(install).finally(clean));
      // On Windows, another program may still hold the file. The next start deletes it.
      await received.remove(choice.file).catch(() => undefined);
      return { server: planned.plan.server };
    },
  } satisfies Partial<CommandHandlers>;
}
