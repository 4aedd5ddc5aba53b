/** A history entry: its request, response, time and reasons, and the actions for it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const call = { callId: 'c1', server: 'filesystem', tool: 'read_text_file', client: 'Cursor' };

async function openEntry(more: object = {}) {
  const opened = await tests.open('history', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, core } = opened;
  core.state.results.c1 = { content: [{ type: 'text', text: 'Hello from the file' }] };
  const reasons = ['its name says "read"', 'the server is new'];
  await page.getByRole('list', { name: 'History' }).waitFor();
  core.record({ ...call, id: 'a', kind: 'approval', outcome: 'allowed', scope: 'once', arguments: '', reasons });
  const times = { durationMs: 9_400, waitedMs: 8_900 };
  const last: object = {
    ...call,
    ...times,
    id: 'b',
    kind: 'call',
    outcome: 'ok',
    arguments: '{"path":"/tmp/x"}',
    ...more,
  };
  core.record(last);
  const row = page.getByRole('list', { name: 'History' }).locator('> li').first();
  await row.getByText('read_text_file').waitFor();
  await row.locator('summary').click();
  return { ...opened, row };
}

describe('A history entry', () => {
  it('shows the request, the response, the time and the reason for the question', async () => {
    const { page, row } = await openEntry();
    await row.getByText('Hello from the file').waitFor();
    await row.getByText('"path": "/tmp/x"').waitFor();
    await row.getByText('its name says "read"; the server is new').waitFor();
    expect(await row.getByRole('term').allInnerTexts()).toEqual(['Waiting for you', 'Server', 'Total']);
    expect(await row.getByRole('definition').allInnerTexts()).toEqual(['8.9 s', '500 ms', '9.4 s']);
    expect(await findings(page)).toEqual([]);
    expect(tests.pageErrors).toEqual([]);
  });

  it('shows why and when a call was refused, and no response, because it never ran', async () => {
    const at = Date.now();
    const { row } = await openEntry({
      at,
      callId: 'c2',
      outcome: 'refused',
      code: 'APPROVAL_DENIED',
      message: 'You denied it.',
    });
    const denied = row.getByRole('listitem').filter({ hasText: 'You denied it.' });
    expect(await denied.locator('time').getAttribute('datetime')).toBe(new Date(at + 9_400).toISOString());
    expect(await row.getByRole('term').allInnerTexts()).toEqual(['Waiting for you', 'Total']);
    expect(await row.getByRole('heading').allInnerTexts()).not.toContain('Response');
  });

  it('stays open when the call that was asked about ends', async () => {
    const { page, core } = await tests.open('history');
    const list = page.getByRole('list', { name: 'History' });
    await list.waitFor();
    core.record({ ...call, id: 'a', kind: 'approval', outcome: 'allowed', scope: 'once', arguments: '' });
    const row = list.locator('> li').first();
    await row.getByRole('img', { name: 'Approval' }).waitFor();
    await row.locator('summary').click();
    await row.getByText('Only the outcome is recorded.').waitFor();
    core.record({ ...call, id: 'b', kind: 'call', outcome: 'ok', arguments: '{"path":"/tmp/x"}' });
    await row.getByText('"path": "/tmp/x"').waitFor();
  });

  it('opens the form of its tool with its arguments, to run again', async () => {
    const { page, row, core } = await openEntry();
    await row.getByRole('button', { name: 'Run again…' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'path' }).inputValue()).toBe('/tmp/x');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => core.executed).toEqual([{ tool: 'read_text_file', arguments: { path: '/tmp/x' } }]);
  });

  it('runs again only after the user entered the secrets, which are not stored', async () => {
    const { page, row, core } = await openEntry({ arguments: '{"path":"••••••"}' });
    await row.getByRole('button', { name: 'Run again…' }).click();
    await page.getByText('Secrets are not kept, so enter them again.').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Required.').first().waitFor();
    expect(core.executed).toEqual([]);
  });

  it('becomes a rule for its tool', async () => {
    const { page, row, core } = await openEntry();
    await row.getByRole('button', { name: 'Make a rule…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Server' }).inputValue()).toBe('filesystem');
    await dialog.getByRole('combobox', { name: 'Ask before they run' }).selectOption('always');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Save rules' }).click();
    await expect
      .poll(() => core.state.rules.at(-1))
      .toMatchObject({ server: 'filesystem', pattern: ['read_text_file'], confirm: 'always' });
  });

  it.each([
    ['As JSON', '"callId": "c1"'],
    ['As toolkeep execute', `toolkeep execute filesystem read_text_file --args '{"path":"/tmp/x"}'`],
    ['As curl', 'Authorization: Bearer $TOOLKEEP_TOKEN'],
  ])('has the menu item “%s”, which copies it', async (item, text) => {
    const { page, row } = await openEntry();
    await row.getByRole('button', { name: 'Copy entry' }).click();
    // The toast disappears after a few seconds.
    const copied = page.getByText('Copied.').waitFor();
    await page.getByRole('menuitem', { name: item }).click();
    await copied;
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(text);
  });
});
