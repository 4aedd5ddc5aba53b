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
  rendererDir: string;
  /** Closes the pages and Cores of the last test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function startWindowTests(): Promise<WindowTests> {
  const rendererDir = buildPage();
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
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(url);
    return page;
  }

  async function clear(): Promise<void> {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    await Promise.all(served.splice(0).map((server) => server.close()));
    complaints.length = 0;
  }

  return {
    complaints,
    rendererDir,
    openUrl,
    async open(route = 'servers', options = {}) {
      const core = createSampleCore(options);
      const server = await servePage(rendererDir, core);
      served.push(server);
      const { empty: _empty, tools: _tools, broken: _broken, ...context } = options;
      async function another(place = 'servers'): Promise<Page> {
        const page = await openUrl(server.url, context);
        await goTo(page, place);
        return page;
      }
      return { page: await another(route), core, served: server, another };
    },
    clear,
    async close() {
      await clear();
      await browser.close();
    },
  };
}

/** Leads a window to a place, as a click in the navigation does. */
export async function goTo(page: Page, route: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
}

/** Runs in the page, from outside its security policy. What is fading in has no colours of its own yet, so it is waited for. */
const search = `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  const { violations } = await axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200)));
})()`;

/** What axe finds against WCAG 2.2 A and AA and its best practices, in short. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(search);
}

/** Resolves when a question is there and what allows something is no longer guarded against a stray key. */
export async function armed(page: Page): Promise<void> {
  await page.locator('.question').waitFor();
  await page.locator('.question fieldset:disabled').first().waitFor({ state: 'detached' });
}

/** Resolves when the window has loaded what it shows. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
}
