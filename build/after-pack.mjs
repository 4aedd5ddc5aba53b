/** Runs for each packed app: fails the build if the app lacks the keyring's binary for its system and architecture. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** electron-builder numbers architectures. */
const architectures = { 1: 'x64', 3: 'arm64' };
const suffixes = { linux: '-gnu', darwin: '', win32: '-msvc' };

/** Without this binary, the vault would silently keep secrets in memory only. */
export function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const target = `${electronPlatformName}-${architectures[arch]}${suffixes[electronPlatformName]}`;
  const unpacked = join(packager.getResourcesDir(appOutDir), 'app.asar.unpacked');
  const folder = join(unpacked, 'node_modules', '@napi-rs', `keyring-${target}`);
  if (existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.node'))) return;
  throw new Error(
    `The package lacks @napi-rs/keyring-${target}: npm installs it only on that system. Build each architecture on its own machine.`,
  );
}
