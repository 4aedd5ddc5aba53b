/** Commands that install servers from bundles. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { installBundle, planBundle } from '../registry/bundle/bundle.ts';
import { createReceivedBundles } from '../registry/received-bundles.ts';
import { systemCertificates } from '../servers/network.ts';
import type { CommandServices } from './services.ts';
import { requireSeen, storeInstalled } from './store-installed.ts';
import { takenNames } from './taken-names.ts';

type Handlers = Pick<CommandHandlers, 'bundle.receive' | 'bundle.discard' | 'bundle.plan' | 'bundle.install'>;
type BundleChoice = Parameters<Handlers['bundle.plan']>[0];

export function bundleCommands(services: CommandServices): Handlers {
  const { host } = services;
  let roots: Promise<readonly string[]> | undefined;

  /** Reads the system's certificates when the first signed bundle needs them. Without them, no signer is trusted. */
  function readRoots(): Promise<readonly string[]> {
    roots ??= systemCertificates().catch((error: Error) => {
      host.log('warn', `The system's certificates cannot be read: ${error.message}.`);
      roots = undefined;
      return [];
    });
    return roots;
  }
  const plan = (choice: BundleChoice) => planBundle({ ...choice, taken: takenNames(services), roots: readRoots }, host);

  const received = createReceivedBundles(host.dataDir);

  return {
    'bundle.receive': ({ id, part }) => received.add(id, Buffer.from(part, 'base64')),
    'bundle.discard': ({ file }) => received.remove(file),
    'bundle.plan': async (choice) => (await plan(choice)).plan,
    'bundle.install': async ({ hash, ...choice }) => {
      const planned = await plan(choice);
      requireSeen(planned, hash);
      await installBundle(planned);
      await storeInstalled(services, planned);
      // On Windows, another program may still hold the file. The next start deletes it.
      await received.remove(choice.file).catch(() => undefined);
      return { server: planned.plan.server };
    },
  };
}
