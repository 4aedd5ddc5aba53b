import { describe, expect, it, vi } from 'vitest';
import { createElicitation, type ElicitationEvent } from '../../../electron/core/elicitation/elicitation.ts';
import { answerToMcp, questionFromMcp } from '../../../electron/core/elicitation/mcp.ts';
import type { Answer, Question } from '../../../shared/model/question.ts';

const draft = questionFromMcp(
  { message: 'Name?', requestedSchema: { properties: { name: { type: 'string' } }, required: ['name'] } },
  { server: 'git' },
);

function queue(ask?: (question: Question, signal: AbortSignal) => Promise<Answer | undefined>) {
  const events: ElicitationEvent[] = [];
  const counts: number[] = [];
  const elicitation = createElicitation({
    host: { log: () => undefined, ...(ask && { ask }) },
    onChange: (pending) => counts.push(pending),
    onEvent: (event) => events.push(event),
  });
  return { elicitation, events, counts };
}

describe('The queue of questions', () => {
  it('cancels a question at once if no user can be asked, and reports it as an error', async () => {
    const { elicitation, events } = queue();
    expect(await elicitation.ask(draft)).toEqual({ action: 'cancel', unanswered: 'no-ui' });
    expect(events.map(({ kind }) => kind)).toEqual(['requested', 'error']);
  });

  it('takes the first answer and refuses the second', async () => {
    const { elicitation, counts } = queue();
    elicitation.uiAttached();
    const asked = elicitation.ask(draft);
    const [question] = elicitation.pending();
    expect(await elicitation.answer(question?.id ?? '', { action: 'accept', value: 'Ada' })).toEqual({
      accepted: true,
    });
    expect(await elicitation.answer(question?.id ?? '', { action: 'decline' })).toEqual({ accepted: false });
    expect(await asked).toEqual({ action: 'accept', value: 'Ada' });
    expect(counts).toEqual([1, 0]);
  });

  it('validates an answer and keeps the question open if the answer is invalid', async () => {
    const { elicitation } = queue();
    elicitation.uiAttached();
    const asked = elicitation.ask(draft);
    const id = elicitation.pending()[0]?.id ?? '';
    expect(await elicitation.answer(id, { action: 'accept', value: 7 })).toEqual({
      accepted: false,
      problems: { name: 'Enter text.' },
    });
    expect(elicitation.pending()).toHaveLength(1);
    await elicitation.answer(id, { action: 'decline' });
    expect(await asked).toEqual({ action: 'decline' });
  });

  it('accepts no approval while a tool controls the screen, nor just after it', async () => {
    vi.useFakeTimers();
    const { elicitation } = queue();
    elicitation.uiAttached();
    const asked = elicitation.ask({ ...draft, kind: 'approval', fields: [] });
    const id = elicitation.pending()[0]?.id ?? '';
    const allow = () => elicitation.answer(id, { action: 'accept', scope: 'once' });
    const release = elicitation.screenControlled();
    expect(await allow()).toMatchObject({ accepted: false, problems: { '': expect.stringContaining('screen') } });
    release();
    expect(await allow()).toMatchObject({ accepted: false });
    vi.advanceTimersByTime(1_000);
    expect(await allow()).toEqual({ accepted: true });
    expect(await asked).toMatchObject({ action: 'accept' });
    vi.useRealTimers();
  });

  it('withdraws a question whose call was cancelled', async () => {
    const withdrawn: boolean[] = [];
    const { elicitation } = queue(
      (_question, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve(void withdrawn.push(true) as undefined)),
        ),
    );
    const controller = new AbortController();
    const asked = elicitation.ask(draft, { signal: controller.signal });
    controller.abort();
    expect(await asked).toEqual({ action: 'cancel' });
    expect(withdrawn).toEqual([true]);
    expect(elicitation.pending()).toEqual([]);
  });

  it('cancels open questions when the last UI disconnects, because no answer means denial', async () => {
    const { elicitation } = queue();
    const gone = [elicitation.uiAttached(), elicitation.uiAttached()];
    const asked = elicitation.ask(draft);
    gone[0]?.();
    expect(elicitation.pending()).toHaveLength(1);
    gone[1]?.();
    expect(await asked).toEqual({ action: 'cancel', unanswered: 'no-ui' });
  });

  it.each([
    ['timeout', { action: 'cancel', unanswered: 'timeout' }],
    ['default', { action: 'accept', value: 'main' }],
  ] as const)('ends a question without an answer in time with the fallback %s', async (fallback, expected) => {
    const { elicitation, events } = queue();
    elicitation.uiAttached();
    const branch = questionFromMcp(
      { message: 'Branch?', requestedSchema: { properties: { branch: { type: 'string', default: 'main' } } } },
      {},
    );
    expect(await elicitation.ask(branch, { timeoutMs: 5, fallback })).toEqual(expected);
    expect(events.map(({ kind }) => kind)).toEqual(['requested', 'timeout']);
  });

  it('rejects with ELICITATION_TIMEOUT if the fallback is an error', async () => {
    const { elicitation } = queue();
    elicitation.uiAttached();
    await expect(elicitation.ask(draft, { timeoutMs: 5, fallback: 'error' })).rejects.toMatchObject({
      failure: { code: 'ELICITATION_TIMEOUT' },
    });
  });

  it('stays limited if one server asks ten thousand times', async () => {
    const { elicitation } = queue();
    elicitation.uiAttached();
    const answers = Array.from({ length: 10_000 }, () => elicitation.ask(draft));
    expect(elicitation.pending().length).toBeLessThanOrEqual(50);
    const other = elicitation.ask({ ...draft, from: { server: 'other' } });
    expect(elicitation.pending().at(-1)?.from.server).toBe('other');
    elicitation.close();
    expect(await other).toEqual({ action: 'cancel' });
    expect((await Promise.all(answers)).every(({ action }) => action === 'cancel')).toBe(true);
  });

  it('cancels a question if the only way to ask fails', async () => {
    const { elicitation, events } = queue(() => Promise.reject(new Error('no display')));
    expect(await elicitation.ask(draft)).toEqual({ action: 'cancel', unanswered: 'no-ui' });
    expect(events.some(({ kind }) => kind === 'error')).toBe(true);
  });

  it('has a typed call for each kind of question', async () => {
    const answers: Record<string, unknown> = {
      confirmation: true,
      text: 'a',
      select: 'x',
      multiselect: ['x'],
      form: { n: 1 },
      file: import.meta.filename,
      secret: 's',
    };
    const { elicitation } = queue(async (question) => ({ action: 'accept', value: answers[question.kind] }));
    const choices = [{ value: 'x', label: 'X' }];
    expect(await elicitation.confirm('Sure?')).toBe(true);
    expect(await elicitation.getText('Name?')).toBe('a');
    expect(await elicitation.select('Which?', choices)).toBe('x');
    expect(await elicitation.multiselect('Which?', choices)).toEqual(['x']);
    expect(await elicitation.form('Fill in', [{ name: 'n', label: 'N', kind: 'integer', required: true }])).toEqual({
      n: 1,
    });
    expect(await elicitation.file('Which file?')).toBe(import.meta.filename);
    expect(await elicitation.secret('Key?')).toBe('s');
  });
});

