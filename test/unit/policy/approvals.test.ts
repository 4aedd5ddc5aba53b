import { afterEach, describe, expect, it, vi } from 'vitest';
import { createElicitation } from '../../../electron/core/elicitation/elicitation.ts';
import { parseLine } from '../../../electron/core/jsonrpc/raw-json.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Answer, Question } from '../../../shared/model/question.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';
import { createDeciding, type InventedCall } from '../../fixtures/deciding.ts';
import { memoryStore } from '../../fixtures/host.ts';

const tool: ToolView = {
  key: 'git::push',
  server: 'git',
  name: 'push',
  shownName: 'git-push',
  title: 'push',
  description: '',
  inputSchema: {},
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
    requiresConfirmation: true,
    safetyLevel: 'dangerous',
    reasons: ['its name says push'],
  },
  category: 'version-control',
  complexity: 'simple',
  requiresAuth: false,
  isDeprecated: false,
  findings: [],
  metadata: {},
  enabled: true,
  confirm: 'auto',
  asks: 'each',
  tags: [],
};

const request = (more: Partial<InventedCall> = {}): InventedCall => ({
  tool,
  fingerprint: 'f1',
  client: { id: 'c1', name: 'Claude', identity: 'Claude', scope: {}, capabilities: {} },
  arguments: { branch: 'main' },
  signal: new AbortController().signal,
  need: 'each',
  checks: 'acts',
  ...more,
});

/** Without answers, the questions stay open until the timeout. */
function withAnswers(answers: Answer[] | undefined, store = memoryStore()) {
  const asked: Question[] = [];
  const decisions: string[] = [];
  const elicitation = createElicitation({
    host: {
      log: () => undefined,
      ask: async (question) => {
        asked.push(question);
        return answers?.shift();
      },
    },
    onChange: () => undefined,
  });
  const deciding = createDeciding({
    ...{ elicitation, store, findInResults: async () => undefined, resultsOf: () => [] },
    timeoutMs: () => (answers ? 20 : 60_000),
    record: (entry) => decisions.push(outcomeLabel({ ...entry, arguments: '' } as CallRecord)),
  });
  return { ...deciding, asked, decisions, elicitation };
}

let opened: { elicitation: { close(): void } } | undefined;
afterEach(() => {
  opened?.elicitation.close();
  vi.useRealTimers();
});

