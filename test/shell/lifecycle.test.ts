/** How the app starts and ends, who may speak to it over IPC, and where its window comes back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type App, type AppOptions, startApp, until } from './driver.ts';

const root = join(import.meta.dirname, '..', '..');
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: AppOptions = {}): Promise<App> {
  const app = await startApp(options);
  closers.push(app.dispose);
  return app;
}
const settings = (window: object) => ({ face: { window } });

describe('messages over IPC', () => {
  it('count only from the own page in a window of the app', async () => {
    const app = await start();
    await app.page();
    const { id } = await until(async () => (await app.desk('windows')).find(({ visible }) => visible), 'the window');
    for (const from of ['frame', 'other page', 'unknown window'] as const) {
      await app.desk('askOverIpc', id, from);
      expect(await app.desk('dialogs'), from).toEqual([]);
    }
    await app.desk('askOverIpc', id, 'page');
    expect(await app.desk('dialogs')).toMatchObject([{ kind: 'open', state: 'open' }]);
  });
});

describe('the start', () => {
  it('at login or by a client shows no window, only the tray', async () => {
    const app = await start({ args: ['--hidden'] });
    await until(() => app.desk('trayIsThere'), 'the tray');
    expect((await app.desk('windows')).filter(({ visible }) => visible)).toEqual([]);
    await app.desk('clickTray');
    await until(async () => (await app.desk('windows')).some(({ visible }) => visible), 'the window');
  });

  it('puts the window where it was', async () => {
    const bounds = { x: 200, y: 120, width: 900, height: 640 };
    const app = await start({ settings: settings(bounds) });
    expect((await app.desk('windows'))[0]?.bounds).toEqual(bounds);
  });

  it('does not put it on a screen that is gone', async () => {
    const app = await start({ settings: settings({ x: 5000, y: 120, width: 900, height: 640 }) });
    expect((await app.desk('windows'))[0]?.bounds).toMatchObject({ x: 0, y: 0 });
  });

  it('beside a Core that runs already shows the page of that one and ends', async () => {
    const home = mkdtempSync(join(tmpdir(), 'gatehouse-lifecycle-'));
    closers.push(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const dataDir = join(home, '.gatehouse');
    const env = { ...process.env, HOME: home, GATEHOUSE_HOME: dataDir, GATEHOUSE_NO_SHELL_ENV: '1' };
    const core = spawn(process.execPath, [join(root, 'dist', 'headless.js')], { env, stdio: 'ignore' });
    closers.push(async () => {
      const ended = once(core, 'exit');
      core.kill('SIGTERM');
      await ended;
    });
    await until(() => existsSync(join(dataDir, 'run', 'core.json')), 'the Core runs');
    const second = await start({ dataDir });
    const opened: string[] = [];
    second.process.on('message', (message: { opened?: string }) => message.opened && opened.push(message.opened));
    const code = await new Promise((resolve) => second.process.once('exit', resolve));
    expect(opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=/)]);
    expect(code).toBe(0);
  });
});

describe('the end', () => {
  it('comes in order with SIGTERM', async () => {
    const app = await start();
    const ended = once(app.process, 'exit');
    app.process.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(existsSync(join(app.dataDir, 'run', 'core.json'))).toBe(false);
  });

  it('comes with the process that started it', async () => {
    const app = await start();
    const ended = once(app.process, 'exit');
    app.process.disconnect();
    expect((await ended)[0]).toBe(0);
  });
});
