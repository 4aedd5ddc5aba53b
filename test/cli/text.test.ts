/** The words of `status` and `audit`: what a person can do next, lines that keep their place, and times by their own clock. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nextStep } from '../../electron/cli/exit.ts';
import { auditText, statusText } from '../../electron/cli/text/status.ts';
import { type FailureCode, failureCodes } from '../../shared/failure.ts';
import type { CallRecord, ServerView } from '../../shared/model.ts';

afterEach(() => vi.unstubAllEnvs());

const style = { good: String, bad: String, warn: String, dim: String, bold: String } as never;
const record: CallRecord = {
  ...{ id: 'r', at: Date.UTC(2026, 10, 20, 3, 4, 5), kind: 'call', client: 'Cursor', server: 'github', tool: 'search' },
  ...{ arguments: '{}', outcome: 'ok', durationMs: 12 },
};

describe('a failure at the terminal', () => {
  it.each(Object.keys(failureCodes) as FailureCode[])('%s names commands, not the tools of agents (A6)', (code) => {
    expect(nextStep({ code, message: '' })).not.toMatch(/list_mcp_servers|search_tools|list_tools|get_tool_details/);
  });

  it('is told in the status with every line in its place, and with what to do (A6)', () => {
    const failure = {
      code: 'SERVER_CRASHED' as const,
      message: '"db" ended. Its last output:\nfirst\nsecond',
      hint: 'Mend it.',
    };
    const server = {
      ...{
        id: 'db',
        slug: 'db',
        transport: 'stdio',
        target: 'db',
        status: 'failed',
        failure,
        phases: [],
        warnings: [],
      },
      ...{ toolCount: 0, enabledCount: 0, promptCount: 0, resourceCount: 0, restarts: 0, breaker: 'closed' },
      calls: { total: 0, failed: 0, averageMs: 0 },
    } as unknown as ServerView;
    const status = { version: '1', dataDir: '/d', vault: { label: 'keyring', persistent: true }, clients: [] } as never;
    const text = statusText({ running: false, status, servers: [server], now: 0 }, style);
    expect(text.split('\n').slice(-4)).toEqual([
      '  Error: "db" ended. Its last output: [SERVER_CRASHED]',
      '    first',
      '    second',
      '  Mend it.',
    ]);
  });
});

describe('the history at the terminal', () => {
  it.each([
    ['UTC', '2026-11-20 03:04:05'],
    ['America/New_York', '2026-11-19 22:04:05'],
    ['Asia/Kolkata', '2026-11-20 08:34:05'],
  ])('tells the time by the clock of this machine, in %s, as --since takes it (A13)', (zone, time) => {
    vi.stubEnv('TZ', zone);
    expect(auditText([record], style)).toContain(time);
  });
});
