/** A plug-in's tool asks the person, written and used as somebody outside does: a file beside the config. */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CoreClient } from '../../shared/contract.ts';
import type { Answer, Question } from '../../shared/model.ts';
import { connectCore } from '../../shared/rpc.ts';
import { linkedWires } from '../../shared/wire.ts';
import { initialize, type RawPeer, rawPeer } from '../gateway/raw-peer.ts';
import { type Outsider, outsider, toolNames } from './outsider.ts';

/** One tool for each kind of question; it answers with what it was told, in JSON. */
const asker = `
  import { definePlugin } from 'gatehouse/plugin';
  const kinds = ['confirm', 'getText', 'select', 'multiselect', 'form', 'file', 'secret', 'twice', 'later', 'spoof', 'odd'];
  const choices = [{ value: 'a', label: 'A' }, { value: 'b', label: 'B' }];
  let kept: import('gatehouse/plugin').TypedCalls | undefined;
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

interface Room extends AsyncDisposable {
  folder: Outsider;
  face: CoreClient;
  agent: RawPeer;
  /** The one question that is open, once it is. */
  opened(): Promise<Question>;
  answer(question: Question, answer: Answer): Promise<unknown>;
  call(tool: string, args?: object): ReturnType<RawPeer['request']>;
}

async function room(more: object = {}, capabilities: Record<string, unknown> = {}): Promise<Room> {
  const folder = await outsider(
    ({ write, configure }) => {
      write('asker.ts', asker);
      configure({ plugins: ['./asker.ts', './release-sign-off.ts'], ...more });
    },
    ['release-sign-off.ts'],
  );
  const [ours, theirs] = linkedWires();
  folder.core.attach(theirs, { answersQuestions: true });
  const face = connectCore(ours);
  const [near, far] = duplexPair() as [Duplex, Duplex];
  folder.core.gateway.serveStream(far, {});
  const agent = rawPeer(near, near);
  await initialize(agent, { name: 'Agent', capabilities });
  await expect.poll(() => toolNames(folder, 'asker')).toHaveLength(11);
  return {
    ...{ folder, face, agent },
    async opened() {
      await expect.poll(() => face.call('questions.list')).toHaveLength(1);
      return (await face.call('questions.list'))[0] as Question;
    },
    answer: (question, answer) => face.call('questions.answer', { id: question.id, answer }),
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

describe("a plug-in's tool", () => {
  it.each([
    ['confirm', 'confirmation', true, 'true'],
    ['getText', 'text', 'Ada', '"Ada"'],
    ['select', 'select', 'b', '"b"'],
    ['multiselect', 'multiselect', ['a', 'b'], '["a","b"]'],
    ['form', 'form', { key: 'k', count: 2 }, '{"key":"k","count":2}'],
    ['file', 'file', import.meta.filename, JSON.stringify(import.meta.filename)],
    ['secret', 'secret', 'hunter2', '7'],
  ])('asks with %s, as which the person sees a %s of the plug-in (B9, B11)', async (tool, kind, value, told) => {
    await using here = await room();
    const running = here.call(tool);
    const question = await here.opened();
    expect(question).toMatchObject({ kind, from: { client: 'Agent', server: 'asker', tool } });
    expect(await here.answer(question, { action: 'accept', value })).toEqual({ accepted: true });
    expect(textOf(await running)).toEqual([told]);
  });

  it.each([
    ['confirm', 'false'],
    ['getText', '"nothing"'],
    ['secret', '"nothing"'],
  ])('learns from %s that the person said no or went away', async (tool, told) => {
    await using here = await room();
    for (const action of ['decline', 'cancel'] as const) {
      const running = here.call(tool);
      await here.answer(await here.opened(), { action });
      expect(textOf(await running)).toEqual([told]);
    }
  });

  it('takes no yes for a yes that a person did not give', async () => {
    await using here = await room();
    const no = here.call('confirm');
    await here.answer(await here.opened(), { action: 'accept', value: false });
    expect(textOf(await no)).toEqual(['false']);
    const late = await here.call('confirm', { timeoutMs: 30, fallback: 'default' });
    expect(textOf(late)[0]).toBe('false');
    expect(textOf(late)[1]).toContain('nobody answered in time');
  });

  it('is answered with what fits only, and may choose its time and what happens at its end (B10, B11)', async () => {
    await using here = await room();
    const running = here.call('getText');
    const question = await here.opened();
    expect(await here.answer(question, { action: 'accept', value: 'far too long' })).toEqual({
      accepted: false,
      problems: { value: 'At most 5 characters.' },
    });
    await here.answer(question, { action: 'accept', value: 'short' });
    expect(textOf(await running)).toEqual(['"short"']);
    const late = await here.call('getText', { timeoutMs: 30, fallback: 'default', default: 'main' });
    expect(textOf(late)).toEqual(['"main"']);
    const failed = await here.call('getText', { timeoutMs: 30, fallback: 'error' });
    expect(textOf(failed)[0]).toContain('Nobody answered');
  });

  it('may wait for as long as it likes, and longer than a timer can (B11)', async () => {
    await using here = await room();
    const running = here.call('confirm', { timeoutMs: 2 ** 40 });
    await here.answer(await here.opened(), { action: 'accept', value: true });
    expect(textOf(await running)).toEqual(['true']);
  });

  it("has its time limit stand still while the person is asked, and its client's patience kept (N2)", async () => {
    await using here = await room({ approvals: { patience: '600ms' } });
    const first = await here.call('twice');
    expect(textOf(first)[0]).toContain('APPROVAL_PENDING');
    // By now more than the 300 ms of the plug-in have passed.
    await here.answer(await here.opened(), { action: 'accept', value: true });
    const again = here.call('twice');
    await expect.poll(async () => (await here.opened()).message).toBe('Second?');
    await here.answer(await here.opened(), { action: 'decline' });
    expect(textOf(await again)).toEqual(['[true,false]']);
  });

  it('asks in nobody else’s name, and not after its call', async () => {
    await using here = await room();
    const running = here.call('spoof');
    const question = await here.opened();
    expect(question.from).toMatchObject({ client: 'Agent', server: 'asker', tool: 'spoof' });
    await here.answer(question, { action: 'decline' });
    await running;
    await here.call('later');
    expect(textOf(await here.call('later'))).toEqual(['false']);
    expect(textOf(await here.call('odd'))[0]).toContain('The question cannot be put: fields.0.label');
    expect(await here.face.call('questions.list')).toEqual([]);
  });

  it('leaves no question behind when its call is cancelled, or the plug-in is taken away', async () => {
    await using here = await room();
    const { id } = here.call('secret');
    await here.opened();
    here.agent.notify('notifications/cancelled', { requestId: id });
    await expect.poll(() => here.face.call('questions.list')).toEqual([]);
    const running = here.call('secret');
    await here.opened();
    here.folder.configure({ plugins: [] });
    await here.face.call('config.reload');
    expect(textOf(await running)[0]).toMatch(/CANCELLED.*asker.*was stopped/);
    expect(await here.face.call('questions.list')).toEqual([]);
  });

  it('tells the agent when there is nobody to ask', async () => {
    await using folder = await outsider(({ write, configure }) => {
      write('asker.ts', asker);
      configure({ plugins: ['./asker.ts'] });
    });
    await expect.poll(() => toolNames(folder, 'asker')).toHaveLength(11);
    const call = { server: 'asker', tool: 'secret', arguments: {} };
    const { content } = (await folder.core.handlers['tools.execute'](call)) as { content: { text: string }[] };
    expect(content[0]?.text).toBe('"nothing"');
    expect(content[1]?.text).toContain('no Gatehouse window is open');
  });

  it('asks through the client where the person routed it so, but never for a secret (N1)', async () => {
    await using here = await room({ elicitation: { routing: 'client' } }, { elicitation: {} });
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
    expect(textOf(await here.call('select'))[0]).toContain("The client's answer does not fit");
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
  it('has a release signed by the person, whose passphrase is found nowhere (B9, B11)', async () => {
    await using here = await room();
    await expect.poll(() => toolNames(here.folder, 'release-sign-off')).toEqual(['sign_off']);
    const passphrase = 'correct horse battery staple';
    const running = here.agent.request('tools/call', {
      name: 'execute_tool',
      arguments: { server: 'release-sign-off', tool: 'sign_off', arguments: { version: '1.2', changes: 'Fixes' } },
    });
    const first = await here.opened();
    expect(first).toMatchObject({ kind: 'select', message: 'Where may this go?\n1.2: Fixes' });
    await here.answer(first, { action: 'accept', value: 'staging' });
    await expect.poll(async () => (await here.opened()).kind).toBe('secret');
    await here.answer(await here.opened(), { action: 'accept', value: passphrase });
    const signature = createHmac('sha256', passphrase).update('staging 1.2: Fixes').digest('hex');
    expect(textOf(await running)).toEqual([`staging ${signature}`]);
    const history = await here.face.call('audit.list', {});
    expect(history.map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(['select: answered', 'secret: answered']),
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
