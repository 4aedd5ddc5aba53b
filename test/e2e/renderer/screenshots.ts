/** Takes screenshots of every scene in every mode for review: `node test/e2e/renderer/screenshots.ts FOLDER [name…]`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startWindowTests } from './open-window.ts';
import { modes, openScene, show } from './scenes/scene.ts';
import { scenes } from './scenes/scenes.ts';

const [folder, ...names] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node test/e2e/renderer/screenshots.ts FOLDER [name…]');
mkdirSync(folder, { recursive: true });
const tests = await startWindowTests();
try {
  for (const scene of scenes) {
    if (names.length > 0 && !names.includes(scene.name)) continue;
    const { page } = await openScene(tests, scene);
    for (const [name, mode] of Object.entries(modes)) {
      await show(page, scene, mode);
      await page.waitForTimeout(100);
      await page.screenshot({ path: join(folder, `${scene.name} ${name}.png`) });
    }
    await tests.clear();
  }
} finally {
  await tests.close();
}
