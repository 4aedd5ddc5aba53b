/** The requests of a page while it opens: none is repeated, and none is unnecessary. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

/**
 * The types of the requested files. Excludes the icon of the tab and the logos of clients, which the browser requests
 * at any time.
 */
const requests = `performance.getEntriesByType('resource')
  .map(({ name }) => name.replace(/.*\\//, ''))
  .filter((name) => !name.endsWith('.svg'))
  .map((name) => name.replace(/-.*/, '')).sort()`;

/** The entry, which loads the language, then the code and styles that both kinds of page need. */
const atFirst = ['index', 'index', 'inter', 'start', 'token', 'token'];

it('The main window requests each file once, and its icon only for the tab', async () => {
  const { page } = await tests.open('home');
  await page.locator('main h1').waitFor({ state: 'attached' });
  await page.evaluate('document.fonts.ready');
  expect(await page.evaluate(requests)).toEqual([...atFirst, 'window', 'window']);
  // The icons of servers are `data:` URIs.
  expect(await page.locator('img:not([src^="data:"])').count()).toBe(0);
});

it('The page of the prompt window does not load the code of the main window', async () => {
  const { served } = await tests.open('home');
  const prompt = await tests.openUrl(served.url.replace('/#', '/?view=questions#'));
  await prompt.getByText('No open questions').waitFor();
  await prompt.evaluate('document.fonts.ready');
  expect(await prompt.evaluate(requests)).toEqual(atFirst);
});
