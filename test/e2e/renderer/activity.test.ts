/** Tools, rules and the history: the lists show what happened and which rules apply. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { goTo, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

describe('The history', () => {
  it('shows a call and its question as one entry, live', async () => {
    const { page, core } = await tests.open('history');
    const rows = page.getByRole('list', { name: 'History' }).locator('> li');
    await rows.first().waitFor();
    const before = await rows.count();
    const call = { tool: 'send_payment', server: 'bank', callId: 'c9' };
    core.record({ ...call, kind: 'approval', outcome: 'allowed', scope: 'once' });
    await rows.first().getByText('Allowed once').waitFor();
    core.record({ ...call, kind: 'call', outcome: 'ok' });
    await rows.first().getByText('OK').waitFor();
    expect(await rows.filter({ hasText: 'send_payment' }).count()).toBe(1);
    expect(await rows.count()).toBe(before);
    await rows.first().locator('summary').click();
    await rows.first().getByText('Approval: Allowed once').waitFor();
  });

  it('shows only matching entries, and the same ones after the filter is cleared', async () => {
    const { page, core } = await tests.open('history');
    const rows = page.getByRole('list', { name: 'History' }).locator('> li');
    for (const callId of ['p1', 'p2', 'p3']) {
      core.record({
        tool: 'send_payment',
        server: 'bank',
        callId,
        kind: 'approval',
        outcome: 'allowed',
        scope: 'once',
      });
      core.record({ tool: 'send_payment', server: 'bank', callId, outcome: 'ok' });
    }
    await rows.filter({ hasText: 'send_payment' }).nth(2).waitFor();
    const before = await rows.allInnerTexts();
    for (let round = 0; round < 2; round += 1) {
      await page.getByRole('searchbox', { name: 'Filter history' }).fill('payment');
      await expect.poll(() => rows.count()).toBe(3);
      for (const text of await rows.allInnerTexts()) expect(text).toContain('send_payment');
      await page.getByRole('searchbox', { name: 'Filter history' }).fill('');
      await expect.poll(() => rows.allInnerTexts()).toEqual(before);
    }
  });

  it('shows the entry that the address names, whatever the filter and however far down it is', async () => {
    const { page, core } = await tests.open('history');
    const rows = page.getByRole('list', { name: 'History' }).locator('> li');
    for (let index = 0; index < 130; index += 1) core.record({ tool: `tool_${index}`, server: 'bank', outcome: 'ok' });
    await rows.filter({ hasText: 'tool_129' }).waitFor();
    const filter = page.getByRole('searchbox', { name: 'Filter history' });
    const ofTool = (tool: string) => core.state.records.find((record) => record.tool === tool)?.id ?? '';
    const opened = page.locator('details[open]');
    for (const tool of ['tool_2', 'tool_3']) {
      await filter.fill('tool_129');
      await expect.poll(() => rows.count()).toBe(1);
      await goTo(page, `history/${encodeURIComponent(ofTool(tool))}`);
      await expect.poll(() => opened.filter({ hasText: tool }).locator('summary:focus').count()).toBe(1);
      expect(await filter.inputValue()).toBe('');
    }
    // From then on, the filter decides again.
    await filter.fill('tool_129');
    await expect.poll(() => rows.count()).toBe(1);
  });

  it("finds yesterday's failed calls in the whole history", async () => {
    const { page, core } = await tests.open('tools');
    const noon = new Date(new Date().setHours(12, 0, 0, 0)).getTime();
    const old = { client: 'Cursor', server: 'bank', tool: 'get_balance', arguments: '{}', durationMs: 5 };
    const record = (id: string, at: number, outcome: 'ok' | 'failed') =>
      ({ ...old, id, at, kind: 'call', outcome }) as (typeof core.state.records)[number];
    const many = Array.from({ length: 1000 }, (_, index) => record(`new${index}`, noon, 'ok'));
    const yesterday = [record('y1', noon - 86_400_000, 'failed'), record('y2', noon - 86_400_001, 'ok')];
    const before = record('b', noon - 2 * 86_400_000, 'failed');
    core.handlers['history.list'] = () => many;
    core.handlers['history.page'] = () => ({ records: [before, ...yesterday.toReversed(), ...many] });
    await page.getByRole('link', { name: 'History' }).click();
    const rows = page.getByRole('list', { name: 'History' }).locator('> li');
    await page.getByText('Loaded the newest 1,000 entries.').waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('failed');
    await page.getByRole('combobox', { name: 'Time' }).selectOption('yesterday');
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Search all history' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('heading', { name: 'Yesterday' }).waitFor();
    expect(await rows.locator('summary time').innerText()).toMatch(/^\d+:\d\d:\d\d\s[AP]M$/);
    await page.getByRole('combobox', { name: 'Time' }).selectOption('');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('combobox', { name: 'Client' }).selectOption('Cursor');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.first().locator('summary').click();
    await rows.first().getByRole('button', { name: 'Copy entry' }).click();
    await page.getByRole('menuitem', { name: 'As JSON' }).click();
    await page.getByText('Copied.').waitFor();
  });

  it('does not color the user’s own decisions as failures', async () => {
    const { page, core } = await tests.open('history');
    core.record({ tool: 'send_payment', kind: 'approval', outcome: 'denied' });
    const denied = page.locator('[data-tone]', { hasText: /^Denied$/ }).first();
    expect(await denied.getAttribute('data-tone')).not.toBe('danger');
    const color = (tone: string) =>
      page
        .locator(`[data-tone=${tone}]`)
        .first()
        .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).color);
    expect(await color('warning')).not.toBe(await color('danger'));
  });
});

describe('The rules view', () => {
  it.each([
    [1080, 720],
    [1280, 800],
  ])('keeps its save button visible at %i × %i', async (width, height) => {
    const { page } = await tests.open('rules', { tools: 1000, viewport: { width, height } });
    await page.getByRole('switch').nth(3).click();
    await page.getByRole('switch').nth(0).click();
    await page.getByText('tools will change.').waitFor();
    const box = await page.getByRole('button', { name: 'Save rules' }).boundingBox();
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
  });

  it('starts a new rule without an effect, which cannot be saved', async () => {
    const { page } = await tests.open('rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('This rule has no effect yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  });
});

describe('The tools view', () => {
  it('finds tools by words in any of their fields, and nothing else', async () => {
    const { page } = await tests.open('tools');
    await page.getByRole('searchbox').fill('github delete');
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toHaveLength(2);
    for (const text of await page.getByRole('option').allInnerTexts()) expect(text).toMatch(/^delete_/);
  });

  it('disables all matching tools in one step, and restores their previous state', async () => {
    const { page, core } = await tests.open('tools');
    const enabled = (name: string) => core.state.tools.filter((tool) => tool.name === name).map((tool) => tool.enabled);
    await core.handlers['tools.setPolicy']({ server: 'github', tool: 'delete_file', enabled: false });
    await page.getByRole('searchbox').fill('delete_file');
    await expect.poll(() => page.getByRole('option').count()).toBe(2);
    const before = enabled('delete_file');
    const press = async (item: string) => {
      await page.getByRole('button', { name: 'Change all 2 tools' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await press('Enable 2 tools');
    await page.getByText('2 tools enabled.').waitFor();
    expect(enabled('delete_file')).toEqual([true, true]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 2 tools.').waitFor();
    expect(enabled('delete_file')).toEqual(before);
    expect(before).toContain(false);
  });

  it('never shows a suspicious or held tool as safe', async () => {
    const { page, core } = await tests.open('tools/filesystem/read_text_file');
    const detail = page.getByRole('region', { name: 'Tool read_text_file' });
    await detail.getByText('Safe', { exact: true }).waitFor();
    const tool = core.state.tools.find(({ name }) => name === 'read_text_file');
    tool?.findings.push('Instruction to the model: “Ignore all previous”');
    core.emit('tools.changed', { servers: ['filesystem'] });
    await detail.getByText('Suspicious', { exact: true }).waitFor();
    expect(await detail.getByText('Safe', { exact: true }).count()).toBe(0);
  });

  it('focuses the first invalid field of the form', async () => {
    const { page } = await tests.open('tools/filesystem/read_text_file');
    await page.getByRole('button', { name: 'Try it…' }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => page.evaluate('document.activeElement?.labels?.[0]?.textContent')).toBe('path');
  });

  it('formats JSON in a text result and copies it', async () => {
    const { page, core } = await tests.open('tools/filesystem/read_text_file', { permissions: ['clipboard-read'] });
    core.handlers['tools.execute'] = () => ({ content: [{ type: 'text', text: '{"a":[1,2]}' }] });
    await page.getByRole('button', { name: 'Try it…' }).click();
    await page.getByRole('textbox', { name: 'path' }).fill('/tmp/x');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect
      .poll(() => page.locator('blockquote .mono').allInnerTexts())
      .toEqual([expect.stringContaining('"a": [')]);
    await page.getByRole('button', { name: 'Copy result' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
  });

  it('shows the progress of a call and cancels it', async () => {
    const { page, core } = await tests.open('tools/filesystem/read_text_file');
    const run = Promise.withResolvers<Record<string, unknown>>();
    let callId: string | undefined;
    core.handlers['tools.execute'] = (input) => {
      callId = input.callId;
      return run.promise;
    };
    core.handlers['tools.cancel'] = (input) => {
      expect(input.callId).toBe(callId);
      run.resolve({ content: [{ type: 'text', text: 'Canceled by the user.' }], isError: true });
    };
    await page.getByRole('button', { name: 'Try it…' }).click();
    await page.getByRole('textbox', { name: 'path' }).fill('/tmp/x');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => callId).toBeTruthy();
    core.emit('calls.progress', { callId: callId ?? '', progress: 3, total: 10, message: 'Page 3 of 10' });
    await page.getByText('Page 3 of 10').waitFor();
    expect(await page.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('3');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Canceled by the user.').waitFor();
  });
});
