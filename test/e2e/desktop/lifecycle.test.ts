/**
 * The start and end of the app, the IPC messages that it accepts, and the position of its window.
 *
 * @module-tag exhaustive
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCoreFile } from '../../../electron/bridge/reach-core.ts';
import { isAlive } from '../../../electron/core/files/process-alive.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { connectClient } from './client.ts';
import { testApps } from './test-apps.ts';

const root = join(import.meta.dirname, '../../..');
const { closers, start } = testApps();

describe('An IPC message', () => {
  it('is accepted only from our page in a window of the app', { tags: ['stand-in'] }, async () => {
    const app = await start();
    await app.page();
    const { id } = await eventually(
      async () => (await app.desk('windows')).find(({ visible }) => visible),
      'the window',
    );
    for (const from of ['frame', 'other page', 'unknown window'] as const) {
      await app.desk('askOverIpc', id, from);
      expect(await app.desk('dialogs'), from).toEqual([]);
    }
    await app.desk('askOverIpc', id, 'page');
    expect(await app.desk('dialogs')).toMatchObject([{ kind: 'open', state: 'open' }]);
  });
});

describe('The app', () => {
  it('shows only the tray if a client or the login started it', async () => {
    const app = await start({ args: ['--hidden'] });
    await eventually(() => app.desk('trayIsThere'), 'the tray');
    expect((await app.desk('windows')).filter(({ visible }) => visible)).toEqual([]);
    await app.desk('clickTray');
    await eventually(async () => (await app.desk('windows')).some(({ visible }) => visible), 'the window');
  });

  it('stays hidden when a bridge starts it a second time, and shows its window when the user starts it', {
    tags: ['stand-in'],
  }, async () => {
    const app = await start({ args: ['--hidden'] });
    await app.desk('startSecondInstance', '--hidden');
    expect((await app.desk('windows')).filter(({ visible }) => visible)).toEqual([]);
    await app.desk('startSecondInstance');
    await eventually(async () => (await app.desk('windows')).some(({ visible }) => visible), 'the window');
  });

  it('shows its tray and its window before a slow login shell has answered', { tags: ['signals'] }, async () => {
    const shell = join(mkdtempSync(join(tmpdir(), 'toolkeep-slow-')), 'shell');
    closers.push(() => rmSync(join(shell, '..'), { recursive: true, force: true }));
    writeFileSync(shell, '#!/bin/sh\nsleep 4\n', { mode: 0o755 });
    const app = await start({ waits: false, env: { SHELL: shell, TOOLKEEP_NO_SHELL_ENV: '' } });
    await eventually(async () => (await app.desk('windows')).some(({ visible }) => visible), 'the window');
    expect(await app.desk('trayIsThere')).toBe(true);
    expect(existsSync(join(app.dataDir, 'run', 'core.json'))).toBe(false);
    expect(await app.quit()).toBe(0);
  });

  it('says why it cannot start, and ends instead of staying without a window', async () => {
    const app = await start({ waits: false, env: { TOOLKEEP_HOME: join(process.execPath, 'data') } });
    expect((await once(app.process, 'exit'))[0]).toBe(1);
    expect(app.stderr()).toContain('Toolkeep cannot start');
  });

  it('replaces its window when the page has crashed', async () => {
    const app = await start();
    const page = await app.page();
    const window = async () =>
      (await app.desk('windows')).find(({ visible, url }) => visible && url.endsWith('index.html'));
    const first = await eventually(window, 'the window');
    const session = await page.context().newCDPSession(page);
    session.send('Page.crash').catch(() => undefined);
    const second = await eventually(async () => {
      const now = await window();
      return now && now.id !== first.id ? now : undefined;
    }, 'another window');
    expect(second.visible).toBe(true);
    const log = readFileSync(join(app.dataDir, 'logs', 'toolkeep.log'), 'utf8');
    expect(log).toMatch(/error.*A page ended: main \(crashed, exit code -?\d+\)/);
  });

  it('replaces its window when the page hangs, at the same size', { tags: ['stand-in'] }, async () => {
    const app = await start();
    const window = async () =>
      (await app.desk('windows')).find(({ visible, url }) => visible && url.endsWith('index.html'));
    const first = await eventually(window, 'the window');
    await app.desk('maximizeWindow', first.id);
    // Closing the window saves its size.
    await app.desk('closeWindow', first.id);
    await app.desk('clickTray');
    await app.desk('hangWindow', first.id);
    const second = await eventually(async () => {
      const now = await window();
      return now && now.id !== first.id ? now : undefined;
    }, 'another window');
    expect(second.maximized).toBe(true);
  });

  it('The menu says that macOS waits for the user to allow the start at login', { tags: ['stand-in'] }, async () => {
    const env = { TOOLKEEP_STAND_IN_PLATFORM: 'darwin', TOOLKEEP_STAND_IN_LOGIN_STATUS: 'requires-approval' };
    const app = await start({ args: ['--hidden'], env });
    await app.desk('clickTrayMenu', 'Start at Login');
    const labels = async () => (await app.desk('trayMenu')).map(({ label }) => label);
    await expect.poll(labels).toContain('Start at Login (Allow It in System Settings)');
  });

  it('starts at login if the user enables that, with an XDG autostart entry on Linux', {
    tags: ['stand-in'],
  }, async () => {
    const app = await start({ args: ['--hidden'] });
    const entry = join(app.dataDir, '..', '.config', 'autostart', 'app.toolkeep.desktop');
    const isChecked = async () => (await app.desk('trayMenu')).find(({ label }) => label === 'Start at Login')?.checked;
    expect(await isChecked()).toBe(false);
    await app.desk('clickTrayMenu', 'Start at Login');
    expect(await isChecked()).toBe(true);
    const text = readFileSync(entry, 'utf8');
    expect(text).toMatch(/^Exec=".+" --hidden$/m);
    expect(text).toContain(`\nTryExec=${/^Exec="(.+)" /m.exec(text)?.[1]}\n`);
    await app.desk('clickTrayMenu', 'Start at Login');
    expect(await isChecked()).toBe(false);
    expect(existsSync(entry)).toBe(false);
  });

  it.each(['darwin', 'win32'])(
    'The app starts at login on %s, and the menu item disables that again',
    { tags: ['stand-in'] },
    async (platform) => {
      const app = await start({ args: ['--hidden'], env: { TOOLKEEP_STAND_IN_PLATFORM: platform } });
      const isChecked = async () =>
        (await app.desk('trayMenu')).find(({ label }) => label === 'Start at Login')?.checked;
      for (const expected of [true, false, true]) {
        await app.desk('clickTrayMenu', 'Start at Login');
        expect(await isChecked()).toBe(expected);
      }
    },
  );

  it('opens its window at its previous position', { tags: ['stand-in'] }, async () => {
    const bounds = { x: 200, y: 120, width: 900, height: 640 };
    const app = await start({ windowState: bounds });
    expect((await app.desk('windows'))[0]?.bounds).toEqual(bounds);
  });

  it('brings its window back from a screen that was disconnected while the window was hidden', {
    tags: ['stand-in'],
  }, async () => {
    const app = await start();
    const { id } = await eventually(
      async () => (await app.desk('windows')).find(({ visible }) => visible),
      'the window',
    );
    await app.desk('closeWindow', id);
    await app.desk('moveWindow', id, 9_000, 120);
    await app.desk('clickTray');
    expect((await app.desk('windows')).find((window) => window.id === id)).toMatchObject({
      visible: true,
      bounds: { x: 0, y: 0 },
    });
  });

  it('keeps its window maximized when it is hidden and shown again', { tags: ['stand-in'] }, async () => {
    const app = await start();
    const { id } = await eventually(
      async () => (await app.desk('windows')).find(({ visible }) => visible),
      'the window',
    );
    await app.desk('maximizeWindow', id);
    await app.desk('closeWindow', id);
    await app.desk('clickTray');
    const shown = (await app.desk('windows')).find((window) => window.id === id);
    expect(shown).toMatchObject({ visible: true, maximized: true });
  });

  it('does not open its window on a screen that was disconnected', { tags: ['stand-in'] }, async () => {
    const app = await start({ windowState: { x: 5000, y: 120, width: 900, height: 640 } });
    expect((await app.desk('windows'))[0]?.bounds).toMatchObject({ x: 0, y: 0 });
  });

  it('takes over from a headless Core that a bridge started: its client continues, and its approvals appear in the app', {
    timeout: 60_000,
  }, async () => {
    const home = mkdtempSync(join(tmpdir(), 'toolkeep-lifecycle-'));
    closers.push(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const dataDir = join(home, '.toolkeep');
    mkdirSync(dataDir);
    const config = {
      servers: [{ name: 'github', connection: { type: 'stdio', ...commands.github() } }],
      toolRules: [{ server: 'github', pattern: 'delete_repo', confirm: 'always' }],
    };
    writeFileSync(join(dataDir, 'config.json'), JSON.stringify(config));
    const client = await connectClient({ dataDir });
    closers.push(client.close);
    expect((await client.run('github', 'list_repos')).isError).toBe(false);
    const headless = await eventually(() => readCoreFile(dataDir)?.pid, 'the file of the headless Core');
    const app = await start({ dataDir });
    await eventually(() => readCoreFile(dataDir)?.pid === app.process.pid, 'the Core of the app');
    await eventually(() => !isAlive(headless), 'the headless Core has ended');
    const main = await eventually(async () => (await app.desk('windows')).find(({ visible }) => visible), 'the window');
    await eventually(
      async () => (await app.desk('trayMenu')).some(({ label }) => label?.includes('from 1 server')),
      'the tray',
    );

    await app.desk('closeWindow', main.id);
    const result = client.run('github', 'delete_repo', { repo: 'o/r' });
    await (await app.page('view=questions')).getByRole('button', { name: 'Deny', exact: true }).click();
    expect((await result).text).toContain('APPROVAL_DENIED');
  });

  it('shows the page of a headless Core that is already running, and quits', { tags: ['stand-in'] }, async () => {
    const home = mkdtempSync(join(tmpdir(), 'toolkeep-lifecycle-'));
    closers.push(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const dataDir = join(home, '.toolkeep');
    const env = { ...process.env, HOME: home, TOOLKEEP_HOME: dataDir, TOOLKEEP_NO_SHELL_ENV: '1' };
    const core = spawn(process.execPath, [join(root, 'dist', 'headless.js')], { env, stdio: 'ignore' });
    closers.push(async () => {
      const ended = once(core, 'exit');
      core.kill('SIGTERM');
      await ended;
    });
    await eventually(() => existsSync(join(dataDir, 'run', 'core.json')), 'the Core runs');
    const second = await start({ dataDir });
    const opened: string[] = [];
    second.process.on('message', (message: { opened?: string }) => message.opened && opened.push(message.opened));
    const code = await new Promise((resolve) => second.process.once('exit', resolve));
    expect(opened).toEqual([expect.stringMatching(/^file:\/\/.*\/toolkeep-open-[0-9a-f]+\.html$/)]);
    expect(code).toBe(0);
  });
});

describe('Quitting', () => {
  it('shuts everything down in order on SIGTERM', { tags: ['signals'] }, async () => {
    const app = await start();
    const ended = once(app.process, 'exit');
    app.process.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(existsSync(join(app.dataDir, 'run', 'core.json'))).toBe(false);
  });

  it('happens when the installer for Windows starts the app with `--quit`, which otherwise does nothing', {
    tags: ['stand-in'],
  }, async () => {
    const app = await start();
    const ended = once(app.process, 'exit');
    app.desk('startSecondInstance', '--hidden', '--quit').catch(() => undefined);
    expect((await ended)[0]).toBe(0);
    expect(existsSync(join(app.dataDir, 'run', 'core.json'))).toBe(false);
    const alone = await start({ waits: false, args: ['--quit'] });
    expect((await once(alone.process, 'exit'))[0]).toBe(0);
    expect(existsSync(join(alone.dataDir, 'logs', 'toolkeep.log'))).toBe(false);
  });

  it('does not wait longer than eight seconds for a server that does not stop', async () => {
    const stubborn = "process.on('SIGTERM', () => {}); process.stdin.resume(); setInterval(() => {}, 1000)";
    const connection = { type: 'stdio', command: process.execPath, args: ['-e', stubborn] };
    const app = await start({ args: ['--hidden'], config: { servers: [{ name: 'stubborn', connection }] } });
    const startedAt = Date.now();
    expect(await app.quit()).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(12_000);
  });

  it('asks about unsaved changes, and happens without asking when the session ends', {
    tags: ['signals'],
  }, async () => {
    const app = await start();
    const page = await app.page();
    const prevent = "addEventListener('beforeunload', (event) => event.preventDefault())";
    // A page that is still loading has no unsaved changes.
    await page.getByRole('main').waitFor();
    await page.evaluate(prevent);
    await app.desk('quit');
    const { id, parent, options } = await app.dialog();
    expect(options).toMatchObject({ message: 'Quit without saving?', buttons: ['Quit', 'Cancel'] });
    expect(parent).toBe((await app.desk('windows')).find(({ visible }) => visible)?.id);
    await app.desk('answerDialog', id, { response: 1 });
    // The app continues: closing the window hides it.
    await app.desk('closeWindow', parent ?? 0);
    await eventually(
      async () => (await app.desk('windows')).some(({ id, visible }) => id === parent && !visible),
      'it is hidden',
    );
    const ended = once(app.process, 'exit');
    await app.desk('quit');
    app.desk('answerDialog', (await app.dialog()).id, { response: 0 }).catch(() => undefined);
    expect((await ended)[0]).toBe(0);

    const other = await start();
    const otherPage = await other.page();
    await otherPage.getByRole('main').waitFor();
    await otherPage.evaluate(prevent);
    const otherEnded = once(other.process, 'exit');
    other.process.kill('SIGTERM');
    expect((await otherEnded)[0]).toBe(0);
  });

  it('happens even if a page hangs', { tags: ['stand-in'] }, async () => {
    const app = await start();
    for (const { id } of await app.desk('windows')) await app.desk('freezeWindow', id);
    expect(await app.quit()).toBe(0);
  });

  it('happens when the process that started the app ends', { tags: ['stand-in'] }, async () => {
    const app = await start();
    const ended = once(app.process, 'exit');
    app.process.disconnect();
    expect((await ended)[0]).toBe(0);
  });
});
