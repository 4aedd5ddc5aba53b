/**
 * The command that client files name: `bin/gatehouse-bridge` in the data folder. It is written again at each start, so clients
 * keep working after the app has been moved or updated.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
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
 * Writes the launcher and returns how a client starts it. On Windows, where clients cannot start a script without a shell, it
 * is the app's binary itself; updates do not move it.
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

/** The app's binary on the bridge's file. The app's archive cannot be read from outside, so the file is beside it. */
function bridgeTarget(dataDir: string): Target {
  const { resourcesPath } = process as { resourcesPath?: string };
  const packaged = resourcesPath ? join(resourcesPath, 'bridge.cjs') : undefined;
  const isPackaged = packaged !== undefined && existsSync(packaged);
  const file = isPackaged ? packaged : entryFile('bridge');
  const appImage = ownAppImage();
  return {
    command: appImage ?? process.execPath,
    // The start script of an AppImage puts `--no-sandbox` first unless it is given, and Node does not start with it.
    args: appImage ? [copyOf(file, dataDir), '--no-sandbox'] : [file],
    asNode: process.versions.electron !== undefined,
    isPackaged,
  };
}

/** A checkout does not replace the launcher of an installed app. */
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
    `app=${quoted(command)}`,
    'if [ ! -x "$app" ]; then',
    '  echo "Gatehouse is no longer at $app. Open Gatehouse once to repair this." >&2',
    '  exit 1',
    'fi',
    ...(asNode ? ['export ELECTRON_RUN_AS_NODE=1'] : []),
    ...(dataDir === undefined ? [] : [`export GATEHOUSE_HOME=${quoted(dataDir)}`]),
    `exec "$app" ${args.map(quoted).join(' ')} "$@"`,
    '',
  ].join('\n');
}

/** An AppImage is mounted at another path each time it runs, so the bridge is copied to a path that stays. */
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

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
