/**
 * The command line without a running Core: it works in its own process and leaves nothing running.
 *
 * @module-tag exhaustive
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import coreFlags from '../../../electron/core-flags.json' with { type: 'json' };
import { newProduct } from '../../e2e/product.ts';
import { commands } from '../../fixtures/commands.ts';
import { newShop } from './shop-server.ts';

const root = join(import.meta.dirname, '../../..');
const shop = newShop();
afterAll(() => shop.dispose());

describe('Without a running Core, the command line', () => {
  it('searches, executes, and stops its servers', async () => {
    const found = await shop.cli('search', 'create issue', '--json');
    expect(found.code).toBe(0);
    expect(JSON.parse(found.stdout).results[0]).toMatchObject({ server: 'github', tool: 'create_issue' });
    const args = '{"repo":"owner/repo","title":"Bug"}';
    const done = await shop.cli('execute', 'github', 'create_issue', '--args', args, '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({ success: true });
    await shop.nothingLeft();
  });

  it('checks the arguments of its first call', async () => {
    const refused = await shop.cli('execute', 'github', 'create_issue', '--args', '{"repo":"owner/repo"}');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"title" is missing') });
  });

  it("makes the user's decisions only in a terminal", async () => {
    for (const command of [
      ['allow', 'github', '--tool', 'delete_repo'],
      ['allow', 'github', '--acts'],
      ['override', 'github', 'delete_repo', '--confirm', 'never'],
    ]) {
      const refused = await shop.cli(...command);
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/Run this command in a terminal/) });
      expect(refused.stderr).not.toContain('tools.');
    }
    expect((await shop.cli('override')).stdout).toContain('No overrides');
    expect((await shop.cli('override', 'github', 'list_repos', '--disable')).code).toBe(0);
    expect(await shop.inTerminal('override', 'github', 'list_repos', '--clear')).toMatchObject({ code: 0 });
    expect(await shop.inTerminal('allow', 'github', '--tool', 'delete_repo')).toMatchObject({
      code: 0,
      output: expect.stringContaining('github:delete_repo runs without approval.'),
    });
    expect((await shop.inTerminal('override', 'github', 'delete_repo', '--clear')).code).toBe(0);
  });

  it('serves MCP on stdio and starts a Core on demand', async () => {
    const { command, args, env } = shop.bridge();
    const client = new Client({ name: 'container', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, env: { ...env, TOOLKEEP_IDLE_EXIT_MS: '2000' } }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('execute_tool');
    expect(shop.coreFlags()).toEqual(coreFlags);
    await client.close();
    await shop.nothingLeft();
  });

  it('prints help for every command, and exits with 1 for an unknown one', async () => {
    const { code, stdout } = await shop.cli('--help');
    expect(code).toBe(0);
    for (const command of ['list', 'search', 'tools', 'inspect', 'execute', 'config', 'import', 'serve', 'connect'])
      expect(stdout).toContain(`\n  ${command} `);
    const wrong = await shop.cli('serach', 'x');
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('Did you mean search?');
  });
});

it('A client that connects while a command runs is served after the command ends', async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  product.file('.toolkeep/config.json', { servers: { everything: commands.everything() } });
  const args = ['everything', 'trigger-long-running-operation', '--args', '{"duration":3}'];
  const lasting = product.cli('execute', ...args);
  await expect.poll(() => product.processes().some(({ command }) => command.includes('server-everything'))).toBe(true);
  const { env, ...bridge } = product.bridge();
  const client = new Client({ name: 'early', version: '1' });
  await client.connect(new StdioClientTransport({ ...bridge, env: { ...env, TOOLKEEP_IDLE_EXIT_MS: '2000' } }));
  expect((await client.listTools()).tools).toHaveLength(5);
  expect((await lasting).code).toBe(0);
  await client.close();
  await product.nothingLeft();
});

describe('npx toolkeep', () => {
  it('works in the checkout', async () => {
    const run = promisify(execFile);
    const { stdout } = await run('npx', ['--no-install', 'toolkeep', '--version'], { cwd: root, env: shop.env });
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
