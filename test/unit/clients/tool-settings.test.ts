/** The tools that a client's settings disable, outside the entries of its servers, stay disabled. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planImport, readSource, readSources } from '../../../electron/core/clients/import/import.ts';
import { compileRules } from '../../../electron/core/rules/rules.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { testHost } from '../../fixtures/host.ts';

const entry = { command: 'node', args: ['hub.js'] };
const servers = { mcpServers: { hub: entry, other: { command: 'node', args: ['other.js'] } } };
const tools = ['delete_file', 'delete_all', 'read_file'];

interface Row {
  client: string;
  /** The client's files, by path in the home folder. */
  files: Record<string, unknown>;
  /** The tools of `hub` that stay enabled. */
  enabled: string[];
  /** Those of `other`; all unless given. */
  ofOther?: string[];
}

const claude = (deny: string[]) => ({ '.claude.json': servers, '.claude/settings.json': { permissions: { deny } } });
const opencode = (more: object) => ({ '.config/opencode/opencode.json': { mcp: servers.mcpServers, ...more } });
const gemini = (more: object) => ({ '.gemini/settings.json': { ...servers, ...more } });
const zed = (agent: object) => ({ '.config/zed/settings.json': { context_servers: servers.mcpServers, agent } });
const amp = (more: object) => ({ '.config/amp/settings.json': { 'amp.mcpServers': servers.mcpServers, ...more } });
const goose = (more: object, never: string[]) => ({
  '.config/goose/config.yaml': { extensions: { Hub: { type: 'stdio', cmd: 'node', args: ['hub.js'], ...more } } },
  '.config/goose/permission.yaml': { user: { always_allow: ['hub__delete_all'], never_allow: never } },
});
const noDeletes = ['read_file'];

const rows: Row[] = [
  {
    client: 'claude-code',
    files: claude(['mcp__hub__delete_file', 'Bash(rm *)']),
    enabled: ['delete_all', 'read_file'],
  },
  { client: 'claude-code', files: claude(['mcp__hub__delete_*']), enabled: noDeletes },
  { client: 'claude-code', files: claude(['mcp__hub']), enabled: [] },
  { client: 'claude-code', files: claude(['mcp__hub__*']), enabled: [] },
  { client: 'claude-code', files: claude(['mcp__*']), enabled: [], ofOther: [] },
  { client: 'opencode', files: opencode({ tools: { 'hub_delete*': false } }), enabled: noDeletes },
  {
    client: 'opencode',
    files: opencode({
      tools: { 'hub*': false, hub_read_file: true },
      permission: { '*': 'ask', hub_delete_all: 'allow' },
    }),
    enabled: noDeletes,
  },
  {
    client: 'opencode',
    files: opencode({ permission: { '*_delete_*': 'deny' } }),
    enabled: noDeletes,
    ofOther: noDeletes,
  },
  {
    client: 'kilo',
    files: { '.config/kilo/kilo.json': { mcp: servers.mcpServers, permission: { 'hub_delete_*': 'deny' } } },
    enabled: noDeletes,
  },
  {
    client: 'gemini-cli',
    files: gemini({ tools: { exclude: ['hub__delete_file'] } }),
    enabled: ['delete_all', 'read_file'],
  },
  {
    client: 'gemini-cli',
    files: gemini({ excludeTools: ['delete_all', 'run_shell_command(rm)'] }),
    enabled: ['delete_file', 'read_file'],
    ofOther: ['delete_file', 'read_file'],
  },
  {
    client: 'qwen-code',
    files: { '.qwen/settings.json': { ...servers, permissions: { deny: ['mcp__hub__delete_*'] } } },
    enabled: noDeletes,
  },
  { client: 'goose', files: goose({ available_tools: noDeletes }, []), enabled: noDeletes },
  {
    client: 'goose',
    files: goose({ available_tools: [] }, ['hub__delete_file']),
    enabled: ['delete_all', 'read_file'],
  },
  {
    client: 'cursor',
    files: {
      '.cursor/mcp.json': servers,
      '.cursor/cli-config.json': { permissions: { allow: ['Mcp(hub:*)'], deny: ['Mcp(hub:delete_*)', 'Shell(rm)'] } },
    },
    enabled: noDeletes,
  },
  {
    client: 'zed',
    files: zed({ tool_permissions: { default: 'allow', tools: { 'mcp:hub:delete_all': { default: 'deny' } } } }),
    enabled: ['delete_file', 'read_file'],
  },
  {
    client: 'zed',
    files: zed({ profiles: { write: { context_servers: { hub: { tools: { delete_all: false } } } } } }),
    enabled: ['delete_file', 'read_file'],
  },
  {
    client: 'zed',
    files: zed({
      default_profile: 'mine',
      profiles: {
        mine: { enable_all_context_servers: false, context_servers: { hub: { tools: { read_file: true } } } },
      },
    }),
    enabled: noDeletes,
    ofOther: [],
  },
  { client: 'amp', files: amp({ 'amp.tools.disable': ['mcp__hub__delete_*'] }), enabled: noDeletes },
  {
    client: 'amp',
    files: amp({
      'amp.permissions': [
        { tool: 'mcp__hub__read_*', action: 'allow' },
        { tool: 'mcp__hub__*', action: 'reject' },
      ],
    }),
    enabled: noDeletes,
  },
  {
    client: 'continue',
    files: {
      '.continue/config.yaml': { mcpServers: [{ name: 'hub', ...entry }] },
      '.continue/permissions.yaml': { allow: ['delete_all'], exclude: ['delete_file', 'Bash(rm*)'] },
    },
    enabled: ['delete_all', 'read_file'],
  },
  {
    client: 'copilot-cli',
    files: { '.copilot/mcp-config.json': { mcpServers: { hub: { type: 'local', ...entry, tools: [] } } } },
    enabled: [],
  },
  {
    client: 'hermes',
    files: { '.hermes/config.yaml': { mcp_servers: { hub: { ...entry, tools: { include: ['read_file'] } } } } },
    enabled: noDeletes,
  },
  {
    client: 'hermes',
    files: { '.hermes/config.yaml': { mcp_servers: { hub: { ...entry, tools: { exclude: ['delete_*'] } } } } },
    enabled: noDeletes,
  },
  ...[
    ['cline', '.cline/data/settings/cline_mcp_settings.json'],
    ['kiro', '.kiro/settings/mcp.json'],
    ['antigravity', '.gemini/config/mcp_config.json'],
    ['factory-droid', '.factory/mcp.json'],
  ].map(
    ([client = '', file = '']): Row => ({
      client,
      files: {
        [file]: {
          mcpServers: {
            hub: { ...entry, disabledTools: ['delete_file', 'delete_all'], autoApprove: tools, alwaysAllow: tools },
          },
        },
      },
      enabled: noDeletes,
    }),
  ),
];

