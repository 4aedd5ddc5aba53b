/** A real client calls, a real server asks, and the person answers in native dialogs and prompt windows (F2, F4, N1). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { connectClient, type ToolRunner } from './client.ts';
import { type App, startApp, until } from './driver.ts';

const server = (name: string, command: object) => ({ name, connection: { type: 'stdio', ...command } });

let app: App;
let client: ToolRunner;

beforeAll(async () => {
  app = await startApp({
    config: {
      servers: [server('asker', commands.elicit('legacy')), server('github', commands.github())],
      toolRules: [
        { server: 'asker', confirm: 'never' },
        { server: 'github', pattern: ['delete_repo', 'update_issue'], confirm: 'always' },
      ],
    },
  });
  // The window is closed: what follows has to reach the person without it.
  const shown = await until(async () => (await app.desk('windows')).find(({ visible }) => visible), 'the window');
  await app.desk('closeWindow', shown.id);
  client = await connectClient(app);
});
afterAll(async () => {
  await client?.close();
  await app?.dispose();
});

const run: ToolRunner['run'] = (...call) => client.run(...call);
const answers = async (result: Promise<{ text: string }>) => JSON.parse((await result).text);
const openDialogs = async () => (await app.desk('dialogs')).filter(({ state }) => state === 'open');
const promptWindow = async () =>
  (await app.desk('windows')).find(({ url, visible }) => visible && url.includes('view=questions'));

describe('a dangerous tool', () => {
  const remove = () => run('github', 'delete_repo', { repo: 'owner/repo' });

  it('asks in a native dialog that shows the whole call and says no by itself (F4)', async () => {
    const result = remove();
    const { id, options } = await app.dialog();
    expect(options).toMatchObject({ type: 'warning', defaultId: 0, cancelId: 0 });
    expect((options.buttons as string[])[0]).toBe('Deny');
    expect(options.detail).toContain('Asked by: Claude Desktop');
    expect(options.detail).toContain('Server: github\nTool: delete_repo');
    expect(options.detail).toContain('"repo": "owner/repo"');
    await app.desk('answerDialog', id, { response: 0 });
    expect(await result).toMatchObject({ isError: true, text: expect.stringContaining('APPROVAL_DENIED') });
  });

  it('runs after a yes, and asks again the next time', async () => {
    const first = remove();
    const { id, options } = await app.dialog();
    const once = (options.buttons as string[]).indexOf('Allow once');
    await app.desk('answerDialog', id, { response: once });
    expect(await first).toEqual({ isError: false, text: '[]' });
    const second = remove();
    await app.desk('answerDialog', (await app.dialog()).id, { response: 0 });
    expect((await second).isError).toBe(true);
  });

  it('has its question in a window when the call is too long for a dialog', async () => {
    const result = run('github', 'delete_repo', { repo: 'x'.repeat(3_000) });
    const page = await app.page('view=questions');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await result).toMatchObject({ isError: true });
    expect(await openDialogs()).toEqual([]);
    await until(async () => (await promptWindow()) === undefined, 'the small window is gone');
  });

  it('is asked about once for a session when the person says so', async () => {
    const first = remove();
    const { id, options } = await app.dialog();
    const session = (options.buttons as string[]).indexOf('Allow for this session');
    await app.desk('answerDialog', id, { response: session });
    expect((await first).isError).toBe(false);
    expect((await remove()).isError).toBe(false);
  });
});

describe('a dangerous tool whose grants can be narrowed', () => {
  const star = () => run('github', 'update_issue', { repo: 'owner/repo', number: 1 });

  it('grants nothing wide in a dialog: the other choices are in a window, which narrows them (F4, N2)', async () => {
    const result = star();
    const { id, options } = await app.dialog();
    expect(options.message).toBe('May this tool run?');
    expect(options.buttons).toEqual([
      'Deny',
      'Allow once',
      'Allow for this session',
      'Other choices…',
      'Deny and switch off',
    ]);
    await app.desk('answerDialog', id, { response: 3 });
    const page = await app.page('view=questions');
    await page.getByText('Allow later calls only if').waitFor();
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await result).toMatchObject({ text: expect.stringContaining('APPROVAL_DENIED') });
  });

  it('is switched off from the dialog (N2)', async () => {
    const result = star();
    await app.desk('answerDialog', (await app.dialog()).id, { response: 4 });
    expect(await result).toMatchObject({ text: expect.stringContaining('APPROVAL_DENIED') });
    expect(await star()).toMatchObject({ text: expect.stringContaining('TOOL_DISABLED') });
    const page = await app.page('view=questions');
    await page.getByRole('button', { name: 'Leave it off' }).click();
  });
});

describe('a question of a tool', () => {
  it('of yes or no is a native dialog (F4, N1)', async () => {
    const result = answers(run('asker', 'confirm'));
    const { id, options } = await app.dialog();
    expect(options).toMatchObject({ message: 'Delete the branch?', buttons: ['No', 'Yes'], defaultId: 0, cancelId: 0 });
    await app.desk('answerDialog', id, { response: 1 });
    expect(await result).toEqual({ ok: { action: 'accept', content: { confirm: true } } });
  });

  it('for a file is the native file dialog, with the kinds of file that it takes (F2, N1)', async () => {
    const table = join(app.dataDir, 'table.csv');
    writeFileSync(table, 'a,b\n');
    const result = answers(run('asker', 'file'));
    const wrong = await app.dialog();
    expect(wrong).toMatchObject({
      kind: 'open',
      options: {
        title: 'asker: Which table?',
        properties: ['openFile', 'showHiddenFiles'],
        filters: [{ name: '.csv', extensions: ['csv'] }],
      },
    });
    await app.desk('answerDialog', wrong.id, { canceled: false, filePaths: [join(app.dataDir, 'gone.csv')] });
    // A file that is not there is asked for again, with what was wrong.
    const right = await until(async () => (await openDialogs()).find(({ id }) => id !== wrong.id), 'a second dialog');
    expect(right.options.title).toBe('asker: There is no such file. Which table?');
    await app.desk('answerDialog', right.id, { canceled: false, filePaths: [table] });
    expect(await result).toEqual({ chosen: { action: 'accept', content: { table_file: table } } });
  });

  it('for a file that the person does not give is cancelled', async () => {
    const result = answers(run('asker', 'file'));
    await app.desk('answerDialog', (await app.dialog()).id, { canceled: true, filePaths: [] });
    expect(await result).toEqual({ chosen: { action: 'cancel' } });
  });

  it('for a secret opens a small window, hides what is typed, and leaves no trace of it (F2, N1)', async () => {
    const result = answers(run('asker', 'secret'));
    const page = await app.page('view=questions');
    await page.locator('input[type=password]').fill('hunter2-hunter2');
    await page.getByRole('button', { name: 'Send answer' }).click();
    expect(await result).toEqual({ key: { action: 'accept', content: { api_key: 'hunter2-hunter2' } } });
    await until(async () => (await promptWindow()) === undefined, 'the small window is gone');
    expect(app.stderr()).not.toContain('hunter2');
  });

  it('is cancelled when its window is closed', async () => {
    const result = answers(run('asker', 'text'));
    const shown = await until(promptWindow, 'the small window');
    await app.page('view=questions');
    expect(await app.desk('closeWindow', shown.id)).toBe(true);
    expect(await result).toEqual({ name: { action: 'cancel' } });
  });

  it('is taken back with its call', async () => {
    const caller = new AbortController();
    const result = run('asker', 'confirm', {}, caller.signal).catch(() => 'cancelled');
    const { id } = await app.dialog();
    caller.abort();
    expect(await result).toBe('cancelled');
    await until(
      async () => (await app.desk('dialogs')).find((each) => each.id === id)?.state === 'withdrawn',
      'it left',
    );
  });

  it('comes one at a time when several ask at once', async () => {
    const both = [run('asker', 'confirm'), run('asker', 'confirm')];
    const { id } = await app.dialog();
    expect(await openDialogs()).toHaveLength(1);
    await app.desk('answerDialog', id, { response: 0 });
    const next = await until(async () => (await openDialogs()).find((each) => each.id !== id), 'the second dialog');
    await app.desk('answerDialog', next.id, { response: 0 });
    await Promise.all(both);
  });

  it('stays in the main window while the person looks at it', async () => {
    await app.desk('clickTray');
    const isLookedAt = async () =>
      (await app.desk('windows')).some(({ focused, url }) => focused && url.endsWith('index.html'));
    await until(isLookedAt, 'the main window has the focus');
    const result = answers(run('asker', 'confirm'));
    const page = await app.page('index.html');
    await page.getByText('Delete the branch?').first().waitFor();
    expect(await openDialogs()).toEqual([]);
    await page.getByRole('button', { name: 'Decline to answer' }).click();
    expect((await result).ok.action).toBe('decline');
  });
});
