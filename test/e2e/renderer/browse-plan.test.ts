/** The plan of an installation: the window shows everything that will be installed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

describe('The button that installs a server', () => {
  it('stays disabled after the plan for the current input failed, until a plan succeeds', async () => {
    const { page, core } = await tests.open('browse/official/io.github.acme%2Fnotes');
    const install = page.getByRole('main').getByRole('button', { name: 'Install', exact: true });
    const folder = page.getByRole('textbox', { name: 'folder' });
    await folder.fill('/home/ada/first');
    await page.getByRole('main').getByText('/home/ada/first').first().waitFor();
    await expect.poll(() => install.isEnabled()).toBe(true);

    const plan = core.handlers['registry.plan'];
    core.handlers['registry.plan'] = () => {
      throw fail('REGISTRY_UNREACHABLE', 'The list cannot be read.');
    };
    await folder.fill('/home/ada/second');
    await page.getByText('The list cannot be read.').waitFor();
    // Two frames: React has rendered everything that follows from the failure.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await install.isEnabled()).toBe(false);

    core.handlers['registry.plan'] = plan;
    await folder.fill('/home/ada/third');
    await expect.poll(() => install.isEnabled()).toBe(true);
    expect(await page.getByText('The list cannot be read.').count()).toBe(0);
  });
});
