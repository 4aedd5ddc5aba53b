/**
 * Updates of the packaged app, from a feed on this machine.
 *
 * @module-tag stand-in
 * @module-tag exhaustive
 */

import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCoreFile } from '../../../electron/bridge/reach-core.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { connectClient } from './client.ts';
import { type App, type AppOptions, startApp, told } from './driver.ts';
import { call } from './page-call.ts';
import { type Feed, type InstalledApp, installApp, startFeed } from './update-feed.ts';

const root = join(import.meta.dirname, '../../..');
const newName = 'Toolkeep-99.0.0-linux-x64.AppImage';

let feed: Feed;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  feed = await startFeed();
  closers.push(feed.close);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(installed: InstalledApp, options: AppOptions = {}): Promise<App> {
  const app = await startApp({ ...options, env: { ...installed.env, ...options.env } });
  closers.push(installed.remove, app.dispose);
  return app;
}

/** A new AppImage: a program that records how it was started, then runs `command`. */
function newAppImage({ folder }: InstalledApp, command = ''): string {
  return `#!/bin/sh\necho "exits: ${'${APPIMAGE_EXIT_AFTER_INSTALL:-false}'}" >> '${join(folder, 'starts.txt')}'\n[ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ] && exit 0\n${command}\n`;
}
const starts = ({ folder }: InstalledApp) =>
  existsSync(join(folder, 'starts.txt')) ? readFileSync(join(folder, 'starts.txt'), 'utf8').trim().split('\n') : [];
const appImages = ({ folder }: InstalledApp) => readdirSync(folder).filter((name) => name.endsWith('.AppImage'));

/** Looks for a new version in the settings, as the user does. */
async function check(app: App): Promise<Page> {
  const page = await app.page();
  await page.evaluate("location.hash = '#/settings'");
  await page.getByRole('button', { name: 'Check now' }).click();
  return page;
}
const restart = (page: Page) => page.getByRole('button', { name: 'Restart to update' });
const ended = async (app: App) => ((await once(app.process, 'exit')) as [number | null])[0];
const labels = async (app: App) => (await app.desk('trayMenu')).map(({ label }) => label);

