import { afterEach, describe, expect, it } from 'vitest';
import { createElicitation } from '../../electron/core/elicitation/elicitation.ts';
import { type ApprovalRequest, createApprovals } from '../../electron/core/execute/approvals.ts';
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

function withAnswers(...answers: Answer[]) {
  const asked: Question[] = [];
  const decisions: string[] = [];
  const switchedOff: string[] = [];
  const elicitation = createElicitation({
    host: {
      log: () => undefined,
      ask: async (question) => {
        asked.push(question);
        return answers.shift();
      },
    },
    onChange: () => undefined,
  });
  const approvals = createApprovals({
    elicitation,
    store: memoryStore(),
    mayAsk: () => true,
    timeoutMs: () => 20,
    onDecision: (_, outcome) => decisions.push(outcome),
    onRevoke: ({ tool: name }) => decisions.push(`revoked: ${name}`),
    onSwitchOff: ({ name }) => switchedOff.push(name),
  });
  return { approvals, asked, decisions, switchedOff, elicitation };
}

let opened: { elicitation: { close(): void } } | undefined;
afterEach(() => opened?.elicitation.close());

describe('approval of a dangerous call', () => {
  it('shows who calls what with every argument and why it is thought dangerous', async () => {
    const parts = withAnswers({ action: 'accept' });
    opened = parts;
    await parts.approvals.require(request());
    expect(parts.asked[0]).toMatchObject({
      kind: 'approval',
      from: { client: 'Claude', server: 'git', tool: 'push' },
      approval: { arguments: { branch: 'main' }, reasons: ['its name says push'] },
    });
  });

  it('granted once asks again for the next call', async () => {
    const { approvals, asked } = withAnswers({ action: 'accept', scope: 'once' }, { action: 'accept', scope: 'once' });
    await approvals.require(request());
    await approvals.require(request());
    expect(asked).toHaveLength(2);
  });

  it('granted for the session covers this client only', async () => {
    const { approvals, asked } = withAnswers({ action: 'accept', scope: 'session' }, { action: 'decline' });
    await approvals.require(request());
    await approvals.require(request());
    expect(asked).toHaveLength(1);
    const other = request({ caller: { id: 'c2', name: 'Cursor', capabilities: {} } });
    await expect(approvals.require(other)).rejects.toMatchObject({ failure: { code: 'APPROVAL_DENIED' } });
  });

  it('granted always ends when the tool changes, and when it is revoked', async () => {
    const { approvals, asked } = withAnswers(
      { action: 'accept', scope: 'always' },
      { action: 'decline' },
      { action: 'decline' },
    );
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
    const { approvals, asked } = withAnswers(narrowed, { action: 'decline' });
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
    const { approvals } = withAnswers(made);
    await approvals.require(request());
    expect(approvals.grants()).toEqual([]);
  });

  it('granted always or for a while holds for the client that asked', async () => {
    const { approvals } = withAnswers({ action: 'accept', scope: 'minutes' }, { action: 'decline' });
    await approvals.require(request());
    await approvals.require(request({ caller: { id: 'c9', name: 'Claude', capabilities: {} } }));
    const other = request({ caller: { id: 'c2', name: 'Cursor', capabilities: {} } });
    await expect(approvals.require(other)).rejects.toThrow();
  });

  it('granted for the session ends with the connection', async () => {
    const { approvals, decisions } = withAnswers({ action: 'accept', scope: 'session' }, { action: 'decline' });
    await approvals.require(request());
    approvals.callerLeft('c1');
    expect(approvals.grants()).toEqual([]);
    await expect(approvals.require(request())).rejects.toThrow();
    expect(decisions).toEqual(['allowed: session', 'denied']);
  });

  it('ends with a no when nobody answers in time', async () => {
    const { approvals, decisions } = withAnswers();
    await expect(approvals.require(request())).rejects.toMatchObject({ failure: { code: 'APPROVAL_DENIED' } });
    expect(decisions).toEqual(['not answered']);
  });

  it('switches the tool off when the person says so', async () => {
    const { approvals, switchedOff } = withAnswers({ action: 'decline', switchOff: true });
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
