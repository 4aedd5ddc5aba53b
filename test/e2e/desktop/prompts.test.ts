/** A real client calls a tool, and the user answers its approval or its question in the prompt window. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { connectClient, type ToolRunner } from './client.ts';
import { type App, press, startApp } from './driver.ts';

const server = (name: string, command: object) => ({ name, connection: { type: 'stdio', ...command } });

let app: App;
let client: ToolRunner;

beforeAll(async () => {
  app = await startApp({
    config: {
      servers: [server('asker', commands.elicit('legacy')), server('github', commands.github())],
      toolRules: [
        { server: 'asker', confirm: 'never', destinations: 'any' },
        { server: 'github', pattern: ['delete_repo', 'update_issue'], confirm: 'always' },
      ],
    },
  });
  // With the main window closed, questions appear in the prompt window.
  const shown = await eventually(async () => (await app.desk('windows')).find(({ visible }) => visible), 'the window');
  await app.desk('closeWindow', shown.id);
  client = await connectClient(app);
});
afterAll(async () => {
  await client?.close();
  await app?.dispose();
});

const run: ToolRunner['run'] = (...call) => client.run(...call);
const answers = async (result: Promise<{ text: string }>) => JSON.parse((await result).text);
const promptWindow = async () =>
  (await app.desk('windows')).find(({ url, visible }) => visible && url.includes('view=questions'));
const shown = () => eventually(promptWindow, 'the prompt window is shown');
const hidden = () => eventually(async () => (await promptWindow()) === undefined, 'the prompt window is hidden');
/** Clicks a button of the prompt as soon as the delay against accidental clicks is over. */
async function answer(name: string): Promise<void> {
  await shown();
  await press(await app.page('view=questions'), name);
}

afterEach(async () => {
  await hidden();
  // No question is asked with a message box.
  expect((await app.desk('dialogs')).filter(({ kind }) => kind === 'message')).toEqual([]);
});

describe('A dangerous tool', () => {
  const remove = () => run('github', 'delete_repo', { repo: 'owner/repo' });

  it('asks in the prompt window, which shows the whole call', async () => {
    const result = remove();
    const page = await app.page('view=questions');
    await page.getByText('owner/repo').first().waitFor();
    const text = await page.locator('main').innerText();
    for (const part of ['Claude Desktop', 'github', 'delete_repo']) expect(text).toContain(part);
    await answer('Deny');
    expect(await result).toMatchObject({ isError: true, text: expect.stringContaining('APPROVAL_DENIED') });
  });

  it('The call runs after approval, and the next call asks again', async () => {
    const first = remove();
    await answer('Once');
    expect(await first).toEqual({ isError: false, text: '[]' });
    await hidden();
    const second = remove();
    await answer('Deny');
    expect((await second).isError).toBe(true);
  });

  it('shows arguments that are nested more deeply than Electron lets through between the worlds of a page', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'innermost' : [nested(depth - 1)]);
    const result = run('github', 'delete_repo', { repo: 'owner/repo', extra: nested(1_100) });
    await (await app.page('view=questions')).getByText('innermost').first().waitFor();
    await answer('Deny');
    expect((await result).isError).toBe(true);
  });

  it("does not delay another client's call while its approval is open", async () => {
    const other = await connectClient(app);
    const result = remove();
    await shown();
    expect((await other.run('github', 'list_repos')).isError).toBe(false);
    expect(await promptWindow()).toBeDefined();
    await answer('Deny');
    await result;
    await other.close();
  });

  it('asks about two simultaneous calls one after the other, in one window', async () => {
    const both = [remove(), remove()];
    await (await app.page('view=questions')).getByText('1 of 2').waitFor();
    await answer('Deny');
    await (await app.page('view=questions')).getByText('1 of 2').waitFor({ state: 'hidden' });
    await answer('Deny');
    for (const result of both) expect((await result).isError).toBe(true);
  });
});

describe('A dangerous tool', () => {
  const update = () => run('github', 'update_issue', { repo: 'owner/repo', number: 1 });

  it('offers a grant for known destinations', async () => {
    const result = update();
    const page = await app.page('view=questions');
    await page.getByRole('button', { name: 'Always…' }).click();
    await page.getByText('Allow later calls to').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await answer('Deny');
    expect(await result).toMatchObject({ text: expect.stringContaining('APPROVAL_DENIED') });
  });

  it('is disabled from the prompt', async () => {
    const result = update();
    await answer('Deny and disable tool');
    expect(await result).toMatchObject({ text: expect.stringContaining('APPROVAL_DENIED') });
    await hidden();
    expect(await update()).toMatchObject({ text: expect.stringContaining('TOOL_DISABLED') });
    await answer('Keep disabled');
  });
});