describe('An approval of a dangerous call', () => {
  it('shows the digits that the server receives, without rounding', async () => {
    const line = '{"id":1,"method":"tools/call","params":{"name":"x","arguments":{"account":12345678901234567890}}}';
    const { params } = parseLine(Buffer.from(line)) as { params: { arguments: Record<string, unknown> } };
    const { approvals, asked } = withAnswers([{ action: 'accept', scope: 'once' }]);
    await approvals.require(request({ arguments: params.arguments }));
    expect(asked[0]?.approval?.arguments).toEqual({ account: '12345678901234567890' });
  });

  it('shows the client, the tool, every argument, and why the call is dangerous', async () => {
    const parts = withAnswers([{ action: 'accept' }]);
    opened = parts;
    await parts.approvals.require(request());
    expect(parts.asked[0]).toMatchObject({
      kind: 'approval',
      from: { client: 'Claude', server: 'git', tool: 'push' },
      approval: { arguments: { branch: 'main' }, reasons: ['its name says push'], isDangerous: true },
    });
  });

  it('quotes the beginning of the description, and is not dangerous if this call only changes something', async () => {
    const { approvals, asked } = withAnswers([{ action: 'accept' }]);
    const annotations = {
      ...tool.annotations,
      choice: { parameter: 'mode', levels: { force: 'dangerous' as const, plain: 'moderate' as const } },
    };
    const description = `Pushes. ${'x'.repeat(1_000)}`;
    await approvals.require(request({ tool: { ...tool, description, annotations }, arguments: { mode: 'plain' } }));
    expect(asked[0]?.message).toBe(`${description.slice(0, 600)}…`);
    expect(asked[0]?.approval).not.toHaveProperty('isDangerous');
  });

  it('is recorded as canceled if the call ends before the user answers', async () => {
    const parts = withAnswers(undefined);
    opened = parts;
    const controller = new AbortController();
    const required = parts.approvals.require(request({ signal: controller.signal }));
    await vi.waitFor(() => expect(parts.asked).toHaveLength(1));
    controller.abort();
    await expect(required).rejects.toMatchObject({ failure: { code: 'CANCELLED' } });
    expect(parts.decisions).toEqual(['Canceled']);
  });

  it('granted once does not cover the next call', async () => {
    const { approvals, asked } = withAnswers([
      { action: 'accept', scope: 'once' },
      { action: 'accept', scope: 'once' },
    ]);
    await approvals.require(request());
    await approvals.require(request());
    expect(asked).toHaveLength(2);
  });

  it('granted for the session covers this client only', async () => {
    const { approvals, asked } = withAnswers([{ action: 'accept', scope: 'session' }, { action: 'decline' }]);
    await approvals.require(request());
    await approvals.require(request());
    expect(asked).toHaveLength(1);
    const other = request({ client: { id: 'c2', name: 'Cursor', identity: 'Cursor', scope: {}, capabilities: {} } });
    await expect(approvals.require(other)).rejects.toMatchObject({ failure: { code: 'APPROVAL_DENIED' } });
  });

  it('granted always ends when the tool changes or the user revokes it', async () => {
    const { approvals, asked } = withAnswers([
      { action: 'accept', scope: 'always' },
      { action: 'decline' },
      { action: 'decline' },
    ]);
    await approvals.require(request());
    await approvals.require(request());
    expect(asked).toHaveLength(1);
    await expect(approvals.require(request({ fingerprint: 'f2' }))).rejects.toThrow();
    const [grant] = approvals.grants();
    approvals.revoke(grant?.id ?? '');
    expect(approvals.grants()).toEqual([]);
    await expect(approvals.require(request())).rejects.toThrow();
  });

  it('limited to a value covers only that value and is listed with it', async () => {
    const narrowed: Answer = { action: 'accept', scope: 'always', conditions: [0] };
    const { approvals, asked } = withAnswers([narrowed, { action: 'decline' }]);
    await approvals.require(request({ arguments: { branch: 'main', force: false } }));
    expect(asked[0]?.approval?.conditions).toEqual([{ kind: 'is', argument: 'branch', value: 'main' }]);
    await approvals.require(request({ arguments: { branch: 'main' } }));
    await approvals.require(request({ arguments: { branch: 'main', force: false } }));
    expect(asked).toHaveLength(1);
    await expect(approvals.require(request({ arguments: { branch: 'main', force: true } }))).rejects.toThrow();
    expect(approvals.grants()).toMatchObject([
      { client: 'Claude', conditions: [{ argument: 'branch', value: 'main' }] },
    ]);
    await expect(approvals.require(request({ arguments: { branch: 'release' } }))).rejects.toThrow();
  });

  it('limited to a value that was not offered covers only this call', async () => {
    const made: Answer = { action: 'accept', scope: 'always', conditions: [5] };
    const { approvals } = withAnswers([made]);
    await approvals.require(request());
    expect(approvals.grants()).toEqual([]);
  });

  it('granted always or for a limited time covers only the client that called', async () => {
    const { approvals } = withAnswers([{ action: 'accept', scope: 'minutes' }, { action: 'decline' }]);
    await approvals.require(request());
    await approvals.require(
      request({ client: { id: 'c9', name: 'Claude', identity: 'Claude', scope: {}, capabilities: {} } }),
    );
    const other = request({ client: { id: 'c2', name: 'Cursor', identity: 'Cursor', scope: {}, capabilities: {} } });
    await expect(approvals.require(other)).rejects.toThrow();
  });

  it('granted for 15 minutes expires after 15 minutes, even if Toolkeep restarts in between', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = memoryStore();
    const { approvals } = withAnswers([{ action: 'accept', scope: 'minutes' }], store);
    await approvals.require(request());
    const later = withAnswers([{ action: 'decline' }], store);
    vi.setSystemTime(Date.now() + 15 * 60_000 - 1);
    await later.approvals.require(request());
    expect(later.decisions).toEqual(['Allowed by a saved approval']);
    vi.setSystemTime(Date.now() + 1);
    expect(later.approvals.grants()).toEqual([]);
    await expect(later.approvals.require(request())).rejects.toMatchObject({ failure: { code: 'APPROVAL_DENIED' } });
  });

  it('granted for more than one call covers the waiting calls that match, and no others', async () => {
    const { approvals, decisions, elicitation } = withAnswers(undefined);
    const [first, same, branch, other] = [
      request({ arguments: { branch: 'main', force: false } }),
      request({ arguments: { branch: 'main' } }),
      request({ arguments: { branch: 'release' } }),
      request({ client: { id: 'c2', name: 'Cursor', identity: 'Cursor', scope: {}, capabilities: {} } }),
    ].map((wanted) =>
      approvals.require(wanted).then(
        () => 'ran',
        (error) => error.failure.code,
      ),
    );
    await expect.poll(() => elicitation.pending()).toHaveLength(4);
    const [question] = elicitation.pending();
    await elicitation.answer(question?.id ?? '', { action: 'accept', scope: 'always', conditions: [0] });
    expect(await Promise.all([first, same])).toEqual(['ran', 'ran']);
    expect(elicitation.pending().map(({ from, approval }) => [from.client, approval?.arguments])).toEqual([
      ['Claude', { branch: 'release' }],
      ['Cursor', { branch: 'main' }],
    ]);
    elicitation.close();
    expect(await Promise.all([branch, other])).toEqual(['APPROVAL_TIMEOUT', 'APPROVAL_TIMEOUT']);
    expect(decisions).toEqual(['Allowed always', 'Allowed by a saved approval', 'Not answered', 'Not answered']);
  });

  it('denied by disabling the tool denies the waiting calls of all clients', async () => {
    const { approvals, decisions, elicitation, disabled } = withAnswers(undefined);
    const pull = { ...tool, name: 'pull', key: 'git::pull' };
    const running = [
      request(),
      request({ client: { id: 'c2', name: 'Cursor', identity: 'Cursor', scope: {}, capabilities: {} } }),
      request({ tool: pull }),
    ].map((wanted) =>
      approvals.require(wanted).then(
        () => 'ran',
        (error) => error.failure.code,
      ),
    );
    await expect.poll(() => elicitation.pending()).toHaveLength(3);
    const [question] = elicitation.pending();
    await elicitation.answer(question?.id ?? '', { action: 'decline', disableTool: true });
    expect(await Promise.all(running.slice(0, 2))).toEqual(['APPROVAL_DENIED', 'TOOL_DISABLED']);
    expect(disabled).toEqual(['push']);
    expect(decisions).toEqual(['Denied, tool disabled', 'Denied, tool disabled']);
    const [left] = elicitation.pending();
    expect(left?.from.tool).toBe('pull');
    await elicitation.answer(left?.id ?? '', { action: 'accept' });
    expect(await running[2]).toBe('ran');
  });

  it('granted for the session ends with the connection', async () => {
    const { approvals, decisions, events } = withAnswers([
      { action: 'accept', scope: 'session' },
      { action: 'decline' },
    ]);
    await approvals.require(request());
    events.emit('client.disconnected', { id: 'c1' });
    expect(approvals.grants()).toEqual([]);
    await expect(approvals.require(request())).rejects.toThrow();
    expect(decisions).toEqual(['Allowed for the session', 'Denied']);
  });

  it('is denied if no answer comes in time', async () => {
    const { approvals, decisions } = withAnswers([]);
    await expect(approvals.require(request())).rejects.toMatchObject({ failure: { code: 'APPROVAL_TIMEOUT' } });
    expect(decisions).toEqual(['Not answered']);
  });

  it('can be denied by disabling the tool', async () => {
    const { approvals, disabled } = withAnswers([{ action: 'decline', disableTool: true }]);
    await expect(approvals.require(request())).rejects.toThrow();
    expect(disabled).toEqual(['push']);
  });

  it('fails at once if no user can be asked', async () => {
    const elicitation = createElicitation({ host: { log: () => undefined }, onChange: () => undefined });
    const { approvals } = createDeciding({ elicitation, findInResults: async () => undefined, resultsOf: () => [] });
    await expect(approvals.require(request())).rejects.toMatchObject({ failure: { code: 'APPROVAL_UNAVAILABLE' } });
  });
});

