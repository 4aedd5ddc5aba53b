/** Commands that install servers from bundles, and update them. */
import { rm } from 'node:fs/promises';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { installBundle, planBundle } from '../registry/bundle/bundle.ts';
import { createReceivedBundles } from '../registry/received-bundles.ts';
import { systemCertificates } from '../servers/network.ts';
import { withLocalFacts } from './plan-entry.ts';
import { createRehearsals } from './rehearsals.ts';
import type { CommandServices } from './services.ts';
import { requireSeen, storeInstalled } from './store-installed.ts';
import { takenNames } from './taken-names.ts';

type BundleChoice = Parameters<CommandHandlers['bundle.plan']>[0];

export function bundleCommands(services: CommandServices) {
  const { host, stores } = services;
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
  const plan = async (choice: BundleChoice, folder?: string) => {
    const own = { servers: host.store.get('servers'), taken: takenNames(services), hasSecret: stores.vault.has };
    return withLocalFacts(await planBundle({ ...choice, ...own, folder, roots: readRoots }, host), services);
  };

  const clean = () => stores.bundleFolders.clean();
  const received = createReceivedBundles(host.dataDir);
  const rehearsals = createRehearsals(services);

  async function rehearse(choice: BundleChoice, hash: string) {
    const planned = await plan(choice);
    requireSeen(planned, hash);
    const folder = await received.temporaryFolder();
    try {
      await installBundle({ ...planned, folder });
      return await rehearsals.run(planned, (inputs) =>
        plan({ ...choice, inputs: { ...choice.inputs, ...inputs } }, folder),
      );
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }

  return {
    'bundle.receive': ({ id, part }) => received.add(id, Buffer.from(part, 'base64')),
    'bundle.discard': ({ file }) => received.remove(file),
    'bundle.plan': (choice) => received.use(choice.file, async () => (await plan(choice)).plan),
    'bundle.rehearse': ({ hash, ...choice }) => received.use(choice.file, () => rehearse(choice, hash)),
    'bundle.install': async ({ hash, accept = false, ...choice }) => {
      const install = async () => {
        const planned = await plan(choice);
        requireSeen(planned, hash);
        await installBundle(planned);
        await storeInstalled(services, planned);
        return planned;
      };
      const { bundleFolders } = stores;
      const planned = await received.use(choice.file, () => bundleFolders.keepAll(install).finally(clean));
      rehearsals.installed(planned, accept);
      // On Windows, another program may still hold the file. The next start deletes it.
      await received.remove(choice.file).catch(() => undefined);
      return { server: planned.plan.server };
    },
  } satisfies Partial<CommandHandlers>;
}