const enabledTools = (server: ServerConfig | undefined) => {
  const { name = '', disabledTools = [] } = server ?? {};
  const rules = compileRules(disabledTools.map((pattern) => ({ server: name, pattern, enabled: false })));
  return tools.filter((tool) => rules.decide({ server: name, name: tool }).enabled);
};

function hostWith(files: Record<string, unknown>) {
  const host = testHost({ platform: 'linux' });
  onTestFinished(host.dispose);
  for (const [path, content] of Object.entries(files)) {
    const file = join(host.homeDir, path);
    mkdirSync(dirname(file), { recursive: true });
    // JSON is also YAML.
    writeFileSync(file, JSON.stringify(content));
  }
  return host;
}

describe('What a client forbids', () => {
  it.each(rows)('stays disabled: $client, $files', async ({ client, files, enabled, ofOther = tools }) => {
    const host = hostWith(files);
    const { entries } = await planImport(host, { sources: [client], known: [] });
    const live = await readSource(host, { type: client, path: '' });
    for (const found of [entries.map(({ server }) => server), live.servers]) {
      const [hub, other] = found;
      expect(enabledTools(hub)).toEqual(enabled);
      if (other) expect(enabledTools(other)).toEqual(ofOther);
    }
    const notes = entries.flatMap((one) => one.notes).filter((note) => /stay disabled/.test(note));
    expect(notes).not.toEqual([]);
  });

  it('is reported as unknown if its settings cannot be read', async () => {
    const host = hostWith({ '.claude.json': servers });
    mkdirSync(join(host.homeDir, '.claude'));
    writeFileSync(join(host.homeDir, '.claude/settings.json'), '{"permissions": {"deny": [');
    const { files, entries } = await planImport(host, { sources: ['claude-code'], known: [] });
    expect(entries).toHaveLength(2);
    expect(files[0]?.problems[0]?.message).toContain('settings.json');
  });

  it('disables all tools if it is more than can be compared', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `mcp__hub__tool_${index}`);
    const { entries } = await planImport(hostWith(claude(names)), { sources: ['claude-code'], known: [] });
    expect(enabledTools(entries[0]?.server)).toEqual([]);
  });

  it('stays disabled if another client lists the same server', async () => {
    const host = hostWith({ '.cursor/mcp.json': servers, ...claude(['mcp__hub__delete_file']) });
    const { entries } = await planImport(host, { known: [] });
    const sources = ['cursor', 'claude-code'].map((type) => ({ type, path: '' }));
    const live = await readSources(host, sources, new Set());
    for (const found of [entries.map(({ server }) => server), live.servers]) {
      expect(found).toHaveLength(2);
      expect(enabledTools(found[0])).toEqual(['delete_all', 'read_file']);
    }
  });
});
