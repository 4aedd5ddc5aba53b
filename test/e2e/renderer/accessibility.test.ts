/** Every view and every question, light and dark: no axe violations and no content security policy violations. */
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

/** The button that declines; “Decline” for all others. */
const declineLabels: Partial<Record<SampleQuestion, string>> = {
  approval: 'Deny',
  approvalForServer: 'Deny',
  hostile: 'Deny',
  longPath: 'Deny',
  enableRequest: 'Keep disabled',
  confirmation: 'Decline to answer',
};

const views = {
  welcome: 'Welcome to Gatehouse',
  home: 'Home',
  servers: 'Servers',
  'servers/filesystem': 'Servers',
  'servers/postgres': 'Servers',
  'servers/filesystem/log': 'Servers',
  tools: 'Tools',
  'tools/github/create_issue': 'Tools',
  rules: 'Rules',
  import: 'Import',
  browse: 'Browse',
  'browse/official/io.github.acme%2Fnotes': 'Browse',
  bundle: 'Bundle',
  clients: 'Clients',
  'clients/profiles': 'Clients',
  history: 'History',
  'history/savings': 'History',
  settings: 'Settings',
  'settings/approvals': 'Settings',
  'settings/secrets': 'Settings',
  'settings/folders': 'Settings',
  'settings/folders/%2Fhome%2Fada%2Fsrc%2Fshop': 'Settings',
  'settings/search': 'Settings',
  'settings/status': 'Settings',
};

it.each(Object.entries(views))('The view “%s” is accessible', async (route, title) => {
  for (const page of windows) {
    await goTo(page, route);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await loaded(page);
    expect(await findings(page)).toEqual([]);
  }
  expect(tests.pageErrors).toEqual([]);
});

it.each(questionKinds)('The question “%s” is accessible', async (kind) => {
  const answered = shared.core.ask(kind);
  for (const page of windows) {
    await armed(page);
    expect(await findings(page)).toEqual([]);
  }
  await shared.page.getByRole('button', { name: declineLabels[kind] ?? 'Decline', exact: true }).click();
  expect(await answered).toMatchObject({ action: 'decline' });
  for (const page of windows) await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(tests.pageErrors).toEqual([]);
});

it.each([
  ['the first run', '', { empty: true }, 'Welcome to Gatehouse'],
  ['no rules', 'rules', { empty: true }, 'No rules yet'],
  ['no history', 'history', { empty: true }, 'No activity yet'],
  ['a failing Core', 'tools', { broken: true }, 'The catalog could not be read'],
  [
    'a narrow window',
    'tools/github/create_issue',
    { viewport: { width: 360, height: 740 } },
    'Held: the server has changed',
  ],
])('The page is accessible with %s and shows the next step', async (_name, route, options, text) => {
  const { page } = await tests.open(route, options);
  await page.getByText(text).first().waitFor();
  expect(await findings(page)).toEqual([]);
  expect(tests.pageErrors).toEqual([]);
});
