/** Makes the README screenshots in docs/images: `node test/e2e/renderer/readme-images.ts`. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { armed, loaded, type OpenedWindow, startWindowTests } from './open-window.ts';

const folder = join(import.meta.dirname, '../../../docs/images');
const maxBytes = 150_000;

interface Picture {
  name: string;
  route: string;
  colorSchemes: ('light' | 'dark')[];
  viewport?: { width: number; height: number };
  act?(window: OpenedWindow): Promise<void>;
}

const pictures: Picture[] = [
  { name: 'home', route: 'home', colorSchemes: ['light', 'dark'] },
  {
    name: 'approval',
    route: 'question',
    viewport: { width: 560, height: 700 },
    colorSchemes: ['light', 'dark'],
    act: async ({ page, core }) => {
      void core.ask('approval');
      await armed(page);
    },
  },
  {
    name: 'connect',
    route: 'clients',
    colorSchemes: ['light'],
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'Connect…' }).first().click();
      await page.getByRole('region', { name: 'Changes to the file' }).waitFor();
    },
  },
];

async function dismissBanner(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByText('found in your clients').waitFor({ state: 'detached' });
  await loaded(page);
}

const tests = await startWindowTests();
mkdirSync(folder, { recursive: true });
try {
  for (const { name, route, colorSchemes, viewport, act } of pictures) {
    for (const colorScheme of colorSchemes) {
      const window = await tests.open(route, { colorScheme, viewport: viewport ?? { width: 1160, height: 740 } });
      if (route === 'home') await loaded(window.page);
      else if (route !== 'question') await dismissBanner(window.page);
      await act?.(window);
      await window.page.mouse.move(0, 0);
      await window.page.waitForTimeout(300);
      const path = join(folder, `${name}-${colorScheme}.png`);
      await window.page.screenshot({ path });
      const { size } = statSync(path);
      if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}.`);
      console.log(`${name}-${colorScheme}.png ${Math.round(size / 1024)} KB`);
      await tests.clear();
    }
  }
} finally {
  await tests.close();
}
