/** `webContents` of a window: the preload in an isolated world of a real page, IPC to it, and its guards. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { standInEvent, wholeApp } from './app.ts';
import { fromChromium, toChromium } from './browser.ts';
import { strict } from './strict.ts';

const worldName = 'preload';
const world = (name: string) => readFileSync(join(import.meta.dirname, 'worlds', `${name}.js`), 'utf8');

/** A listener of `ipcMain`. */
export const ipcMain = strict('ipcMain', new EventEmitter());

type OpenHandler = (details: { url: string }) => { action: 'deny' | 'allow' };

export class WebContents extends EventEmitter {
  readonly id: number;
  readonly mainFrame: { url: string };
  readonly page: Promise<Page>;
  /** The page, once it exists. */
  opened: Page | undefined;
  openHandler: OpenHandler | undefined;
  session: CDPSession | undefined;
  preloadWorld: number | undefined;
  loading: string | undefined;
  destroyed = false;
  #outgoing: Promise<unknown> = Promise.resolve();

  constructor(id: number, page: Promise<Page>, preloadFile: string) {
    super();
    this.id = id;
    const current = { url: '' };
    this.mainFrame = strict('webFrameMain', current);
    this.page = page.then(async (opened) => {
      opened.on('framenavigated', (frame) => {
        if (frame === opened.mainFrame()) current.url = fromChromium(frame.url());
      });
      opened.on('crash', () => this.emit('render-process-gone', standInEvent({}), { reason: 'crashed', exitCode: 5 }));
      opened.on('popup', (popup) => void this.#popup(popup));
      await this.#prepare(opened, preloadFile, current);
      this.opened = opened;
      return opened;
    });
  }

  async #prepare(page: Page, preloadFile: string, current: { url: string }) {
    const session = await page.context().newCDPSession(page);
    this.session = session;
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === worldName && context.auxData?.frameId === mainFrameId) this.preloadWorld = context.id;
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === '__standInOpen') this.#open((JSON.parse(payload) as { url: string }).url);
      if (name !== '__standInSend') return;
      const { channel, args } = JSON.parse(payload) as { channel: string; args: unknown[] };
      // Ignore a late message from an earlier document's world. Only the preload has the binding.
      if (executionContextId !== this.preloadWorld) return;
      current.url = fromChromium(page.url());
      ipcMain.emit(channel, standInEvent({ sender: this.seen, senderFrame: this.mainFrame }), ...args);
    });
    const { frameTree } = await session.send('Page.getFrameTree');
    const mainFrameId = frameTree.frame.id;
    await session.send('Page.enable');
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: '__standInSend', executionContextName: worldName });
    await session.send('Runtime.addBinding', { name: '__standInOpen' });
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: `${world('bridge')}\n${world('page')}` });
    if (process.env.TOOLKEEP_STAND_IN_FRAMES === '1')
      await session.send('Page.addScriptToEvaluateOnNewDocument', { source: world('frames') });
    const preload = `${world('bridge')}\n${world('preload')}\nif (window.top === window) (function (require, module, exports) {${readFileSync(preloadFile, 'utf8')}\n})(globalThis.__standInRequire, { exports: {} }, {});`;
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: preload, worldName });
  }

  /** The object that the program sees. */
  readonly seen = strict('webContents', this) as WebContents;

  /** Messages arrive in the order in which they were sent. */
  send(channel: string, ...args: unknown[]) {
    if (this.destroyed) throw new Error('Object has been destroyed');
    this.emit('stand-in-sent', JSON.stringify(args));
    const expression = `globalThis.__standInReceive(${JSON.stringify(channel)}, ${JSON.stringify(structuredClone(args))})`;
    const contextId = this.preloadWorld;
    this.#outgoing = this.#outgoing.then(() => {
      // As in Electron, a message to a document that no longer exists is lost.
      if (contextId === undefined || contextId !== this.preloadWorld) return;
      return this.session?.send('Runtime.evaluate', { expression, contextId }).catch(() => undefined);
    });
  }

  async load(url: string) {
    const page = await this.page;
    this.loading = url;
    await page.goto(toChromium(url));
    this.loading = undefined;
    this.emit('did-finish-load', standInEvent({}));
  }

  /** Called for every navigation of the page itself. */
  mayNavigate(url: string): boolean {
    if (url === this.loading) return true;
    const event = standInEvent({ url, isMainFrame: true });
    this.emit('will-frame-navigate', event, url);
    return !event.defaultPrevented;
  }

  /** As in Electron, a page with a listener for `beforeunload` silently keeps its window, unless the app overrides it. */
  async mayUnload(): Promise<boolean> {
    if (!this.opened || this.loading !== undefined) return true;
    const asks = "!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))";
    const prevents = await this.opened.evaluate(asks).catch(() => false);
    if (!prevents) return true;
    const event = standInEvent({});
    this.emit('will-prevent-unload', event);
    return event.defaultPrevented;
  }

  setWindowOpenHandler(handler: OpenHandler) {
    this.openHandler = handler;
  }

  isDestroyed() {
    return this.destroyed;
  }

  getURL() {
    return this.mainFrame.url;
  }

  destroy() {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('destroyed');
    void this.page.then((page) => page.close()).catch(() => undefined);
  }

  #open(url: string) {
    const { action } = this.openHandler?.({ url }) ?? { action: 'allow' };
    if (action === 'allow') wholeApp.emit('stand-in-popup-allowed', url);
  }

  /** Handles a link with a target, for which Chromium has already opened a page. */
  async #popup(popup: Page) {
    const url = popup.url();
    await popup.close().catch(() => undefined);
    this.#open(url);
  }
}
