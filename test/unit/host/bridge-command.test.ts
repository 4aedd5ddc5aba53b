/** The launcher that client files name, and the AppImage that a process belongs to. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownAppImage, withoutAppVariables } from '../../../electron/host/app-image.ts';
import { bridgeCommand } from '../../../electron/host/launcher.ts';
import { temporaryApp } from '../../../electron/host/temporary-app.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';
import { testHost } from '../../fixtures/host.ts';

let host: ReturnType<typeof testHost>;
beforeEach(() => {
  host = testHost();
});
afterEach(() => {
  vi.unstubAllEnvs();
  host.dispose();
});
const launcher = () => join(host.dataDir, 'bin', 'toolkeep-bridge');
/** Writes a program that prints its arguments and variables. */
function program(name: string): string {
  const file = join(host.dataDir, name);
  writeFileSync(file, '#!/bin/sh\nprintf "%s\\n" "$@" "NODE=$ELECTRON_RUN_AS_NODE" "HOME=$TOOLKEEP_HOME"\n');
  chmodSync(file, 0o755);
  return file;
}

test('Clients start a launcher in the data folder that needs no environment variables', () => {
  const command = bridgeCommand(host.dataDir, host.homeDir);
  expect(command).toEqual({ command: launcher(), args: [] });
  expectMode(launcher(), 0o700);
  const text = readFileSync(launcher(), 'utf8');
  expect(text).toContain(process.execPath);
  expect(text).toMatch(/bridge\.(?:ts|cjs)'/);
});

test('The launcher passes on its arguments and names a data folder that is not the default', () => {
  const binary = program('a program');
  const { execPath } = process;
  process.execPath = binary;
  try {
    bridgeCommand(host.dataDir, '/another/home');
  } finally {
    process.execPath = execPath;
  }
  const output = execFileSync(launcher(), ['--mode', "it's full"], { encoding: 'utf8' }).split('\n');
  expect(output.slice(1, 3)).toEqual(['--mode', "it's full"]);
  expect(output).toContain(`HOME=${host.dataDir}`);
});

test('A launcher whose app was removed explains the next step', () => {
  const { execPath } = process;
  process.execPath = program('gone');
  try {
    bridgeCommand(host.dataDir, host.homeDir);
    rmSync(process.execPath);
    expect(() => execFileSync(launcher(), { stdio: 'pipe' })).toThrow(/Open Toolkeep once/);
  } finally {
    process.execPath = execPath;
  }
});

test('A checkout replaces the launcher of an installed app only after that app was removed', () => {
  const app = program('app');
  mkdirSync(join(host.dataDir, 'bin'), { recursive: true });
  writeFileSync(launcher(), `#!/bin/sh\n# installed: ${app}\n`);
  bridgeCommand(host.dataDir, host.homeDir);
  expect(readFileSync(launcher(), 'utf8')).not.toContain(process.execPath);
  rmSync(app);
  bridgeCommand(host.dataDir, host.homeDir);
  expect(readFileSync(launcher(), 'utf8')).toContain(process.execPath);
});

test('On Windows without such a program, clients start the binary itself', () => {
  const { command, args, env } = bridgeCommand('C:\\data', 'C:\\home', 'win32');
  expect(command).toBe(process.execPath);
  expect(args).toEqual([expect.stringMatching(/bridge\.(?:ts|cjs)$/)]);
  expect(env).toEqual({ TOOLKEEP_HOME: 'C:\\data' });
});

test('On Windows, clients start a copy of the program in the package, which no installer has to end', () => {
  const resources = join(host.dataDir, 'resources');
  for (const folder of [resources, join(host.dataDir, 'run')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(resources, 'bridge.cjs'), 'the bridge');
  writeFileSync(join(resources, 'toolkeep-bridge.exe'), 'Node 24');
  const bin = join(host.dataDir, 'bin');
  const write = () => bridgeCommand(host.dataDir, host.homeDir, 'win32');
  Object.defineProperty(process, 'resourcesPath', { value: resources, configurable: true });
  try {
    expect(write()).toEqual({
      command: join(bin, 'toolkeep-bridge.exe'),
      args: [join(bin, 'bridge.cjs')],
      env: { TOOLKEEP_HOME: host.dataDir },
    });
    expect(readFileSync(join(bin, 'toolkeep-bridge.exe'), 'utf8')).toBe('Node 24');
    // The copy does not know where the app is, even if the app was never opened.
    expect(JSON.parse(readFileSync(join(host.dataDir, 'run', 'app.json'), 'utf8'))).toMatchObject({
      command: process.execPath,
      resources,
    });
    // A running program can be renamed, but not replaced.
    writeFileSync(join(resources, 'toolkeep-bridge.exe'), 'Node 24.99');
    write();
    expect(readdirSync(bin).sort()).toEqual([
      'bridge.cjs',
      expect.stringMatching(/^toolkeep-bridge-old-\d+\.exe$/),
      'toolkeep-bridge.exe',
    ]);
    expect(readFileSync(join(bin, 'toolkeep-bridge.exe'), 'utf8')).toBe('Node 24.99');
    write();
    expect(readdirSync(bin).sort()).toEqual(['bridge.cjs', 'toolkeep-bridge.exe']);
  } finally {
    delete (process as { resourcesPath?: string }).resourcesPath;
  }
});

test('A launcher never names an app at a temporary path of macOS, and a message says what to do', () => {
  const translocated = '/private/var/folders/x/AppTranslocation/8F-2/d/Toolkeep.app/Contents/MacOS/Toolkeep';
  const { execPath } = process;
  process.execPath = translocated;
  try {
    expect(bridgeCommand(host.dataDir, host.homeDir, 'darwin')).toEqual({ command: launcher(), args: [] });
    expect(existsSync(launcher())).toBe(false);
    mkdirSync(join(host.dataDir, 'bin'));
    writeFileSync(launcher(), 'the launcher of the app in the Applications folder');
    bridgeCommand(host.dataDir, host.homeDir, 'darwin');
    expect(readFileSync(launcher(), 'utf8')).not.toContain('AppTranslocation');
  } finally {
    process.execPath = execPath;
  }
  expect(temporaryApp(translocated, 'darwin')).toContain('Move Toolkeep to the Applications folder');
  expect(temporaryApp(translocated, 'linux')).toBeUndefined();
  expect(temporaryApp('/Applications/Toolkeep.app/Contents/MacOS/Toolkeep', 'darwin')).toBeUndefined();
  // Not read-only, like an external disk.
  expect(temporaryApp('/Volumes/Disk/Toolkeep.app/Contents/MacOS/Toolkeep', 'darwin')).toBeUndefined();
});

test("The AppImage of another program is not used as Toolkeep's", () => {
  const cursor = { APPIMAGE: '/home/me/Cursor.AppImage', APPDIR: '/tmp/.mount_Cursor' };
  vi.stubEnv('APPIMAGE', cursor.APPIMAGE);
  vi.stubEnv('APPDIR', cursor.APPDIR);
  bridgeCommand(host.dataDir, host.homeDir);
  expect(readFileSync(launcher(), 'utf8')).not.toContain('Cursor');
  expect(ownAppImage(cursor, { execPath: process.execPath, isElectron: true })).toBeUndefined();
  expect(ownAppImage({ APPIMAGE: '/x.AppImage' }, { execPath: process.execPath, isElectron: true })).toBeUndefined();
});

test("Toolkeep's AppImage is the one that this process runs from", () => {
  const mount = join(host.dataDir, 'mount');
  mkdirSync(mount);
  const execPath = join(mount, 'toolkeep-app');
  writeFileSync(execPath, '');
  const env = { APPIMAGE: '/home/me/Toolkeep.AppImage', APPDIR: mount };
  expect(ownAppImage(env, { execPath, isElectron: true })).toBe('/home/me/Toolkeep.AppImage');
  expect(ownAppImage(env, { execPath, isElectron: false })).toBeUndefined();
});

test('From an AppImage, the launcher starts a copy of the bridge at a permanent path', () => {
  const mount = join(host.dataDir, 'mount');
  mkdirSync(mount);
  const { execPath } = process;
  vi.stubEnv('APPIMAGE', '/home/me/Toolkeep.AppImage');
  vi.stubEnv('APPDIR', mount);
  process.execPath = join(mount, 'toolkeep-app');
  writeFileSync(process.execPath, '');
  Object.defineProperty(process.versions, 'electron', { value: '45.4.1', configurable: true });
  try {
    bridgeCommand(host.dataDir, host.homeDir);
  } finally {
    process.execPath = execPath;
    delete (process.versions as { electron?: string }).electron;
  }
  const text = readFileSync(launcher(), 'utf8');
  expect(text).toContain("app='/home/me/Toolkeep.AppImage'");
  expect(text).toContain('export ELECTRON_RUN_AS_NODE=1');
  // The start script of the AppImage adds `--no-sandbox` as the first argument unless it is given.
  expect(text).toContain(`'${join(host.dataDir, 'bin', 'bridge.cjs')}' '--no-sandbox' "$@"`);
  expect(existsSync(join(host.dataDir, 'bin', 'bridge.cjs'))).toBe(true);
});

test('Servers do not inherit the variables that an AppImage adds to the environment', () => {
  const mount = '/tmp/.mount_Gate';
  expect(
    withoutAppVariables({
      APPDIR: mount,
      APPIMAGE: '/home/me/Toolkeep.AppImage',
      ARGV0: 'x',
      OWD: '/home/me',
      PATH: `${mount}:${mount}/usr/sbin:/usr/bin`,
      LD_LIBRARY_PATH: `${mount}/usr/lib`,
      XDG_DATA_DIRS: `${mount}/usr/share:/usr/share`,
      EMPTY: '',
      HOME: '/home/me',
    }),
  ).toEqual({ PATH: '/usr/bin', XDG_DATA_DIRS: '/usr/share', EMPTY: '', HOME: '/home/me' });
});

test('Servers do not inherit the name that gives their windows the icon of the app', () => {
  const env = { CHROME_DESKTOP: 'app.toolkeep.desktop', PATH: '/usr/bin::/bin', EMPTY: '' };
  expect(withoutAppVariables(env)).toEqual({ PATH: '/usr/bin::/bin', EMPTY: '' });
});
