/** The bounds of the main window, in a file of their own: the window opens before the settings are read. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { WindowState } from './window.ts';

/** A file that is missing or damaged means default bounds. */
export function openWindowState(file: string): WindowState {
  return {
    get() {
      try {
        return JSON.parse(readFileSync(file, 'utf8'));
      } catch {
        return undefined;
      }
    },
    set(bounds) {
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileAtomic.sync(file, `${JSON.stringify(bounds)}\n`, { mode: 0o600 });
      } catch {
        // The window opens at its default place next time.
      }
    },
  };
}
