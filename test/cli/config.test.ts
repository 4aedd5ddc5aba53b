/** `config show | validate | sources | reload`: output and exit codes as the specification has them (A6, A12). */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLocal, socketWire } from '../../electron/core/gateway/gateway.ts';
import type { CommandInput } from '../../shared/contract.ts';
import { connectCore } from '../../shared/rpc.ts';
import { newShop } from './shop.ts';

const shop = newShop({ history: { months: 24 } });
beforeAll(() => shop.serve());
afterAll(() => shop.dispose());

const config = (...args: string[]) => shop.cli('config', ...args);

/** What a person does in the window. */
async function choose(settings: CommandInput<'settings.save'>): Promise<void> {
  const socket = await connectLocal({ dataDir: join(shop.home, '.gatehouse'), platform: process.platform }, 'rpc');
  if (!socket) throw new Error('The Core cannot be reached.');
  const face = connectCore(socketWire(socket));
  await face.call('settings.save', settings);
  face.close();
}

describe('gatehouse config (A6)', () => {
  it('shows the configuration in force', async () => {
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
        results.partLength: 0, never cut (default)
        http.enabled: true (default)
        history.months: 24 (in the file)

      Sources (1):
        ✗ windsurf (~/.windsurf/mcp.json) - not found

      Tool Rules (2):
        1. *delete* → disabled, tags: [dangerous]
        2. [github] *issue* → enabled, tags: [github, issues]

      Servers: 2 configured, 1 connected
      Tools: 4 total, 3 enabled

      File: ~/.gatehouse/config.json
      "
    `);
    expect(JSON.parse((await config('show', '--json')).stdout)).toMatchObject({
      enabled: true,
      servers: { configured: 2, connected: 1 },
      tools: { total: 4, enabled: 3 },
    });
  });

  it('says of what can be chosen in the window what is in force and where it comes from', async () => {
    await choose({ questionTimeoutMs: 90_000, historyMonths: 0 });
    const { stdout } = await config('show');
    expect(stdout).toContain('  approvals.timeout: 90s (chosen in the window; 5m by default)\n');
    expect(stdout).toContain('  history.months: 0, all are kept (chosen in the window; 24 in the file)\n');
    await choose({ questionTimeoutMs: 300_000, historyMonths: 24 });
    expect((await config('show')).stdout).toContain('  approvals.timeout: 5m (default)\n');
  });

  it('lists the sources with what was found', async () => {
    shop.file('.windsurf/mcp.json', { mcpServers: {} });
    const { code, stdout } = await config('sources');
    expect(code).toBe(0);
    expect(stdout).toBe('Sources (1):\n  ✓ windsurf (~/.windsurf/mcp.json)\n');
    expect(JSON.parse((await config('sources', '--json')).stdout).sources).toMatchObject([
      { type: 'windsurf', found: true },
    ]);
  });

  it('ends with 1 for a subcommand that is not there', async () => {
    expect((await config('frobnicate')).code).toBe(1);
  });
});

describe('a changed configuration', () => {
  it('is read again on request, and only what changed is touched (E5, E9)', async () => {
    const everything = { name: 'more', connection: { type: 'stdio', command: process.execPath, args: ['-e', ''] } };
    shop.file('.gatehouse/config.json', { servers: [everything] });
    const { code, stdout } = await config('reload');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ Reloaded in \d+ ms: \d servers? added, \d removed, 0 changed\n$/);
    await expect
      .poll(async () =>
        JSON.parse((await shop.cli('list', '--json')).stdout).servers.map((s: { name: string }) => s.name),
      )
      .toEqual(['more']);
  });

  it('with a mistake is refused with 2 and the place of the mistake, and the last good one keeps running (A12)', async () => {
    shop.file('.gatehouse/config.json', '{\n  "servers": [{"name": "x", "connection": {"type": "carrier pigeon"}}]\n}');
    const { code, stdout } = await config('validate');
    expect(code).toBe(2);
    expect(stdout).toContain('config.json');
    expect(stdout).toContain('servers[0].connection');
    expect(stdout).toContain('line 2');
    const json = JSON.parse((await config('validate', '--json')).stdout);
    expect(json).toMatchObject({ valid: false, problems: [{ code: 'CONFIG_INVALID', line: 2 }] });
    expect((await config('reload')).code).toBe(2);
    const list = await shop.cli('list', '--json');
    expect(list.code).toBe(2);
    expect(JSON.parse(list.stdout).servers).toMatchObject([{ name: 'more' }]);
  });

  it('that is right again is valid', async () => {
    shop.file('.gatehouse/config.json', { servers: [] });
    const { code, stdout } = await config('validate');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '✓ The configuration is valid (~/.gatehouse/config.json)\n' });
  });
});
