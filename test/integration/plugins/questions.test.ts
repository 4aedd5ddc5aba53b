/** A plug-in's tool asks the user; the plug-in is a file beside the config, as users write it. */

import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Answer, Question } from '../../../shared/model/question.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { initialize, type RawPeer, rawPeer } from '../gateway/raw-peer.ts';
import { type ExternalProject, externalProject, toolNames } from './external-project.ts';

/** One tool for each kind of question; it returns the answer as JSON. */
const asker = `
  import { definePlugin } from 'toolkeep/plugin';
  const kinds = ['confirm', 'getText', 'select', 'multiselect', 'form', 'file', 'secret', 'twice', 'later', 'spoof', 'odd'];
  const choices = [{ value: 'a', label: 'A' }, { value: 'b', label: 'B' }];
  let kept: import('toolkeep/plugin').TypedCalls | undefined;
  export default definePlugin({
    name: 'asker',
    timeoutMs: 300,
    provideTools: () => kinds.map((name) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } })),
    async execute(tool, args, { ask }) {
      const fields = [
        { name: 'key', label: 'Key', kind: 'secret' as const, required: true },
        { name: 'count', label: 'Count', kind: 'integer' as const, required: false, minimum: 1 },
      ];
      const told = async () => {
        switch (tool) {
          case 'confirm': return ask.confirm('Sure?', args);
          case 'getText': return ask.getText('Name?', { maxLength: 5, ...args });
          case 'select': return ask.select('Which?', choices);
          case 'multiselect': return ask.multiselect('Which?', choices);
          case 'form': return ask.form('Fill in', fields);
          case 'file': return ask.file('Which file?');
          case 'secret': { const secret = await ask.secret('Key?'); return secret && secret.length; }
          case 'twice': return [await ask.confirm('First?'), await ask.confirm('Second?')];
          case 'later': { const before = kept; kept = ask; return before ? before.confirm('Late?') : 'kept'; }
          case 'spoof': return ask.confirm('Mine?', { from: { server: 'bank', tool: 'pay', client: 'you' } } as object);
          default: return ask.form('Odd', [{ name: 'x' } as never]);
        }
      };
      return { content: [{ type: 'text', text: JSON.stringify((await told()) ?? 'nothing') }] };
    },
  });
`;

interface PluginCore extends AsyncDisposable {
  folder: ExternalProject;
  ui: CoreClient;
  agent: RawPeer;
  /** Waits for the one open question and returns it. */
  opened(): Promise<Question>;
  answer(question: Question, answer: Answer): Promise<unknown>;
  call(tool: string, args?: object): ReturnType<RawPeer['request']>;
}

