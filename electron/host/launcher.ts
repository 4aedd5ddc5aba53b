/**
 * The command that clients' config files contain: `bin/gatehouse-bridge` in the data folder. It is rewritten at each
 * start, so that clients keep working after the app is moved or updated.
 */

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { shellQuoted } from '../../shared/shell-quoted.ts';
import type { BridgeCommand } from '../core/host.ts';
import { ownAppImage } from './app-image.ts';
import { entryFile } from './entry-file.ts';

/** The program that the launcher starts. */
interface Target {
  command: string;
  args: string[];
  asNode: boolean;
  isPackaged: boolean;
}

/**
 * Writes the launcher and returns how clients start it. On Windows, where clients cannot start a script without a
 * shell, returns the app's binary itself, whose path survives updates.
 */
export function bridgeCommand(dataDir: string, homeDir: string, platform = process.platform): BridgeCommand {
  const target = bridgeTarget(dataDir);
  const isUsualFolder = dataDir === join(homeDir, '.gatehouse');
  if (platform === 'win32') {
    const env = {
      ...(target.asNode && { ELECTRON_RUN_AS_NODE: '1' }),
      ...(!isUsualFolder && { GATEHOUSE_HOME: dataDir }),
    };
    return { command: target.command, args: target.args, ...(Object.keys(env).length > 0 && { env }) };
  }
  const launcher = join(dataDir, 'bin', 'gatehouse-bridge');
  if (!keepsLauncher(launcher, target)) {
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
function bridgeTarget(dataDir: string): Target {
  const { resourcesPath } = process as { resourcesPath?: string };
  const packaged = resourcesPath ? join(resourcesPath, 'bridge.cjs') : undefined;
  const isPackaged = packaged !== undefined && existsSync(packaged);
  const file = isPackaged ? packaged : entryFile('bridge');
  const appImage = ownAppImage();
  return {
    command: appImage ?? process.execPath,
    // The start script of an AppImage adds `--no-sandbox` at the front unless it is given, and Node rejects that
    // option.
    args: appImage ? [copyOf(file, dataDir), '--no-sandbox'] : [file],
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
    '# Connects an MCP client to Gatehouse. Gatehouse writes this file at each start.',
    ...(isPackaged && !command.includes('\n') ? [`# installed: ${command}`] : []),
    `app=${shellQuoted(command)}`,
    'if [ ! -x "$app" ]; then',
    '  echo "Gatehouse is no longer at $app. Open Gatehouse once to repair this." >&2',
    '  exit 1',
    'fi',
    ...(asNode ? ['export ELECTRON_RUN_AS_NODE=1'] : []),
    ...(dataDir === undefined ? [] : [`export GATEHOUSE_HOME=${shellQuoted(dataDir)}`]),
    `exec "$app" ${args.map(shellQuoted).join(' ')} "$@"`,
    '',
  ].join('\n');
}

/** An AppImage is mounted at a different path on each run, so copy the bridge to a permanent path. */
function copyOf(file: string, dataDir: string): string {
  const copy = join(dataDir, 'bin', 'bridge.cjs');
  mkdirSync(join(dataDir, 'bin'), { recursive: true, mode: 0o700 });
  copyFileSync(file, copy);
  return copy;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
