/**
 * The window in another language, which is added as one file, and with the numbers of another region.
 *
 * @module-tag exhaustive
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { goTo, loaded, startWindowTests, type WindowTests } from './open-window.ts';
import { buildPseudoPage, end, type PseudoPage, pseudoLocale, start } from './pseudo-locale.ts';
import { openScene } from './scenes/scene.ts';
import { scenes } from './scenes/scenes.ts';
import { keepSent, untranslated } from './untranslated.ts';

describe('In a language that one file adds', () => {
  const missing = 'Rules decide which tools agents can use. The first matching rule wins.';
  let pseudo: PseudoPage;
  let tests: WindowTests;
  beforeAll(async () => {
    pseudo = buildPseudoPage([missing]);
    tests = await startWindowTests({ rendererDir: pseudo.rendererDir, locale: pseudoLocale });
  });
  afterEach(() => tests.clear());
  afterAll(async () => {
    await tests.close();
    pseudo.remove();
  });

  // Six scenes of different views, because `npm run check` already finds untranslated strings in the code of all.
  const shown = scenes.filter((_, index) => index % Math.ceil(scenes.length / 6) === 0);
  it.each(shown.map((scene) => [scene.name, scene] as const))(
    '“%s” has no English string',
    async (_name, scene) => {
      let sent: ReadonlySet<string> = new Set();
      const prepare: typeof scene.prepare = (core) => {
        sent = keepSent(core);
        scene.prepare?.(core);
      };
      const { page } = await openScene(tests, { ...scene, prepare });
      expect(await page.locator('html').getAttribute('lang')).toBe(pseudoLocale);
      const found = await untranslated(page, sent);
      expect(found.filter((text) => text !== missing)).toEqual([]);
    },
    90_000,
  );

  it('a message that the file does not have is in English', async () => {
    const { page } = await tests.open('rules');
    await loaded(page);
    expect(await page.locator('h1').textContent()).toBe(`${start}Rules${end}`);
    expect(await page.locator('.lead').textContent()).toBe(missing);
  });
});

describe('Without a file for the system’s language', () => {
  let tests: WindowTests;
  beforeAll(async () => {
    tests = await startWindowTests({ locale: 'de-DE' });
  });
  afterEach(() => tests.clear());
  afterAll(() => tests.close());

  it('the window is in English, with numbers and dates as the system writes them', async () => {
    const { page, core } = await tests.open('tools', { tools: 10_000 });
    await page.getByText(/^\d\d\.\d{3} tools · /).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await goTo(page, 'history');
    await page.getByRole('list', { name: 'History' }).waitFor();
    core.record({ id: 'd1', at: new Date(2026, 2, 9, 15, 30).getTime() });
    await page.getByRole('heading', { name: 'Montag, 9. März 2026' }).waitFor();
  });
});
