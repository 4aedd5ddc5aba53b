/**
 * The window never loses the user's input, and shows everything that happens.
 *
 * @module-tag exhaustive
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

describe('A Core that hangs', () => {
  it('is reported although it is still connected, and so is its recovery', async () => {
    const { page, core } = await tests.open('servers', { hasClock: true });
    await page.getByText('Running', { exact: true }).last().waitFor();
    const hang = Promise.withResolvers<[]>();
    let asked = 0;
    core.handlers['questions.list'] = () => {
      asked += 1;
      return hang.promise;
    };
    await page.clock.fastForward(6_000);
    await expect.poll(() => asked).toBe(1);
    await page.clock.fastForward(11_000);
    await page.getByText('Toolkeep is not responding.').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByText('Not connected').waitFor();
    hang.resolve([]);
    await page.getByText('Toolkeep is not responding.').waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Main' }).getByText('Running').waitFor();
  });
});

describe('Input', () => {
  it('for a new server is discarded only after a confirmation', async () => {
    const { page } = await tests.open('servers');
    await page.getByRole('button', { name: 'Add server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a server' });
    const command = dialog.getByRole('textbox', { name: 'Command line' });
    await command.fill('npx -y my-server');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your input?' }).getByRole('button', { name: 'Cancel' }).click();
    expect(await command.inputValue()).toBe('npx -y my-server');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add server' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('for rules is kept when the page is about to close', async () => {
    const { page } = await tests.open('rules');
    await page.getByRole('switch').nth(0).click();
    await page.getByRole('button', { name: 'Save rules' }).waitFor();
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await page.getByRole('button', { name: 'Save rules' }).waitFor();
  });
});

describe('A question', () => {
  it('is reported when it expires, with the consequence', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    core.emit('questions.lifecycle', {
      kind: 'timeout',
      id: 'q',
      type: 'approval',
      server: 'bank',
      tool: 'send_payment',
    });
    await page.getByText('You did not answer in time, so send_payment did not run.').waitFor();
  });
});

describe('The list of servers', () => {
  it('supports the arrow keys', async () => {
    const { page } = await tests.open('servers');
    const links = page.getByRole('list', { name: 'Servers' }).getByRole('link');
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const second = await links.nth(1).getAttribute('href');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('location.hash')).toBe(second);
    // Enter moves the focus to the details, and Escape back.
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await expect.poll(() => links.last().evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
  });
});

describe('The rule editor', () => {
  it('accepts several patterns in one line', async () => {
    const { page } = await tests.open('rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('textbox', { name: 'Tools' }).fill('*delete*, /^drop_/');
    await page.getByRole('combobox', { name: 'Agents can use these tools' }).selectOption('no');
    await page.getByText('Disable: tools matching *delete* or /^drop_/.').waitFor();
  });

  it('counts the tools that the patterns match, while the user types', async () => {
    const { page, core } = await tests.open('rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await dialog.getByRole('textbox', { name: 'Tools' }).fill('delete_*');
    await dialog.getByRole('combobox', { name: 'Ask before they run' }).selectOption('always');
    const matching = core.state.tools.filter(({ name }) => name.startsWith('delete_'));
    await dialog.getByText(`Currently matches ${matching.length} tools.`).waitFor();
    await dialog.getByRole('textbox', { name: 'Tools' }).fill('no_tool_has_this_name');
    await dialog.getByText('Currently matches no tools.').waitFor();
  });

  it('filters a long list of servers, and Enter in the filter does not close it', async () => {
    const { page } = await tests.open('rules', { tools: 400 });
    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    const server = dialog.getByRole('combobox', { name: 'Server' });
    const names = await server.locator('option').allInnerTexts();
    expect(names.slice(1)).toEqual(names.slice(1).toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true })));
    await dialog.getByRole('searchbox', { name: 'Filter servers' }).fill('filesys');
    expect(await server.locator('option').allInnerTexts()).toEqual(['All servers', 'filesystem']);
    await page.keyboard.press('Enter');
    expect(await server.inputValue()).toBe('filesystem');
  });
});

describe('A diff', () => {
  it('marks no gap before the first line of the file', async () => {
    const { page } = await tests.open('clients');
    await page.getByRole('button', { name: 'Connect…' }).first().click();
    const diff = page.getByRole('region', { name: 'Changes to the file' });
    await diff.getByText('"mcpServers": {').waitFor();
    expect(await diff.innerText()).not.toContain('⋯');
  });
});
