/**
 * The prompt window: its content frame by frame, how fast it appears, and how it recovers.
 *
 * @module-tag exhaustive
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { connectClient, type ToolRunner } from './client.ts';
import { type App, press, startApp } from './driver.ts';

const server = (name: string, command: object) => ({ name, connection: { type: 'stdio', ...command } });

/** The window appears after this time even if its page has painted nothing. */
const showAfterMs = 500;

let app: App;
let client: ToolRunner;
beforeAll(async () => {
  app = await startApp({
    args: ['--hidden'],
    env: { TOOLKEEP_STAND_IN_FRAMES: '1' },
    config: {
      servers: [server('asker', commands.elicit('legacy')), server('github', commands.github())],
      toolRules: [
        { server: 'asker', confirm: 'never', destinations: 'any' },
        { server: 'github', confirm: 'always' },
      ],
    },
  });
  client = await connectClient(app);
});
afterEach(async () => {
  await eventually(async () => (await prompts()).every(({ visible }) => !visible), 'no question is left');
});
afterAll(async () => {
  await client?.close();
  await app?.dispose();
});

const prompts = async () => (await app.desk('windows')).filter(({ url }) => url.includes('view=questions'));
const ready = () => eventually(async () => (await prompts()).find(({ visible }) => !visible), 'a window is ready');
const shown = () => eventually(async () => (await prompts()).find(({ visible }) => visible), 'the window is shown');
const hidden = (id: number) =>
  eventually(async () => (await prompts()).some((each) => each.id === id && !each.visible), 'the window is hidden');

const ask = (tool: string, signal?: AbortSignal) => client.run('asker', tool, {}, signal);
const longCall = () => client.run('github', 'delete_repo', { repo: 'x'.repeat(3_000) });
const decline = (page: Page) => press(page, 'Decline');
const frames = (page: Page) =>
  page.evaluate<{ text: string; armed: boolean; at: number }[]>('globalThis.standInFrames');

/** The frames that were on screen while the window was last shown. */
async function seen(page: Page) {
  const sightings = (await prompts())[0]?.sightings ?? [];
  const from = sightings.findLast(({ visible }) => visible)?.at ?? Number.NaN;
  const to = sightings.find(({ at, visible }) => at > from && !visible)?.at ?? Number.POSITIVE_INFINITY;
  const all = await frames(page);
  const first = all.findLastIndex(({ at }) => at <= from);
  return { from, frames: all.filter(({ at }, index) => index >= first && at <= to) };
}

