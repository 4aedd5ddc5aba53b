/** Tells the user how to update an installation that does not update itself. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const containerMarks = ['/.dockerenv', '/run/.containerenv'];

interface Place {
  /** The folder of the built program. */
  folder: string;
  /** `process.resourcesPath`; only in Electron. */
  resourcesPath?: string | undefined;
  exists?(file: string): boolean;
}

/** One sentence for the user; undefined for the packaged app and for unknown kinds of installation. */
export function howToUpdate({ folder, resourcesPath, exists = existsSync }: Place): string | undefined {
  if (resourcesPath && exists(join(resourcesPath, 'app.asar'))) return undefined;
  if (/[\\/]_npx[\\/]/.test(folder)) return 'Start toolkeep@latest with npx.';
  if (/[\\/]node_modules[\\/]toolkeep[\\/]/.test(folder)) return 'Run npm install --global toolkeep@latest.';
  if (exists(join(folder, '..', '.git'))) return 'Run git pull in the checkout.';
  return containerMarks.some((mark) => exists(mark)) ? 'Pull the newest container image.' : undefined;
}
