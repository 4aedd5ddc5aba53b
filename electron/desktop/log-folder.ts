/** Opens the folder with the log and the crash reports in the file manager. */
import { join } from 'node:path';
import { shell } from 'electron';
import type { Host } from '../core/host.ts';

export async function openLogFolder(dataDir: string, log: Host['log']): Promise<void> {
  const folder = join(dataDir, 'logs');
  // Electron resolves with a message instead of rejecting.
  const problem = await shell.openPath(folder);
  if (problem !== '') log('warn', `${folder} could not be opened: ${problem}`);
}
