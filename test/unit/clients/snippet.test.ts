/** A snippet of a client's documentation is the same server in Add server and in the client's file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planImport } from '../../../electron/core/clients/import/import.ts';
import { serversInText } from '../../../electron/core/clients/snippet.ts';
import { testHost } from '../../fixtures/host.ts';

const json = (value: object) => JSON.stringify(value, null, 2);

/** By client: its file, and the snippet. */
const snippets: [client: string, file: string, snippet: string][] = [
  [
    'claude-desktop',
    '.config/Claude/claude_desktop_config.json',
    json({ mcpServers: { one: { command: 'npx', args: ['-y', '@example/server', '/tmp'], env: { LEVEL: 'info' } } } }),
  ],
  [
    'claude-code',
    '.claude.json',
    json({ mcpServers: { one: { type: 'http', url: 'https://mcp.example.com/mcp', headers: { 'X-Team': 'a' } } } }),
  ],
  [
    'cursor',
    '.cursor/mcp.json',
    json({ mcpServers: { one: { command: 'python', args: ['server.py'], env: { API: 'x' } } } }),
  ],
  [
    'vscode',
    '.config/Code/User/mcp.json',
    '{\n  // Servers of VS Code\n  "servers": { "one": { "type": "stdio", "command": "uvx", "args": ["tool"], }, },\n}',
  ],
  [
    'windsurf',
    '.codeium/windsurf/mcp_config.json',
    json({ mcpServers: { one: { serverUrl: 'https://mcp.example.com/mcp', disabledTools: ['delete_file'] } } }),
  ],
  [
    'cline',
    '.cline/data/settings/cline_mcp_settings.json',
    json({ mcpServers: { one: { command: 'node', args: ['a.js'], disabled: true, autoApprove: ['x'] } } }),
  ],
  [
    'opencode',
    '.config/opencode/opencode.json',
    json({ mcp: { one: { type: 'local', command: ['npx', '-y', 'tool'], environment: { A: '1' }, enabled: false } } }),
  ],
  [
    'zed',
    '.config/zed/settings.json',
    json({ context_servers: { one: { source: 'custom', command: 'npx', args: ['-y', 'tool'], env: { A: '1' } } } }),
  ],
  [
    'codex',
    '.codex/config.toml',
    '[mcp_servers.one]\ncommand = "npx"\nargs = ["-y", "tool"]\nenabled_tools = ["read"]\ntool_timeout_sec = 20\n',
  ],
  [
    'continue',
    '.continue/config.yaml',
    'mcpServers:\n  - name: one\n    command: uvx\n    args:\n      - tool\n    env:\n      A: "1"\n',
  ],
  [
    'goose',
    '.config/goose/config.yaml',
    'extensions:\n  one:\n    type: stdio\n    cmd: npx\n    args: [-y, tool]\n    enabled: true\n    timeout: 30\n',
  ],
  [
    'gemini-cli',
    '.gemini/settings.json',
    json({ mcpServers: { one: { httpUrl: 'https://x.example/mcp', trust: true } } }),
  ],
];

describe('A snippet', () => {
  it.each(snippets)('of %s is the server that an import of %s finds: %s', async (client, path, snippet) => {
    const host = testHost({ platform: 'linux' });
    onTestFinished(host.dispose);
    const file = join(host.homeDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, snippet);
    const { entries } = await planImport(host, { sources: [client], known: [] });
    const pasted = serversInText(snippet, []);
    expect(
      entries.map(({ server: { name, connection, enabled, disabledTools, lifecycle } }) => ({
        ...{ name, connection, enabled, disabledTools, lifecycle },
      })),
    ).toEqual(
      pasted.map(({ name, connection, enabled, disabledTools, lifecycle }) => ({
        ...{ name, connection, enabled, disabledTools, lifecycle },
      })),
    );
    expect(pasted).toHaveLength(1);
  });

  it.each([
    ['', 'Paste a command'],
    ['{ "mcpServers": { "a": { "command": "npx" ', 'error near line 1'],
    ['[mcp_servers.a]\ncommand = ', 'is not valid TOML'],
    ['claude mcp list', 'does not understand "claude mcp list"'],
    ['claude mcp add', 'does not name a server'],
    ['npx "tool', 'Unclosed quote: "'],
    ['{ "mcpServers": { "a": { "env": {} } } }', '"a": It has neither a command nor a URL.'],
    ['{}', 'No servers found'],
  ])('with a mistake is refused: %j', (text, message) => {
    expect(() => serversInText(text, [])).toThrow(message);
  });

  it('with more than 100 servers is refused', () => {
    const mcpServers = Array.from({ length: 101 }, (_, at) => ({ command: `npx x${at}` }));
    expect(() => serversInText(JSON.stringify({ mcpServers }), [])).toThrow('more than 100 servers');
  });

  it('gets names that are not taken', () => {
    const text = '"one": { "command": "a" }, "two": { "command": "b" }';
    expect(serversInText(text, ['one']).map(({ name }) => name)).toEqual(['one-2', 'two']);
  });
});
