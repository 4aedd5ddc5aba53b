/** Checks whether something exists at a path. */
import { stat } from 'node:fs/promises';

/** Resolves with true for a file or a folder, and with false if there is none or if access is denied. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