describe('A new version', () => {
  it('is downloaded in the background, and installed when the user restarts the app, whose clients stay connected', {
    timeout: 60_000,
  }, async () => {
    const installed = installApp('appimage', feed.url);
    const port = await freePort();
    const again = `TOOLKEEP_STAND_IN_PORT=${port} exec '${process.execPath}' '${join(root, 'test/stand-in/run.ts')}' '${join(root, 'dist/main.js')}'`;
    feed.publish({ version: '99.0.0', file: newName, content: newAppImage(installed, again) });
    const app = await start(installed);
    const client = await connectClient(app);
    const page = await check(app);
    await page.getByText('Toolkeep 99.0.0 is ready.').waitFor();
    expect([...feed.ids]).toEqual(['']);
    await expect.poll(() => labels(app)).toContain('Restart to Update to 99.0.0');
    expect(appImages(installed)).toEqual(['Toolkeep-0.1.0-linux-x64.AppImage']);

    const first = readCoreFile(app.dataDir)?.pid;
    const code = ended(app);
    await restart(page).click();
    expect(await code).toBe(0);
    expect(starts(installed)).toEqual(['exits: false']);
    expect(appImages(installed)).toEqual([newName]);
    const newCore = await eventually(() => {
      const pid = readCoreFile(app.dataDir)?.pid;
      return pid !== first && pid;
    }, 'the Core of the new version');
    closers.push(() => process.kill(newCore, 'SIGTERM'));
    // The bridge is the same process as before.
    expect((await client.run('toolkeep', 'status')).text).not.toContain('CORE_UNREACHABLE');
    await client.close();
    const launched = JSON.parse(readFileSync(join(app.dataDir, 'run', 'app.json'), 'utf8'));
    expect(launched.command).toBe(join(installed.folder, newName));
  });

  it('is installed, and the app restarted, if the user then discards unsaved changes, but not if the user cancels', async () => {
    const installed = installApp('appimage', feed.url);
    feed.publish({ version: '99.0.0', file: newName, content: newAppImage(installed) });
    const app = await start(installed);
    const page = await check(app);
    await page.evaluate("addEventListener('beforeunload', (event) => event.preventDefault())");
    await restart(page).click();
    const { id, options } = await app.dialog();
    expect(options).toMatchObject({ message: 'Restart without saving?', buttons: ['Restart', 'Cancel'] });
    await app.desk('answerDialog', id, { response: 1 });
    await app.desk('quit');
    const second = await app.dialog();
    expect(second.options).toMatchObject({ buttons: ['Quit', 'Cancel'] });
    await app.desk('answerDialog', second.id, { response: 1 });
    await restart(page).click();
    const code = ended(app);
    app.desk('answerDialog', (await app.dialog()).id, { response: 0 }).catch(() => undefined);
    expect(await code).toBe(0);
    expect(starts(installed)).toEqual(['exits: false']);
  });

  it('is ready on macOS only when Squirrel has fetched it, which then ends the app', async () => {
    const installed = installApp('appimage', feed.url);
    feed.publish({ version: '99.0.0', file: 'Toolkeep-99.0.0-mac.zip', content: 'an archive' });
    const app = await start(installed, { env: { TOOLKEEP_STAND_IN_PLATFORM: 'darwin' } });
    const page = await check(app);
    await eventually(() => app.desk('isUpdateOffered'), "electron-updater's download");
    await page.reload();
    await page.getByText('Version 99.0.0 is being downloaded.').waitFor();
    await app.desk('fetchUpdate');
    await page.getByText('Toolkeep 99.0.0 is ready.').waitFor();
    const [code, isInstalled] = [ended(app), told(app, 'installed')];
    await restart(page).click();
    expect(await isInstalled).toBe(true);
    expect(await code).toBe(0);
  });

  it('is not installed while a call or a question is open', async () => {
    const installed = installApp('appimage', feed.url);
    feed.publish({ version: '99.0.0', file: newName, content: newAppImage(installed) });
    const connection = { type: 'stdio', ...commands.elicit('legacy') };
    const config = {
      servers: [{ name: 'asker', connection }],
      toolRules: [{ server: 'asker', confirm: 'never', destinations: 'any' }],
    };
    const app = await start(installed, { config });
    const page = await check(app);
    await restart(page).waitFor();
    const client = await connectClient(app);
    const result = client.run('asker', 'confirm');
    await page.getByText('Delete the branch?').first().waitFor();

    await app.desk('clickTrayMenu', 'Restart to Update to 99.0.0');
    await page.getByText('as soon as no call is running and no question is open').waitFor();
    await expect.poll(() => labels(app)).toContain('Cancel Restart');
    expect(starts(installed)).toEqual([]);
    const code = ended(app);
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    expect(JSON.parse((await result).text)).toEqual({ ok: { action: 'accept', content: { confirm: true } } });
    expect(await code).toBe(0);
    expect(starts(installed)).toEqual(['exits: false']);
    await client.close();
  });

  it('is installed when the user quits the app, which is not started again', async () => {
    const installed = installApp('appimage', feed.url);
    feed.publish({ version: '99.0.0', file: newName, content: newAppImage(installed) });
    const app = await start(installed);
    await restart(await check(app)).waitFor();
    expect(await app.quit()).toBe(0);
    expect(appImages(installed)).toEqual([newName]);
    expect(starts(installed)).toEqual(['exits: true']);
  });

  it('is not installed when the session ends, because there is no time', async () => {
    const installed = installApp('appimage', feed.url);
    feed.publish({ version: '99.0.0', file: newName, content: newAppImage(installed) });
    const app = await start(installed);
    await restart(await check(app)).waitFor();
    const code = ended(app);
    app.process.kill('SIGTERM');
    expect(await code).toBe(0);
    expect(readFileSync(installed.appImage, 'utf8')).toBe('the installed version');
  });

  it('is refused if its checksum is wrong', async () => {
    const installed = installApp('appimage', feed.url);
    const sha512 = Buffer.alloc(64).toString('base64');
    feed.publish({ version: '99.0.0', file: newName, content: newAppImage(installed), sha512 });
    const app = await start(installed);
    const page = await check(app);
    await page.getByText('The last check failed: sha512 checksum mismatch').waitFor();
    expect(feed.requests).toContain(`/${newName}`);
    expect(await app.quit()).toBe(0);
    expect(readFileSync(installed.appImage, 'utf8')).toBe('the installed version');
    expect(appImages(installed)).toHaveLength(1);
  });

  it('is not offered if it is older than this one', async () => {
    const installed = installApp('appimage', feed.url);
    feed.publish({ version: '0.0.9', file: 'Toolkeep-0.0.9-linux-x64.AppImage', content: newAppImage(installed) });
    const app = await start(installed);
    const page = await check(app);
    await page.getByText('You have the latest version.').waitFor();
    expect(feed.requests).toHaveLength(1);
    expect(await app.quit()).toBe(0);
    expect(appImages(installed)).toEqual(['Toolkeep-0.1.0-linux-x64.AppImage']);
  });
});