describe('An MCP elicitation', () => {
  it.each([
    [{ type: 'boolean' }, 'confirmation', true],
    [{ type: 'string' }, 'text', 'x'],
    [{ type: 'string', enum: ['a'] }, 'select', 'a'],
    [{ type: 'array', items: { enum: ['a'] } }, 'multiselect', ['a']],
    [{ type: 'string', format: 'password' }, 'secret', 's'],
    [{ type: 'string', format: 'file-path' }, 'file', '/f'],
  ])(
    "with the single field %j becomes a question of type %s with the field's name in the answer",
    (schema, kind, value) => {
      const question = questionFromMcp({ message: 'm', requestedSchema: { properties: { it: schema } } }, {});
      expect(question.kind).toBe(kind);
      expect(answerToMcp(question, { action: 'accept', value })).toEqual({ action: 'accept', content: { it: value } });
    },
  );

  it('with several fields is a form; without fields, a confirmation; with a URL, a URL question', () => {
    const form = questionFromMcp(
      { message: 'm', requestedSchema: { properties: { a: { type: 'string' }, b: { type: 'number' } } } },
      {},
    );
    expect(form.kind).toBe('form');
    expect(answerToMcp(form, { action: 'accept', value: { a: 'x' } })).toEqual({
      action: 'accept',
      content: { a: 'x' },
    });
    expect(questionFromMcp({ message: 'm', requestedSchema: { properties: {} } }, {}).kind).toBe('confirmation');
    expect(questionFromMcp({ mode: 'url', message: 'm', url: 'https://x.example' }, {})).toMatchObject({
      kind: 'url',
      url: 'https://x.example/',
    });
  });

  it('distinguishes accept, decline and cancel', () => {
    expect(answerToMcp(draft, { action: 'decline' })).toEqual({ action: 'decline' });
    expect(answerToMcp(draft, { action: 'cancel' })).toEqual({ action: 'cancel' });
  });

  it('with a message of a megabyte is visibly truncated', () => {
    const { message } = questionFromMcp({ message: 'x'.repeat(1_000_000) }, {});
    expect(message.length).toBeLessThan(25_000);
    expect(message).toContain('980000 more characters');
  });
});
