import { afterEach, describe, expect, it, vi } from 'vitest';
import { createElicitation } from '../../electron/core/elicitation/elicitation.ts';
import { type ApprovalRequest, createApprovals } from '../../electron/core/execute/approvals.ts';
import { parseLine } from '../../electron/core/lines/lines.ts';
import type { Answer, Question, ToolView } from '../../shared/model.ts';
import { memoryStore } from '../fixtures/host.ts';

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
  tags: [],
};

const request = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  tool,
  fingerprint: 'f1',
  caller: { id: 'c1', name: 'Claude', capabilities: {} },
  arguments: { branch: 'main' },
  callId: 'call',
  signal: new AbortController().signal,
  ...more,
});

/** Without answers the questions stay open, for as long as a person has. */
function withAnswers(answers: Answer[] | undefined, store = memoryStore()) {
  const asked: Question[] = [];
  const decisions: string[] = [];
  const switchedOff: string[] = [];
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
  const approvals = createApprovals({
    elicitation,
    store,
    mayAsk: () => true,
    timeoutMs: () => (answers ? 20 : 60_000),
    onDecision: (_, outcome) => decisions.push(outcome),
    onRevoke: ({ tool: name }) => decisions.push(`revoked: ${name}`),
    onSwitchOff: ({ name }) => switchedOff.push(name),
  });
  return { approvals, asked, decisions, switchedOff, elicitation };
}

let opened: { elicitation: { close(): void } } | undefined;
afterEach(() => {
  opened?.elicitation.close();
  vi.useRealTimers();
});

