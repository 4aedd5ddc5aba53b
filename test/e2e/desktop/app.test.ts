/** The built main, preload and renderer together: the user's view, and the limits of a page. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initialize, spawnPeer } from '../../integration/gateway/raw-peer.ts';
import { type App, startApp } from './driver.ts';
import { call } from './page-call.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
  // A Wire has one listener, so the page must have set its own before a test replaces it.
  await (await app.page()).getByRole('main').waitFor();
});
afterAll(() => app?.dispose());

/** All windows except the prompt window, which is created some seconds after the start. */
const mainWindows = async () =>
  (await app.desk('windows')).filter(({ title }) => title !== 'A question for you · Toolkeep');

describe('The main window', () => {
  it('opens with the page', async () => {
    const page = await app.page();
    expect(await page.title()).toContain('Toolkeep');
    await expect
      .poll(async () => (await mainWindows())[0])
      .toMatchObject({
        url: 'toolkeep-app://app/index.html',
        visible: true,
      });
  });

  it('gives the page a Wire but no other API of Electron or Node', async () => {
    const page = await app.page();
    const seen = await page.evaluate(() => {
      const all = globalThis as never as Record<string, object>;
      return {
        bridge: Object.keys(all.toolkeep ?? {}).sort(),
        leaks: ['require', 'process', 'module', 'electron', 'ipcRenderer', 'Buffer', 'global'].filter(
          (name) => name in all,
        ),
      };
    });
    expect(seen).toEqual({ bridge: ['onClose', 'onFrame', 'pickFile', 'prompt', 'send'], leaks: [] });
  });

  it('runs a command of the page', async () => {
    const page = await app.page();
    const reply = await call(page, 'core.status');
    expect(reply).toMatchObject({ kind: 'reply', value: { paused: false, dataDir: app.dataDir } });
  });

  it('caches its scripts, whose names change with their content, but not its page', async () => {
    const page = await app.page();
    const caching = (script: string) =>
      page.evaluate(`fetch(${script}).then(({ headers }) => headers.get('cache-control'))`);
    expect(await caching("document.querySelector('script[src]').src")).toBe('private, max-age=31536000, immutable');
    expect(await caching("'/index.html'")).toBe('no-store');
  });

  it('works again after a reload, on a new Wire', async () => {
    const page = await app.page();
    await page.reload();
    await page.getByRole('main').waitFor();
    expect(await call(page, 'core.status')).toMatchObject({ kind: 'reply' });
  });

  it('hides when it is closed and comes back from the tray', async () => {
    const [window] = await mainWindows();
    await app.desk('closeWindow', window?.id ?? 0);
    await expect.poll(mainWindows).toMatchObject([{ visible: false }]);
    await app.desk('clickTray');
    await expect.poll(mainWindows).toMatchObject([{ visible: true }]);
  });

  it('comes to the front when Toolkeep is started a second time', { tags: ['stand-in'] }, async () => {
    const [window] = await mainWindows();
    await app.desk('closeWindow', window?.id ?? 0);
    await app.desk('startSecondInstance');
    expect(await mainWindows()).toMatchObject([{ visible: true, focused: true }]);
  });
});

describe('A page', () => {
  it('cannot open a window: web addresses open in the browser, and other addresses do not open', async () => {
    const page = await app.page();
    const opened = await page.evaluate(() => {
      const { open } = globalThis as never as { open(url: string): unknown };
      return [open('https://example.com/doc'), open('file:///etc/passwd')].map(String);
    });
    expect(opened).toEqual(['null', 'null']);
    await expect.poll(() => app.desk('openedOutside')).toEqual(['https://example.com/doc']);
    expect(await mainWindows()).toHaveLength(1);
  });

  it('cannot navigate to another address', async () => {
    const page = await app.page();
    await page.evaluate(() => {
      (globalThis as never as { location: { href: string } }).location.href = 'https://example.com/phish';
    });
    expect(await call(page, 'core.status')).toMatchObject({ kind: 'reply' });
    expect((await mainWindows())[0]?.url).toBe('toolkeep-app://app/index.html');
  });

  it('cannot run an inline script or send data to another origin', async () => {
    const page = await app.page();
    const outcome = await page.evaluate(async () => {
      const all = globalThis as never as {
        ran?: boolean;
        fetch(url: string): Promise<unknown>;
        document: { createElement(name: string): { textContent: string }; head: { append(node: unknown): void } };
      };
      const script = all.document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      all.document.head.append(script);
      const sent = await all.fetch('https://example.com/').then(
        () => 'sent',
        () => 'blocked',
      );
      return { ran: all.ran === true, sent };
    });
    expect(outcome).toEqual({ ran: false, sent: 'blocked' });
  });

  it('gets no permission except to write to the clipboard', { tags: ['stand-in'] }, async () => {
    for (const permission of ['media', 'geolocation', 'notifications', 'openExternal', 'clipboard-read'])
      expect(await app.desk('isPermitted', permission), permission).toEqual({ requested: false, checked: false });
    expect(await app.desk('isPermitted', 'clipboard-sanitized-write')).toEqual({ requested: true, checked: true });
  });

  it('has no Wire in a frame', async () => {
    const page = await app.page();
    const inFrame = await page.evaluate(() => {
      const { document } = globalThis as never as {
        document: { createElement(n: string): { contentWindow: object }; body: { append(n: unknown): void } };
      };
      const frame = document.createElement('iframe');
      document.body.append(frame);
      return 'toolkeep' in frame.contentWindow;
    });
    expect(inFrame).toBe(false);
  });
});

