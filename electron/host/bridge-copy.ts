/** Copies of the bridge in the data folder, whose paths stay the same and whose files no installer replaces. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

const program = 'toolkeep-bridge.exe';

/** Copies the bridge's file, and returns the copy. An AppImage is mounted at a different path on each run. */
export function copyBridge(file: string, dataDir: string): string {
  const copy = join(binFolder(dataDir), 'bridge.cjs');
  const content = readFileSync(file);
  if (existsSync(copy) && readFileSync(copy).equals(content)) return copy;
  try {
    // Clients may start the copy at any time, and must never read an incomplete one.
    writeFileAtomic.sync(copy, content);
  } catch (error) {
    // For example, the disk is full. Any version of the bridge can connect.
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * Copies the Windows package's own Node, and returns the copy, because each update would end bridges that run on the app's
 * binary. Undefined if the package has no Node, or if it cannot be copied.
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
    // Windows can rename a running program, but not replace or remove it.
    const old = join(folder, `toolkeep-bridge-old-${Date.now()}.exe`);
    if (existsSync(copy)) renameSync(copy, old);
    try {
      renameSync(`${copy}.new`, copy);
    } catch {
      if (existsSync(old)) renameSync(old, copy);
    }
  } catch {
    // For example, the disk is full. Any version of the program can run the bridge.
  }
  return existsSync(copy) ? copy : undefined;
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.startsWith('toolkeep-bridge-old-'))) {
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
