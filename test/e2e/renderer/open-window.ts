/** Runs the production build of the window in Chromium: opens pages connected to a Core and collects their errors. */
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../../fixtures/chromium.ts';
import { createSampleCore, type SampleCore } from './sample-core.ts';
import type { SampleOptions } from './sample-state.ts';
import { buildPage, type ServedPage, servePage } from './serve-page.ts';

export interface OpenedWindow {
  page: Page;
  core: SampleCore;
  /** The server of the page. */
  served: ServedPage;
  /** Opens another window on the same Core. */
  another(route?: string): Promise<Page>;
}

/** `hasClock`: the test can advance the page's timers. `prepare` runs before the page opens. */
type PageOptions = BrowserContextOptions & { hasClock?: boolean };
type WindowOptions = SampleOptions & PageOptions & { prepare?(core: SampleCore): void };

export interface WindowTests {
  open(route?: string, options?: WindowOptions): Promise<OpenedWindow>;
  /** Opens any URL and collects its errors as well. */
  openUrl(url: string, options?: PageOptions): Promise<Page>;
  /** Console errors, exceptions and content security policy violations of all pages. */
  pageErrors: string[];
  rendererDir: string;
  /** Closes the pages and Cores of the last test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** The size of a page, in pixels, unless a test chooses another. */
export const windowSize = { width: 1280, height: 800 };

/** The test files of a worker share a browser, which ends with the worker. */
let browser: Promise<Browser> | undefined;

/** `rendererDir`: the page, if it is not the one in dist. `locale`: the language of the system. */
export async function startWindowTests({
  rendererDir = buildPage(),
  locale,
}: {
  rendererDir?: string;
  locale?: string;
} = {}): Promise<WindowTests> {
  browser ??= launchChromium();
  const chromium = await browser;
  const pageErrors: string[] = [];
  const contexts: BrowserContext[] = [];
  const served: ServedPage[] = [];
  /** All windows use the same origin, one after another, so the browser has already compiled the page's scripts. */
  let lastPort: number | undefined;
  let reused: Page | undefined;
  let isReusedOpen = false;

  async function newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await chromium.newContext({ ...(locale && { locale }), ...options });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') pageErrors.push(message.text());
    });
    page.on('pageerror', (error) => pageErrors.push(String(error)));
    return page;
  }

  /** A new page costs about a second of CPU time, so tests without special needs reuse one page. */
  async function pageWith({ hasClock, viewport = windowSize, ...options }: PageOptions): Promise<Page> {
    const { colorScheme = 'light', forcedColors = 'none', reducedMotion = 'reduce', ...special } = options;
    const media = { colorScheme, forcedColors, reducedMotion };
    if (isReusedOpen || hasClock || viewport === null || Object.keys(special).length > 0) {
      const page = await newPage({ viewport, ...media, ...special });
      contexts.push(page.context());
      if (hasClock) await page.clock.install();
      return page;
    }
    reused ??= await newPage({ viewport, ...media });
    isReusedOpen = true;
    await reused.setViewportSize(viewport);
    await reused.emulateMedia(media);
    return reused;
  }

  async function openUrl(url: string, options: PageOptions = {}): Promise<Page> {
    const page = await pageWith(options);
    await page.goto(url);
    return page;
  }

  /** Leaves nothing of a test in the reused page. */
  async function clearReused(): Promise<void> {
    isReusedOpen = false;
    if (!reused) return;
    if (reused.isClosed()) {
      reused = undefined;
      return;
    }
    const others = reused
      .context()
      .pages()
      .filter((page) => page !== reused);
    await Promise.all(others.map((page) => page.close()));
    await reused.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => undefined);
    await reused.mouse.move(0, 0);
    await reused.goto('about:blank');
  }

  async function clear(): Promise<void> {
    await clearReused();
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    await Promise.all(served.splice(0).map((server) => server.close()));
    pageErrors.length = 0;
  }

  return {
    pageErrors,
    rendererDir,
    openUrl,
    async open(route = 'servers', options = {}) {
      const { empty: _empty, tools: _tools, broken: _broken, prepare, ...context } = options;
      const core = createSampleCore(options);
      prepare?.(core);
      const server = await servePage(rendererDir, core, { lastPort });
      lastPort ??= server.port;
      served.push(server);
      async function another(view = 'servers'): Promise<Page> {
        const page = await openUrl(server.url, context);
        await goTo(page, view);
        return page;
      }
      return { page: await another(route), core, served: server, another };
    },
    clear,
    async close() {
      await clear();
      await reused?.context().close();
      // The next test file of a worker uses the browser; a script is done with it.
      if (!process.env.VITEST) await chromium.close();
    },
  };
}

/** Opens a view, like a click in the navigation. */
export async function goTo(page: Page, route: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
}

/** Runs in the page, exempt from its content security policy. Waits for animations, which would distort color contrast. */
const axeScript = (rules: readonly string[]) => `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  const { violations } = await axe.run(document, {
    runOnly: ${JSON.stringify(rules)},
    resultTypes: ['violations'], selectors: false, iframes: false,
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200)));
})()`;

/** WCAG 2.2 A and AA, and best practices. */
const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Axe violations of `rules`, in short. */
export async function findings(page: Page, rules: readonly string[] = allRules): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  return page.evaluate(axeScript(rules));
}

/** Resolves when a question is shown and its buttons are enabled. */
export async function armed(page: Page): Promise<void> {
  await page
    .getByRole('article')
    .filter({ has: page.getByRole('timer') })
    .waitFor();
  await page.locator('article fieldset:disabled').first().waitFor({ state: 'detached' });
}

/** Resolves when the view has loaded. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('[role=status][aria-label*="Loading"], [aria-busy=true]').first().waitFor({ state: 'detached' });
}
