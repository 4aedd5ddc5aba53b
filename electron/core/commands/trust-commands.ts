/** Commands for trusted folders. */
import { fail } from '../../../shared/failure.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { realFolder } from '../config/folder/folder.ts';
import { revokeTrust, trustedFolders } from '../config/trust.ts';
import { reviewFolder, trustFolder } from '../config/trust-review.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'trust.review' | 'trust.save' | 'trust.list' | 'trust.revoke'>;

export function trustCommands({ host, configStore, applier }: CommandServices): Handlers {
  return {
    'trust.review': ({ folder, runCode }) => reviewFolder(host, configStore.state.user, folder, runCode),
    'trust.save': async (decision) => {
      await trustFolder(host, configStore.state.user, decision);
      await applier.reload();
    },
    'trust.list': () =>
      trustedFolders(host).map(({ folder, file, files, accepted, trustedAt }) => ({
        folder,
        file,
        files: Object.keys(files).length,
        accepted,
        trustedAt,
      })),
    'trust.revoke': async ({ folder }) => {
      // A folder that no longer exists has no real path.
      const revoked = (await revokeTrust(host, folder)) || (await revokeTrust(host, realFolder(folder)));
      if (!revoked) throw fail('INPUT_INVALID', `${folder} is not trusted.`, { hint: 'See `gatehouse trust list`.' });
      await applier.reload();
    },
  };
}
