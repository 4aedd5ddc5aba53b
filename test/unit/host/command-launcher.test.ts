/** The command line of a packaged app, in the data folder. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeCommandLauncher } from '../../../electron/host/command-launcher.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';
import { testHost } from '../../fixtures/host.ts';

let host: ReturnType<typeof testHost>;
let resources: string;
const { execPath } = process;
beforeEach(() => {
  host = testHost();
  resources = join(host.dataDir, 'mount', "it's resources");
  mkdirSync(join(resources, 'bin'), { recursive: true });
  mkdirSync(join(resources, 'app.asar', 'dist'), { recursive: true });
  Object.defineProperty(process, 'resourcesPath', { value: resources, configurable: true });
});
afterEach(() => {
  delete (process as { resourcesPath?: string }).resourcesPath;
  delete (process.versions as { electron?: string }).electron;
  process.execPath = execPath;
  vi.unstubAllEnvs();
  host.dispose();
});
const launcher = () => join(host.dataDir, 'bin', 'toolkeep');
const output = (...args: string[]) => execFileSync(launcher(), args, { encoding: 'utf8' }).trim().split('\n');
const program = (file: string, text: string) => writeFileSync(file, text, { mode: 0o755 });

it('The launcher of an installed app runs the command line of its package', () => {
  program(join(resources, 'bin', 'toolkeep'), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  writeCommandLauncher(host.dataDir, 'darwin');
  expectMode(launcher(), 0o700);
  expect(output('search', 'create issue')).toEqual(['search', 'create issue']);
});

it('The launcher of an AppImage runs the command line inside of it, and its bridge for `connect`', () => {
  program(join(resources, 'bin', 'toolkeep'), '');
  writeFileSync(join(resources, 'app.asar', 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(resources, 'app.asar', 'dist', 'cli.js'),
    'console.log(["cli", ...process.argv.slice(2)].join("\\n"))',
  );
  writeFileSync(join(resources, 'bridge.cjs'), 'console.log(["bridge", ...process.argv.slice(2)].join("\\n"))');
  // The AppImage mounts itself, and runs the app's binary with these arguments.
  const appImage = join(host.dataDir, 'Toolkeep.AppImage');
  const setUp = join(host.dataDir, 'set-up.cjs');
  writeFileSync(setUp, `process.resourcesPath = ${JSON.stringify(resources)};`);
  program(appImage, `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9\nexec '${execPath}' -r '${setUp}' "$@"\n`);
  vi.stubEnv('APPIMAGE', appImage);
  vi.stubEnv('APPDIR', join(host.dataDir, 'mount'));
  Object.defineProperty(process.versions, 'electron', { value: '45.4.1', configurable: true });
  process.execPath = join(host.dataDir, 'mount', 'toolkeep-app');
  writeFileSync(process.execPath, '');
  writeCommandLauncher(host.dataDir, 'linux');
  expect(output('status', '--json')).toEqual(['cli', 'status', '--json']);
  expect(output('connect', '--mode', 'full')).toEqual(['bridge', 'connect', '--mode', 'full']);
});

it('A checkout, an app on Windows and an app at a temporary path get no launcher', () => {
  writeCommandLauncher(host.dataDir, 'linux');
  program(join(resources, 'bin', 'toolkeep'), '');
  writeCommandLauncher(host.dataDir, 'win32');
  process.execPath = '/private/var/folders/x/AppTranslocation/8F-2/d/Toolkeep.app/Contents/MacOS/Toolkeep';
  writeCommandLauncher(host.dataDir, 'darwin');
  expect(existsSync(launcher())).toBe(false);
});
