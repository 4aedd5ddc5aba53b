/** The main window's bounds and whether it is maximized, in a separate file, because the window opens before the settings are read. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { WindowState } from './window.ts';

/** `get` returns undefined if the file is missing or damaged. */
export function openWindowState(file: string): WindowState {
  return {
    get() {
      try {
        return JSON.parse(readFileSync(file, 'utf8'));
      } catch {
        return undefined;
      }
    },
    set(state) {
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileAtomic.sync(file, `${JSON.stringify(state)}\n`, { mode: 0o600 });
      } catch {
        // Ignore errors; the window opens at its default position next time.
      }
    },
  };
}