describe('The prompt window', () => {
  it('is loaded before the first question, hidden and empty', async () => {
    await ready();
    const page = await app.page('view=questions');
    await page.locator('main').waitFor({ state: 'attached' });
    expect(await page.locator('body').innerText()).toBe('');
    expect(await app.desk('windows')).toHaveLength(1);
  });

  it('is shown with its question painted, hidden when empty, and never shows a previous question', {
    tags: ['stand-in'],
  }, async () => {
    const { id } = await ready();
    const page = await app.page('view=questions');
    for (const [tool, words] of [
      ['form', 'Fill this in'],
      ['text', 'Who are you?'],
      ['choose', 'Which one?'],
    ] as const) {
      const askedAt = performance.timeOrigin + performance.now();
      const result = ask(tool);
      expect((await shown()).id).toBe(id);
      await page.getByText(words).first().waitFor();
      await decline(page);
      expect((await result).text).toContain('decline');
      await hidden(id);
      const { from, frames: all } = await seen(page);
      // A busy machine may paint so late that the window appears without its question.
      if (from - askedAt < showAfterMs) expect(all[0]?.text).toContain(words);
      expect(all.find(({ text }) => text !== '')?.text).toContain(words);
      expect(all.at(-1)?.text).toBe('');
      for (const { text } of all) expect(text === '' || text.includes(words)).toBe(true);
    }
  });

  it('does not accept an approval before it has been visible for a moment', async () => {
    const { id } = await ready();
    const page = await app.page('view=questions');
    const result = longCall();
    await shown();
    await page.keyboard.press('Enter');
    const once = page.getByRole('button', { name: 'Once' });
    await page.getByText('Scroll to the last argument').waitFor();
    expect(await once.isDisabled()).toBe(true);
    await page.getByRole('region', { name: 'The call' }).press('End');
    await once.click();
    expect((await result).isError).toBe(false);
    await hidden(id);
  });

  it('is armed only half a second after it was shown', { tags: ['stand-in'] }, async () => {
    const { id } = await ready();
    const page = await app.page('view=questions');
    const result = client.run('github', 'delete_repo', { repo: 'owner/repo' });
    await page.getByRole('button', { name: 'Once' }).click();
    expect((await result).isError).toBe(false);
    await hidden(id);
    const { from, frames: all } = await seen(page);
    const armed = all.find((frame) => frame.armed);
    expect((armed?.at ?? 0) - from).toBeGreaterThan(500);
  });

  it('shows several questions, and takes the focus once', { tags: ['compositor'] }, async () => {
    const { id, sightings } = await ready();
    const page = await app.page('view=questions');
    const first = ask('text');
    await shown();
    await page.getByText('Who are you?').first().waitFor();
    await app.desk('blurWindow', id);
    const second = ask('choose');
    await page.getByText('1 of 2').waitFor();
    await decline(page);
    await page.getByText('Which one?').first().waitFor();
    const now = (await prompts())[0];
    expect(now).toMatchObject({ id, visible: true, focused: false });
    expect(now?.sightings).toHaveLength(sightings.length + 1);
    await decline(page);
    for (const result of [first, second]) expect((await result).text).toContain('decline');
  });

  it('is hidden when its question is withdrawn, and shows the next one', async () => {
    const { id } = await ready();
    const page = await app.page('view=questions');
    const caller = new AbortController();
    const result = ask('form', caller.signal).catch(() => 'cancelled');
    await shown();
    caller.abort();
    expect(await result).toBe('cancelled');
    await hidden(id);
    const next = ask('text');
    expect((await shown()).id).toBe(id);
    await decline(page);
    expect((await next).text).toContain('decline');
  });

  it('is hidden by "decide later", which leaves the question open for the main window', async () => {
    const { id } = await ready();
    const page = await app.page('view=questions');
    const result = ask('text');
    await shown();
    await page.getByText('Who are you?').first().waitFor();
    await page.keyboard.press('Escape');
    await hidden(id);
    await expect
      .poll(async () => (await app.desk('trayMenu')).map(({ label }) => label))
      .toEqual(expect.arrayContaining(['1 question is waiting', 'Answer Claude Desktop: asker › text…']));
    await app.desk('clickTrayMenu', 'Answer Claude Desktop: asker › text…');
    const main = await eventually(
      async () => (await app.desk('windows')).find(({ url }) => /\/index\.html(#|$)/.test(url)),
      'the main window',
    );
    await decline(await app.page('index.html'));
    expect((await result).text).toContain('decline');
    await app.desk('closeWindow', main.id);
  });

  it('shows its question again after a reload', async () => {
    const { id } = await ready();
    const page = await app.page('view=questions');
    const result = ask('text');
    await shown();
    await page.reload();
    await page.getByText('Who are you?').first().waitFor();
    expect((await shown()).id).toBe(id);
    await decline(page);
    expect((await result).text).toContain('decline');
  });

  it('is not reused after it asked for a secret', async () => {
    const { id } = await ready();
    const page = await app.page('view=questions');
    const result = ask('secret');
    await shown();
    await page.locator('input[type=password]').fill('hunter2-hunter2');
    await press(page, 'Send answer');
    expect((await result).text).toContain('hunter2-hunter2');
    await expect.poll(async () => (await ready()).id).not.toBe(id);
  });

  it('is replaced after its page has crashed, and shows the same question', async () => {
    const { id } = await ready();
    await crash(await app.page('view=questions'));
    const next = await eventually(async () => (await prompts()).find((each) => each.id !== id), 'another window');
    const log = readFileSync(join(app.dataDir, 'logs', 'toolkeep.log'), 'utf8');
    expect(log).toMatch(/error.*A page ended: questions \(crashed, exit code -?\d+\)/);
    const result = ask('text');
    expect((await shown()).id).toBe(next.id);
    await crash(await app.page('view=questions'));
    const last = await eventually(
      async () => (await prompts()).find((each) => each.visible && each.id !== next.id),
      'a third window',
    );
    const page = await app.page('view=questions');
    await page.getByText('Who are you?').first().waitFor();
    await decline(page);
    expect((await result).text).toContain('decline');
    await hidden(last.id);
  });

  it('is not reused if a secret was typed after its page had crashed', async () => {
    const { id } = await ready();
    const result = ask('secret');
    await shown();
    await crash(await app.page('view=questions'));
    const next = await eventually(
      async () => (await prompts()).find((each) => each.visible && each.id !== id),
      'another',
    );
    const page = await app.page('view=questions');
    await page.locator('input[type=password]').fill('hunter2-hunter2');
    await press(page, 'Send answer');
    expect((await result).text).toContain('hunter2-hunter2');
    expect((await ready()).id).not.toBe(next.id);
  });

  it('is replaced after the user has closed it, which denies its question', async () => {
    const { id } = await ready();
    const result = longCall();
    await shown();
    await app.desk('closeWindow', id);
    expect((await result).isError).toBe(true);
    expect((await ready()).id).not.toBe(id);
  });

  it('does not keep the app from quitting', async () => {
    await ready();
    await client.close();
    expect(await app.quit()).toBe(0);
    await app.dispose();
    app = await startApp({ args: ['--hidden'] });
  });
});

async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  session.send('Page.crash').catch(() => undefined);
  await crashed;
}
