/** Finds the entry files, next to the bundle or in the sources. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../../shared/failure.ts';
import flags from '../core-flags.json' with { type: 'json' };

/**
 * Flags for the Node process that runs Core. Most objects are short-lived, so a large young generation only costs
 * memory. Each garbage collection thread has its own heap, so there is only one.
 */
export const coreFlags: readonly string[] = flags;

/** The path of an entry file. Fails with INTERNAL if the installation is incomplete. */
export function entryFile(entry: 'headless' | 'bridge'): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 4; up += 1) {
    const found = ['js', 'cjs', 'ts'].map((kind) => join(folder, `${entry}.${kind}`)).find((file) => existsSync(file));
    if (found) return found;
    folder = dirname(folder);
  }
  throw fail('INTERNAL', `Toolkeep's file "${entry}" is missing. Reinstall Toolkeep.`);
}
