/** Empty marker files, whose existence and modification time the app checks at a later start. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether the file was missing and exists from now on. False where it cannot be written: otherwise, each time would be the first. */
export const isFirstTime = (file: string): boolean => !existsSync(file) && writeMarker(file);

/** Returns false if the file cannot be written. */
export function writeMarker(file: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    return true;
  } catch {
    return false;
  }
}
