/** The log of a server in the window: live, filtered, paused, copied and saved. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../shared/model/server-log.ts';
import { type OpenedWindow, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

function log({ core }: OpenedWindow, ...entries: Partial<LogEntry>[]): void {
  for (const entry of entries) {
    const id = (core.state.log.at(-1)?.id ?? 0) + 1;
    core.state.log.push({ id, at: Date.now(), kind: 'stderr', text: '', ...entry });
  }
  core.emit('servers.logged', { server: 'filesystem' });
}

describe('The log of a server', () => {
  it('shows new entries at its end, until it is paused', async () => {
    const opened = await tests.open('servers/filesystem');
    const { page } = opened;
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const rows = page.getByRole('listbox', { name: 'Log' }).getByRole('option');
    await rows.filter({ hasText: 'running on stdio' }).waitFor();
    log(opened, ...Array.from({ length: 300 }, (_, index) => ({ text: `line ${index + 1}` })));
    await rows.filter({ hasText: /line 300$/ }).waitFor();
    expect(await rows.count()).toBeLessThan(100);
    await page.getByRole('button', { name: 'Pause' }).click();
    log(opened, { text: 'while paused' });
    await page.getByText('Paused. 1 new entry.').waitFor();
    expect(await rows.filter({ hasText: 'while paused' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await rows.filter({ hasText: 'while paused' }).waitFor();
    expect(tests.pageErrors).toEqual([]);
  });

  it('is filtered by words and by the kind of entry', async () => {
    const { page } = await tests.open('servers/filesystem/log');
    const rows = page.getByRole('listbox', { name: 'Log' }).getByRole('option');
    await page.getByRole('searchbox', { name: 'Filter the log' }).fill('notes read_text');
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('tools/call read_text_file')]);
    await page.getByRole('searchbox', { name: 'Filter the log' }).fill('');
    await page.getByRole('radio', { name: 'Errors' }).check();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('radio', { name: 'Output' }).check();
    await expect.poll(() => rows.getByRole('img', { name: /Sent|Received/ }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Filter the log' }).fill('no such words');
    await page.getByText('No matches').waitFor();
  });

  it('opens a message by keyboard, and copies it', async () => {
    const { page } = await tests.open('servers/filesystem/log', { permissions: ['clipboard-read', 'clipboard-write'] });
    const list = page.getByRole('listbox', { name: 'Log' });
    await list.focus();
    await page.keyboard.press('Home');
    for (let index = 0; index < 2; index += 1) await page.keyboard.press('ArrowDown');
    const entry = page.getByRole('region', { name: 'Log entry' });
    await entry.getByText('"method": "initialize"').waitFor();
    await entry.getByRole('button', { name: 'Copy entry' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(JSON.parse(copied)).toMatchObject({ method: 'initialize' });
    await entry.getByRole('button', { name: 'Close entry' }).click();
    await entry.waitFor({ state: 'detached' });
  });

  it('is saved as a file with the entries that are shown', async () => {
    const { page } = await tests.open('servers/filesystem/log');
    await page.getByRole('radio', { name: 'Errors' }).check();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('filesystem.log');
    const lines = readFileSync(await saved.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+ received Response to tools\/call read_text_file/);
  });
});
