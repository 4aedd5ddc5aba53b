/**
 * A tool that the user disabled in a client stays disabled, whether the server is imported or read from the client's file.
 *
 * @module-tag exhaustive
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ImportPlan } from '../../../shared/model/import.ts';
import { commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

const { command, args } = commands.listedTools('github');
const json = (more: object) => JSON.stringify({ mcpServers: { hub: { command, args, ...more } } });
const toml = (more: string) =>
  `[mcp_servers.hub]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n${more}\n`;

/** By client: its file, and the tools of the server that stay enabled. */
const files: [client: string, file: string, content: string, stays: (tool: string) => boolean, also?: string[]][] = [
  [
    'claude-code',
    '.claude.json',
    json({}),
    (tool) => !/^(?:get|create)_/.test(tool),
    ['.claude/settings.json', JSON.stringify({ permissions: { deny: ['mcp__hub__get_*', 'mcp__hub__create_*'] } })],
  ],
  [
    'opencode',
    '.config/opencode/opencode.json',
    JSON.stringify({ mcp: { hub: { type: 'local', command: [command, ...args] } }, tools: { 'hub_get*': false } }),
    (tool) => !tool.startsWith('get'),
  ],
  [
    'windsurf',
    '.codeium/windsurf/mcp_config.json',
    json({ disabledTools: ['get_issue', 'create_issue'] }),
    (tool) => !/^(?:get|create)_issue$/.test(tool),
  ],
  ['gemini-cli', '.gemini/settings.json', json({ excludeTools: ['get_issue'] }), (tool) => tool !== 'get_issue'],
  ['gemini-cli', '.gemini/settings.json', json({ includeTools: ['get_issue'] }), (tool) => tool === 'get_issue'],
  [
    'copilot-cli',
    '.copilot/mcp-config.json',
    json({ type: 'local', tools: ['get_issue', 'list_issues'] }),
    (tool) => /^(?:get_issue|list_issues)$/.test(tool),
  ],
  ['copilot-cli', '.copilot/mcp-config.json', json({ type: 'local', tools: ['*'] }), () => true],
  [
    'codex',
    '.codex/config.toml',
    toml('enabled_tools = ["get_issue"]\ndisabled_tools = ["list_issues"]'),
    (tool) => tool === 'get_issue',
  ],
  ['codex', '.codex/config.toml', toml('disabled_tools = ["get_issue"]'), (tool) => tool !== 'get_issue'],
];

describe.each(['imported', 'live'])('A server that is %s', (way) => {
  it.each(files)('from %s (%s) with %s keeps the choice of tools', async (client, path, content, stays, also) => {
    const host = testHost();
    onTestFinished(host.dispose);
    for (const [name = '', text = ''] of [[path, content], also ?? []].filter(({ length }) => length > 0)) {
      const file = join(host.homeDir, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const t = await startCore([], { host, config: way === 'live' ? { sources: [{ type: client }] } : {} });
    if (way === 'imported') {
      const { entries } = (await t.core.handlers['import.plan']({})) as ImportPlan;
      await t.core.handlers['import.apply']({ entries: entries.map(({ id }) => id), moveSecrets: false });
    }
    const tools = () => t.core.handlers['tools.list']({ server: 'hub', includeDisabled: true });
    await expect.poll(async () => (await tools()).length, { timeout: 20_000 }).toBeGreaterThan(10);
    for (const { name, enabled } of await tools()) expect([name, enabled]).toEqual([name, stays(name)]);
    const rules = await t.core.handlers['rules.list']();
    for (const tool of (await tools()).filter(({ enabled }) => !enabled)) {
      const { decidedBy = -1 } = await t.core.handlers['tools.details']({ server: 'hub', tool: tool.name });
      expect(rules[decidedBy]).toMatchObject({ origin: 'client', server: 'hub', enabled: false });
    }
  });
});