describe('A client', () => {
  it('reaches the gateway in the app over stdio and appears in the status', async () => {
    const bridge = join(import.meta.dirname, '../../../dist/bridge.cjs');
    const args = [bridge, '--client', 'claude-desktop'];
    const peer = spawnPeer({ command: process.execPath, args, env: { TOOLKEEP_HOME: app.dataDir } });
    await initialize(peer, { version: '2025-06-18', name: 'Claude Desktop' });
    const { result } = await peer.request('tools/list');
    expect(result?.tools).toHaveLength(5);
    const { value } = await call(await app.page(), 'core.status');
    expect(value).toMatchObject({ clients: [{ name: 'Claude Desktop', transport: 'bridge' }] });
    peer.close();
  });
});

describe('The tray', () => {
  const item = async (label: string) => (await app.desk('trayMenu')).find((entry) => entry.label === label);

  it('pauses and resumes all tools', async () => {
    const page = await app.page();
    await expect.poll(() => item('Pause All Tools')).toMatchObject({ checked: false });
    await app.desk('clickTrayMenu', 'Pause All Tools');
    await expect.poll(() => item('Pause All Tools')).toMatchObject({ checked: true });
    await expect.poll(() => app.desk('trayIcon')).toMatch(/^trayPaused/);
    expect(await call(page, 'core.status')).toMatchObject({ value: { paused: true } });
    await app.desk('clickTrayMenu', 'Pause All Tools');
    await expect.poll(() => item('Pause All Tools')).toMatchObject({ checked: false });
    await expect.poll(() => app.desk('trayIcon')).toMatch(/^tray(?:Template)?\./);
  });

  it('pauses all tools for a time, and says until when', async () => {
    const page = await app.page();
    await app.desk('clickTrayMenu', 'For 1 Hour');
    const labels = async () => (await app.desk('trayMenu')).map(({ label }) => label);
    await expect.poll(labels).toContainEqual(expect.stringMatching(/^Paused until .*: no tool can run$/));
    expect(await labels()).not.toContain('Pause for a Time');
    expect(await call(page, 'core.status')).toMatchObject({ value: { pausedUntil: expect.any(Number) } });
    await app.desk('clickTrayMenu', 'Pause All Tools');
    await expect.poll(labels).toContain('Pause for a Time');
  });

  it('opens the folder with the log', async () => {
    await app.desk('clickTrayMenu', 'Open Log Folder');
    await expect.poll(() => app.desk('openedOutside')).toContain(join(app.dataDir, 'logs'));
  });

  it('opens the window', async () => {
    const [window] = await mainWindows();
    await app.desk('closeWindow', window?.id ?? 0);
    await app.desk('clickTrayMenu', 'Open Toolkeep');
    await expect.poll(mainWindows).toMatchObject([{ visible: true }]);
  });
});

describe('A native file dialog', () => {
  const pick = (page: Page, kind: 'file' | 'folder') =>
    page.evaluate(
      (wanted) =>
        (globalThis as never as { toolkeep: { pickFile(o: object): Promise<string | undefined> } }).toolkeep.pickFile({
          pick: wanted,
        }),
      kind,
    );

  it("returns the chosen path to the page and has the page's window as its parent", async () => {
    const picked = pick(await app.page(), 'folder');
    const { id, kind, parent, options } = await app.dialog();
    expect({ kind, parent }).toEqual({ kind: 'open', parent: (await mainWindows())[0]?.id });
    expect(options.properties).toEqual(['openDirectory', 'createDirectory']);
    await app.desk('answerDialog', id, { canceled: false, filePaths: ['/home/me/project'] });
    expect(await picked).toBe('/home/me/project');
  });

  it('returns nothing if the user cancels', async () => {
    const picked = pick(await app.page(), 'file');
    const { id } = await app.dialog();
    await app.desk('answerDialog', id, { canceled: true, filePaths: [] });
    expect(await picked).toBeUndefined();
  });
});

describe('A message from a page', () => {
  it('is ignored if its form is unknown', { tags: ['stand-in'] }, async () => {
    const [window] = await mainWindows();
    for (const message of [
      undefined,
      null,
      'open',
      {},
      { kind: 'pickFile', id: 'x' },
      { kind: 'frame', frame: '{' },
      { kind: 'painted', turn: {} },
    ])
      await app.desk('sendOverIpc', window?.id ?? 0, message);
    expect(await call(await app.page(), 'core.status')).toMatchObject({ kind: 'reply' });
  });
});

describe('Text in a page', () => {
  it('has a context menu only for pasting into a field and for copying a selection', {
    tags: ['stand-in'],
  }, async () => {
    const [window] = await mainWindows();
    const editFlags = { canCut: false, canCopy: false, canPaste: true, canSelectAll: true };
    const field = { isEditable: true, selectionText: '', editFlags };
    for (const params of [
      field,
      { ...field, isEditable: false, selectionText: 'abc' },
      { ...field, isEditable: false },
    ])
      await app.desk('rightClick', window?.id ?? 0, params);
    expect(await app.desk('contextMenus')).toEqual([['cut', 'copy', 'paste', 'selectAll'], ['copy']]);
  });
});

describe('Quitting', () => {
  it('ends the Core, its endpoints and the process', async () => {
    const page = await app.page();
    const [window] = await mainWindows();
    await app.desk('closeWindow', window?.id ?? 0);
    expect(page.isClosed()).toBe(false);
    const state = JSON.parse(readFileSync(join(app.dataDir, 'electron', 'window.json'), 'utf8'));
    expect(state).toMatchObject({ width: 1080 });
    expect(await app.quit()).toBe(0);
    expect(existsSync(join(app.dataDir, 'run', 'core.json'))).toBe(false);
  });

  it('leaves nothing on standard error, and files that only the user can read', { tags: ['stand-in'] }, async () => {
    expect(app.stderr()).toBe('');
    expect(statSync(join(app.dataDir, 'settings.json')).mode & 0o777).toBe(0o600);
  });
});
