/** The one Chromium behind all windows, and `protocol`: the app's handler answers requests of the app's scheme. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, type Route } from 'playwright-core';
import { wholeApp } from './app.ts';
import { strict } from './strict.ts';

/** Chromium does not navigate to unknown schemes, so this origin replaces `toolkeep-app://app`. */
const suffix = '.stand-in.invalid';
const handlers = new Map<string, (request: Request) => Response | Promise<Response>>();
const privileged = new Set<string>();

export const toChromium = (url: string) =>
  url.replace(/^([a-z-]+):\/\/([^/]+)/, (all, scheme: string, host: string) =>
    handlers.has(scheme) ? `https://${host}.${scheme}${suffix}` : all,
  );
export const fromChromium = (url: string) =>
  url.replace(/^https:\/\/([^./]+)\.([a-z-]+)\.stand-in\.invalid/, '$2://$1');

/** `x11` or `wayland`: each window is a window of that display. Otherwise, Chromium shows none. */
const { TOOLKEEP_STAND_IN_OZONE: ozone } = process.env;

/** Decides whether a window may navigate. */
export type MayNavigate = (page: Page, url: string) => boolean;

let opened: Promise<BrowserContext> | undefined;
let mayNavigate: MayNavigate = () => true;

/** Starts Chromium at the first window. The test connects to its pages at `TOOLKEEP_STAND_IN_PORT`. */
export function openBrowser(decide: MayNavigate): Promise<BrowserContext> {
  mayNavigate = decide;
  opened ??= launch();
  return opened;
}

async function launch(): Promise<BrowserContext> {
  const profile = mkdtempSync(join(tmpdir(), 'toolkeep-stand-in-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.TOOLKEEP_CHROMIUM ?? '/usr/bin/chromium',
    headless: ozone === undefined,
    args: [
      ...(ozone ? [`--ozone-platform=${ozone}`] : []),
      '--no-sandbox',
      `--remote-debugging-port=${process.env.TOOLKEEP_STAND_IN_PORT}`,
    ],
    viewport: null,
    // The app handles signals.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  await context.route('**/*', answer);
  const end = async () => {
    await context.close().catch(() => undefined);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  wholeApp.end = end;
  return context;
}

/** A page in a window of its own, if there is a display. */
export async function newPage(context: BrowserContext): Promise<Page> {
  const [first] = context.pages();
  if (ozone === undefined || !first) return context.newPage();
  const session = await context.newCDPSession(first);
  const opened = context.waitForEvent('page');
  await session.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  return opened;
}

/** Brings the page's window to the front of the display, or minimizes it. */
export async function display(page: Page, isVisible: boolean): Promise<void> {
  if (ozone === undefined) return;
  const session = await page.context().newCDPSession(page);
  const { windowId } = await session.send('Browser.getWindowForTarget');
  const windowState = isVisible ? 'normal' : 'minimized';
  await session.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
  if (isVisible) await page.bringToFront();
}

async function answer(route: Route): Promise<void> {
  const request = route.request();
  const url = fromChromium(request.url());
  const isMainFrame = request.isNavigationRequest() && request.frame().parentFrame() === null;
  if (isMainFrame && !mayNavigate(request.frame().page(), url)) return route.abort('aborted');
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  // The app loads nothing from other origins.
  if (!handler) return route.abort('blockedbyclient');
  const response = await handler(new Request(url, { method: request.method() }));
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  });
}

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]) {
    if (wholeApp.isReady()) throw new Error('registerSchemesAsPrivileged was called after the app was ready');
    for (const { scheme } of schemes) privileged.add(scheme);
  },
  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>) {
    if (!wholeApp.isReady()) throw new Error('protocol.handle was called before the app was ready');
    if (!privileged.has(scheme)) throw new Error(`The scheme "${scheme}" was not registered as privileged`);
    handlers.set(scheme, handler);
  },
});
