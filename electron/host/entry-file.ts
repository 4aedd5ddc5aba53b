/** Where the product's entries lie: beside this file's bundle, in the sources when it runs from there, or beside the app's archive. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../../shared/failure.ts';
import type { BridgeCommand } from '../core/host.ts';
import flags from '../core-flags.json' with { type: 'json' };

/**
 * For the Node of a Core, whoever starts it. Nearly all that is young dies young; the room that Node leaves for it would
 * only be held for ever. Helpers of the collector keep a heap of their own each; one is enough.
 */
export const coreFlags: readonly string[] = flags;

export function entryFile(entry: 'headless' | 'bridge'): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 4; up += 1) {
    const found = ['js', 'cjs', 'ts'].map((kind) => join(folder, `${entry}.${kind}`)).find((file) => existsSync(file));
    if (found) return found;
    folder = dirname(folder);
  }
  throw fail('INTERNAL', `The ${entry} part of Gatehouse is missing. Install it again.`);
}

/**
 * How another program starts the bridge: this very binary on the bridge's file. The app's archive cannot be read from
 * outside, so there it lies beside it. `dataDir` is named where it is not the usual one.
 */
export function bridgeCommand(dataDir: string, homeDir: string): BridgeCommand {
  const { resourcesPath } = process as { resourcesPath?: string };
  const packed = resourcesPath ? join(resourcesPath, 'bridge.cjs') : undefined;
  const file = packed && existsSync(packed) ? packed : entryFile('bridge');
  const { APPIMAGE } = process.env;
  const env = {
    ...(process.versions.electron && { ELECTRON_RUN_AS_NODE: '1' }),
    ...(dataDir !== join(homeDir, '.gatehouse') && { GATEHOUSE_HOME: dataDir }),
  };
  return {
    command: APPIMAGE ?? process.execPath,
    // An AppImage puts this before all other arguments where it is not among them, and Node refuses to start with it.
    args: APPIMAGE ? [kept(file, dataDir), '--no-sandbox'] : [file],
    ...(Object.keys(env).length > 0 && { env }),
  };
}

/** An AppImage lies at another path each time it runs, so what others start is kept where it stays. */
function kept(file: string, dataDir: string): string {
  const copy = join(dataDir, 'bin', 'bridge.cjs');
  mkdirSync(join(dataDir, 'bin'), { recursive: true, mode: 0o700 });
  copyFileSync(file, copy);
  return copy;
}
