/** The steps of the first run. */
import type { Page } from 'playwright-core';
import type { SampleCore } from '../sample-core.ts';
import type { Scene } from './scene.ts';

const step = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

/** Neither clients nor servers on this computer. */
function nothingFound(core: SampleCore): void {
  core.state.plan = { files: core.state.plan.files.map((file) => ({ ...file, found: false })), entries: [] };
  core.handlers['install.status'] = () => [];
}

export const firstRunScenes: Scene[] = [
  { name: 'welcome', route: '', data: { empty: true } },
  {
    name: 'welcome-nothing',
    route: '',
    data: { empty: true },
    prepare: nothingFound,
    act: (page) => page.getByText('Locations that Toolkeep checked').click(),
  },
  { name: 'welcome-servers', route: '', data: { empty: true }, act: step('Your servers') },
  {
    name: 'welcome-servers-nothing',
    route: '',
    data: { empty: true },
    prepare: nothingFound,
    act: step('Your servers'),
  },
  { name: 'welcome-servers-started', route: 'welcome', act: step('Your servers') },
  {
    name: 'welcome-clients',
    route: '',
    data: { empty: true },
    act: async (page) => {
      await step('Your clients')(page);
      await page.getByText('Show change').first().click();
    },
  },
  {
    name: 'welcome-clients-nothing',
    route: '',
    data: { empty: true },
    prepare: nothingFound,
    act: step('Your clients'),
  },
  { name: 'welcome-try', route: 'welcome', act: step('Try it') },
  { name: 'welcome-try-nothing', route: '', data: { empty: true }, prepare: nothingFound, act: step('Try it') },
  {
    name: 'welcome-first-call',
    route: 'welcome',
    act: async (page, core) => {
      await step('Try it')(page);
      await page.getByText('Waiting for the first call…').waitFor();
      core.record({ client: 'Cursor', tool: 'list_directory', server: 'filesystem' });
      await page.getByText('Cursor ran list_directory').waitFor();
    },
  },
];
