/** Every view and every question, light and dark: nothing that axe objects to, nothing that the security policy refuses. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { armed, findings, goTo, loaded, startWindowTests, type WindowTests } from './open-window.ts';
import { questionKinds } from './sample-questions.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const views = {
  servers: 'Servers',
  'servers/filesystem': 'Servers',
  'servers/postgres': 'Servers',
  tools: 'Tools',
  'tools/github/create_issue': 'Tools',
  rules: 'Rules',
  import: 'Import',
  clients: 'Clients',
  history: 'History',
  settings: 'Settings',
};

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('has views that everyone can use, under the strict security policy', async () => {
    const { page } = await tests.open('servers', { colorScheme });
    for (const [route, title] of Object.entries(views)) {
      await goTo(page, route);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await loaded(page);
      expect(await findings(page), route).toEqual([]);
    }
    expect(tests.complaints).toEqual([]);
  });

  it('has questions of every kind that everyone can use', async () => {
    const { page, core } = await tests.open('servers', { colorScheme });
    for (const kind of questionKinds) {
      const answered = core.ask(kind);
      const dialog = page.getByRole('dialog', { name: 'A question for you' });
      await dialog.waitFor();
      await armed(page);
      expect(await findings(page), kind).toEqual([]);
      await page
        .getByRole('button', { name: kind === 'approval' || kind === 'hostile' ? 'Deny' : /^Decline/, exact: true })
        .first()
        .click();
      expect(await answered).toMatchObject({ action: 'decline' });
      await dialog.waitFor({ state: 'detached' });
    }
    expect(tests.complaints).toEqual([]);
  });
});

it.each([
  ['the first start', 'servers', { empty: true }, 'Welcome to Gatehouse'],
  ['no rules', 'rules', { empty: true }, 'No rules of your own'],
  ['no history', 'history', { empty: true }, 'Nothing has happened yet'],
  ['a Core in trouble', 'tools', { broken: true }, 'The catalog could not be read'],
  ['a narrow window', 'tools/github/create_issue', { viewport: { width: 360, height: 740 } }, 'Held back: it changed'],
])('says what to do and is accessible with %s', async (_name, route, options, text) => {
  const { page } = await tests.open(route, options);
  await page.getByText(text).first().waitFor();
  expect(await findings(page)).toEqual([]);
  expect(tests.complaints).toEqual([]);
});
