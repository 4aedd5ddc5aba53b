/**
 * How the app behaves on each desktop: notifications, screens, menus, the Dock, the tray, and errors.
 *
 * @module-tag stand-in
 * @module-tag exhaustive
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { connectClient, type ToolRunner } from './client.ts';
import { type App, press, startApp, told } from './driver.ts';
import { call } from './page-call.ts';
import { testApps } from './test-apps.ts';
import { installApp } from './update-feed.ts';

const server = (name: string, command: object) => ({ name, connection: { type: 'stdio', ...command } });
const promptOf = async (app: App) =>
  (await app.desk('windows')).find(({ url, visible }) => visible && url.includes('view=questions'));
const mainOf = async (app: App) => (await app.desk('windows')).find(({ url }) => /\/index\.html(#|$)/.test(url));
const notices = async (app: App) => (await app.desk('notifications')).map(({ title, body }) => `${title}: ${body}`);

describe('On a Linux desktop with Wayland and two screens, the app', () => {
  let app: App;
  let client: ToolRunner;
  /** While `locked` exists in it, a `dbus-send` of our own says that the session is locked, and adds a line to `asked`. */
  let bin: string;
  function setLocked(isLocked: boolean): void {
    rmSync(join(bin, isLocked ? 'asked' : 'locked'), { force: true });
    if (isLocked) writeFileSync(join(bin, 'locked'), '');
  }
  const timesAsked = () =>
    existsSync(join(bin, 'asked')) ? readFileSync(join(bin, 'asked'), 'utf8').split('\n').length - 1 : 0;
  beforeAll(async () => {
    bin = mkdtempSync(join(tmpdir(), 'toolkeep-logind-'));
    const isLocked = `[ -e '${bin}/locked' ] && echo >> '${bin}/asked' && echo 'variant boolean true'`;
    const answer = `case "$*" in *LockedHint*) ${isLocked};; *) exit 1;; esac`;
    writeFileSync(join(bin, 'dbus-send'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    app = await startApp({
      args: ['--hidden'],
      env: {
        XDG_SESSION_TYPE: 'wayland',
        TOOLKEEP_STAND_IN_CURSOR: '1',
        TOOLKEEP_STAND_IN_HEIGHT: '600',
        PATH: `${bin}${delimiter}${process.env.PATH}`,
      },
      settings: { enableRequests: 'notify' },
      config: {
        servers: [
          server('asker', commands.elicit('legacy')),
          server('github', commands.github()),
          server('content', commands.content()),
        ],
        toolRules: [
          { server: 'content', confirm: 'never', destinations: 'any' },
          { server: 'asker', confirm: 'never', destinations: 'any' },
          { server: 'github', pattern: 'delete_repo', enabled: false },
        ],
      },
    });
    client = await connectClient(app);
  });
  afterAll(async () => {
    await client?.close();
    await app?.dispose();
    rmSync(bin, { recursive: true, force: true });
  });
  const decline = async () => press(await app.page('view=questions'), 'Decline');
  const hidden = () => eventually(async () => (await promptOf(app)) === undefined, 'the window is hidden');

  it('notifies about a question, and a click on the notification shows that question in the window', async () => {
    const first = client.run('asker', 'select');
    await expect.poll(() => notices(app)).toEqual(['A question is waiting: Claude Desktop: asker › select']);
    const second = client.run('asker', 'text');
    // The server has two calls, and does not say which one asks.
    await expect.poll(async () => (await notices(app))[1]).toBe('A question is waiting: Claude Desktop: asker');
    await eventually(() => promptOf(app), 'the prompt window');
    await app.desk('clickNotification', 1);
    await eventually(async () => (await mainOf(app))?.visible, 'the main window');
    const window = await app.page('index.html');
    await window.getByText('Who are you?').first().waitFor();
    await press(window, 'Decline');
    await second;
    await decline();
    await first;
    await hidden();
    const states = async () => (await app.desk('notifications')).map(({ state }) => state);
    await expect.poll(states).toEqual(['closed', 'closed']);
    await app.desk('closeWindow', (await mainOf(app))?.id ?? 0);
  });

  it('lists the latest calls in its menu, and a click opens the entry in the history', async () => {
    const latest = async () => (await app.desk('trayMenu')).find(({ label }) => label === 'Latest Calls')?.submenu?.[0];
    await expect.poll(latest, { timeout: 20_000 }).toMatch(/ · Claude Desktop: asker › (text|select)( · failed)?$/);
    await app.desk('clickTrayMenu', String(await latest()));
    const page = await app.page('index.html');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#\/history\/./);
    await app.desk('closeWindow', (await mainOf(app))?.id ?? 0);
  });

  it('marks its icon in the tray while a question is waiting', async () => {
    const icon = () => app.desk('trayIcon');
    await eventually(async () => (await icon()) === 'tray.png', 'the usual icon');
    const result = client.run('asker', 'text');
    await eventually(async () => (await icon()) === 'trayWaiting.png', 'the marked icon');
    await eventually(() => promptOf(app), 'the prompt window');
    await decline();
    await result;
    await eventually(async () => (await icon()) === 'tray.png', 'the usual icon');
    await hidden();
  });

  it('shows a question on the screen with the mouse pointer, no larger than that screen', async () => {
    const result = client.run('asker', 'text');
    const { bounds, hasMenu } = await eventually(() => promptOf(app), 'the prompt window');
    expect(bounds).toEqual({ x: 1920 + (2560 - 500) / 2, y: 0, width: 500, height: 600 });
    // The menu's shortcuts would quit the app.
    expect(hasMenu).toBe(false);
    await decline();
    await result;
    await hidden();
    await hidden();
  });

  it('keeps secrets, and nothing else, out of screenshots', async () => {
    for (const [tool, isProtected] of [
      ['secret', true],
      ['text', false],
    ] as const) {
      const result = client.run('asker', tool);
      expect(await eventually(() => promptOf(app), 'the prompt window')).toMatchObject({ isProtected });
      await decline();
      await result;
      await hidden();
    }
  });

  it('reports the questions that ended while the user was away', async () => {
    const caller = new AbortController();
    setLocked(true);
    const result = client.run('asker', 'text', {}, caller.signal).catch(() => 'canceled');
    await eventually(() => promptOf(app), 'the prompt window');
    // The app asks again only after it has read the first answer.
    await expect.poll(timesAsked).toBeGreaterThan(1);
    caller.abort();
    expect(await result).toBe('canceled');
    await hidden();
    setLocked(false);
    await expect
      .poll(async () => (await notices(app)).at(-1))
      .toBe('Requests were denied while you were away: 1 question went unanswered. See the history.');
  });

  it('notifies about a disabled tool that an agent wants', async () => {
    expect((await client.run('github', 'delete_repo', { repo: 'o/r' })).isError).toBe(true);
    await expect
      .poll(async () => (await notices(app)).at(-1))
      .toBe('An agent tried to use a disabled tool: Claude Desktop: github › delete_repo');
  });

  it('has shortcuts for zoom, closing and quitting, although its menu bar is hidden', async () => {
    expect(await app.desk('menuRoles')).toEqual(['File', 'editMenu', 'View', 'help']);
    expect((await app.desk('aboutPanel')).applicationVersion).toMatch(/^\d+\.\d+\.\d+ \(Electron \d/);
  });

  it('says once that it is still running when the user closes the window', async () => {
    const said = async () => (await notices(app)).filter((notice) => notice.startsWith('Toolkeep is still running'));
    for (const _time of [1, 2]) {
      await app.desk('clickTray');
      const { id } = await eventually(async () => (await mainOf(app))?.visible && mainOf(app), 'the main window');
      await app.desk('closeWindow', id);
    }
    expect(await said()).toEqual([
      'Toolkeep is still running: Clients can still use it. To open or quit it, use its icon in the tray.',
    ]);
    // Electron forgets a notification that the app no longer refers to.
    await app.desk('collectGarbage');
    const index = (await notices(app)).findIndex((notice) => notice.startsWith('Toolkeep is still running'));
    await app.desk('clickNotification', index);
    const { id } = await eventually(async () => (await mainOf(app))?.visible && mainOf(app), 'the main window');
    await app.desk('closeWindow', id);
  });

  it('listens to its pages on one channel only, whatever its libraries add', async () => {
    expect(await app.desk('ipcChannels')).toHaveLength(1);
  });

  it('logs why another process of the app ended, and notifies once, with a way to report it', async () => {
    const crashNotices = async () =>
      (await notices(app)).filter((notice) => notice.startsWith('A part of Toolkeep crashed'));
    for (const _time of [1, 2, 3]) await app.desk('endGpuProcess');
    // Chromium tries the GPU a few times before it draws without it.
    expect(await crashNotices()).toEqual([]);
    for (const _time of [4, 5]) await app.desk('endGpuProcess');
    const told = await crashNotices();
    expect(told).toEqual(['A part of Toolkeep crashed: It has been started again. Click to report the crash.']);
    await app.desk('clickNotification', (await notices(app)).indexOf(told[0] ?? ''));
    const main = await eventually(async () => (await app.desk('windows')).find(({ visible }) => visible), 'the window');
    await eventually(
      async () => (await (await app.page()).evaluate('location.hash')) === '#/settings/status',
      'Diagnostics',
    );
    await app.desk('closeWindow', main.id);
    const log = readFileSync(join(app.dataDir, 'logs', 'toolkeep.log'), 'utf8');
    expect(log).toMatch(/error.*A process of the app ended: GPU \(crashed, exit code 5\)/);
  });

  it('keeps serving after an unexpected error, and restarts when no question is open, at most once in ten minutes', async () => {
    let code: unknown;
    app.process.once('exit', (given) => {
      code = given;
    });
    const relaunched = told(app, 'relaunched');
    const result = client.run('asker', 'text');
    await eventually(() => promptOf(app), 'the prompt window');
    await app.desk('throwLater');
    const log = join(app.dataDir, 'logs', 'toolkeep.log');
    await expect.poll(() => readFileSync(log, 'utf8')).toMatch(/error.*Unexpected error: Error: thrown for a test/);
    await expect
      .poll(async () => (await notices(app)).at(-1))
      .toBe('Toolkeep will restart: An unexpected error occurred. See the log for details.');
    expect((await client.run('github', 'list_repos')).isError).toBe(false);
    expect(code).toBeUndefined();
    await decline();
    await result;
    expect(await relaunched).toMatchObject({ args: expect.arrayContaining(['--hidden']) });
    await eventually(() => code === 0, 'the app has ended');

    const again = await startApp({ args: ['--hidden'], dataDir: app.dataDir });
    try {
      const count = (await notices(again)).length;
      await again.desk('throwLater');
      await expect.poll(() => readFileSync(log, 'utf8').match(/Unexpected error/g)?.length).toBe(2);
      expect((await client.run('github', 'list_repos')).isError).toBe(false);
      expect(await notices(again)).toHaveLength(count);
    } finally {
      await again.dispose();
    }
  });
});

describe('Apps with other settings', () => {
  const { closers, start } = testApps();

  it('An app that cannot write its files survives an unexpected error and the closing of its window, and does not restart', async () => {
    const app = await start({ args: ['--hidden'] });
    mkdirSync(join(app.dataDir, 'electron'), { recursive: true });
    for (const marker of ['stays', 'restarted']) symlinkSync('none/none', join(app.dataDir, 'electron', marker));
    await app.desk('clickTray');
    const { id } = await eventually(async () => (await mainOf(app))?.visible && mainOf(app), 'the main window');
    await app.desk('closeWindow', id);
    const log = join(app.dataDir, 'logs', 'toolkeep.log');
    const errors = () => readFileSync(log, 'utf8').match(/Unexpected error/g)?.length;
    for (const count of [1, 2]) {
      await app.desk('throwLater');
      await expect.poll(errors).toBe(count);
    }
    expect((await mainOf(app))?.visible).toBe(false);
    expect(await notices(app)).toEqual([]);
  });

  it('On macOS, activating an app that starts hidden does not open its window', async () => {
    // Core starts once the login shell has answered.
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-slow-'));
    closers.push(() => rmSync(folder, { recursive: true, force: true }));
    const [shell, answers] = [join(folder, 'shell'), join(folder, 'answers')];
    writeFileSync(shell, `#!/bin/sh\nuntil [ -e '${answers}' ]; do sleep 0.1; done\n`, { mode: 0o755 });
    const env = { TOOLKEEP_STAND_IN_PLATFORM: 'darwin', SHELL: shell, TOOLKEEP_NO_SHELL_ENV: '' };
    const app = await start({ args: ['--hidden'], env, waits: false });
    await eventually(() => app.desk('trayIsThere').catch(() => false), 'the tray');
    await app.desk('activate');
    expect(await mainOf(app)).toBeUndefined();
    writeFileSync(answers, '');
    await eventually(
      async () => (await app.desk('trayMenu')).some(({ label }) => label === '0 tools from 0 servers'),
      'Core',
    );
    await app.desk('activate');
    await eventually(async () => (await mainOf(app))?.visible, 'the window');
  });

  it('On macOS, the app is in the Dock only while its window is open, and leaves full screen before it hides', async () => {
    const app = await start({
      env: { TOOLKEEP_STAND_IN_PLATFORM: 'darwin', TOOLKEEP_STAND_IN_OPENED_AT_LOGIN: '1' },
      config: { servers: [server('asker', commands.elicit('legacy'))] },
    });
    // The user's login started it.
    expect(await app.desk('dockPolicy')).toBe('accessory');
    expect(await app.desk('trayIcon')).toBe('trayTemplate.png');
    expect(await app.desk('menuRoles')).toEqual(['appMenu', 'fileMenu', 'editMenu', 'View', 'windowMenu', 'help']);
    await app.desk('clickTrayMenu', 'Open Toolkeep');
    const { id } = await eventually(
      async () => (await app.desk('windows')).find(({ visible }) => visible),
      'the window',
    );
    expect(await app.desk('dockPolicy')).toBe('regular');
    await app.desk('setFullScreen', id);
    await app.desk('closeWindow', id);
    await app.desk('answerDialog', (await app.dialog()).id, { response: 0, checkboxChecked: false });
    await eventually(async () => (await mainOf(app))?.visible === false, 'the window is hidden');
    await expect.poll(() => app.desk('dockPolicy')).toBe('accessory');
    const prompt = await eventually(
      async () => (await app.desk('windows')).find(({ url }) => url.includes('view=questions')),
      'the prompt window',
    );
    expect(prompt.type).toBe('panel');
  });

  it('On macOS, an app outside of the Applications folder offers to move there', async () => {
    const installed = installApp('unpacked', undefined);
    closers.push(installed.remove);
    const env = { ...installed.env, TOOLKEEP_STAND_IN_PLATFORM: 'darwin', TOOLKEEP_STAND_IN_DOWNLOADS: '1' };
    const app = await start({ env });
    const { id, parent, options } = await app.dialog();
    expect(parent).toBe((await mainOf(app))?.id);
    expect(options.message).toContain('Applications folder');
    const moved = told(app, 'moved');
    await app.desk('answerDialog', id, { response: 0, checkboxChecked: false });
    expect(await moved).toBe(true);
  });

  it('On Windows, which ends the app at once when the user logs out, the history has the last call', async () => {
    const app = await start({
      env: { TOOLKEEP_STAND_IN_PLATFORM: 'win32' },
      config: { servers: [server('github', commands.github())] },
    });
    expect(await app.desk('trayIcon')).toBe('tray.ico');
    expect(await app.desk('userTasks')).toEqual([{ title: 'Quit Toolkeep', args: '--quit' }]);
    const page = await app.page();
    await page.getByRole('main').waitFor();
    const ended = once(app.process, 'exit');
    // The server does not start on this system. Core writes the record of the call 50 ms after its reply to the page.
    await app.desk('endSessionUpon', String.raw`\"kind\":\"failure\"`);
    call(page, 'tools.execute', { server: 'github', tool: 'list_repos', arguments: {} }).catch(() => undefined);
    expect((await ended)[1]).toBe('SIGKILL');
    const folder = join(app.dataDir, 'history');
    const lines = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(lines.join('')).toContain('"tool":"list_repos"');
  });

  it('On a desktop without tray icons, closing the window asks whether the app keeps running, until the tray appears', async () => {
    const daemon = spawn('dbus-daemon', ['--session', '--print-address', '--nofork', '--nopidfile']);
    closers.push(() => daemon.kill());
    const [address] = await once(daemon.stdout, 'data');
    const app = await start({ env: { DBUS_SESSION_BUS_ADDRESS: String(address).trim() } });
    const { id } = await eventually(
      async () => (await app.desk('windows')).find(({ visible }) => visible),
      'the window',
    );
    const ended = once(app.process, 'exit');
    await app.desk('closeWindow', id);
    const asked = await app.dialog();
    expect(asked).toMatchObject({ parent: id, options: { message: 'Keep Toolkeep running?', cancelId: 0 } });
    await app.desk('answerDialog', asked.id, { response: 1, checkboxChecked: false });
    expect((await ended)[0]).toBe(0);
  });

  it('An icon is created again for a tray that starts after the app, which then stays when its window is closed', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'toolkeep-tray-'));
    closers.push(() => rmSync(bin, { recursive: true, force: true }));
    const watcher = join(bin, 'watcher');
    const answer = `case "$*" in *NameHasOwner*) [ -e '${watcher}' ] && echo 'boolean true' || echo 'boolean false';; *) exit 1;; esac`;
    writeFileSync(join(bin, 'dbus-send'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    const app = await start({ env: { PATH: `${bin}${delimiter}${process.env.PATH}` } });
    const { id } = await eventually(
      async () => (await app.desk('windows')).find(({ visible }) => visible),
      'the window',
    );
    expect(await app.desk('trays')).toBe(1);
    writeFileSync(watcher, '');
    await expect.poll(() => app.desk('trays')).toBe(2);
    expect((await app.desk('trayMenu')).length).toBeGreaterThan(0);
    await app.desk('closeWindow', id);
    await eventually(async () => (await mainOf(app))?.visible === false, 'the window is hidden');
    expect((await app.desk('dialogs')).filter(({ state }) => state === 'open')).toEqual([]);
  });

  it('An app that cannot record where it is starts, and its log says what clients cannot do', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'toolkeep-unwritable-'));
    closers.push(() => rmSync(dataDir, { recursive: true, force: true }));
    mkdirSync(join(dataDir, 'run', 'app.json'), { recursive: true });
    const installed = installApp('unpacked', undefined);
    closers.push(installed.remove);
    const app = await start({ dataDir, env: installed.env });
    await eventually(async () => (await mainOf(app))?.visible, 'the main window');
    const log = readFileSync(join(dataDir, 'logs', 'toolkeep.log'), 'utf8');
    expect(log).toMatch(/warn.*Clients cannot start this app: /);
  });

  it('A packaged app does not run with a debugger, which could answer approvals', async () => {
    const installed = installApp('unpacked', undefined);
    closers.push(installed.remove);
    const args = ['--remote-debugging-port=9'];
    await expect(start({ env: installed.env, args })).rejects.toThrow('The app did not start');
  });
});
