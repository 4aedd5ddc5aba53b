/** The views of clients and settings in a real browser over the real wire. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { findings, goTo, startWindowTests, type WindowTests } from './open-window.ts';
import { openScene } from './scenes/scene.ts';
import { scenes } from './scenes/scenes.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

describe('The clients view', () => {
  it('shows the exact file change before it connects a client', async () => {
    const { page } = await tests.open('clients');
    await page.getByRole('button', { name: 'Connect…' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
    const diff = dialog.getByRole('region', { name: 'Changes to the file' });
    await diff.getByText('"args": ["connect"]').waitFor();
    await dialog.getByText('~/.cursor/mcp.json', { exact: true }).waitFor();
    const readTool = dialog.getByRole('switch', { name: 'Separate read-only tool' });
    await readTool.click();
    await diff.getByText('"args": ["connect","--read-tool"]').waitFor();
    await dialog.getByRole('radio', { name: 'All tools' }).check({ force: true });
    await readTool.waitFor({ state: 'detached' });
    await diff.getByText('"args": ["connect","--mode","full"]').waitFor();
    expect(await dialog.getByRole('switch', { name: 'Move its servers to Toolkeep' }).isChecked()).toBe(true);
    await dialog.getByText('Removes 1 server from the file: filesystem.').waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Quit Cursor completely and start it again.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Restart Cursor to finish').waitFor();
    await page.getByRole('button', { name: 'More for Cursor' }).click();
    await page.getByRole('menuitem', { name: 'Undo last change…' }).click();
    const undo = page.getByRole('dialog', { name: 'Undo the last change to Cursor’s file?' });
    await undo.getByRole('region', { name: 'Changes to the file' }).getByText('"github": {}').waitFor();
    expect(await page.getByText('Restored Cursor’s file.').count()).toBe(0);
    await undo.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Restored Cursor’s file.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Connect…' }).count()).toBe(1);
    expect(tests.pageErrors).toEqual([]);
  });

  it('keeps the access of a connected client in the dialog that changes it', async () => {
    const { page } = await tests.open('clients');
    await page.getByText('Profile: work').waitFor();
    await page.getByRole('button', { name: 'More for Claude Desktop' }).click();
    await page.getByRole('menuitem', { name: 'Change access…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Claude Desktop’s access' });
    await dialog.getByText('"args": ["connect","--mode","hybrid","--profile","work"]').waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Profile' }).inputValue()).toBe('work');
    expect(await dialog.getByRole('switch', { name: 'Move its servers to Toolkeep' }).isChecked()).toBe(false);
  });

  it('refuses the name of another profile, says who uses a profile, and restores a removed one', async () => {
    const { page } = await tests.open('clients/profiles');
    await page.getByText('Used by Claude Desktop').waitFor();
    await page.getByRole('button', { name: 'Add profile' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('work');
    await page.getByText('There is already a profile with this name.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove work' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove profile “work”?' });
    await dialog.getByText('Claude Desktop will have no tools until you choose another profile.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Code and issues only').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Code and issues only').waitFor();
  });

  it('adds and removes profiles', async () => {
    const { page } = await tests.open('clients/profiles');
    await page.getByText('Code and issues only').waitFor();
    await page.getByRole('button', { name: 'Add profile' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('notes');
    await page.getByRole('checkbox', { name: 'memory' }).check();
    await page.getByRole('switch', { name: 'Separate read-only tool' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit notes' }).click();
    const readTool = page.getByRole('switch', { name: 'Separate read-only tool' });
    expect(await readTool.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove notes' }).click();
    await page.getByRole('button', { name: 'Edit notes' }).waitFor({ state: 'detached' });
  });

  it('keeps the failure of a change until the next click, beside the new plan', async () => {
    const { page, core } = await tests.open('clients');
    const { 'install.apply': apply } = core.handlers;
    core.handlers['install.apply'] = () => {
      throw fail('CLIENT_FILE_CHANGED', 'The file is not the one of the preview.');
    };
    await page.getByRole('button', { name: 'Connect…' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
    const diff = dialog.getByRole('region', { name: 'Changes to the file' });
    await diff.waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    const failure = dialog.getByText('The file is not the one of the preview.');
    await failure.waitFor();
    await diff.waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Save changes' }).isEnabled()).toBe(true);
    expect(await failure.count()).toBe(1);
    core.handlers['install.apply'] = apply;
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Quit Cursor completely and start it again.').waitFor();
  });

  it('proposes to let Toolkeep ask instead of a client that has questions of its own', async () => {
    const { page, core } = await tests.open('clients');
    const { 'install.plan': planned } = core.handlers;
    core.handlers['install.plan'] = async (choice) => {
      const asks = { who: choice.letToolkeepAsk ? ('toolkeep' as const) : ('both' as const), isChoice: true };
      return { ...(await planned(choice)), asks };
    };
    const applied: unknown[] = [];
    core.handlers['install.apply'] = ({ client, letToolkeepAsk }) => {
      applied.push({ client, letToolkeepAsk });
      return { file: '', changed: true };
    };
    await page.getByRole('button', { name: 'Connect…' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
    const ask = dialog.getByRole('switch', { name: 'Let Toolkeep ask instead of Cursor' });
    await ask.waitFor();
    expect(await ask.isChecked()).toBe(true);
    await ask.click();
    await dialog.getByText('Cursor also asks before calls of Toolkeep’s tools, reads included.').waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => applied).toEqual([{ client: 'cursor', letToolkeepAsk: false }]);
  });

  it('repairs a removed entry and sets where a client asks questions', async () => {
    const { page } = await tests.open('clients');
    await page.getByRole('button', { name: 'Repair…' }).click();
    await page.getByRole('dialog', { name: 'Connect VS Code' }).getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Entry removed').waitFor({ state: 'detached' });
    const routing = page.getByRole('combobox', { name: /VS Code runs/ });
    await routing.selectOption('client');
    await expect.poll(() => routing.inputValue()).toBe('client');
    const calls = page.getByRole('combobox', { name: 'How many calls Claude Desktop may send at once' });
    await calls.selectOption('many');
    await expect.poll(() => calls.inputValue()).toBe('many');
  });

  it('keeps a client in two lines, however long its version is', async () => {
    const { page, core } = await tests.open('clients');
    const row = page.getByRole('listitem').filter({ hasText: 'Connected since' }).first();
    await row.waitFor();
    const height = async () => (await row.boundingBox())?.height;
    const before = await height();
    const status = await core.handlers['core.status'](undefined);
    const version = '9.'.repeat(150);
    const clients = status.clients.map((client) => ({ ...client, version }));
    core.handlers['core.status'] = () => ({ ...status, clients });
    core.emit('core.changed', {});
    await row.getByTitle(version).waitFor();
    expect(await height()).toBe(before);
  });
});

describe('The settings view', () => {
  it('exports the setup to a file', async () => {
    const { page } = await tests.open('settings');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export setup' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('toolkeep-setup.json');
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toMatchObject({ toolkeep: 'setup' });
  });

  it('stores secrets without ever showing a value', async () => {
    const { page, core } = await tests.open('settings/secrets');
    await page.getByRole('button', { name: 'Set SLACK_TOKEN' }).click();
    await page.getByLabel('Value', { exact: true }).fill('xoxb-canary');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved SLACK_TOKEN in the vault.').waitFor();
    expect(core.secrets.secrets).toContainEqual({ name: 'SLACK_TOKEN', isSet: true, servers: ['slack'] });
    expect(await page.content()).not.toContain('xoxb-canary');
    await page.getByRole('button', { name: 'Move to vault' }).click();
    await page.getByText('Moved the secrets from weather to the vault.').waitFor();
    await page.getByText('WEATHER_TOKEN').waitFor();
  });

  it('adds and removes search feedback', async () => {
    const { page } = await tests.open('settings/search');
    await page.getByRole('searchbox').fill('wipe everything');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page
      .getByText('No results for')
      .or(page.getByRole('button', { name: /is the right tool/ }).first())
      .waitFor();
    await page.getByRole('searchbox').fill('delete entities');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'delete_file is the right tool for “delete entities”' }).first().click();
    await page.getByText('Marked by you').first().waitFor();
    await page.getByRole('button', { name: 'Remove the feedback for “delete entities”' }).click();
    await page
      .getByRole('button', { name: 'Remove the feedback for “delete entities”' })
      .waitFor({ state: 'detached' });
  });

  it('saves changes made by keyboard immediately, and shows them in a new window', async () => {
    const { page, core, another } = await tests.open('settings');
    const { 'settings.show': show } = core.handlers;
    await page.getByLabel('Long results').selectOption('Send in pages of 25,000 characters');
    await expect.poll(() => show(undefined)).toMatchObject({ maxResultCharacters: 25_000, http: true });
    await page.getByRole('switch', { name: 'Allow clients to connect over HTTP' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => show(undefined)).toMatchObject({ http: false });
    await page.goto(page.url().replace('#/settings', '#/settings/approvals'));
    await page.getByLabel('Questions expire after').selectOption('10 minutes');
    await expect.poll(() => show(undefined)).toMatchObject({ questionTimeoutMs: 600_000, historyMonths: 12 });
    const second = await another('settings/approvals');
    await expect.poll(() => second.getByLabel('Questions expire after').inputValue()).toBe('600000');
  });

  it('revokes an approval', async () => {
    const { page, core } = await tests.open('settings/approvals');
    await page.getByText('every path is inside /home/ada/Documents').waitFor();
    await page.getByRole('button', { name: 'Revoke the approval for write_file' }).click();
    await page.getByText('Approval revoked. write_file needs approval again.').waitFor();
    expect(core.state.grants.map(({ id }) => id)).toEqual(['g2']);
  });
});

describe('Diagnostics', () => {
  it('are shown before they are saved', async () => {
    const { page } = await tests.open('settings/status');
    await page.getByRole('button', { name: 'Export diagnostics' }).click();
    const dialog = page.getByRole('dialog', { name: 'Diagnostics' });
    await dialog.getByRole('region', { name: 'Report' }).getByText('github: ready').waitFor();
    expect(await findings(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('toolkeep-diagnostics.txt');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('An invalid config file', () => {
  it('is explained once, with the line of each problem and what to do', async () => {
    const scene = scenes.find(({ name }) => name === 'invalid-config');
    if (!scene) throw new Error('There is no scene “invalid-config”.');
    const { page, core } = await openScene(tests, scene);
    const box = page.getByRole('region', { name: 'Config problems' });
    await box.getByText('The config file is invalid', { exact: true }).waitFor();
    await box.getByText('Correct the file and save it.').waitFor();
    expect(await box.getByText('/home/ada/.toolkeep/config.yaml').count(), 'the path is shortened').toBe(0);
    await box.getByText('~/.toolkeep/config.yaml').waitFor();
    expect(await box.getByRole('listitem').allInnerTexts()).toEqual([
      'Line 4: servers[0].connection needs a "command" that starts the server, or its "url"',
      'Line 9: toolRules[0].enable unknown key "enable"; did you mean "enabled"?',
      'Line 12: toolRules[1].pattern The pattern "/(/" is not valid.\n\nClose the parenthesis.',
    ]);
    expect(await page.getByText('last valid configuration').count(), 'no banner repeats it').toBe(1);
    await goTo(page, 'servers');
    await page.getByText('The config file is invalid.').waitFor();
    await goTo(page, 'home');
    await page.getByRole('link', { name: 'Show configuration problems' }).waitFor();
    await page.getByText('The config file is invalid.').waitFor({ state: 'detached' });

    const validate = core.handlers['config.validate'];
    core.handlers['config.validate'] = async () => ({ ...(await validate(undefined)), file: '/other/config.yaml' });
    core.emit('config.changed', { problems: [] });
    await page.getByText('The configuration has 3 problems').waitFor();
    expect(await page.getByText('last valid configuration').count()).toBe(0);
  });
});
