/** Questions that Toolkeep asks through a client: their outcomes, and their records in the history. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';

const params = {
  message: 'Which branch?',
  requestedSchema: { type: 'object', properties: { branch: { type: 'string', default: 'main' } } },
};

async function room(elicitation: object, answer: () => unknown) {
  const trial = await startCore([serverConfig('bad', commands.abusive('/dev/null'))], {
    config: { elicitation: { routing: 'client', ...elicitation } },
  });
  await expect.poll(() => trial.view('bad').toolCount).toBeGreaterThan(0);
  const client = await trial.legacyClient({ elicitation: {} });
  client.setRequestHandler(ElicitRequestSchema, () => answer() as never);
  return {
    async call(signal?: AbortSignal) {
      const result = await client.callTool({ name: 'bad-ask', arguments: { params } }, undefined, signal && { signal });
      return (result.content as { text: string }[]).map(({ text }) => text);
    },
    outcomes: () =>
      trial.core.handlers['history.list']({ kind: 'question' }) as { outcome: string; client: string; tool: string }[],
  };
}
const never = () => new Promise(() => undefined);

it.each([
  ['default', [JSON.stringify({ action: 'accept', content: { branch: 'main' } })]],
  ['timeout', ['{"action":"cancel"}', expect.stringContaining('was not answered in time')]],
])('A question ends with the fallback %s if the client does not answer in time', async (fallback, told) => {
  const { call, outcomes } = await room({ timeout: '200ms', fallback }, never);
  expect(await call()).toEqual(told);
  expect(outcomes()).toMatchObject([
    { outcome: 'unanswered', question: 'text', askedOf: 'client', client: 'old', tool: 'ask' },
  ]);
});

it('A question with the fallback error fails if the client does not answer in time', async () => {
  // The fixture receives an error instead of an answer, and returns an empty result.
  const { call, outcomes } = await room({ timeout: '200ms', fallback: 'error' }, never);
  expect(await call()).toEqual(['{}']);
  expect(outcomes()).toMatchObject([{ outcome: 'unanswered', question: 'text', askedOf: 'client' }]);
});

it.each([
  ['accept', 'answered'],
  ['decline', 'declined'],
  ['cancel', 'cancelled'],
])("The history records the client's %s without the answer", async (action, word) => {
  const secret = 'the-branch-nobody-may-know';
  const { call, outcomes } = await room({}, () => ({
    action,
    ...(action === 'accept' && { content: { branch: secret } }),
  }));
  await call();
  expect(outcomes()).toMatchObject([
    { outcome: word, question: 'text', askedOf: 'client', client: 'old', tool: 'ask' },
  ]);
  expect(JSON.stringify(outcomes())).not.toContain(secret);
});

it('A cancelled call withdraws its question from the client, and the history records it', async () => {
  const asked = Promise.withResolvers<void>();
  const { call, outcomes } = await room({}, () => {
    asked.resolve();
    return never();
  });
  const caller = new AbortController();
  const running = call(caller.signal).catch(() => 'cancelled');
  await asked.promise;
  caller.abort();
  expect(await running).toBe('cancelled');
  await expect.poll(outcomes).toMatchObject([{ outcome: 'cancelled', question: 'text', askedOf: 'client' }]);
});

it.each(['client', 'both', 'toolkeep'])(
  'A client is never asked to approve a dangerous call with routing %s: the call is denied with advice to the agent',
  async (routing) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'executions');
    const trial = await startCore([serverConfig('bad', commands.abusive(file))], {
      config: { elicitation: { routing }, approvals: { timeout: '1s' } },
    });
    await expect.poll(() => trial.view('bad').toolCount).toBeGreaterThan(0);
    const asked: unknown[] = [];
    const willing = { action: 'accept' as const, content: { yes: true, approve: true } };
    const old = await trial.legacyClient({ elicitation: { form: {}, url: {} } });
    old.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return willing;
    });
    const modern = await trial.modernClient({ elicitation: { form: {}, url: {} } });
    modern.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return willing;
    });
    for (const client of [old, modern]) {
      const { isError, content } = await client.callTool({ name: 'bad-delete_item', arguments: { n: 1 } });
      expect(isError).toBe(true);
      const told = JSON.stringify(content);
      for (const words of ['APPROVAL_UNAVAILABLE', 'It did not run.', 'open Toolkeep', 'allow the tool'])
        expect(told).toContain(words);
    }
    expect([asked, existsSync(file)]).toEqual([[], false]);
    const records = trial.core.handlers['history.list']({ kind: 'approval' }) as { outcome: string }[];
    expect(records.map(({ outcome }) => outcome)).toEqual(['no-ui', 'no-ui']);
  },
);
