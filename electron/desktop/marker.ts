/** Empty marker files, whose existence and modification time the app checks at a later start. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

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
