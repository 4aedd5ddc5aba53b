/**
 * The command line of a packaged app: `bin/toolkeep` in the data folder, because only deb and rpm packages put a
 * command on the PATH. The app rewrites it at each start, so it survives a move or an update. On Windows,
 * `resources\bin` has the command line.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { shellQuoted } from '../../shared/shell-quoted.ts';
import { ownAppImage } from './app-image.ts';
import { temporaryApp } from './temporary-app.ts';

/**
 * Runs inside an AppImage, whose files are mounted at a different path on each run. Passes `--no-sandbox` explicitly; otherwise, the AppImage's start script would insert it before the other arguments.
 */
const stub = `if (process.argv[2] === '--no-sandbox') process.argv.splice(2, 1);
if (process.argv[2] === 'connect') require(process.resourcesPath + '/bridge.cjs');
else import(require('node:url').pathToFileURL(process.resourcesPath + '/app.asar/dist/cli.js'));
`;

export function writeCommandLauncher(dataDir: string, platform = process.platform): void {
  const { resourcesPath } = process as { resourcesPath?: string };
  const script = join(resourcesPath ?? '', 'bin', 'toolkeep');
  if (platform === 'win32' || !resourcesPath || !existsSync(script) || temporaryApp(process.execPath, platform)) return;
  const folder = join(dataDir, 'bin');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const appImage = ownAppImage();
  const inAppImage = join(folder, 'command.cjs');
  if (appImage) writeFileAtomic.sync(inAppImage, stub, { mode: 0o600 });
  const lines = appImage
    ? ['export ELECTRON_RUN_AS_NODE=1', `exec ${shellQuoted(appImage)} ${shellQuoted(inAppImage)} --no-sandbox "$@"`]
    : [`exec ${shellQuoted(script)} "$@"`];
  const text = ['#!/bin/sh', "# Toolkeep's command line. Toolkeep writes this file at each start.", ...lines, ''];
  writeFileAtomic.sync(join(folder, 'toolkeep'), text.join('\n'), { mode: 0o700 });
}
