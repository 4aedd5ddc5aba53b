/** Creates a folder that only this user can enter. Rejects a link, and a folder that another user created. */
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { fail } from '../../../shared/failure.ts';

export function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  // Use lstat: through a link in a shared folder, another user could redirect the socket or the mode change.
  const status = lstatSync(folder);
  if (!status.isDirectory())
    throw fail('INTERNAL', `${folder} is a link or a file, not a folder. Remove it, then try again.`);
  if (status.uid !== process.getuid?.())
    throw fail(
      'INTERNAL',
      `The folder ${folder} belongs to another user. Set TOOLKEEP_HOME to a short path of your own.`,
    );
  if ((status.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