describe('A tool whose parameter selects what it does', () => {
  const inputSchema = { type: 'object', properties: { mode: { type: 'string', enum: ['soft', 'hard'] } } };
  const reset = (mode: string) => request({ tool: { ...tool, name: 'reset', inputSchema }, arguments: { mode } });

  it('needs approval for each choice', async () => {
    const answers: Answer[] = ['always', 'always'].map((scope) => ({ action: 'accept', scope }) as Answer);
    const { approvals, asked } = withAnswers(answers);
    await approvals.require(reset('soft'));
    await approvals.require(reset('soft'));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.approval?.choices).toEqual([{ kind: 'is', argument: 'mode', value: 'soft' }]);
    await approvals.require(reset('hard'));
    expect(asked).toHaveLength(2);
    expect(approvals.grants().map(({ choices }) => choices)).toEqual([
      [{ kind: 'is', argument: 'mode', value: 'soft' }],
      [{ kind: 'is', argument: 'mode', value: 'hard' }],
    ]);
  });

  it('gets no lasting approval for a call whose choice cannot be checked', async () => {
    const answers: Answer[] = ['always', 'once'].map((scope) => ({ action: 'accept', scope }) as Answer);
    const { approvals, asked } = withAnswers(answers);
    const large = (mode: string) => ({ ...reset(mode), arguments: { mode, items: Array(6_000).fill(0) } });
    await approvals.require(large('soft'));
    await approvals.require(large('hard'));
    expect(asked.map(({ approval }) => approval?.scopes)).toEqual([['once'], ['once']]);
    expect(approvals.grants()).toEqual([]);
  });

  it('needs approval for each command if it passes the arguments of commands on', async () => {
    const router = { type: 'object', properties: { command: { type: 'string' }, parameters: { type: 'object' } } };
    const run = (command: string) =>
      request({ tool: { ...tool, name: 'compute', inputSchema: router }, arguments: { command } });
    const answers: Answer[] = ['always', 'always'].map((scope) => ({ action: 'accept', scope }) as Answer);
    const { approvals, asked } = withAnswers(answers);
    await approvals.require(run('vm_get'));
    await approvals.require(run('vm_delete'));
    expect(asked).toHaveLength(2);
  });
});
