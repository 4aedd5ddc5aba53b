/** Shared by the tests of questions: the dialog and what tests do in it. */
import type { Page } from 'playwright-core';

export const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'A question for you' });
export const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent?.trim() ?? ""');

/** Presses Tab until an element with this text has the focus. */
export async function tabTo(page: Page, text: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    if ((await focused(page)) === text) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached “${text}”.`);
}

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
