/** Makes the pictures of the README: `node test/window/readme-images.ts`. They lie in docs/images. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { armed, loaded, type OpenedWindow, startWindowTests } from './open-window.ts';

const folder = join(import.meta.dirname, '../../docs/images');
const mostBytes = 150_000;

interface Picture {
  name: string;
  route: string;
  colours: ('light' | 'dark')[];
  viewport?: { width: number; height: number };
  act?(window: OpenedWindow): Promise<void>;
}

const pictures: Picture[] = [
  { name: 'servers', route: 'servers/filesystem', colours: ['light', 'dark'] },
  {
    name: 'approval',
    route: 'question',
    viewport: { width: 560, height: 700 },
    colours: ['light', 'dark'],
    act: async ({ page, core }) => {
      void core.ask('approval');
      await armed(page);
    },
  },
  {
    name: 'connect',
    route: 'clients',
    colours: ['light'],
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'Connect…' }).first().click();
      await page.getByRole('region', { name: 'What would change in the file' }).waitFor();
    },
  },
];

async function quiet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByText('in your other apps').waitFor({ state: 'detached' });
  await loaded(page);
}

const tests = await startWindowTests();
mkdirSync(folder, { recursive: true });
try {
  for (const { name, route, colours, viewport, act } of pictures) {
    for (const colorScheme of colours) {
      const window = await tests.open(route, { colorScheme, viewport: viewport ?? { width: 1160, height: 740 } });
      if (route !== 'question') await quiet(window.page);
      await act?.(window);
      await window.page.mouse.move(0, 0);
      await window.page.waitForTimeout(300);
      const path = join(folder, `${name}-${colorScheme}.png`);
      await window.page.screenshot({ path });
      const { size } = statSync(path);
      if (size > mostBytes) throw new Error(`${path} has ${size} bytes, more than ${mostBytes}.`);
      console.log(`${name}-${colorScheme}.png ${Math.round(size / 1024)} KB`);
      await tests.clear();
    }
  }
} finally {
  await tests.close();
}
