/** Sample servers in every state. */
import type { ServerView } from '../../../shared/model/server.ts';

/** The icon of a sample server. */
export const sampleIcon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#24292f" d="M2 0h4l2 2v4L6 8H2L0 6V2z"/></svg>')}`;

type Draft = Pick<ServerView, 'id'> & Partial<ServerView>;

export function server(draft: Draft): ServerView {
  return {
    slug: draft.id.replaceAll(/[^a-z0-9]+/gi, '_'),
    description: '',
    transport: 'stdio',
    target: `npx -y @modelcontextprotocol/server-${draft.id}`,
    status: 'ready',
    toolCount: 0,
    enabledCount: 0,
    promptCount: 0,
    resourceCount: 0,
    resourceTemplateCount: 0,
    restarts: 0,
    breaker: 'closed',
    phases: [],
    warnings: [],
    origins: [{ source: 'Claude Desktop', file: '~/.config/Claude/claude_desktop_config.json' }],
    calls: { total: 0, failed: 0, averageMs: 0 },
    ...draft,
  };
}

const phases = [
  { phase: 'configuration', durationMs: 2 },
  { phase: 'transport', durationMs: 412 },
  { phase: 'session', durationMs: 38 },
  { phase: 'discovery', durationMs: 64 },
  { phase: 'registration', durationMs: 3 },
] as const;

export function sampleServers(now: number): ServerView[] {
  return [
    server({
      id: 'filesystem',
      description: 'Secure file operations with configurable access controls.',
      target: 'npx -y @modelcontextprotocol/server-filesystem ~/Documents ~/Projects',
      resourceCount: 2,
      resourceTemplateCount: 1,
      pid: 48_213,
      isConfined: true,
      confinement: {
        may: { read: ['/usr/lib/node_modules'], write: ['/home/ann/Documents'], reach: ['api.github.com'], ask: true },
        hosts: [
          {
            ...{ address: 'api.github.com:443', reached: 12, refused: 0, secrets: ['GITHUB_TOKEN'] },
            ...{ firstAt: now - 60_000, lastAt: now - 1_000 },
          },
          {
            ...{ address: 'telemetry.example.com:443', reached: 0, refused: 3, secrets: [] },
            ...{ firstAt: now - 60_000, lastAt: now - 1_000 },
          },
        ],
        refusedFolders: ['/home/ann/Pictures/Holidays'],
        standIns: ['GITHUB_TOKEN'],
        held: [],
      },
      era: 'legacy',
      startedAt: now - 5_400_000,
      restarts: 1,
      phases: [...phases],
      warnings: ['The tool “read file” was skipped: its name has a space.'],
      calls: { total: 1284, failed: 7, averageMs: 42 },
    }),
    server({
      id: 'github',
      icon: 'octagon',
      transport: 'http',
      target: 'https://api.githubcopilot.com/mcp/ (Authorization: ••••)',
      promptCount: 3,
      era: 'modern',
      startedAt: now - 900_000,
      phases: [...phases],
      origins: [
        { source: 'Cursor', file: '~/.cursor/mcp.json' },
        { source: 'VS Code', file: '~/.config/Code/User/mcp.json' },
      ],
      calls: { total: 310, failed: 0, averageMs: 388 },
    }),
    server({ id: 'memory', status: 'idle', phases: [...phases], era: 'legacy' }),
    server({
      id: 'postgres',
      status: 'failed',
      phase: 'transport',
      target: 'uvx postgres-mcp --access-mode=restricted ${DATABASE_URI}',
      breaker: 'open',
      restarts: 3,
      phases: [{ phase: 'configuration', durationMs: 3 }],
      failure: {
        code: 'SERVER_SPAWN_FAILED',
        message: 'The command “uvx” was not found on PATH.',
        hint: 'Install uv (https://docs.astral.sh/uv), or set the full path of the command, then try again.',
        server: 'postgres',
      },
    }),
    server({
      id: 'slack',
      status: 'failed',
      phase: 'configuration',
      target: 'docker run -i --rm -e SLACK_TOKEN mcp/slack',
      failure: {
        code: 'SECRET_MISSING',
        message: 'These are not set: SLACK_TOKEN, SLACK_TEAM_ID.',
        server: 'slack',
      },
      origins: [{ source: 'Docker MCP Toolkit' }],
    }),
    server({
      id: 'sentry',
      status: 'failed',
      phase: 'session',
      signIn: 'needed',
      transport: 'http',
      target: 'https://mcp.sentry.dev/mcp',
      phases: [...phases.slice(0, 2)],
      failure: { code: 'SERVER_AUTH_REQUIRED', message: 'It wants you to sign in.', server: 'sentry' },
      origins: [{ source: 'Cursor', file: '~/.cursor/mcp.json' }],
    }),
    server({
      id: 'weather',
      status: 'starting',
      phase: 'session',
      transport: 'sse',
      target: 'https://weather.example.com/sse',
    }),
    server({ id: 'old-experiments', status: 'disabled' }),
  ];
}
