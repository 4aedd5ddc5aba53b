/**
 * The first run in four steps: it has no dead end, and continues at the step where the user left it.
 *
 * @module-tag exhaustive
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import type { SetupStep } from '../../../shared/model/home.ts';
import { findings, goTo, loaded, startWindowTests, type WindowTests } from './open-window.ts';
import type { SampleCore } from './sample-core.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const press = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).click();

describe('The first run', () => {
  it('imports the servers that the user selects, shows how they start, and continues after a restart', async () => {
    const { page, core, another } = await tests.open('', { empty: true });
    await page.getByRole('heading', { name: 'Welcome to Toolkeep' }).waitFor();
    await page.getByRole('list', { name: 'Clients found' }).getByText('Claude Desktop').waitFor();
    await press(page, 'Choose…');
    await page.getByText('Expected a comma or a closing brace after "memory".').waitFor();
    // Its command is missing.
    expect(await page.getByRole('checkbox', { name: /^git/ }).isChecked()).toBe(false);
    await page.getByRole('checkbox', { name: /sentry/ }).uncheck();
    await press(page, 'Import 2 servers');
    await page.getByRole('list', { name: 'Servers', exact: true }).getByText('everything').waitFor();
    expect(core.state.servers.map(({ id }) => id)).toEqual(['sequential-thinking', 'everything']);

    const later = await another('');
    await later.getByRole('heading', { name: 'Your servers' }).waitFor();
    await press(later, 'Continue');
    await later.getByRole('heading', { name: 'Your clients' }).waitFor();
    expect(core.state.setupStep).toBe('clients');
  });

  it('connects all selected clients with one button, and shows a failure beside its client', async () => {
    const { page, core } = await tests.open('', { empty: true });
    await press(page, 'Your clients');
    await page.getByRole('switch', { name: 'Connect VS Code' }).click();
    const { 'install.apply': apply } = core.handlers;
    const applied: unknown[] = [];
    core.handlers['install.apply'] = (input) => {
      applied.push({ client: input.client, moveServers: input.moveServers });
      if (input.client === 'claude-desktop') throw fail('CLIENT_FILE_INVALID', 'The file is read-only.');
      return apply(input);
    };
    await press(page, 'Connect 2 clients');
    const rows = page.getByRole('list', { name: 'Clients' }).getByRole('listitem');
    await rows.filter({ hasText: 'Claude Desktop' }).getByText('The file is read-only.').waitFor();
    await rows.filter({ hasText: 'Cursor' }).getByText('Quit Cursor completely and start it again.').waitFor();
    expect(applied).toEqual([
      { client: 'claude-desktop', moveServers: ['filesystem'] },
      { client: 'cursor', moveServers: ['filesystem'] },
    ]);
    await press(page, 'Continue');
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
  });

  it('connects the clients of an automatic setup although servers start meanwhile', async () => {
    const prepare = ({ handlers }: SampleCore) => {
      const { 'install.plan': plan } = handlers;
      let plans = 0;
      let last = '';
      handlers['install.plan'] = async (choice) => {
        plans += 1;
        last = `${plans}`;
        return { ...(await plan(choice)), token: last };
      };
      handlers['install.apply'] = ({ token }) => {
        if (token !== last) throw fail('CLIENT_FILE_CHANGED', 'The change is no longer the one of the preview.');
        return { file: '', changed: true };
      };
    };
    const { page } = await tests.open('', { empty: true, prepare });
    await press(page, 'Set up everything');
    await press(page, 'Continue');
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
  });

  it('offers to set a passphrase on a computer without a keyring', async () => {
    const prepare = (core: SampleCore) => {
      const { 'core.status': status } = core.handlers;
      core.handlers['core.status'] = async () => ({
        ...(await status()),
        vault: { label: '', persistent: false, passphrase: 'unset' },
      });
    };
    const { page } = await tests.open('import', { prepare });
    await page.getByRole('button', { name: 'Set a passphrase…' }).waitFor();
  });

  it('ends with the first call, which it shows live', async () => {
    const installed = (app: string) => ({
      client: app,
      app,
      file: '~/a.json',
      found: true,
      state: 'installed' as const,
    });
    const prepare = (core: SampleCore) => {
      core.handlers['install.status'] = () => ['Claude Desktop', 'Cursor'].map(installed);
    };
    const { page, core } = await tests.open('welcome', { prepare });
    await press(page, 'Try it');
    const restart = page.getByText('Restart Claude Desktop and Cursor first so that they read the change.');
    await restart.waitFor();
    await page.getByText('connected. Waiting for the first call…').waitFor();
    await page.getByText('Use Toolkeep to list allowed directories with filesystem, and tell me the result.').waitFor();
    await press(page, 'Copy prompt');
    core.record({ client: 'Cursor', tool: 'list_directory', server: 'filesystem' });
    await page.getByText('Cursor ran list_directory on filesystem: OK').waitFor();
    expect(await restart.count()).toBe(0);
    await press(page, /^Finish$/);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(core.state.setupStep).toBe('done');
  });

  it('can be skipped at once and resumed from Home', async () => {
    const { page, core } = await tests.open('', { empty: true });
    await page.getByRole('button', { name: 'Skip setup' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    await press(page, 'Skip setup');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    core.state.setupStep = 'servers';
    core.emit('core.changed', {});
    await page.getByRole('link', { name: 'Continue setup' }).click();
    await page.getByRole('heading', { name: 'Your servers' }).waitFor();
  });

  it('never replaces a view that the user has opened', async () => {
    const { page } = await tests.open('', { empty: true });
    await page.getByRole('heading', { name: 'Welcome to Toolkeep' }).waitFor();
    await goTo(page, 'tools');
    await page.getByRole('link', { name: 'Go to servers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByRole('dialog', { name: 'Add a server' }).waitFor();
  });

  it('can continue if no client or server was found', async () => {
    const { page, core, another } = await tests.open('rules', { empty: true });
    await page.close();
    core.state.plan = { files: [], entries: [] };
    core.handlers['install.status'] = () => [];
    const window = await another('');
    await press(window, 'Add a server');
    await window.getByRole('textbox', { name: 'Command line' }).fill('npx -y @modelcontextprotocol/server-memory');
    await window.getByRole('button', { name: 'Add', exact: true }).click();
    await window.getByRole('list', { name: 'Servers', exact: true }).getByText('memory').waitFor();
    expect(core.saved).toHaveLength(1);
    await press(window, 'Continue');
    await window.getByText('Toolkeep found no client that it can configure.').waitFor();
    await press(window, 'Continue');
    await window.getByText('No client is connected yet.').waitFor();
    await press(window, 'Finish without a call');
    await window.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });
});

describe('Each step of the first run is accessible', () => {
  const steps: [SetupStep, string][] = [
    ['welcome', 'Welcome to Toolkeep'],
    ['servers', 'Your servers'],
    ['clients', 'Your clients'],
    ['try', 'Try it'],
  ];
  it.each(steps)('%s', async (step, title) => {
    const { page, core, served } = await tests.open('rules', { empty: true });
    await page.close();
    core.state.setupStep = step;
    for (const options of [
      { colorScheme: 'dark' as const },
      { viewport: { width: 380, height: 740 } },
      { forcedColors: 'active' as const },
    ]) {
      const window = await tests.openUrl(served.url, options);
      await window.getByRole('heading', { level: 1, name: title }).waitFor();
      await loaded(window);
      expect(await window.evaluate('document.activeElement.tagName')).toBe('H1');
      expect(await findings(window)).toEqual([]);
      expect(await window.evaluate('document.querySelector("main").scrollWidth <= innerWidth')).toBe(true);
    }
    expect(tests.pageErrors).toEqual([]);
  });
});
