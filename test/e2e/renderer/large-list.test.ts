/** Lists of 10,000 tools and 200 servers: the data that Core sends, and the rows that are rendered. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goTo, startWindowTests, type WindowTests } from './open-window.ts';
import { server } from './sample-servers.ts';
import { tool } from './sample-tools.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterAll(() => tests.close());

it('The list of 10,000 tools renders the visible ones, and is sent again only after a change', async () => {
  let sent = 0;
  const { page, core } = await tests.open('tools', {
    tools: 10_000,
    prepare({ handlers }) {
      const { 'tools.list': list } = handlers;
      handlers['tools.list'] = (input) => {
        if (!input.offset) sent += 1;
        return list(input);
      };
    },
  });
  const view = async (name: 'Home' | 'Tools') => {
    await goTo(page, name.toLowerCase());
    await page.getByRole('heading', { level: 1, name }).waitFor();
    if (name === 'Tools') await page.getByRole('option').first().waitFor();
  };
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option').count()).toBeLessThan(60);
  await page.getByRole('button', { name: 'Tool', exact: true }).click();
  for (const name of ['Home', 'Tools', 'Home', 'Tools'] as const) await view(name);
  expect(sent).toBe(1);

  // A change while another view is open is loaded when the view opens again.
  await view('Home');
  core.state.tools.push(tool({ server: 'memory', name: 'a_new_one' }));
  core.emit('tools.changed', { servers: ['memory'] });
  await page.getByRole('navigation', { name: 'Main' }).getByText('10,044').waitFor();
  expect(sent).toBe(1);
  await view('Tools');
  await page.getByRole('option', { name: /^a_new_one/ }).waitFor();
  expect(sent).toBe(2);

  // Another order needs only the figures of the tools that were called.
  await page.getByRole('button', { name: 'Calls', exact: true }).click();
  for (let call = 0; call < 61; call += 1) core.record({ server: 'memory', tool: 'a_new_one', durationMs: 7 });
  await expect.poll(() => page.getByRole('option').first().innerText()).toMatch(/^a_new_one\s[\s\S]*61/);
  for (const name of ['Home', 'Tools'] as const) await view(name);
  expect(sent).toBe(2);
});

it('The status table of 200 servers renders the rows in view first', async () => {
  const { page, core } = await tests.open('settings');
  for (let index = core.state.servers.length; index < 200; index += 1)
    core.state.servers.push(server({ id: `server-${index}` }));
  core.emit('servers.changed', { servers: [] });
  await page.getByRole('navigation', { name: 'Main' }).getByText('200').waitFor();
  const firstCount = page.evaluate<number>(`new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const { length } = document.querySelectorAll('tbody tr');
      if (length === 0) return;
      observer.disconnect();
      resolve(length);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  })`);
  await goTo(page, 'settings/status');
  expect(await firstCount).toBe(30);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(200);
});
