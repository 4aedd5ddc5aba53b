/** A real Chromium on the window as it is shipped: opens pages on a Core and remembers everything they complain about. */
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../fixtures/chromium.ts';
import { createSampleCore, type SampleCore, type SampleOptions } from './sample-core.ts';
import { buildPage, type ServedPage, servePage } from './serve-page.ts';

export interface OpenedWindow {
  page: Page;
  core: SampleCore;
  /** Where it is served; `#/…` with a place leads to a view. */
  served: ServedPage;
  /** Another window on the same Core. */
  another(route?: string): Promise<Page>;
}

export interface WindowTests {
  open(route?: string, options?: SampleOptions & BrowserContextOptions): Promise<OpenedWindow>;
  /** A page on any address, with the same watch on it. */
  openUrl(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** What the pages wrote to their consoles as errors, threw, or were refused by the security policy. */
  complaints: string[];
  /** Closes the pages and Cores of the last test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function startWindowTests(): Promise<WindowTests> {
  const rendererDir = await buildPage();
  const browser: Browser = await launchChromium();
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];
  const served: ServedPage[] = [];

  async function openUrl(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    contexts.push(context);
    // As an init script it stands outside the page's security policy, which stays in force for everything else.
    await context.addInitScript({ content: axe.source });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(url);
    return page;
  }

  return {
    complaints,
    openUrl,
    async open(route = 'servers', options = {}) {
      const core = createSampleCore(options);
      const server = await servePage(rendererDir, core);
      served.push(server);
      const { empty: _empty, tools: _tools, broken: _broken, ...context } = options;
      async function another(place = 'servers'): Promise<Page> {
        const page = await openUrl(server.url, context);
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `#/${place}`);
        return page;
      }
      return { page: await another(route), core, served: server, another };
    },
    async clear() {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      await Promise.all(served.splice(0).map((server) => server.close()));
      complaints.length = 0;
    },
    async close() {
      await this.clear();
      await browser.close();
    },
  };
}

/** What axe finds against WCAG 2.2 A and AA and its best practices, in short. */
export async function findings(page: Page): Promise<string[]> {
  const violations = await page.evaluate(async () => {
    // What is fading in has no colours of its own yet.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { axe: engine } = globalThis as unknown as { axe: typeof axe };
    const result = await engine.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return result.violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ html }) => html) }));
  });
  return violations.flatMap(({ id, targets }) => targets.map((target) => `${id}: ${target.slice(0, 200)}`));
}
