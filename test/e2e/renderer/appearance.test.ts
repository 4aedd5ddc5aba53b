/** The look of the window: density, text size and motion. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, goTo, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

async function rowHeight(page: Page): Promise<number> {
  await goTo(page, 'servers');
  const row = page.getByRole('list', { name: 'Servers' }).getByRole('link', { name: /^memory/ });
  await row.waitFor();
  return (await row.boundingBox())?.height ?? 0;
}

describe('The appearance', () => {
  it('has a density and a text size, chosen by keyboard and kept', async () => {
    const { page, served } = await tests.open('servers');
    const standard = await rowHeight(page);
    await goTo(page, 'settings');
    await page.getByRole('radio', { name: 'Comfortable' }).focus();
    await page.keyboard.press('ArrowRight');
    const compact = await rowHeight(page);
    expect(compact).toBeLessThan(standard - 4);
    await goTo(page, 'settings');
    await page.getByRole('radio', { name: 'Larger' }).check();
    expect(await findings(page)).toEqual([]);
    expect(await rowHeight(page)).toBeGreaterThan(compact * 1.2);
    await page.goto('about:blank');
    await page.goto(served.url);
    expect(await rowHeight(page)).toBeGreaterThan(compact * 1.2);
  });

  it('is changed from the command palette', async () => {
    const { page } = await tests.open('servers');
    const standard = await rowHeight(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('compact density');
    await page.keyboard.press('Enter');
    await expect.poll(() => rowHeight(page)).toBeLessThan(standard - 4);
  });

  it('ignores stored values that it does not know', async () => {
    const { page, served } = await tests.open('settings');
    await page.evaluate(
      `localStorage.setItem('toolkeep.appearance', '{"density":"dense","textSize":7,"theme":"dark","__proto__":true}')`,
    );
    await page.goto('about:blank');
    await page.goto(served.url);
    await goTo(page, 'settings');
    expect(await page.getByRole('radio', { name: 'Comfortable' }).isChecked()).toBe(true);
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
  });

  it('stops animations if the user wants that, whatever the system says', async () => {
    const { page } = await tests.open('settings', { reducedMotion: 'no-preference' });
    const spins = () => page.evaluate<number>(`document.getAnimations().length`);
    await goTo(page, 'servers');
    await page.getByText('Starting: session').first().waitFor();
    expect(await spins()).toBeGreaterThan(0);
    await goTo(page, 'settings');
    await page.getByRole('switch', { name: 'Reduce motion' }).click();
    await goTo(page, 'servers');
    await page.getByText('Starting: session').first().waitFor();
    await expect.poll(spins).toBe(0);
  });

  it('with larger text still fits a narrow window', async () => {
    const { page } = await tests.open('settings', { viewport: { width: 380, height: 740 } });
    await page.getByRole('radio', { name: 'Larger' }).check();
    for (const view of ['home', 'servers', 'tools', 'history', 'notifications', 'settings']) {
      await goTo(page, view);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const overflow = 'document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth';
      expect([view, await page.evaluate<number>(overflow)]).toEqual([view, 0]);
    }
  });
});