describe('A Debian package', () => {
  /** Replacements for the system programs that ask for a password and install packages. */
  function fakePrograms({ folder }: InstalledApp, exitCode: number): Record<string, string> {
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    for (const name of ['dpkg', 'pkexec', 'sudo', 'apt-get'])
      writeFileSync(
        join(programs, name),
        `#!/bin/sh\necho "${name} $*" >> '${folder}/installs.txt'\nexit ${exitCode}\n`,
        {
          mode: 0o755,
        },
      );
    return { PATH: `${programs}${delimiter}${process.env.PATH}` };
  }
  const installs = ({ folder }: InstalledApp) =>
    existsSync(join(folder, 'installs.txt')) ? readFileSync(join(folder, 'installs.txt'), 'utf8') : '';
  const file = 'Toolkeep-99.0.0-linux-x64.deb';

  it('is not installed when the user quits the app, because the system would ask for a password', async () => {
    const installed = installApp('deb', feed.url);
    feed.publish({ version: '99.0.0', file, content: 'a package' });
    const app = await start(installed, { env: fakePrograms(installed, 0) });
    await restart(await check(app)).waitFor();
    expect(await app.quit()).toBe(0);
    expect(installs(installed)).toBe('');
  });

  it('is installed when the user restarts the app', async () => {
    const installed = installApp('deb', feed.url);
    feed.publish({ version: '99.0.0', file, content: 'a package' });
    const app = await start(installed, { env: fakePrograms(installed, 0) });
    const page = await check(app);
    const code = ended(app);
    const relaunched = told(app, 'relaunched');
    await restart(page).click();
    expect(await code).toBe(0);
    expect(installs(installed)).toContain(`pending/${file}`);
    expect(await relaunched).toEqual({});
    expect(readFileSync(installed.appImage, 'utf8')).toBe('the installed version');
  });

  it('leaves the app running as it was if the user does not give the password', async () => {
    const installed = installApp('deb', feed.url);
    feed.publish({ version: '99.0.0', file, content: 'a package' });
    const app = await start(installed, { env: fakePrograms(installed, 126) });
    const page = await check(app);
    await restart(page).waitFor();
    const relaunched = told(app, 'relaunched');
    const code = ended(app);
    await restart(page).click();
    expect(await code).toBe(0);
    expect(await relaunched).toMatchObject({ args: [] });
  });
});

it('An unpacked app, started by the AppImage of another program, only reports a new version and replaces nothing', async () => {
  const installed = installApp('unpacked', feed.url);
  feed.publish({ version: '99.0.0', file: newName, content: newAppImage(installed) });
  const app = await start(installed);
  const page = await check(app);
  await page.getByText('Toolkeep 99.0.0 is available.').waitFor();
  await page.getByRole('button', { name: 'Download…' }).click();
  await expect.poll(() => app.desk('openedOutside')).toEqual(['https://toolkeep.invalid/']);
  expect(await app.quit()).toBe(0);
  expect(feed.requests).toHaveLength(1);
  expect(readFileSync(installed.appImage, 'utf8')).toBe('the installed version');
});

describe('The feed', () => {
  /** Looks for a new version even if the window does not offer it. */
  async function forceCheck(page: Page): Promise<unknown> {
    await call(page, 'updates.check');
    return call(page, 'updates.show');
  }

  it.each([
    ['the setting', { settings: { userSettings: { updates: false } } }],
    ['the config file', { config: { updates: { enabled: false } } }],
    ['the administrator', { env: { TOOLKEEP_NO_UPDATES: '1' } }],
  ])('gets no request if %s disables updates', async (_who, options) => {
    feed.publish({ version: '99.0.0', file: newName, content: 'a package' });
    const app = await start(installApp('appimage', feed.url), options as AppOptions);
    const page = await app.page();
    await page.evaluate("location.hash = '#/settings'");
    await page.getByText('Look for new versions').waitFor();
    expect(await page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
    expect(await forceCheck(page)).toMatchObject({ value: { state: 'disabled' } });
    expect(feed.requests).toEqual([]);
  });

  it('that is a placeholder causes no message about updates in the window', async () => {
    const app = await start(installApp('appimage', 'https://updates.toolkeep.invalid'));
    const page = await app.page();
    await page.evaluate("location.hash = '#/settings'");
    await page.getByText('Data folder').waitFor();
    expect(await page.getByText('Updates').count()).toBe(0);
    expect(await forceCheck(page)).not.toHaveProperty('value.state');
  });
});
