import { describe, expect, it } from 'vitest';
import { defaultAnswers, fieldsFromSchema, validateAnswers } from '../../../shared/form.ts';

const fieldOf = (schema: Record<string, unknown>, name = 'value') =>
  fieldsFromSchema({ type: 'object', properties: { [name]: schema } })[0];

const problemOf = (schema: Record<string, unknown>, value: unknown, required = true) =>
  validateAnswers(
    fieldsFromSchema({ type: 'object', properties: { value: schema }, required: required ? ['value'] : [] }),
    value === undefined ? {} : { value },
  ).value;

describe('A form from an elicitation schema', () => {
  it('keeps the order, titles, descriptions, defaults and required marks', () => {
    const fields = fieldsFromSchema({
      type: 'object',
      properties: {
        zone: { type: 'string', title: 'Time zone', description: 'Where you are', default: 'UTC' },
        age: { type: 'integer', minimum: 0, maximum: 150 },
      },
      required: ['age'],
    });
    expect(fields).toEqual([
      { name: 'zone', label: 'Time zone', kind: 'text', required: false, description: 'Where you are', default: 'UTC' },
      { name: 'age', label: 'age', kind: 'integer', required: true, minimum: 0, maximum: 150 },
    ]);
    expect(defaultAnswers(fields)).toEqual({ zone: 'UTC' });
  });

  it('reads enum, older enumNames, titled oneOf and multi-select arrays as choices', () => {
    expect(fieldOf({ type: 'string', enum: ['a', 'b'] })?.options).toEqual([
      { value: 'a', label: 'a' },
      { value: 'b', label: 'b' },
    ]);
    expect(fieldOf({ type: 'string', enum: ['a'], enumNames: ['Alpha'] })?.options?.[0]?.label).toBe('Alpha');
    expect(fieldOf({ type: 'string', oneOf: [{ const: 'a', title: 'Alpha' }] })).toMatchObject({
      kind: 'select',
      options: [{ value: 'a', label: 'Alpha' }],
    });
    expect(fieldOf({ type: 'array', minItems: 1, items: { anyOf: [{ const: 'a', title: 'Alpha' }] } })).toMatchObject({
      kind: 'multiselect',
      minItems: 1,
      options: [{ value: 'a', label: 'Alpha' }],
    });
  });

  it.each(['password', 'apiKey', 'api_key', 'GITHUB_TOKEN', 'clientSecret'])(
    'hides the value of a field named %s',
    (name) => {
      expect(fieldOf({ type: 'string' }, name)?.kind).toBe('secret');
    },
  );

  it.each([
    ['note', 'Your bank PIN'],
    ['answer', 'One-time code'],
    ['value', 'Card number'],
    ['cvv', 'Three digits'],
    ['text', 'Passcode'],
    ['field', 'Ihr Passwort'],
    ['x', 'パスワード'],
  ])('hides the value of the field %s with the title “%s”', (name, title) => {
    expect(fieldOf({ type: 'string', title }, name)?.kind).toBe('secret');
  });

  it.each(['Pin the message', 'Discard number one', 'Zip code', 'Secretary'])(
    'does not treat the title “%s” as a secret',
    (title) => {
      expect(fieldOf({ type: 'string', title }, 'x')?.kind).toBe('text');
    },
  );

  it.each(['tokenizer', 'keyboard', 'profile', 'secretary'])(
    'does not treat the name %s as a secret or a file',
    (name) => {
      expect(fieldOf({ type: 'string' }, name)?.kind).toBe('text');
    },
  );

  it('offers the file picker for format file-path and for clear names', () => {
    expect(fieldOf({ type: 'string', format: 'file-path' })?.kind).toBe('file');
    expect(fieldOf({ type: 'string' }, 'outputFile')?.kind).toBe('file');
    expect(fieldOf({ type: 'string' }, 'target_folder')?.kind).toBe('file');
  });

  it('has no fields for an invalid schema', () => {
    for (const schema of [undefined, null, 'x', [], { properties: 7 }]) expect(fieldsFromSchema(schema)).toEqual([]);
  });
});

describe('Answers', () => {
  it.each([
    [{ type: 'string', minLength: 2 }, 'a'],
    [{ type: 'string', maxLength: 2 }, 'abc'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'A1'],
    [{ type: 'string', format: 'email' }, 'nobody'],
    [{ type: 'string', format: 'uri' }, 'not an address'],
    [{ type: 'string', format: 'date' }, '2026-02-30'],
    [{ type: 'string', format: 'date-time' }, '2026-02-03'],
    [{ type: 'integer' }, 1.5],
    [{ type: 'number', minimum: 1 }, 0],
    [{ type: 'number' }, Number.NaN],
    [{ type: 'boolean' }, 'yes'],
    [{ type: 'string', enum: ['a'] }, 'b'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'a']],
    [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 }, ['a']],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b']],
    [{ type: 'string' }, undefined],
  ])('to the field %j must not be %j', (schema, value) => {
    expect(problemOf(schema, value)).toEqual(expect.any(String));
  });

  it.each([
    [{ type: 'string', format: 'email' }, 'a@b.example'],
    [{ type: 'string', format: 'date' }, '2024-02-29'],
    [{ type: 'string', format: 'date-time' }, '2026-11-20T09:30:00+01:00'],
    [{ type: 'string', maxLength: 2 }, '👍👍'],
    [{ type: 'boolean' }, false],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, ['b']],
  ])('to the field %j may be %j', (schema, value) => {
    expect(problemOf(schema, value)).toBeUndefined();
  });

  it('may omit optional fields and may not contain unknown fields', () => {
    expect(problemOf({ type: 'string', minLength: 5 }, undefined, false)).toBeUndefined();
    expect(validateAnswers([], { extra: 1 })).toEqual({ extra: 'Unknown field.' });
  });

  it.each(['(?i)[^a]{1000}[^b]{1000}', '((x{20}){20}){20}', '(a|b|c{1,100}){1,30}z', 'x'.repeat(2_000)])(
    'accept any value for a pattern that is large once compiled: %s',
    (pattern) => {
      expect(problemOf({ type: 'string', pattern }, 'no match')).toBeUndefined();
    },
  );

  it.each(['^[a-z]{1,64}@[a-z.]{1,255}$', '^(\\d{1,3}\\.){3}\\d{1,3}$', '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'])(
    'are checked against patterns of usual size: %s',
    (pattern) => {
      expect(problemOf({ type: 'string', pattern }, '!')).toBe(`Must match ${pattern}`);
    },
  );

  it('are checked by a pattern that would block a backtracking engine', () => {
    expect(problemOf({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toBe('Must match ^(a+)+$');
  });
});