async function startPluginCore(
  more: { approvals?: object; elicitation?: object } = {},
  capabilities: Record<string, unknown> = {},
): Promise<PluginCore> {
  const folder = await externalProject(
    ({ write, configure }) => {
      write('asker.ts', asker);
      const plugins = ['./asker.ts', './release-sign-off.ts'];
      configure({ plugins, ...more, approvals: { ask: 'dangerous', ...more.approvals } });
    },
    ['release-sign-off.ts'],
  );
  const [ours, theirs] = linkedWires();
  folder.core.attach(theirs, { answersQuestions: true });
  const ui = connectCore(ours);
  const [near, far] = duplexPair() as [Duplex, Duplex];
  folder.core.gateway.serveStream(far, {});
  const agent = rawPeer(near, near);
  await initialize(agent, { name: 'Agent', capabilities });
  await expect.poll(() => toolNames(folder, 'asker')).toHaveLength(11);
  return {
    ...{ folder, ui, agent },
    async opened() {
      await expect.poll(() => ui.call('questions.list')).toHaveLength(1);
      return (await ui.call('questions.list'))[0] as Question;
    },
    answer: (question, answer) => ui.call('questions.answer', { id: question.id, answer }),
    call: (tool, args = {}) =>
      agent.request('tools/call', { name: 'execute_tool', arguments: { server: 'asker', tool, arguments: args } }),
    async [Symbol.asyncDispose]() {
      agent.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

type Answered = Awaited<ReturnType<RawPeer['request']>>;
const textOf = ({ result }: Answered) => (result as { content: { text: string }[] }).content.map(({ text }) => text);

describe("A plug-in's tool", () => {
  it.each([
    ['confirm', 'confirmation', true, 'true'],
    ['getText', 'text', 'Ada', '"Ada"'],
    ['select', 'select', 'b', '"b"'],
    ['multiselect', 'multiselect', ['a', 'b'], '["a","b"]'],
    ['form', 'form', { key: 'k', count: 2 }, '{"key":"k","count":2}'],
    ['file', 'file', import.meta.filename, JSON.stringify(import.meta.filename)],
    ['secret', 'secret', 'hunter2', '7'],
  ])('asks with %s, which the user sees as a question of type %s from the plug-in', async (tool, kind, value, told) => {
    await using here = await startPluginCore();
    const running = here.call(tool);
    const question = await here.opened();
    expect(question).toMatchObject({ kind, from: { client: 'Agent', server: 'asker', tool } });
    expect(await here.answer(question, { action: 'accept', value })).toEqual({ accepted: true });
    expect(textOf(await running)).toEqual([told]);
  });

  it('sets the button labels of a confirmation, and the placeholder of an empty field', async () => {
    await using here = await startPluginCore();
    const confirming = here.call('confirm', { confirmLabel: 'Yes, delete', cancelLabel: 'Keep it' });
    const question = await here.opened();
    expect(question.labels).toEqual({ confirm: 'Yes, delete', cancel: 'Keep it' });
    await here.answer(question, { action: 'accept', value: true });
    expect(textOf(await confirming)).toEqual(['true']);
    const asking = here.call('getText', { placeholder: 'my-project' });
    const text = await here.opened();
    expect(text.fields).toMatchObject([{ kind: 'text', placeholder: 'my-project' }]);
    await here.answer(text, { action: 'decline' });
    await asking;
    const tooLong = textOf(await here.call('confirm', { confirmLabel: 'x'.repeat(41) }));
    expect(tooLong[0]).toContain('The question is invalid: labels.confirm');
  });

  it.each([
    ['confirm', 'false'],
    ['getText', '"nothing"'],
    ['secret', '"nothing"'],
  ])('receives no value from %s when the user declines or cancels', async (tool, told) => {
    await using here = await startPluginCore();
    for (const action of ['decline', 'cancel'] as const) {
      const running = here.call(tool);
      await here.answer(await here.opened(), { action });
      expect(textOf(await running)).toEqual([told]);
    }
  });

  it('never treats a timeout or cancellation as a confirmation', async () => {
    await using here = await startPluginCore();
    const no = here.call('confirm');
    await here.answer(await here.opened(), { action: 'accept', value: false });
    expect(textOf(await no)).toEqual(['false']);
    const late = await here.call('confirm', { timeoutMs: 30, fallback: 'default' });
    expect(textOf(late)[0]).toBe('false');
    expect(textOf(late)[1]).toContain('was not answered in time');
  });

  it('accepts only valid answers, and sets its own timeout and fallback', async () => {
    await using here = await startPluginCore();
    const running = here.call('getText');
    const question = await here.opened();
    expect(await here.answer(question, { action: 'accept', value: 'far too long' })).toEqual({
      accepted: false,
      problems: { value: 'Too long: the maximum length is 5.' },
    });
    await here.answer(question, { action: 'accept', value: 'short' });
    expect(textOf(await running)).toEqual(['"short"']);
    const late = await here.call('getText', { timeoutMs: 30, fallback: 'default', default: 'main' });
    expect(textOf(late)).toEqual(['"main"']);
    const failed = await here.call('getText', { timeoutMs: 30, fallback: 'error' });
    expect(textOf(failed)[0]).toContain('The user did not answer');
  });

  it('may have a timeout that is longer than a timer supports', async () => {
    await using here = await startPluginCore();
    const running = here.call('confirm', { timeoutMs: 2 ** 40 });
    await here.answer(await here.opened(), { action: 'accept', value: true });
    expect(textOf(await running)).toEqual(['true']);
  });

  it('does not time out while a question is open, and neither does its client', async () => {
    await using here = await startPluginCore({ approvals: { clientTimeout: '600ms' } });
    const first = await here.call('twice');
    expect(textOf(first)[0]).toContain('APPROVAL_PENDING');
    // More than the plug-in's 300 ms have passed.
    await here.answer(await here.opened(), { action: 'accept', value: true });
    const again = here.call('twice');
    await expect.poll(async () => (await here.opened()).message).toBe('Second?');
    await here.answer(await here.opened(), { action: 'decline' });
    expect(textOf(await again)).toEqual(['[true,false]']);
  });

  it("asks only in the plug-in's name, and not after its call has ended", async () => {
    await using here = await startPluginCore();
    const running = here.call('spoof');
    const question = await here.opened();
    expect(question.from).toMatchObject({ client: 'Agent', server: 'asker', tool: 'spoof' });
    await here.answer(question, { action: 'decline' });
    await running;
    await here.call('later');
    expect(textOf(await here.call('later'))).toEqual(['false']);
    expect(textOf(await here.call('odd'))[0]).toContain('The question is invalid: fields.0.label');
    expect(await here.ui.call('questions.list')).toEqual([]);
  });

  it('withdraws its question when its call is cancelled or the plug-in is removed', async () => {
    await using here = await startPluginCore();
    const { id } = here.call('secret');
    await here.opened();
    here.agent.notify('notifications/cancelled', { requestId: id });
    await expect.poll(() => here.ui.call('questions.list')).toEqual([]);
    const running = here.call('secret');
    await here.opened();
    here.folder.configure({ plugins: [] });
    await here.ui.call('config.reload');
    expect(textOf(await running)[0]).toMatch(/CANCELLED.*asker.*was stopped/);
    expect(await here.ui.call('questions.list')).toEqual([]);
  });

  it('tells the agent if no user can be asked', async () => {
    await using folder = await externalProject(({ write, configure }) => {
      write('asker.ts', asker);
      configure({ plugins: ['./asker.ts'], approvals: { ask: 'dangerous' } });
    });
    await expect.poll(() => toolNames(folder, 'asker')).toHaveLength(11);
    const call = { server: 'asker', tool: 'secret', arguments: {} };
    const { content } = (await folder.core.handlers['tools.execute'](call)) as { content: { text: string }[] };
    expect(content[0]?.text).toBe('"nothing"');
    expect(content[1]?.text).toContain('no Toolkeep window is open');
  });

  it('asks through the client when its routing says so, but never for a secret', async () => {
    await using here = await startPluginCore({ elicitation: { routing: 'client' } }, { elicitation: {} });
    const asked: unknown[] = [];
    here.agent.onRequest = async ({ params }) => {
      asked.push(params);
      return { action: 'accept', content: { value: 'b' } };
    };
    expect(textOf(await here.call('select'))).toEqual(['"b"']);
    expect(asked).toEqual([
      {
        message: 'asker: Which?',
        requestedSchema: {
          type: 'object',
          properties: { value: { title: 'Answer', type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] } },
          required: ['value'],
        },
      },
    ]);
    const wrong = here.agent.onRequest;
    here.agent.onRequest = async () => ({ action: 'accept', content: { value: 'c' } });
    expect(textOf(await here.call('select'))[0]).toContain("The client's answer is invalid");
    here.agent.onRequest = wrong;
    for (const tool of ['secret', 'form']) {
      const running = here.call(tool);
      await here.answer(await here.opened(), { action: 'decline' });
      await running;
    }
    expect(asked).toHaveLength(1);
  });
});

describe('release-sign-off.ts', () => {
  it('lets the user sign a release, and stores the passphrase nowhere', async () => {
    await using here = await startPluginCore();
    await expect.poll(() => toolNames(here.folder, 'release-sign-off')).toEqual(['sign_off']);
    const passphrase = 'correct horse battery staple';
    const running = here.agent.request('tools/call', {
      name: 'execute_tool',
      arguments: { server: 'release-sign-off', tool: 'sign_off', arguments: { version: '1.2', changes: 'Fixes' } },
    });
    const first = await here.opened();
    expect(first).toMatchObject({ kind: 'select', message: 'Which environment may this release go to?\n1.2: Fixes' });
    await here.answer(first, { action: 'accept', value: 'staging' });
    await expect.poll(async () => (await here.opened()).kind).toBe('secret');
    await here.answer(await here.opened(), { action: 'accept', value: passphrase });
    const signature = createHmac('sha256', passphrase).update('staging 1.2: Fixes').digest('hex');
    expect(textOf(await running)).toEqual([`staging ${signature}`]);
    const history = await here.ui.call('history.list', {});
    expect(history.map((record) => outcomeLabel(record))).toEqual(
      expect.arrayContaining(['Answered (select)', 'Answered (secret)']),
    );
    await here.folder.core.close();
    const { dataDir } = here.folder.host;
    const kept = readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(kept.length).toBeGreaterThan(0);
    const everything = JSON.stringify([
      kept,
      history,
      here.folder.events,
      here.folder.host.logged,
      here.agent.received,
    ]);
    expect(everything).toContain('Agent');
    expect(everything).not.toContain(passphrase);
  });
});
