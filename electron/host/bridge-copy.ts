/** Copies of the bridge in the data folder, whose paths stay the same and whose files no installer replaces. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const program = 'gatehouse-bridge.exe';

/** Copies the bridge's file, and returns the copy. An AppImage is mounted at a different path on each run. */
export function copyBridge(file: string, dataDir: string): string {
  const copy = join(binFolder(dataDir), 'bridge.cjs');
  copyFileSync(file, copy);
  return copy;
}

/**
 * Copies the Node that the package for Windows contains, and returns the copy: bridges that ran on the app's binary would end with
 * each update. Undefined if the package has none, or if it cannot be copied.
 */
export function copyBridgeProgram(resources: string, dataDir: string): string | undefined {
  const original = join(resources, program);
  if (!existsSync(original)) return undefined;
  const folder = binFolder(dataDir);
  const copy = join(folder, program);
  try {
    removeOld(folder);
    // Versions of Node differ in size.
    if (existsSync(copy) && statSync(copy).size === statSync(original).size) return copy;
    copyFileSync(original, `${copy}.new`);
    // Windows can rename a program that runs, but not replace or remove it.
    if (existsSync(copy)) renameSync(copy, join(folder, `gatehouse-bridge-old-${Date.now()}.exe`));
    renameSync(`${copy}.new`, copy);
  } catch {
    // For example, the disk is full. Any version of the program can run the bridge.
  }
  return existsSync(copy) ? copy : undefined;
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.startsWith('gatehouse-bridge-old-'))) {
    try {
      rmSync(join(folder, name));
    } catch {
      // Still running; removed at a later start.
    }
  }
}

function binFolder(dataDir: string): string {
  const folder = join(dataDir, 'bin');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
