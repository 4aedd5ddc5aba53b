/** Makes the README screenshots in docs/images: `node test/e2e/renderer/readme-images.ts [name…]`. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startWindowTests } from './open-window.ts';
import { modes, openScene, show } from './scenes/scene.ts';
import { scenes } from './scenes/scenes.ts';

const folder = join(import.meta.dirname, '../../../docs/images');
const maxBytes = 150_000;
const windowSize = { width: 1160, height: 740 };

/** The scene of each picture, and its size. */
const pictures = [
  { name: 'home', scene: 'home', viewport: windowSize },
  { name: 'approval', scene: 'prompt-approval', viewport: { width: 560, height: 700 } },
  { name: 'connect', scene: 'welcome-clients', viewport: windowSize },
  { name: 'history', scene: 'history', viewport: windowSize },
  { name: 'held', scene: 'tool-held', viewport: windowSize },
];

const names = process.argv.slice(2);
const tests = await startWindowTests();
mkdirSync(folder, { recursive: true });
try {
  for (const { name, scene: sceneName, viewport } of pictures) {
    if (names.length > 0 && !names.includes(name)) continue;
    const found = scenes.find((scene) => scene.name === sceneName);
    if (!found) throw new Error(`There is no scene “${sceneName}”.`);
    const scene = { ...found, viewport };
    const { page } = await openScene(tests, scene);
    const later = page.getByRole('button', { name: 'Not now' });
    if (found.route !== '' && (await later.count()) > 0) await later.click();
    await page.mouse.move(0, 0);
    for (const mode of ['light', 'dark'] as const) {
      await show(page, scene, modes[mode]);
      const path = join(folder, `${name}-${mode}.png`);
      await page.screenshot({ path });
      const { size } = statSync(path);
      if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}.`);
      console.log(`${name}-${mode}.png ${Math.round(size / 1024)} KB`);
    }
    await tests.clear();
  }
} finally {
  await tests.close();
}
