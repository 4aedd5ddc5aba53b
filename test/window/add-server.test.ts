/** The form for a server: what few need is out of sight, what is wrong is said beside its field, and nothing wrong reaches Core. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const open = async (kind?: string) => {
  const opened = await tests.open();
  const { page } = opened;
  await page.getByRole('button', { name: 'Add server' }).click();
  if (kind) await page.getByRole('radio', { name: kind }).check();
  const add = () => page.getByRole('button', { name: 'Add', exact: true }).click();
  const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name });
  /** What a screen reader says of a field besides its name. */
  const told = (name: string) =>
    field(name).evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id: string) => input.ownerDocument.getElementById(id)?.textContent)
        .join(' '),
    );
  return { ...opened, add, field, told };
};

it('takes instances, kept out of sight until wanted, and says what Core would say of a wrong number (E9)', async () => {
  const { page, core, add, field, told } = await open();
  await field('Command line').fill('npx -y @playwright/mcp');
  expect(await field('Instances').isVisible()).toBe(false);
  await page.getByRole('dialog').locator('summary').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  for (const [typed, problem] of [
    ['40', 'Must be at most 16, not 40.'],
    ['0', 'Must be at least 1, not 0.'],
    ['2.5', 'Must be a whole number, not 2.5.'],
    ['three', 'Must be a number, not "three".'],
  ] as const) {
    await field('Instances').fill(typed);
    await page.keyboard.press('Enter');
    await page.getByText(problem).waitFor();
    expect(await told('Instances')).toBe(`So many processes share the calls, at most 16. ${problem}`);
  }
  expect(core.saved).toEqual([]);
  await field('Instances').fill('3');
  await add();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(core.saved).toMatchObject([{ connection: { command: 'npx', instances: 3 } }]);
});

it('takes replicas and an OAuth client, masks its secret, and leads to the field that is wrong (D1) (E9)', async () => {
  const { page, core, add, field, told } = await open('Web address');
  await field('Address').first().fill('https://mcp.slack.com/mcp');
  await page.getByRole('dialog').locator('summary').click();
  expect(await findings(page)).toEqual([]);
  const secret = page.getByRole('dialog').getByLabel('Client secret');
  expect(await secret.getAttribute('type')).toBe('password');
  await secret.fill('s3cret');
  await field('Replicas').fill('https://b.example/mcp\n\nb.example');
  // Out of sight again: what is wrong brings it back.
  await page.getByRole('dialog').locator('summary').click();
  await add();
  await page.getByText('“b.example”: An address begins with https://').waitFor();
  expect(await field('Replicas').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  expect(await told('Client ID')).toBe('Must not be empty.');
  await field('Client ID').fill('1601.88');
  await field('Replicas').fill('https://b.example/mcp\nhttps://mcp.slack.com/mcp');
  await field('Redirect address').fill('https://elsewhere.example/callback');
  await add();
  await page.getByText('https://mcp.slack.com/mcp is an address that this server has already.').waitFor();
  expect(await told('Redirect address')).toContain(
    'Must be an address like "http://localhost:3118/callback" on this machine, with its port, not "https://elsewhere',
  );
  expect(await findings(page)).toEqual([]);
  await field('Replicas').fill('https://b.example/mcp');
  await field('Scopes').fill('channels:read, chat:write');
  await field('Redirect address').fill('http://localhost:3118/callback');
  await add();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(core.saved.map(({ connection }) => connection)).toEqual([
    {
      type: 'http',
      url: 'https://mcp.slack.com/mcp',
      headers: {},
      replicas: ['https://b.example/mcp'],
      oauth: {
        clientId: '1601.88',
        clientSecret: 's3cret',
        scopes: ['channels:read', 'chat:write'],
        redirectUrl: 'http://localhost:3118/callback',
      },
    },
  ]);
});
