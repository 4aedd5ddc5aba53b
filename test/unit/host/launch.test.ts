/** The command that a bridge starts if no Core runs, on each platform and in each kind of installation. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Launch, type LaunchSituation, launches, startFirst } from '../../../electron/bridge/launch.ts';

let home: string;
let binary: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolkeep-launch-'));
  mkdirSync(join(home, 'run'));
  binary = join(home, 'toolkeep-app');
  writeFileSync(binary, '');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The bridge of the installed app: the app's binary as Node. */
const situation = (more: Partial<LaunchSituation> = {}): LaunchSituation => ({
  dataDir: home,
  platform: 'linux',
  env: { HOME: home, ELECTRON_RUN_AS_NODE: '1' },
  execPath: binary,
  isElectron: true,
  headless: [],
  coreFlags: ['--flag'],
  uid: 4_294_967_000,
  ...more,
});
function writeApp(env: Record<string, string> = {}, command = binary, resources?: string): void {
  writeFileSync(join(home, 'run', 'app.json'), JSON.stringify({ command, args: ['--hidden'], env, resources }));
}
function writePackage(): string {
  const resources = join(home, 'resources');
  mkdirSync(join(resources, 'app.asar', 'dist'), { recursive: true });
  writeFileSync(join(resources, 'app.asar', 'dist', 'headless.js'), '');
  return resources;
}

test('The app is not started as Node, although the bridge runs on the same binary', () => {
  writeApp({ DISPLAY: ':1' });
  const [app] = launches(situation());
  expect(app).toMatchObject({ command: binary, args: ['--hidden'], windowsHide: false, mayFail: true });
  expect(app?.env).not.toHaveProperty('ELECTRON_RUN_AS_NODE');
});

test('The app gets the variables of its last session; those of the bridge take precedence', () => {
  writeApp({ DISPLAY: ':1', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus' });
  const [app] = launches(situation({ env: { DISPLAY: ':2' } }));
  expect(app?.env).toMatchObject({ DISPLAY: ':2', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus' });
});

test('Without a display, a headless Core starts at once', () => {
  writeApp();
  const resourcesPath = writePackage();
  expect(launches(situation({ resourcesPath }))).toMatchObject([
    {
      command: binary,
      args: ['--flag', join(resourcesPath, 'app.asar', 'dist', 'headless.js'), '--on-demand'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      windowsHide: true,
    },
  ]);
});

test('An app that was never opened is started from its package; if that fails, a headless Core is started', () => {
  const resourcesPath = writePackage();
  const found = launches(situation({ resourcesPath, env: { WAYLAND_DISPLAY: 'wayland-0' } }));
  expect(found.map(({ args }) => args.at(-1))).toEqual(['--hidden', '--on-demand']);
});

test('An app that has been removed is not started', () => {
  writeApp({ DISPLAY: ':1' }, join(home, 'gone'));
  const headless = ['/usr/bin/node', 'headless.js'];
  expect(launches(situation({ isElectron: false, headless }))).toMatchObject([{ command: '/usr/bin/node' }]);
});

test('On macOS, Launch Services starts the app, so that it has its own permissions', () => {
  const command = join(home, 'Toolkeep.app', 'Contents', 'MacOS', 'Toolkeep');
  mkdirSync(join(command, '..'), { recursive: true });
  writeFileSync(command, '');
  writeApp({}, command);
  const [app] = launches(situation({ platform: 'darwin', env: { TOOLKEEP_HOME: '/data' } }));
  expect(app).toMatchObject({
    command: '/usr/bin/open',
    args: ['-g', '-a', join(home, 'Toolkeep.app'), '--env', 'TOOLKEEP_HOME=/data', '--args', '--hidden'],
  });
});

test('On macOS, an app that runs is not opened again, which would show its window', () => {
  const command = join(home, 'Toolkeep.app', 'Contents', 'MacOS', 'Toolkeep');
  mkdirSync(join(command, '..'), { recursive: true });
  writeFileSync(command, '');
  writeApp({}, command);
  mkdirSync(join(home, 'electron'));
  const lock = join(home, 'electron', 'SingletonLock');
  symlinkSync(`machine.local-${process.pid}`, lock);
  expect(launches(situation({ platform: 'darwin', env: {} }))[0]).toMatchObject({ command, args: ['--hidden'] });
  rmSync(lock);
  symlinkSync('machine.local-99999999', lock);
  expect(launches(situation({ platform: 'darwin', env: {} }))[0]?.command).toBe('/usr/bin/open');
});

test("On Windows, the shell starts the app outside the client's process tree, with its window", () => {
  // The installer writes the shortcut, so it exists even if the app was never opened.
  const shortcut = join(dirname(binary), 'start.lnk');
  writeFileSync(shortcut, '');
  const packaged = { isElectron: true, execPath: binary, resourcesPath: writePackage() };
  const [app] = launches(situation({ platform: 'win32', ...packaged }));
  expect(app).toMatchObject({ command: 'explorer.exe', args: [shortcut], windowsHide: false });
});

test('A bridge that runs on its own program starts the app, or a headless Core on the binary of the app', () => {
  writeApp({}, binary, writePackage());
  const own = { isElectron: false, execPath: join(home, 'bin', 'toolkeep-bridge.exe'), env: {} };
  const found = launches(situation({ ...own, platform: 'win32' }));
  expect(found.map(({ command, args }) => [command, args.at(-1)])).toEqual([
    [binary, '--hidden'],
    [binary, '--on-demand'],
  ]);
  expect(found.map(({ env }) => env.ELECTRON_RUN_AS_NODE)).toEqual([undefined, '1']);
});

test('A checkout runs its own headless Core, even if an app is installed', () => {
  writeApp({}, binary, writePackage());
  const headless = ['/usr/bin/node', 'headless.js'];
  expect(launches(situation({ isElectron: false, headless }))).toMatchObject([{ command: '/usr/bin/node' }]);
});

test('The next launch follows an app that fails to start, but not one that was killed after its Core answered', async () => {
  const marker = join(home, 'second');
  const shell = (script: string): Launch => ({
    ...{ command: '/bin/sh', args: ['-c', script], env: {}, windowsHide: false, isApp: true, mayFail: true },
  });
  const list = [shell('exit 1'), shell(`/usr/bin/touch '${marker}'`)];
  const answered = startFirst(list);
  answered.done();
  await vi.waitUntil(() => !answered.isRunning());
  expect(existsSync(marker)).toBe(false);
  startFirst(list);
  await vi.waitUntil(() => existsSync(marker));
});

test('An app that hands over to a quitting instance is soon started again, unless Launch Services started it', async () => {
  const shell: Launch = {
    ...{ command: '/bin/sh', args: ['-c', 'exit 0'], env: {}, windowsHide: false, isApp: true, mayFail: true },
  };
  const direct = startFirst([shell]);
  const indirect = startFirst([{ ...shell, isIndirect: true }]);
  expect(direct.isRunning()).toBe(true);
  await vi.waitUntil(() => !direct.isRunning(), { timeout: 10_000 });
  expect(indirect.isRunning()).toBe(true);
});
