/** Every dialog and menu, opened as a user opens it. */
import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';

/** Clicks the buttons, menu items or radio buttons with these names, one after another. */
const clicks =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) {
      const options = { name, ...(typeof name === 'string' && { exact: true }) };
      const target = page.getByRole('button', options).or(page.getByRole('menuitem', options));
      await target.first().click();
    }
  };

/** Fills the dialog for a new server with this command line, and opens its advanced settings. */
async function fillServer(page: Page, commandLine: string): Promise<void> {
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByRole('textbox', { name: 'Command line' }).fill(commandLine);
  await page.getByText('Advanced').click();
}

const serverDialogs: Scene[] = [
  { name: 'server-menu', route: 'servers/filesystem', act: clicks('More for filesystem') },
  { name: 'server-add-problems', route: 'servers', act: clicks('Add server', 'Add') },
  {
    name: 'server-add-instances',
    route: 'servers',
    act: async (page) => {
      await fillServer(page, 'npx -y @playwright/mcp');
      await page.getByRole('textbox', { name: 'Instances' }).fill('40');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    },
  },
  {
    name: 'server-add-oauth',
    route: 'servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add server' }).click();
      await page.getByRole('radio', { name: 'URL' }).check();
      await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://mcp.slack.com/mcp');
      await page.getByText('Advanced').click();
      await page.getByLabel('Client secret').fill('not shown');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    },
  },
  {
    name: 'server-add-paste',
    route: 'servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add server' }).click();
      await page.getByRole('radio', { name: 'Paste' }).check();
      await page.getByRole('textbox', { name: /documentation/ }).fill('"notes": { "command": "npx", "args": [');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    },
  },
  {
    name: 'server-add-discard',
    route: 'servers',
    act: async (page) => {
      await fillServer(page, 'npx -y my-server');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Discard your input?' }).waitFor();
    },
  },
  { name: 'server-edit', route: 'servers/filesystem', act: clicks('More for filesystem', 'Edit…') },
  {
    name: 'server-duplicate',
    route: 'servers/filesystem',
    act: async (page) => {
      await clicks('More for filesystem', 'Duplicate…', 'Test')(page);
      await page.getByText('The server works').waitFor();
    },
  },
  { name: 'server-remove', route: 'servers/filesystem', act: clicks('More for filesystem', 'Remove…') },
  { name: 'servers-menu', route: 'servers', act: clicks(/^Change all 8 servers/) },
  { name: 'import-undo', route: 'import', act: clicks('Undo last import') },
];

export const dialogScenes: Scene[] = [
  ...serverDialogs,
  {
    name: 'palette',
    route: 'home',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('file');
    },
  },
  {
    name: 'palette-no-match',
    route: 'home',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('zzzz');
    },
  },
  { name: 'shortcuts', route: 'home', act: (page) => page.keyboard.press('?') },
  { name: 'unused-tools', route: 'home', act: clicks('Disable…') },
  {
    name: 'tools-menu',
    route: 'tools',
    act: async (page) => {
      await page.getByRole('searchbox', { name: 'Filter tools' }).fill('delete');
      await clicks(/^Change all \d+ tools/)(page);
    },
  },
  { name: 'rule-new', route: 'rules', act: clicks('Add rule') },
  { name: 'rule-menu', route: 'rules', act: clicks('More for rule 1') },
  { name: 'rule-edit', route: 'rules', act: clicks('More for rule 1', 'Edit…') },
  { name: 'install', route: 'clients', act: clicks('Connect…') },
  { name: 'client-menu', route: 'clients', act: clicks(/^More for/) },
  { name: 'disconnect-all', route: 'clients', act: clicks('Disconnect all…') },
  { name: 'profile-new', route: 'clients/profiles', act: clicks('Add profile') },
  { name: 'profile-edit', route: 'clients/profiles', act: clicks('Edit work') },
  { name: 'secret-add', route: 'settings/secrets', act: clicks('Add secret') },
  { name: 'secret-set', route: 'settings/secrets', act: clicks('Set SLACK_TOKEN') },
  { name: 'secret-remove', route: 'settings/secrets', act: clicks(/^Remove /) },
  { name: 'folder-ask', route: 'settings/folders', act: clicks('Review a folder…') },
  { name: 'folder-review', route: 'settings/folders/%2Fhome%2Fada%2Fsrc%2Fshop' },
  { name: 'diagnostics', route: 'settings/status', act: clicks('Export diagnostics…') },
];
