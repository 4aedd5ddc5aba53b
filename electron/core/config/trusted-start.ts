/** Checks at each start of a server from a folder that its files are still those that the user trusted. */
import { fail } from '../../../shared/failure.ts';
import { folderSource, type ServerConfig } from '../../../shared/model/server.ts';
import type { Host } from '../host.ts';
import { type Hashes, hashFiles, serverFiles } from './folder/content.ts';
import { realFolder } from './folder/folder.ts';
import { trustedFolders } from './trust.ts';

/** Rejects with CONFIG_UNTRUSTED. */
export async function requireTrusted(
  server: ServerConfig,
  host: Pick<Host, 'projectDir' | 'dataDir' | 'log'>,
): Promise<void> {
  const { name, origins = [] } = server;
  const origin = origins.find(({ source }) => source === folderSource);
  if (!origin) return;
  const folder = realFolder(host.projectDir ?? '');
  const record = trustedFolders(host).find((trusted) => trusted.folder === folder);
  const found = await hashFiles(folder, await serverFiles(folder, server));
  const changed = record ? differing(found, record.files, origin.file === record.file) : folder;
  if (changed === undefined) return;
  throw fail('CONFIG_UNTRUSTED', `"${name}" did not start: ${changed} has changed since you trusted ${folder}.`, {
    server: name,
    file: changed,
    hint: `Review the folder with \`toolkeep trust\` in ${folder}, then restart the server.`,
  });
}

/** The first file whose content was not trusted. The servers of a folder's sources may run files that were not reviewed. */
function differing(found: Hashes, trusted: Hashes, isReviewed: boolean): string | undefined {
  const changed = Object.entries(found).find(
    ([file, hash]) => trusted[file] !== hash && (isReviewed || Object.hasOwn(trusted, file)),
  );
  return changed?.[0];
}
