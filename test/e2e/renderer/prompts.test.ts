/** The prompts and resources of a server in the window. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

describe('The prompts of a server', () => {
  it('are filled in with suggestions of the server, and show their messages', async () => {
    const { page } = await tests.open('servers/github');
    await page.getByRole('link', { name: 'Prompts 3' }).click();
    await page.getByText('Review a pull request').click();
    await page.getByRole('button', { name: 'Get prompt' }).click();
    await page.locator('[aria-invalid="true"]:focus').waitFor();
    const field = page.getByLabel('repository');
    await field.fill('acme/s');
    await page.locator('datalist option[value="acme/shop"]').waitFor({ state: 'attached' });
    await page.getByRole('combobox', { name: 'repository' }).waitFor();
    await field.fill('acme/shop');
    await page.getByLabel('number').fill('7');
    await page.keyboard.press('Enter');
    await page.getByText('review_pull_request: acme/shop #7').waitFor();
    await page.getByText('Assistant').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('show why a prompt failed', async () => {
    const { page } = await tests.open('servers/github/prompts/review_pull_request');
    await page.getByLabel('repository').fill('acme/shop');
    await page.getByLabel('number').fill('0');
    await page.getByRole('button', { name: 'Get prompt' }).click();
    await page.getByRole('region', { name: 'Failure' }).getByText('There is no pull request 0.').waitFor();
  });

  it('are opened one at a time, by keyboard', async () => {
    const { page } = await tests.open('servers/github/prompts');
    const open = page.locator('details[open] summary');
    await page.getByText('triage_issues').focus();
    await page.locator('summary', { hasText: 'triage_issues' }).focus();
    await page.keyboard.press('Enter');
    expect(await open.innerText()).toContain('triage_issues');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => open.allInnerTexts()).toHaveLength(1);
    expect(await open.innerText()).toContain('Review a pull request');
  });
});

it('A held prompt says why, cannot be tried, and is no longer held when the user accepts it', async () => {
  const { page } = await tests.open('servers/filesystem/prompts');
  await page.getByText('tidy_up').click();
  const notice = page.getByRole('region', { name: 'Held' });
  await notice.getByText('its description tells agents to hide something from the user').waitFor();
  expect(await page.getByRole('button', { name: 'Get prompt' }).count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('button', { name: 'Get prompt' }).waitFor();
  expect(await notice.count()).toBe(0);
});

describe('The resources of a server', () => {
  it('are read and shown, or offered as a file if they are binary', async () => {
    const { page } = await tests.open('servers/filesystem/resources');
    await page.getByText('settings.json', { exact: true }).click();
    await page.getByText('application/json · 2 KB').waitFor();
    await page.getByRole('button', { name: 'Read' }).click();
    await page.getByText('Content of file:///home/ada/settings.json').waitFor();
    await page.getByText('Log of a day').click();
    await page.getByLabel('service').fill('core.bin');
    await page.getByLabel('day').fill('2026-11-20');
    await page.getByText('log://core.bin?day=2026-11-20', { exact: true }).waitFor();
    await page.getByLabel('day').fill('');
    await page.getByRole('button', { name: 'Read' }).click();
    await page.getByText('Binary data, application/zip').waitFor();
    await page.getByRole('button', { name: 'Save file' }).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('have no page if the server has none', async () => {
    const { page } = await tests.open('servers/memory');
    await page.getByRole('link', { name: 'Log' }).waitFor();
    expect(await page.getByRole('link', { name: /^(Prompts|Resources)/ }).count()).toBe(0);
  });
});
