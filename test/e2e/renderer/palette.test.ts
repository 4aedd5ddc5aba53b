/**
 * The command palette and the keyboard shortcuts.
 *
 * @module-tag exhaustive
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const field = 'Search views, actions, servers and tools';

describe('The command palette', () => {
  it('goes to views, servers and tools by keyboard alone, and is accessible', async () => {
    const { page } = await tests.open('rules', { tools: 10_000 });
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    expect(await page.evaluate('document.activeElement.role')).toBe('combobox');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('combobox', { name: field }).fill('vault');
    await palette.getByRole('option', { name: /^Secrets/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await page.evaluate('location.hash')).toBe('#/settings/secrets');

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: field }).fill('git diff');
    await palette.getByRole('option', { name: /get_pull_request_diff/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Tool get_pull_request_diff' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: field }).fill('postgres');
    await page.keyboard.press('ArrowDown');
    await palette.getByRole('option', { name: /^Disable postgres/, selected: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Server postgres' }).waitFor();
    expect(tests.pageErrors).toEqual([]);
  });

  it('adds a server whose command line was pasted', async () => {
    const { page } = await tests.open('home');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: field }).fill('npx -y @acme/notes-mcp');
    await page.getByRole('option', { name: /^Add this server/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a server' });
    expect(await dialog.getByRole('textbox').first().inputValue()).toBe('npx -y @acme/notes-mcp');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('region', { name: /^Server notes/ }).waitFor();
  });

  it('disables a tool, and enables it again', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const isEnabled = () => core.state.tools.find(({ name }) => name === 'delete_file')?.enabled;
    for (const [verb, wanted] of [
      ['Disable', false],
      ['Enable', true],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: field }).fill(`${verb} delete_file`);
      await page.getByRole('option', { name: new RegExp(`^${verb} delete_file`), selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText(`${verb}d delete_file.`).waitFor();
      expect(isEnabled()).toBe(wanted);
    }
  });

  it('copies the name of a tool, and tests a server', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const choose = async (query: string, option: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: field }).fill(query);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
      await page.keyboard.press('Enter');
    };
    await choose('copy delete_file', /^Copy name of delete_file/);
    await page.getByText('Copied.').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+v');
    await expect.poll(() => page.getByRole('combobox', { name: field }).inputValue()).toBe('delete_file');
    await page.keyboard.press('Escape');
    await choose('test memory', /^Test memory/);
    await page.getByText('memory works: 8 tools, listed in 200 ms.').waitFor();
    const failure = { code: 'SERVER_CRASHED' as const, message: 'It exited with code 1.' };
    core.handlers['servers.discover'] = () => ({
      results: [{ server: 'memory', success: false, toolCount: 8, durationMs: 9, failure }],
    });
    await choose('test memory', /^Test memory/);
    await page.getByText('It exited with code 1.').waitFor();
  });

  it('opens the call that shows why a tool failed or was refused', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const call = { kind: 'call', client: 'Cursor', server: 'filesystem', tool: 'delete_file' } as const;
    core.record({
      ...call,
      id: 'w',
      callId: 'w',
      outcome: 'refused',
      code: 'NOT_IN_PROFILE',
      message: 'Not in “work”.',
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: field }).fill('why delete_file');
    await page.getByRole('option', { name: /^Last failed or refused call of delete_file/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Not in “work”.').waitFor();
    expect(await page.evaluate('location.hash')).toBe('#/history/w');
  });

  it('runs actions', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('button', { name: 'Find…' }).click();
    await page.getByRole('combobox', { name: field }).fill('pause');
    await page.getByRole('option', { name: /^Pause Toolkeep/ }).click();
    await page.getByText('Toolkeep is paused.').waitFor();
    expect([core.state.paused, core.state.pausedUntil]).toEqual([true, undefined]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: field }).fill('pause 1 hour');
    await page.getByRole('option', { name: /^Pause for 1 hour/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Toolkeep is paused until /).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: field }).fill('add server');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Add a server' }).waitFor();
  });

  it('starts with open questions and what was used last', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('button', { name: 'Find…' }).click();
    await page.getByRole('combobox', { name: field }).fill('vault');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    void core.ask('approval');
    await page.getByRole('button', { name: 'Decide later' }).click();
    await page.keyboard.press('Control+k');
    const options = page.getByRole('dialog', { name: 'Command palette' }).getByRole('option');
    await options.nth(1).filter({ hasText: 'Secrets' }).waitFor();
    await options.first().filter({ hasText: 'Answer delete_file' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'A question for you' }).waitFor();
  });

  it('says so if nothing matches, and Escape restores the focus', async () => {
    const { page } = await tests.open('servers');
    const button = page.getByRole('button', { name: 'Add server' });
    await button.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: field }).fill('no such thing');
    await page.getByText('No matches.').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  });

  it('does not take keyboard input from an open question', async () => {
    const { page, core } = await tests.open('home');
    void core.ask('approval');
    await page.getByRole('dialog', { name: 'A question for you' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});

describe('The shortcuts', () => {
  it('are listed with “?”, open the views and focus the filter', async () => {
    const { page } = await tests.open('home');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Command palette').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+2');
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Filter servers');
    await page.keyboard.type('a/?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('a/?');
  });

  it('can be disabled if they have no modifier key', async () => {
    const { page } = await tests.open('settings');
    await page.getByRole('switch', { name: /^Single-key shortcuts/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+/');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});
