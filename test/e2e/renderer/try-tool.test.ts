/**
 * The form that runs a tool: typed inputs for every schema, and a view for every type of result.
 *
 * @module-tag exhaustive
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';
import { tool } from './sample-tools.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

async function openForm(inputSchema: Record<string, unknown>, result: Record<string, unknown> = { content: [] }) {
  const opened = await tests.open('home');
  const { page, core } = opened;
  core.state.tools.push(tool({ server: 'memory', name: 'typed', inputSchema }));
  core.handlers['tools.execute'] = ({ arguments: given }) => {
    core.executed.push({ tool: 'typed', arguments: given });
    return result;
  };
  await page.evaluate("location.hash = '#/tools/memory/typed'");
  await page.getByRole('button', { name: 'Try it…' }).click();
  return opened;
}
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click();

const nested = {
  type: 'object',
  properties: {
    names: { type: 'array', items: { type: 'string', minLength: 2 }, minItems: 1 },
    range: { type: 'object', properties: { from: { type: 'string', format: 'date' }, limit: { type: 'integer' } } },
    rows: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'integer' }, ok: { type: 'boolean' } }, required: ['id'] },
    },
    level: { enum: [1, 2, 3] },
    marks: { type: 'array', items: { enum: ['a', 'b'] } },
    note: { type: 'string', maxLength: 5000 },
    any: {},
  },
  required: ['names'],
};

describe('The form of a tool', () => {
  it('has inputs for lists, objects, dates and numeric options', async () => {
    const { page, core } = await openForm(nested);
    const parameter = (name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    const texts = await Promise.all(['level', 'marks', 'note'].map((name) => parameter(name).first().innerText()));
    expect(texts.map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['level', 'choice', '1, 2, 3'],
      ['marks', 'list of choice', '"a", "b"'],
      ['note', 'string', 'at most 5,000 characters'],
    ]);
    const form = page.locator('form');
    const group = (name: string) => form.getByRole('group', { name });
    await group('names').getByRole('button', { name: 'Add an item' }).click();
    await form.getByRole('textbox', { name: 'names 1' }).fill('ada');
    await group('names').getByRole('button', { name: 'Add another' }).click();
    await form.getByRole('textbox', { name: 'names 2' }).fill('bob');
    await form.getByRole('button', { name: 'Remove names 1' }).click();
    await form.getByLabel('from').fill('2026-11-20');
    await form.getByRole('spinbutton', { name: 'limit' }).fill('5');
    await group('rows').getByRole('button', { name: 'Add an item' }).click();
    await group('rows').getByRole('spinbutton', { name: 'id' }).fill('7');
    await group('level').getByRole('radio', { name: '2' }).check();
    await run(page);
    const values = { names: ['bob'], range: { from: '2026-11-20', limit: 5 }, rows: [{ id: 7 }], level: 2 };
    await expect.poll(() => core.executed).toEqual([{ tool: 'typed', arguments: values }]);
    expect(await findings(page)).toEqual([]);
    expect(tests.pageErrors).toEqual([]);
  });

  it('omits empty fields, and focuses the first problem, even inside a list', async () => {
    const { page, core } = await openForm(nested);
    await run(page);
    await page.getByText('Add at least 1.').waitFor();
    await page.getByRole('group', { name: 'names' }).getByRole('button', { name: 'Add an item' }).click();
    await page.getByRole('textbox', { name: 'names 1' }).fill('a');
    await run(page);
    await page.getByText('Too short: the minimum length is 2.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement?.labels?.[0]?.textContent')).toContain('names 1');
    await page.keyboard.type('da');
    await run(page);
    await expect.poll(() => core.executed).toEqual([{ tool: 'typed', arguments: { names: ['ada'] } }]);
  });

  it('keeps the input when the user switches between form and JSON', async () => {
    const { page } = await openForm(nested);
    await page.getByRole('radio', { name: 'JSON', exact: true }).check();
    await page.getByRole('textbox', { name: 'Arguments' }).fill('{"names":["ada","bob"],"level":3}');
    await page.getByRole('radio', { name: 'Form', exact: true }).check();
    await expect.poll(() => page.getByRole('textbox', { name: 'names 2' }).inputValue()).toBe('bob');
    expect(await page.getByRole('radio', { name: '3' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'JSON', exact: true }).check();
    const text = await page.getByRole('textbox', { name: 'Arguments' }).inputValue();
    expect(JSON.parse(text)).toEqual({ names: ['ada', 'bob'], level: 3 });
  });
});

describe('A call that did not run', () => {
  it('is explained to the user, without the words for agents', async () => {
    const { page, core } = await openForm({});
    core.handlers['tools.execute'] = () => {
      throw fail('APPROVAL_DENIED', 'The user denied the call of "typed".');
    };
    await run(page);
    const failure = page.getByRole('region', { name: 'Failure' });
    expect((await failure.innerText()).split('\n').filter(Boolean)).toEqual([
      'You did not allow this call, so it did not run.',
      'To run it, try again and allow the call.',
      'APPROVAL_DENIED',
    ]);
    core.handlers['tools.execute'] = () => {
      throw fail('TOOL_DISABLED', 'The user disabled "typed".', {
        hint: 'The user was asked. Do not call again until they enable it.',
      });
    };
    await run(page);
    await failure.getByText('Enable it, or change the rule that disables it.').waitFor();
    expect(await failure.innerText()).not.toMatch(/the user/i);
  });
});

describe('The result of a tool', () => {
  it('is a table if it is a list of similar objects', async () => {
    const items = Array.from({ length: 60 }, (_, index) => ({ id: index, name: `row ${index}` }));
    const { page } = await openForm({}, { content: [{ type: 'text', text: JSON.stringify({ items }) }] });
    await run(page);
    const table = page.getByRole('table', { name: 'items' });
    await table.getByText('row 0', { exact: true }).waitFor();
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['id', 'name']);
    expect(await table.getByRole('row').count()).toBe(51);
    await page.getByRole('button', { name: 'Show more (10)' }).click();
    await table.getByText('row 59').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('plays audio, and saves an image', async () => {
    const wav = Buffer.alloc(44 + 8_000);
    wav.write('RIFF', 0);
    wav.writeUInt32LE(36 + 8_000, 4);
    wav.write('WAVEfmt ', 8);
    wav.writeUInt32LE(16, 16);
    for (const [value, at] of [
      [1, 20],
      [1, 22],
      [1, 32],
      [8, 34],
    ] as const)
      wav.writeUInt16LE(value, at);
    wav.writeUInt32LE(8_000, 24);
    wav.writeUInt32LE(8_000, 28);
    wav.write('data', 36);
    wav.writeUInt32LE(8_000, 40);
    const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const content = [
      { type: 'audio', mimeType: 'audio/wav', data: wav.toString('base64') },
      { type: 'image', mimeType: 'image/gif', data: gif },
    ];
    const { page } = await openForm({}, { content });
    await run(page);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save image' }).click();
    expect((await download).suggestedFilename()).toBe('picture.gif');
    expect(await page.getByText('Cannot').count()).toBe(0);
    expect(tests.pageErrors).toEqual([]);
  });
});
