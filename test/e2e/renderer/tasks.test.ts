/**
 * A user's tasks in the window, each with the maximum number of clicks from Home.
 *
 * @module-tag exhaustive
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startWindowTests, type WindowTests } from './open-window.ts';
import type { SampleCore } from './sample-core.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

interface Task {
  name: string;
  clicks: number;
  prepare?(core: SampleCore): void;
  /** `click` counts. Choosing in a select counts as two, as it does for a user. */
  run(user: User, core: SampleCore): Promise<void>;
}
interface User {
  page: Page;
  click(target: Locator): Promise<void>;
  choose(select: Locator, value: string): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
}

const nav = (page: Page, name: string | RegExp) => page.getByRole('navigation').getByRole('link', { name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dayMs = 86_400_000;
const call = { callId: 'c1', server: 'filesystem', tool: 'read_text_file', arguments: '{"path":"/tmp/x"}' };

const tasks: Task[] = [
  {
    name: 'finds what failed yesterday, and why',
    clicks: 6,
    prepare(core) {
      const message = 'It did not answer within 60 s.';
      // Soon after midnight, the other records are yesterday's, too.
      core.state.records = [];
      core.record({
        ...call,
        id: 'y',
        at: Date.now() - dayMs,
        outcome: 'failed',
        code: 'SERVER_TIMEOUT',
        message,
      } as object);
    },
    async run({ page, click, choose }) {
      await click(nav(page, 'History'));
      await choose(page.getByRole('combobox', { name: 'Outcome' }), 'failed');
      await choose(page.getByRole('combobox', { name: 'Time' }), 'yesterday');
      await click(page.getByRole('list', { name: 'History' }).locator('summary').first());
      await page.getByText('It did not answer within 60 s.').waitFor();
    },
  },
  {
    name: 'sees what a call returned',
    clicks: 2,
    prepare(core) {
      core.state.results.c1 = { content: [{ type: 'text', text: 'the answer' }] };
      core.record({ ...call, id: 'r', outcome: 'ok' } as object);
    },
    async run({ page, click }) {
      await click(nav(page, 'History'));
      await click(page.getByRole('list', { name: 'History' }).locator('summary').first());
      await page.getByText('the answer').waitFor();
    },
  },
  {
    name: 'runs an earlier call again',
    clicks: 4,
    prepare: (core) => core.record({ ...call, id: 'r', outcome: 'ok' } as object),
    async run({ page, click }, core) {
      await click(nav(page, 'History'));
      await click(page.getByRole('list', { name: 'History' }).locator('summary').first());
      await click(button(page, 'Run again…'));
      await click(page.getByRole('button', { name: 'Run', exact: true }));
      await expect.poll(() => core.executed.length).toBe(1);
    },
  },
  {
    name: 'makes a tool always ask, from a call',
    clicks: 7,
    prepare: (core) => core.record({ ...call, id: 'r', outcome: 'ok' } as object),
    async run({ page, click, choose }, core) {
      await click(nav(page, 'History'));
      await click(page.getByRole('list', { name: 'History' }).locator('summary').first());
      await click(button(page, 'Make a rule…'));
      await choose(page.getByRole('combobox', { name: 'Ask before they run' }), 'always');
      await click(button(page, 'Done'));
      await click(button(page, 'Save rules'));
      await expect.poll(() => core.state.rules.at(-1)).toMatchObject({ confirm: 'always' });
    },
  },
  {
    name: 'sees why a server does not start, in its log',
    clicks: 3,
    async run({ page, click }) {
      await click(nav(page, 'Servers'));
      await click(page.getByRole('link', { name: /^postgres/ }));
      await click(page.getByRole('link', { name: 'Log', exact: true }));
      await page.getByRole('listbox', { name: 'Log' }).getByText('exited with code 1').waitFor();
    },
  },
  {
    name: 'disables a server',
    clicks: 4,
    async run({ page, click }, core) {
      await click(nav(page, 'Servers'));
      await click(page.getByRole('link', { name: /^github/ }));
      await click(button(page, 'More for github'));
      await click(page.getByRole('menuitem', { name: 'Disable' }));
      await expect.poll(() => core.state.servers.find(({ id }) => id === 'github')?.status).toBe('disabled');
    },
  },
  {
    name: 'disables one tool',
    clicks: 3,
    async run({ page, click, type }, core) {
      await click(nav(page, 'Tools'));
      await type(page.getByRole('searchbox', { name: 'Filter tools' }), 'search_repositories');
      await click(page.getByRole('option', { name: /^search_repositories/ }));
      await click(page.getByRole('switch').first());
      await expect.poll(() => core.state.tools.find(({ name }) => name === 'search_repositories')?.enabled).toBe(false);
    },
  },
  {
    name: 'adds a server from a snippet of its documentation',
    clicks: 4,
    async run({ page, click, type }, core) {
      await click(nav(page, 'Servers'));
      await click(button(page, 'Add server'));
      await click(page.getByRole('radio', { name: 'Paste' }));
      await type(
        page.getByRole('textbox', { name: /documentation/ }),
        '{"new-one":{"command":"npx","args":["-y","new"]}}',
      );
      await click(page.getByRole('button', { name: 'Add', exact: true }));
      await expect.poll(() => core.saved.map(({ name }) => name)).toEqual(['new-one']);
    },
  },
  {
    name: 'tests a server before it is saved',
    clicks: 3,
    async run({ page, click, type }) {
      await click(nav(page, 'Servers'));
      await click(button(page, 'Add server'));
      await type(page.getByRole('textbox', { name: 'Command line' }), 'npx server');
      await click(button(page, 'Test'));
      await page.getByText('The server works').waitFor();
    },
  },
  {
    name: 'duplicates a server',
    clicks: 5,
    async run({ page, click }, core) {
      await click(nav(page, 'Servers'));
      await click(page.getByRole('link', { name: /^filesystem/ }));
      await click(button(page, 'More for filesystem'));
      await click(page.getByRole('menuitem', { name: 'Duplicate…' }));
      await click(page.getByRole('button', { name: 'Add', exact: true }));
      await expect.poll(() => core.saved.map(({ name }) => name)).toEqual(['filesystem-2']);
    },
  },
  {
    name: 'removes a server, and takes that back',
    clicks: 6,
    async run({ page, click }, core) {
      await click(nav(page, 'Servers'));
      await click(page.getByRole('link', { name: /^memory/ }));
      await click(button(page, 'More for memory'));
      await click(page.getByRole('menuitem', { name: 'Remove…' }));
      await click(page.getByRole('button', { name: 'Remove', exact: true }));
      await click(button(page, 'Undo'));
      await expect.poll(() => core.state.servers.map(({ id }) => id)).toContain('memory');
    },
  },
  {
    name: 'pauses Toolkeep',
    clicks: 1,
    async run({ page, click }, core) {
      await click(page.getByRole('button', { name: 'Pause', exact: true }));
      await expect.poll(() => core.state.paused).toBe(true);
    },
  },
  {
    name: 'keeps results of calls for a week',
    clicks: 3,
    async run({ page, click, choose }, core) {
      await click(nav(page, 'Settings'));
      await choose(page.getByRole('combobox', { name: 'Keep call results' }), '7');
      await expect.poll(() => core.handlers['settings.show'](undefined)).toMatchObject({ resultDays: 7 });
    },
  },
  {
    name: 'finds the slowest server',
    clicks: 3,
    async run({ page, click }) {
      await click(nav(page, 'Settings'));
      await click(page.getByRole('link', { name: 'Status' }));
      await click(page.getByRole('button', { name: 'Average' }));
      await expect.poll(async () => (await page.getByRole('rowheader').allInnerTexts())[0]).toBe('github');
    },
  },
  {
    name: 'imports what its clients have, and sees what works',
    clicks: 3,
    async run({ page, click }) {
      await click(nav(page, 'Servers'));
      await click(page.getByRole('link', { name: 'Import from clients' }));
      await click(button(page, /^Import \d servers$/));
      await page.getByRole('heading', { name: /servers imported$/ }).waitFor();
    },
  },
  {
    name: 'stops a server',
    clicks: 4,
    async run({ page, click }, core) {
      await click(nav(page, 'Servers'));
      await click(page.getByRole('link', { name: /^github/ }));
      await click(button(page, 'More for github'));
      await click(page.getByRole('menuitem', { name: 'Stop' }));
      await expect.poll(() => core.state.servers.find(({ id }) => id === 'github')?.status).toBe('idle');
    },
  },
  {
    name: 'renames a server',
    clicks: 5,
    async run({ page, click, type }, core) {
      await click(nav(page, 'Servers'));
      await click(page.getByRole('link', { name: /^filesystem/ }));
      await click(button(page, 'More for filesystem'));
      await click(page.getByRole('menuitem', { name: 'Edit…' }));
      await type(page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), 'files');
      await click(page.getByRole('button', { name: 'Save', exact: true }));
      await expect.poll(() => core.state.servers.map(({ id }) => id)).toContain('files');
    },
  },
  {
    name: 'signs in to a server',
    clicks: 3,
    async run({ page, click }, core) {
      await click(nav(page, 'Servers'));
      await click(page.getByRole('link', { name: /^sentry/ }));
      await click(button(page, 'Sign in…'));
      await expect.poll(() => core.state.servers.find(({ id }) => id === 'sentry')?.signIn).toBe('signedIn');
    },
  },
  {
    name: 'chooses dark colors',
    clicks: 2,
    async run({ page, click }) {
      await click(nav(page, 'Settings'));
      await click(page.getByRole('radio', { name: 'Dark' }));
      await page.locator('html[data-theme=dark]').waitFor();
    },
  },
];

async function prepared({ prepare }: Task) {
  const opened = await tests.open('home');
  await opened.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  prepare?.(opened.core);
  return opened;
}

it.each(tasks.map((task) => [task.name, task.clicks, task] as const))(
  'A user %s with at most %i clicks',
  async (_name, clicks, task) => {
    const { page, core } = await prepared(task);
    let counted = 0;
    const user: User = {
      page,
      async click(target) {
        counted += 1;
        await target.click();
      },
      async choose(select, value) {
        counted += 2;
        await select.selectOption(value);
      },
      type: (field, text) => field.fill(text),
    };
    await task.run(user, core);
    expect(counted).toBeLessThanOrEqual(clicks);
    expect(tests.pageErrors).toEqual([]);
  },
);

it.each(tasks.map((task) => [task.name, task] as const))('A user %s by keyboard alone', async (_name, task) => {
  const { page, core } = await prepared(task);
  await task.run(keyboardUser(page), core);
  expect(tests.pageErrors).toEqual([]);
});

/** More key presses than needed to reach any element of a view. */
const maxKeys = 200;

/** Presses `key` until `isDone`. */
async function pressUntil(page: Page, key: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < maxKeys; count += 1) {
    if (await isDone()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never got there.`);
}

function keyboardUser(page: Page): User {
  const isFocused = (target: Locator) => target.evaluate((element) => element === element.ownerDocument.activeElement);
  const reach = (target: Locator) => pressUntil(page, 'Tab', () => isFocused(target));

  async function click(target: Locator): Promise<void> {
    await target.waitFor();
    const role = await target.evaluate((element) => element.getAttribute('role') ?? element.getAttribute('type') ?? '');
    if (role === 'menuitem') await pressUntil(page, 'ArrowDown', () => isFocused(target));
    else if (role === 'option') {
      await reach(page.getByRole('listbox'));
      return pressUntil(page, 'ArrowDown', async () => (await target.getAttribute('aria-selected')) === 'true');
    } else if (role === 'radio') {
      const chosen = target.locator('xpath=ancestor::fieldset').getByRole('radio', { checked: true });
      await reach(chosen);
      return pressUntil(page, 'ArrowRight', () => target.isChecked());
    } else await reach(target);
    await page.keyboard.press(role === 'switch' ? 'Space' : 'Enter');
  }
  return {
    page,
    click,
    async choose(select, value) {
      await reach(select);
      // The window shows a new value when it is saved. Another key before that would skip it.
      for (let now = await select.inputValue(); now !== value; now = await select.inputValue()) {
        await page.keyboard.press('ArrowDown');
        await expect.poll(() => select.inputValue()).not.toBe(now);
      }
    },
    async type(field, text) {
      await field.waitFor();
      await reach(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
    },
  };
}
