/**
 * The command that clients' config files contain: `bin/toolkeep-bridge` in the data folder. It is rewritten at each
 * start, so that clients keep working after the app is moved or updated.
 */

import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { shellQuoted } from '../../shared/shell-quoted.ts';
import type { BridgeCommand } from '../core/host.ts';
import { writeAppFile } from './app-file.ts';
import { ownAppImage } from './app-image.ts';
import { copyBridge, copyBridgeProgram } from './bridge-copy.ts';
import { entryFile } from './entry-file.ts';
import { temporaryApp } from './temporary-app.ts';

/** The program that the launcher starts. */
interface Target {
  command: string;
  args: string[];
  asNode: boolean;
  isPackaged: boolean;
}

/**
 * Writes the launcher and returns how clients start it. On Windows, clients cannot start a script without a shell, so they start
 * the bridge's own program in the data folder; a package without one uses the app's binary.
 */
export function bridgeCommand(dataDir: string, homeDir: string, platform = process.platform): BridgeCommand {
  const target = bridgeTarget(dataDir, platform);
  const isUsualFolder = dataDir === join(homeDir, '.toolkeep');
  if (platform === 'win32') {
    const env = {
      ...(target.asNode && { ELECTRON_RUN_AS_NODE: '1' }),
      ...(!isUsualFolder && { TOOLKEEP_HOME: dataDir }),
    };
    return { command: target.command, args: target.args, ...(Object.keys(env).length > 0 && { env }) };
  }
  const launcher = join(dataDir, 'bin', 'toolkeep-bridge');
  if (!keepsLauncher(launcher, target) && !temporaryApp(target.command, platform)) {
    mkdirSync(join(dataDir, 'bin'), { recursive: true, mode: 0o700 });
    const text = launcherText(target, isUsualFolder ? undefined : dataDir);
    if (readIfThere(launcher) !== text) writeFileAtomic.sync(launcher, text, { mode: 0o700 });
    chmodSync(launcher, 0o700);
  }
  return { command: launcher, args: [] };
}

/**
 * Runs the bridge's file with the app's binary. The file is next to the app's archive, which other programs cannot
 * read.
 */
function bridgeTarget(dataDir: string, platform: NodeJS.Platform): Target {
  const { resourcesPath } = process as { resourcesPath?: string };
  const packaged = resourcesPath ? join(resourcesPath, 'bridge.cjs') : undefined;
  const isPackaged = packaged !== undefined && existsSync(packaged);
  const file = isPackaged ? packaged : entryFile('bridge');
  const program = platform === 'win32' && resourcesPath ? copyBridgeProgram(resourcesPath, dataDir) : undefined;
  if (program) {
    // This program does not know where the app is.
    writeAppFile(dataDir);
    return { command: program, args: [copyBridge(file, dataDir)], asNode: false, isPackaged };
  }
  const appImage = ownAppImage();
  return {
    command: appImage ?? process.execPath,
    // The start script of an AppImage adds `--no-sandbox` at the front unless it is given, and Node rejects that
    // option.
    args: appImage ? [copyBridge(file, dataDir), '--no-sandbox'] : [file],
    asNode: process.versions.electron !== undefined,
    isPackaged,
  };
}

/** True if the launcher belongs to an installed app, which a source checkout must not replace. */
function keepsLauncher(launcher: string, { isPackaged }: Target): boolean {
  if (isPackaged) return false;
  const [, command] = /^# installed: (.+)$/m.exec(readIfThere(launcher)) ?? [];
  return command !== undefined && existsSync(command);
}

function launcherText({ command, args, asNode, isPackaged }: Target, dataDir: string | undefined): string {
  return [
    '#!/bin/sh',
    '# Connects an MCP client to Toolkeep. Toolkeep writes this file at each start.',
    ...(isPackaged && !command.includes('\n') ? [`# installed: ${command}`] : []),
    `app=${shellQuoted(command)}`,
    'if [ ! -x "$app" ]; then',
    '  echo "Toolkeep is no longer at $app. Open Toolkeep once to repair this." >&2',
    '  exit 1',
    'fi',
    ...(asNode ? ['export ELECTRON_RUN_AS_NODE=1'] : []),
    ...(dataDir === undefined ? [] : [`export TOOLKEEP_HOME=${shellQuoted(dataDir)}`]),
    `exec "$app" ${args.map(shellQuoted).join(' ')} "$@"`,
    '',
  ].join('\n');
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