describe('approval of a dangerous call', () => {
  it('shows the digits that the server gets, not what they are rounded to here (N2, N4)', async () => {
    const line = '{"id":1,"method":"tools/call","params":{"name":"x","arguments":{"account":12345678901234567890}}}';
    const { params } = parseLine(Buffer.from(line)) as { params: { arguments: Record<string, unknown> } };
    const { approvals, asked } = withAnswers([{ action: 'accept', scope: 'once' }]);
    await approvals.require(request({ arguments: params.arguments }));
    expect(asked[0]?.approval?.arguments).toEqual({ account: '12345678901234567890' });
  });

  it('shows who calls what with every argument and why it is thought dangerous', async () => {
    const parts = withAnswers([{ action: 'accept' }]);
    opened = parts;
    await parts.approvals.require(request());
    expect(parts.asked[0]).toMatchObject({
      kind: 'approval',
      from: { client: 'Claude', server: 'git', tool: 'push' },
      approval: { arguments: { branch: 'main' }, reasons: ['its name says push'] },
    });
  });

  it('granted once asks again for the next call', async () => {
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
    const other = request({ caller: { id: 'c2', name: 'Cursor', capabilities: {} } });
    await expect(approvals.require(other)).rejects.toMatchObject({ failure: { code: 'APPROVAL_DENIED' } });
  });

  it('granted always ends when the tool changes, and when it is revoked', async () => {
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

  it('narrowed to a value covers that value alone, and is listed with it (N2)', async () => {
    const narrowed: Answer = { action: 'accept', scope: 'always', conditions: [0] };
    const { approvals, asked } = withAnswers([narrowed, { action: 'decline' }]);
    await approvals.require(request());
    expect(asked[0]?.approval?.conditions).toEqual([{ kind: 'is', argument: 'branch', value: 'main' }]);
    await approvals.require(request({ arguments: { branch: 'main', force: true } }));
    expect(asked).toHaveLength(1);
    expect(approvals.grants()).toMatchObject([
      { client: 'Claude', conditions: [{ argument: 'branch', value: 'main' }] },
    ]);
    await expect(approvals.require(request({ arguments: { branch: 'release' } }))).rejects.toThrow();
  });

  it('narrowed to what was not offered grants this one call only', async () => {
    const made: Answer = { action: 'accept', scope: 'always', conditions: [5] };
    const { approvals } = withAnswers([made]);
    await approvals.require(request());
    expect(approvals.grants()).toEqual([]);
  });

  it('granted always or for a while holds for the client that asked', async () => {
    const { approvals } = withAnswers([{ action: 'accept', scope: 'minutes' }, { action: 'decline' }]);
    await approvals.require(request());
    await approvals.require(request({ caller: { id: 'c9', name: 'Claude', capabilities: {} } }));
    const other = request({ caller: { id: 'c2', name: 'Cursor', capabilities: {} } });
    await expect(approvals.require(other)).rejects.toThrow();
  });

  it('granted for 15 minutes ends after them, and a start of Gatehouse in between changes nothing (N2)', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = memoryStore();
    const { approvals } = withAnswers([{ action: 'accept', scope: 'minutes' }], store);
    await approvals.require(request());
    const later = withAnswers([{ action: 'decline' }], store);
    vi.setSystemTime(Date.now() + 15 * 60_000 - 1);
    await later.approvals.require(request());
    expect(later.decisions).toEqual(['allowed by a grant']);
    vi.setSystemTime(Date.now() + 1);
    expect(later.approvals.grants()).toEqual([]);
    await expect(later.approvals.require(request())).rejects.toMatchObject({ failure: { code: 'APPROVAL_DENIED' } });
  });

  it('granted for more than its call holds for those that wait already, if they fit, and for no other (N2)', async () => {
    const { approvals, decisions, elicitation } = withAnswers(undefined);
    const [first, same, branch, other] = [
      request(),
      request({ arguments: { branch: 'main', force: true } }),
      request({ arguments: { branch: 'release' } }),
      request({ caller: { id: 'c2', name: 'Cursor', capabilities: {} } }),
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
    expect(await Promise.all([branch, other])).toEqual(['APPROVAL_DENIED', 'APPROVAL_DENIED']);
    expect(decisions).toEqual(['allowed: always', 'allowed by a grant', 'not answered', 'not answered']);
  });

  it('denied with the tool switched off is denied for all that wait for it, whoever asked', async () => {
    const { approvals, decisions, elicitation, switchedOff } = withAnswers(undefined);
    const pull = { ...tool, name: 'pull', key: 'git::pull' };
    const running = [
      request(),
      request({ caller: { id: 'c2', name: 'Cursor', capabilities: {} } }),
      request({ tool: pull }),
    ].map((wanted) =>
      approvals.require(wanted).then(
        () => 'ran',
        (error) => error.failure.code,
      ),
    );
    await expect.poll(() => elicitation.pending()).toHaveLength(3);
    const [question] = elicitation.pending();
    await elicitation.answer(question?.id ?? '', { action: 'decline', switchOff: true });
    expect(await Promise.all(running.slice(0, 2))).toEqual(['APPROVAL_DENIED', 'APPROVAL_DENIED']);
    expect(switchedOff).toEqual(['push']);
    expect(decisions).toEqual(['denied and switched off', 'denied and switched off']);
    const [left] = elicitation.pending();
    expect(left?.from.tool).toBe('pull');
    await elicitation.answer(left?.id ?? '', { action: 'accept' });
    expect(await running[2]).toBe('ran');
  });

  it('granted for the session ends with the connection', async () => {
    const { approvals, decisions } = withAnswers([{ action: 'accept', scope: 'session' }, { action: 'decline' }]);
    await approvals.require(request());
    approvals.callerLeft('c1');
    expect(approvals.grants()).toEqual([]);
    await expect(approvals.require(request())).rejects.toThrow();
    expect(decisions).toEqual(['allowed: session', 'denied']);
  });

  it('ends with a no when nobody answers in time', async () => {
    const { approvals, decisions } = withAnswers([]);
    await expect(approvals.require(request())).rejects.toMatchObject({ failure: { code: 'APPROVAL_DENIED' } });
    expect(decisions).toEqual(['not answered']);
  });

  it('switches the tool off when the person says so', async () => {
    const { approvals, switchedOff } = withAnswers([{ action: 'decline', switchOff: true }]);
    await expect(approvals.require(request())).rejects.toThrow();
    expect(switchedOff).toEqual(['push']);
  });

  it('fails at once when there is nobody to ask', async () => {
    const elicitation = createElicitation({ host: { log: () => undefined }, onChange: () => undefined });
    const approvals = createApprovals({
      elicitation,
      store: memoryStore(),
      mayAsk: () => true,
      timeoutMs: () => 20,
      onDecision: () => undefined,
      onRevoke: () => undefined,
      onSwitchOff: () => undefined,
    });
    await expect(approvals.require(request())).rejects.toMatchObject({ failure: { code: 'APPROVAL_UNAVAILABLE' } });
  });
});
