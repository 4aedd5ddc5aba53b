/**
 * Whether this app runs at a path that does not last. macOS opens an app from Downloads at a random, read-only path until the
 * user moves it (translocation), and an app on a disk image is gone when the image is ejected.
 */
import { accessSync, constants } from 'node:fs';

/** Why clients cannot start this app later, and the next step; undefined if they can. */
export function temporaryApp(execPath = process.execPath, platform = process.platform): string | undefined {
  const [, bundle] = /^(.+\.app)\/Contents\/MacOS\//.exec(execPath) ?? [];
  if (platform !== 'darwin' || !bundle) return undefined;
  const step = 'Move Toolkeep to the Applications folder, and open it from there.';
  if (bundle.includes('/AppTranslocation/')) return `macOS runs Toolkeep from a temporary folder. ${step}`;
  // An app on an external disk stays.
  if (bundle.startsWith('/Volumes/') && isReadOnly(bundle)) return `Toolkeep runs from a disk image. ${step}`;
  return undefined;
}

function isReadOnly(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}
