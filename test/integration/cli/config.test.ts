/** Output and exit codes of `config show | validate | sources | reload`. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reachCore } from '../../../electron/bridge/reach-core.ts';
import { socketWire } from '../../../electron/core/gateway/socket-wire.ts';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { newShop } from './shop-server.ts';

const shop = newShop({ history: { months: 24 } });
beforeAll(() => {
  shop.env.NODE_OPTIONS = `--require ${join(import.meta.dirname, '../../fixtures/clock-ahead.cjs')}`;
  return shop.serve();
});
afterAll(() => shop.dispose());

const config = (...args: string[]) => shop.cli('config', ...args);

/** Changes that the user makes in the window. */
async function choose(settings: CommandInput<'settings.save'>): Promise<void> {
  const reached = await reachCore(join(shop.home, '.toolkeep'), { purpose: 'rpc', interactive: true });
  if (!reached) throw new Error('The Core cannot be reached.');
  const ui = connectCore(socketWire(reached.socket));
  await ui.call('settings.save', settings);
  ui.close();
}

describe('toolkeep config', () => {
  it('shows the configuration in effect', async () => {
    await expect.poll(async () => (await config('show')).stdout).toContain('1 connected');
    const { code, stdout } = await config('show');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "MCP Discovery Configuration:

      Status: Enabled
      Cache: Enabled (TTL: 3600s)

      Settings:
        approvals.timeout: 5m (default)
        elicitation.timeout: 5m (default)
        results.maxCharacters: 0, unlimited (default)
        http.enabled: true (default)
        history.months: 24 (in the file)
        history.resultDays: 0, kept until Toolkeep quits (default)
        updates.enabled: true (default)

      Sources (1):
        ✗ windsurf (~/.windsurf/mcp.json) - not found

      Tool Rules (2):
        1. *delete* → disabled, tags: [dangerous]
        2. [github] *issue* → enabled, tags: [github, issues]

      Servers: 2 configured, 1 connected
      Tools: 4 total, 2 enabled

      File: ~/.toolkeep/config.json
      "
    `);
    expect(JSON.parse((await config('show', '--json')).stdout)).toMatchObject({
      enabled: true,
      servers: { configured: 2, connected: 1 },
      tools: { total: 4, enabled: 2 },
    });
  });

  it('shows for each setting of the window its value and its origin', async () => {
    await choose({ questionTimeoutMs: 90_000, historyMonths: 0 });
    const { stdout } = await config('show');
    expect(stdout).toContain('  approvals.timeout: 90s (set in the window; 5m by default)\n');
    expect(stdout).toContain('  history.months: 0, kept forever (set in the window; 24 in the file)\n');
    await choose({ questionTimeoutMs: 300_000, historyMonths: 24 });
    expect((await config('show')).stdout).toContain('  approvals.timeout: 5m (default)\n');
  });

  it('lists the sources and whether they were found', async () => {
    shop.file('.windsurf/mcp.json', { mcpServers: {} });
    const { code, stdout } = await config('sources');
    expect(code).toBe(0);
    expect(stdout).toBe('Sources (1):\n  ✓ windsurf (~/.windsurf/mcp.json)\n');
    expect(JSON.parse((await config('sources', '--json')).stdout).sources).toMatchObject([
      { type: 'windsurf', found: true },
    ]);
  });

  it('exits with 1 for an unknown subcommand', async () => {
    expect((await config('frobnicate')).code).toBe(1);
  });
});

describe('A changed configuration', () => {
  it('is reloaded on request, and only changed servers restart', async () => {
    const everything = { name: 'more', connection: { type: 'stdio', command: process.execPath, args: ['-e', ''] } };
    shop.file('.toolkeep/config.json', { servers: [everything] });
    const { code, stdout } = await config('reload');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ Reloaded in \d+ ms: \d servers? added, \d removed, 0 changed\n$/);
    await expect
      .poll(async () =>
        JSON.parse((await shop.cli('list', '--json')).stdout).servers.map((s: { name: string }) => s.name),
      )
      .toEqual(['more']);
  });

  it('lists the tools of every server again with --discover', async () => {
    const { stdout } = await config('reload', '--discover', '--timeout', '5');
    expect(stdout).toMatch(/^✓ Reloaded in .*\n✓ Discovered 0 servers in \d+ ms\. Failed: more\n$/);
  });

  it('names a plug-in that cannot be used when it is reloaded', async () => {
    shop.file('.toolkeep/nameless.mjs', 'export default { transformTool: (tool) => tool };');
    shop.file('.toolkeep/config.json', { servers: [], plugins: ['./nameless.mjs'] });
    const { code, stdout } = await config('reload');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ Reloaded in .*\n✗ The plug-in .*nameless\.mjs cannot be used: it has no "name"\n/);
    shop.file('.toolkeep/config.json', {
      servers: [{ name: 'more', connection: { type: 'stdio', command: process.execPath, args: ['-e', ''] } }],
    });
    expect((await config('reload')).stdout).not.toContain('nameless');
  });

  it('with an error exits with 2 and its location, and the last valid configuration stays in effect', async () => {
    shop.file('.toolkeep/broken.json', '{\n  "servers": [{"name": "x", "connection": {"type": "carrier pigeon"}}]\n}');
    // Replace the file in one step: Core may still be reading it after the last change, and an empty file is valid.
    renameSync(join(shop.home, '.toolkeep/broken.json'), join(shop.home, '.toolkeep/config.json'));
    const { code, stdout } = await config('validate');
    expect(code).toBe(2);
    expect(stdout).toContain('config.json');
    expect(stdout).toContain('servers[0].connection');
    expect(stdout).toContain('line 2');
    for (const command of ['status', 'list']) expect((await shop.cli(command)).stderr).toMatch(/config\.json.*line 2/s);
    const json = JSON.parse((await config('validate', '--json')).stdout);
    expect(json).toMatchObject({ valid: false, problems: [{ code: 'CONFIG_INVALID', line: 2 }] });
    expect((await config('reload')).code).toBe(2);
    const list = await shop.cli('list', '--json');
    expect(list.code).toBe(2);
    expect(JSON.parse(list.stdout).servers).toMatchObject([{ name: 'more' }]);
  });

  it('is valid again after the fix', async () => {
    shop.file('.toolkeep/config.json', { servers: [] });
    const { code, stdout } = await config('validate');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '✓ The configuration is valid (~/.toolkeep/config.json)\n' });
  });
});
