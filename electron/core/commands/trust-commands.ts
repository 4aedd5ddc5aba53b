/** Commands for trusted folders. */
import { isAbsolute } from 'node:path';
import { fail } from '../../../shared/failure.ts';
import type { TrustedFolderView } from '../../../shared/model/trust.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { realFolder } from '../config/folder/folder.ts';
import { revokeTrust, saveTrust, type TrustRecord, trustedFolders } from '../config/trust.ts';
import { reviewFolder, trustFolder } from '../config/trust-review.ts';
import { expandHome } from '../files/expand-home.ts';
import type { CommandServices } from './services.ts';

export function trustCommands({ host, configStore, applier }: CommandServices) {
  /** The folders whose trust was revoked since Core started, by path, for `trust.restore`. */
  const revoked = new Map<string, TrustRecord>();

  function stateOf(path: string): TrustedFolderView['state'] {
    const { folder } = configStore.state;
    if (folder?.path !== path) return 'inactive';
    return folder.status === 'trusted' ? 'active' : 'changed';
  }

  return {
    'trust.review': ({ folder, runCode }) => {
      const path = expandHome(folder, host.homeDir);
      // A relative path would depend on where Core was started.
      if (!isAbsolute(path))
        throw fail('INPUT_INVALID', `${folder} is not an absolute path.`, { hint: 'Start it with / or ~.' });
      return reviewFolder(host, configStore.state.user, path, runCode);
    },
    'trust.save': async (decision) => {
      await trustFolder(host, configStore.state.user, decision);
      await applier.reload();
    },
    'trust.list': () =>
      trustedFolders(host).map(({ files, ...record }) => ({
        ...record,
        files: Object.keys(files).length,
        state: stateOf(record.folder),
      })),
    'trust.revoke': async ({ folder }) => {
      // A folder that no longer exists has no real path.
      const record = (await revokeTrust(host, folder)) ?? (await revokeTrust(host, realFolder(folder)));
      if (!record) throw fail('INPUT_INVALID', `${folder} is not trusted.`, { hint: 'See `toolkeep trust list`.' });
      revoked.set(record.folder, record);
      await applier.reload();
    },
    'trust.restore': async ({ folder }) => {
      const record = revoked.get(folder);
      if (!record)
        throw fail(
          'INPUT_INVALID',
          `Nothing to restore: trust in ${folder} has not been revoked since Toolkeep started.`,
        );
      revoked.delete(folder);
      await saveTrust(host, record);
      await applier.reload();
    },
  } satisfies Partial<CommandHandlers>;
}