describe('A question of a tool', () => {
  it('The prompt window asks a question that needs only a confirmation', async () => {
    const result = answers(run('asker', 'confirm'));
    await (await app.page('view=questions')).getByText('Delete the branch?').first().waitFor();
    await answer('Yes');
    expect(await result).toEqual({ ok: { action: 'accept', content: { confirm: true } } });
  });

  it('for a file opens the native file dialog over the prompt window, for the accepted types', async () => {
    const table = join(app.dataDir, 'table.csv');
    writeFileSync(table, 'a,b\n');
    const result = answers(run('asker', 'file'));
    await answer('Choose…');
    const { id, kind, parent, options } = await app.dialog();
    expect({ kind, parent }).toEqual({ kind: 'open', parent: (await promptWindow())?.id });
    expect(options).toMatchObject({
      properties: ['openFile', 'showHiddenFiles'],
      filters: [{ name: '.csv', extensions: ['csv'] }],
    });
    await app.desk('answerDialog', id, { canceled: false, filePaths: [join(app.dataDir, 'gone.csv')] });
    await answer('Send answer');
    const page = await app.page('view=questions');
    await page.getByText('This file does not exist').first().waitFor();
    await answer('Choose…');
    await app.desk('answerDialog', (await app.dialog()).id, { canceled: false, filePaths: [table] });
    await answer('Send answer');
    expect(await result).toEqual({ chosen: { action: 'accept', content: { table_file: table } } });
  });

  it('closes its open file dialog when its call is cancelled, and the next approval is shown', async () => {
    const caller = new AbortController();
    const result = run('asker', 'file', {}, caller.signal).catch(() => 'canceled');
    await answer('Choose…');
    const { id } = await app.dialog();
    caller.abort();
    expect(await result).toBe('canceled');
    await eventually(
      async () => (await app.desk('dialogs')).find((each) => each.id === id)?.state === 'withdrawn',
      'the file dialog is closed',
    );
    const next = run('github', 'delete_repo', { repo: 'owner/repo' });
    await answer('Deny');
    expect((await next).isError).toBe(true);
  });

  it('for a secret hides the typed value and leaves no trace of it', async () => {
    const result = answers(run('asker', 'secret'));
    const page = await app.page('view=questions');
    await page.locator('input[type=password]').fill('hunter2-hunter2');
    await answer('Send answer');
    expect(await result).toEqual({ key: { action: 'accept', content: { api_key: 'hunter2-hunter2' } } });
    expect(app.stderr()).not.toContain('hunter2');
  });

  it('is cancelled when the user closes its window', async () => {
    const result = answers(run('asker', 'text'));
    const { id } = await shown();
    await app.desk('closeWindow', id);
    expect(await result).toEqual({ name: { action: 'cancel' } });
  });

  it('is withdrawn when its call is cancelled', async () => {
    const caller = new AbortController();
    const result = run('asker', 'confirm', {}, caller.signal).catch(() => 'canceled');
    await shown();
    caller.abort();
    expect(await result).toBe('canceled');
    await hidden();
  });

  it('appears in the main window while the main window has the focus', { tags: ['compositor'] }, async () => {
    await app.desk('clickTray');
    const isFocused = async () =>
      (await app.desk('windows')).some(({ focused, url }) => focused && url.endsWith('index.html'));
    await eventually(isFocused, 'the main window has the focus');
    const result = answers(run('asker', 'confirm'));
    const page = await app.page('index.html');
    await page.getByText('Delete the branch?').first().waitFor();
    expect(await promptWindow()).toBeUndefined();
    await page.getByRole('button', { name: 'Decline to answer' }).click();
    expect((await result).ok.action).toBe('decline');
  });

  it.each(['closes', 'minimizes'])(
    'moves to the prompt window if the user %s the main window instead',
    { tags: ['compositor'] },
    async (how) => {
      await app.desk('clickTray');
      const main = await eventually(
        async () => (await app.desk('windows')).find(({ focused, url }) => focused && !url.includes('view=questions')),
        'the main window has the focus',
      );
      const result = answers(run('asker', 'confirm'));
      await (await app.page('index.html')).getByText('Delete the branch?').first().waitFor();
      expect(await promptWindow()).toBeUndefined();
      await app.desk(how === 'closes' ? 'closeWindow' : 'minimizeWindow', main.id);
      await answer('No');
      expect((await result).ok.action).not.toBe('cancel');
    },
  );
});
