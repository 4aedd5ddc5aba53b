/**
 * The installed app. The packaged layout is real. The binary is a script that behaves like Electron: it runs Node with
 * ELECTRON_RUN_AS_NODE, otherwise the app on the stand-in, which needs a display.
 */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../fixtures/free-port.ts';

const root = join(import.meta.dirname, '../../..');

export interface InstalledBinary {
  /** The app's binary. */
  readonly binary: string;
  readonly resources: string;
  /** Each start of the binary is a line in this file: `app` or `node`, and the arguments. */
  readonly startLog: string;
}

/** Installs the app into `home`/opt. Appends the bytes `appended` to the script, which exits before it reaches them. */
export async function installBinary(home: string, appended = Buffer.alloc(0)): Promise<InstalledBinary> {
  const installed = join(home, 'opt');
  const startLog = join(home, 'started.log');
  const resources = join(installed, 'resources');
  const binary = join(installed, 'toolkeep-app');
  mkdirSync(join(resources, 'app.asar'), { recursive: true });
  cpSync(join(root, 'dist', 'bridge.cjs'), join(resources, 'bridge.cjs'));
  cpSync(join(root, 'build', 'bin'), join(resources, 'bin'), { recursive: true });
  for (const part of ['dist', 'build', 'node_modules'])
    symlinkSync(join(root, part), join(resources, 'app.asar', part));
  const asNode = join(installed, 'as-node.cjs');
  writeFileSync(
    asNode,
    `Object.defineProperty(process.versions, 'electron', { value: '45.4.1' });
     process.resourcesPath = ${JSON.stringify(resources)};
     process.execPath = ${JSON.stringify(binary)};`,
  );
  const node = process.execPath;
  const script = `#!/bin/sh
if [ "$ELECTRON_RUN_AS_NODE" = 1 ]; then
  echo "node $*" >> '${startLog}'
  exec '${node}' -r '${asNode}' "$@"
fi
echo "app $*" >> '${startLog}'
case "$DISPLAY" in '' | :gone) echo 'Missing X server or $DISPLAY' >&2; exit 1 ;; esac
# The single-instance lock, held until this process ends.
exec 9> '${home}/instance.lock'
flock -n 9 || exit 0
export TOOLKEEP_STAND_IN_PACKAGED='${installed}' TOOLKEEP_STAND_IN_BINARY="$0" TOOLKEEP_STAND_IN_PORT=${await freePort()}
export TOOLKEEP_NO_KEYRING=1 TOOLKEEP_NO_SHELL_ENV=1 TMPDIR='${home}'
exec '${node}' '${join(root, 'test/stand-in/run.ts')}' '${join(root, 'dist/main.js')}' "$@"
`;
  writeFileSync(binary, Buffer.concat([Buffer.from(script), appended]), { mode: 0o755 });
  return { binary, resources, startLog };
}
