/** A sample import plan and history. */
import type { CallRecord } from '../../../shared/model/call.ts';
import type { ImportEntry, ImportPlan } from '../../../shared/model/import.ts';

const claude = { source: 'Claude Desktop', file: '/home/ada/.config/Claude/claude_desktop_config.json' };
const cursor = { source: 'Cursor', file: '/home/ada/.cursor/mcp.json' };

function entry(name: string, part: Partial<ImportEntry> = {}): ImportEntry {
  return {
    id: name,
    server: {
      name,
      enabled: true,
      connection: { type: 'stdio', command: 'npx', args: ['-y', `@modelcontextprotocol/server-${name}`], env: {} },
    },
    origins: [claude],
    state: 'new',
    picked: true,
    notes: [],
    ...part,
  };
}

export function samplePlan(isFresh: boolean): ImportPlan {
  return {
    files: [
      { source: 'claude-desktop', app: 'Claude Desktop', file: claude.file, found: true, serverCount: 3, problems: [] },
      { source: 'cursor', app: 'Cursor', file: cursor.file, found: true, serverCount: 2, problems: [] },
      {
        source: 'windsurf',
        app: 'Windsurf',
        file: '/home/ada/.codeium/windsurf/mcp_config.json',
        found: true,
        serverCount: 0,
        problems: [
          {
            code: 'CLIENT_FILE_INVALID',
            message: 'Expected a comma or a closing brace after "memory".',
            file: '/home/ada/.codeium/windsurf/mcp_config.json',
            line: 12,
            path: 'mcpServers.memory',
          },
        ],
      },
      {
        source: 'docker',
        app: 'Docker MCP Toolkit',
        file: '/home/ada/.docker/mcp-servers.json',
        found: false,
        serverCount: 0,
        problems: [],
      },
      {
        source: 'vscode',
        app: 'VS Code',
        file: '/home/ada/.config/Code/User/mcp.json',
        found: false,
        serverCount: 0,
        problems: [],
      },
    ],
    entries: [
      entry('sequential-thinking', isFresh ? {} : { isUnseen: true, origins: [cursor] }),
      entry('everything', { origins: [claude, cursor] }),
      entry('sentry', {
        server: {
          name: 'sentry',
          enabled: true,
          connection: { type: 'http', url: 'https://mcp.sentry.dev/mcp', headers: {} },
        },
        origins: [cursor],
        notes: ['It will ask you to sign in when it is first used.'],
      }),
      entry('brave-search', {
        picked: false,
        notes: [
          'BRAVE_API_KEY is still a placeholder (“YOUR_API_KEY”): fill it in first.',
          'The key is in the file in plain text.',
        ],
      }),
      entry('git', {
        server: {
          name: 'git',
          enabled: true,
          connection: { type: 'stdio', command: 'uvx', args: ['mcp-server-git'], env: {} },
        },
        missing: 'uvx is not installed. Install uv from https://docs.astral.sh/uv.',
        notes: ['uvx is not installed. Install uv from https://docs.astral.sh/uv.'],
      }),
      ...(isFresh ? [] : [entry('memory', { state: 'known', picked: false })]),
      entry('toolkeep', { state: 'self', picked: false }),
    ],
  };
}

const outcomes: object[] = [
  {
    tool: 'read_text_file',
    server: 'filesystem',
    outcome: 'ok',
    durationMs: 12,
    arguments: '{"path":"/home/ada/Documents/plan.md"}',
  },
  {
    tool: 'delete_file',
    server: 'filesystem',
    kind: 'approval',
    outcome: 'allowed',
    scope: 'once',
    arguments: '{"path":"/tmp/old.log"}',
  },
  {
    tool: 'search_code',
    server: 'github',
    outcome: 'ok',
    durationMs: 480,
    arguments: '{"query":"createCore repo:ada/gate"}',
  },
  {
    tool: 'create_issue',
    server: 'github',
    outcome: 'refused',
    code: 'TOOL_HELD_BACK',
    durationMs: 1,
    arguments: '{"title":"Fix it","token":"••••"}',
  },
  {
    tool: 'import_rows',
    server: 'accounting',
    kind: 'question',
    question: 'form',
    askedOf: 'user',
    outcome: 'answered',
    durationMs: 21_000,
    arguments: '',
  },
  {
    tool: 'query',
    server: 'postgres',
    outcome: 'failed',
    code: 'SERVER_SPAWN_FAILED',
    durationMs: 33,
    arguments: '{"sql":"select 1"}',
  },
  {
    tool: 'delete_repository',
    server: 'github',
    kind: 'approval',
    outcome: 'denied',
    code: 'APPROVAL_DENIED',
    arguments: '{"repo":"ada/gate"}',
  },
];

export function sampleRecords(now: number): CallRecord[] {
  return Array.from(
    { length: 240 },
    (_, index) =>
      ({
        id: `r${index}`,
        at: now - index * 97_000,
        kind: 'call' as const,
        client: index % 3 === 0 ? 'Visual Studio Code' : 'Claude Desktop',
        server: '',
        tool: '',
        arguments: '',
        outcome: '',
        durationMs: 0,
        ...outcomes[index % outcomes.length],
      }) as object as CallRecord,
  );
}
