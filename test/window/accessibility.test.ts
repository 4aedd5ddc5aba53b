/** Every view and every question, light and dark: nothing that axe objects to, nothing that the security policy refuses. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { armed, findings, goTo, loaded, type OpenedWindow, startWindowTests, type WindowTests } from './open-window.ts';
import { questionKinds, type SampleQuestion } from './sample-questions.ts';

let tests: WindowTests;
let shared: OpenedWindow;
/** A light and a dark window on the same Core. */
let windows: Page[];
beforeAll(async () => {
  tests = await startWindowTests();
  shared = await tests.open();
  windows = [shared.page, await tests.openUrl(shared.served.url, { colorScheme: 'dark' })];
});
afterAll(() => tests.close());

/** What says no; elsewhere it is “Decline”. */
const noes: Partial<Record<SampleQuestion, string>> = {
  approval: 'Deny',
  hostile: 'Deny',
  offer: 'Leave it off',
  confirmation: 'Decline to answer',
};

const views = {
  servers: 'Servers',
  'servers/filesystem': 'Servers',
  'servers/postgres': 'Servers',
  tools: 'Tools',
  'tools/github/create_issue': 'Tools',
  rules: 'Rules',
  import: 'Import',
  clients: 'Clients',
  'clients/profiles': 'Clients',
  history: 'History',
  'history/savings': 'History',
  settings: 'Settings',
  'settings/approvals': 'Settings',
  'settings/secrets': 'Settings',
  'settings/search': 'Settings',
  'settings/status': 'Settings',
};

it.each(Object.entries(views))('everyone can use %s, under the strict security policy', async (route, title) => {
  for (const page of windows) {
    await goTo(page, route);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await loaded(page);
    expect(await findings(page)).toEqual([]);
  }
  expect(tests.complaints).toEqual([]);
});

it.each(questionKinds)('everyone can answer the question “%s”', async (kind) => {
  const answered = shared.core.ask(kind);
  for (const page of windows) {
    await armed(page);
    expect(await findings(page)).toEqual([]);
  }
  await shared.page.getByRole('button', { name: noes[kind] ?? 'Decline', exact: true }).click();
  expect(await answered).toMatchObject({ action: 'decline' });
  for (const page of windows) await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(tests.complaints).toEqual([]);
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
