import { describe, expect, it, test, vi } from 'vitest';
import { createElicitation, type ElicitationEvent } from '../../../electron/core/elicitation/elicitation.ts';
import { answerToMcp, questionFromMcp } from '../../../electron/core/elicitation/mcp.ts';
import { validateAnswers } from '../../../shared/form.ts';
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

describe('An answer keeps the type of the schema', () => {
  const defs = { $defs: { Color: { enum: ['red', 'blue'], type: 'string', title: 'Color' } } };
  test.each<[string, Record<string, unknown>, unknown, unknown]>([
    [
      'a titled boolean',
      {
        type: 'boolean',
        oneOf: [
          { const: true, title: 'Yes' },
          { const: false, title: 'No' },
        ],
      },
      'false',
      false,
    ],
    ['an enumerated boolean', { enum: [true, false] }, 'true', true],
    ['an enumerated number', { type: 'integer', enum: [0, 7, 30] }, '0', 0],
    ['numbers to choose from', { type: 'array', items: { enum: [1, 2, 3] } }, ['1', '3'], [1, 3]],
    [
      'titled numbers',
      {
        anyOf: [
          { const: 1.5, title: 'Half' },
          { const: 2, title: 'Two' },
        ],
      },
      '1.5',
      1.5,
    ],
    ['a number and its text', { enum: [1, '1'] }, '1 (2)', '1'],
    ['an optional number', { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null }, 4, 4],
    ['an optional number in a list of types', { type: ['number', 'null'] }, 1.5, 1.5],
    ['an optional choice', { anyOf: [{ enum: ['a', 'b'], type: 'string' }, { type: 'null' }] }, 'b', 'b'],
    ['an optional boolean', { oneOf: [{ type: 'boolean' }, { type: 'null' }] }, false, false],
    ['a number or a text', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, '12a', '12a'],
    ['a reference', { $ref: '#/$defs/Color' }, 'blue', 'blue'],
    ['a reference in allOf', { allOf: [{ $ref: '#/$defs/Color' }], default: 'red' }, 'blue', 'blue'],
    ['choices by reference', { type: 'array', items: { $ref: '#/$defs/Color' } }, ['red'], ['red']],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, 'one\n two\n\n', ['one', 'two']],
    ['a list of numbers', { type: 'array', items: { type: 'integer' } }, '1\n2', [1, 2]],
    ['an optional list', { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] }, 'x', ['x']],
    ['a list of anything', { type: 'array' }, 'x', ['x']],
  ])('%s', (_name, property, given, sent) => {
    const { fields, kind } = questionFromMcp({ requestedSchema: { ...defs, properties: { a: property } } }, {});
    const value = kind === 'form' ? { a: given } : given;
    expect(validateAnswers(fields, { a: given })).toEqual({});
    expect(answerToMcp({ fields, kind }, { action: 'accept', value })).toEqual({
      action: 'accept',
      content: { a: sent },
    });
  });

  test('A required value that may be null is null when it is left empty', () => {
    const properties = { a: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, b: { type: 'string' } };
    const { fields, kind } = questionFromMcp({ requestedSchema: { properties, required: ['a'] } }, {});
    expect(validateAnswers(fields, {})).toEqual({});
    expect(answerToMcp({ fields, kind }, { action: 'accept', value: {} })).toEqual({
      action: 'accept',
      content: { a: null },
    });
  });

  test('Defaults are entered as the user would enter them', () => {
    const properties = {
      a: { enum: [0, 7], default: 0 },
      b: { type: 'array', items: { type: 'string' }, default: ['x', 'y'] },
    };
    const { fields } = questionFromMcp({ requestedSchema: { properties } }, {});
    expect(fields.map((field) => field.default)).toEqual(['0', 'x\ny']);
  });

  test('A line that is no number has a problem', () => {
    const [field] = questionFromMcp(
      { requestedSchema: { properties: { a: { type: 'array', items: { type: 'number' } } } } },
      {},
    ).fields;
    expect(field && validateAnswers([field], { a: '1\nx' })).toEqual({ a: 'x: Enter a number.' });
  });
});
