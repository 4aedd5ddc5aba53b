/** The validation of arguments: it accepts everything that the server may accept, and takes limited time. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { validateArguments, validator } from '../../../electron/core/tools/arguments.ts';
import { cpuMs } from '../../fixtures/cpu-ms.ts';

await validator.load();

/** Checks without a time limit, because a busy machine may take longer than the limit. */
const check = (inputSchema: Record<string, unknown>, args: unknown) => validateArguments({ inputSchema }, args, 10_000);
const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

const many = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
const keyed = (length: number, make: (index: number) => [string, unknown]) => Object.fromEntries(many(length, make));
const inList = (schema: unknown) => ({ properties: { list: { items: schema } } });

/** Small schemas, most below 16 KB, that take seconds with fewer than 2,000 values. */
const hostileOnes: [string, Record<string, unknown>, unknown][] = [
  [
    'many alternatives for each item',
    inList({ anyOf: many(400, (i) => ({ const: i })) }),
    { list: many(1_900, (i) => -i - 1) },
  ],
  [
    'many alternatives that each describe an object',
    inList({ anyOf: many(200, (i) => ({ required: [`x${i}`], properties: { a: { minimum: i } } })) }),
    { list: many(900, () => ({ a: -1 })) },
  ],
  [
    'many divisors for each item',
    inList({ allOf: many(400, (i) => ({ multipleOf: 0.0001 * (i + 1) })) }),
    { list: many(1_900, (i) => i + 0.5) },
  ],
  [
    'an item to be found among many objects',
    { properties: { list: { contains: { anyOf: many(300, (i) => ({ const: { a: i } })) }, minContains: 1e9 } } },
    { list: many(1_900, (i) => ({ a: -i - 1 })) },
  ],
  [
    'many patterns for each name',
    { patternProperties: keyed(300, (i) => [`^(a|b|c)*${i}$`, { type: 'string' }]) },
    keyed(19_000, (i) => [`key_abcabcabc_${i}`, 'x']),
  ],
  [
    'many patterns for a long string',
    { properties: { text: { allOf: many(400, (i) => ({ pattern: `(a|b|ab)*${i}$` })) } } },
    { text: 'ab'.repeat(95_000) },
  ],
  [
    'patterns that are large once compiled',
    { properties: keyed(300, (i) => [`p${i}`, { pattern: `(?i)[^${i}]{900}` }]) },
    keyed(200, (i) => [`p${i}`, 'é'.repeat(900)]),
  ],
  [
    'long names that resemble the missing ones',
    { required: many(1_500, (i) => `${'a'.repeat(90)}${i}`) },
    keyed(100, (i) => [`${'a'.repeat(15_000)}b${i}`, 1]),
  ],
];

describe('Arguments', () => {
  it('that match the schema are accepted unchanged', () => {
    const args = { count: 1, extra: 'kept' };
    const schema = { type: 'object', properties: { count: { type: 'integer' }, size: { default: 3 } } };
    expect(check(schema, args)).toEqual({ ok: true });
    expect(args).toEqual({ count: 1, extra: 'kept' });
  });

  it('that do not match are refused with a plain description of every problem', () => {
    const schema = {
      type: 'object',
      properties: {
        mode: { enum: ['fast', 'slow'] },
        count: { type: 'integer', minimum: 1 },
        mail: { type: 'string', format: 'email' },
        nested: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
      },
      required: ['path'],
      additionalProperties: false,
    };
    const checked = check(schema, { mode: 'quick', count: 'many', mail: 'nobody', nested: {}, pth: '/' });
    expect(checked).toEqual({
      ok: false,
      problems: [
        '"path" is missing; "pth" was given',
        '"mode" must be one of ["fast","slow"], not "quick"',
        '"count" must be integer, not "many"',
        '"mail" must match format "email", not "nobody"',
        '"nested": "on" is missing',
      ],
    });
  });

  it('never show a secret in the description of its problem', () => {
    const schema = { type: 'object', properties: { apiToken: { type: 'string', maxLength: 3 } } };
    expect(JSON.stringify(check(schema, { apiToken: 'hunter2' }))).not.toContain('hunter2');
  });

  it('that are too large to redact in time are not shown in the description of the problem', () => {
    const inputSchema = { type: 'object', properties: { text: { const: true }, list: { const: true } } };
    const large = { text: 'a'.repeat(2_000_000), list: Array.from({ length: 300 }, (_, index) => index) };
    const problems = ['"text" must be true', '"list" must be true'];
    expect(check(inputSchema, large)).toEqual({ ok: false, problems });
  });

  it('never show a secret inside the invalid value', () => {
    const schema = { type: 'object', properties: { config: { type: 'string' }, list: { enum: [1] } } };
    const below = { password: 'sk-live-0123456789abcdef0123456789' };
    const checked = check(schema, { config: below, list: [below] });
    expect(checked.ok).toBe(false);
    expect(JSON.stringify(checked)).not.toContain(below.password);
  });

  it.each([
    ['refers to itself', { properties: { a: { $ref: '#/properties/a' } } }],
    [
      'is nested 3,000 levels deep',
      Array.from({ length: 3_000 }).reduce<object>((inner) => ({ properties: { a: inner } }), {}),
    ],
  ])('are left to the server if the schema %s', (_what, schema) => {
    expect(check({ type: 'object', ...schema }, { a: 1 })).toMatchObject({ ok: true, note: expect.any(String) });
  });

  it('are validated by the draft that the schema names: tuples', () => {
    const seven = {
      $schema: draft07,
      type: 'object',
      properties: { p: { items: [{ type: 'string' }, { type: 'number' }] } },
    };
    const twenty = { $schema: draft2020, type: 'object', properties: { p: { prefixItems: [{ type: 'string' }] } } };
    expect(check(seven, { p: ['a', 'b'] })).toMatchObject({ ok: false, problems: ['"p.1" must be number, not "b"'] });
    expect(check(twenty, { p: [{}] })).toMatchObject({ ok: false });
    const ignored = { ...seven, properties: { p: { prefixItems: [{ type: 'string' }] } } };
    expect(check(ignored, { p: [1] })).toEqual({ ok: true });
  });

  it('are validated by 2020-12 by default, and by draft-07 if only that compiles', () => {
    const dependent = { type: 'object', dependentRequired: { a: ['b'] } };
    expect(check(dependent, { a: 1 })).toMatchObject({ ok: false });
    const tuple = { type: 'object', properties: { p: { type: 'array', items: [{ type: 'string' }] } } };
    expect(check(tuple, { p: [{}] })).toMatchObject({ ok: false, problems: ['"p.0" must be string, not {}'] });
  });

  it('are validated at every level of a recursive schema', () => {
    const schema = { type: 'object', properties: { child: { $ref: '#' }, name: { type: 'string' } } };
    expect(check(schema, { child: { child: { name: [] } } })).toMatchObject({
      problems: ['"child.child.name" must be string, not []'],
    });
  });

  it.each([
    ['of an unknown draft', { $schema: 'https://json-schema.org/draft/next', type: 'object' }],
    ['that does not compile', { type: 'object', properties: { a: { type: 'nonsense' } } }],
    ['that points nowhere', { type: 'object', properties: { a: { $ref: '#/gone' } } }],
    ['that refers to itself for ever', { allOf: [{ $ref: '#' }] }],
  ])('for a schema %s are left to the server, with a note', (_what, schema) => {
    expect(check(schema, { a: 1 })).toEqual({ ok: true, note: expect.stringContaining('not checked') });
  });

  it('are validated without blocking, even with a pattern that would block a backtracking engine', () => {
    const schema = { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } };
    expect(check(schema, { x: `${'a'.repeat(5_000)}b` })).toMatchObject({ ok: false });
    expect(check(schema, { x: 'aaa' })).toEqual({ ok: true });
  });

  it('are not refused for a pattern that the linear-time engine does not support', () => {
    const schema = { type: 'object', properties: { x: { type: 'string', pattern: '^(?!no).*$' } } };
    expect(check(schema, { x: 'no' })).toEqual({ ok: true });
  });

  it('are validated independently for two tools with the same $id', () => {
    const of = (type: string) => ({
      $id: 'https://x.test/same',
      type: 'object',
      properties: { a: { $id: 'https://x.test/inner', type } },
    });
    expect(check(of('string'), { a: 'x' })).toEqual({ ok: true });
    expect(check(of('integer'), { a: 7 })).toEqual({ ok: true });
    expect(check(of('integer'), { a: 'x' })).toMatchObject({ ok: false });
  });

  it('never make the validation throw, whatever the schema and the arguments', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), fc.anything(), (schema, args) => {
        expect(typeof check(schema as Record<string, unknown>, args).ok).toBe('boolean');
      }),
      { numRuns: 200 },
    );
  });

  it('cannot inject code into the validation through names and patterns', () => {
    const name = `']; globalThis.smuggled = true; ['`;
    const schema = {
      type: 'object',
      properties: { [name]: { type: 'string', pattern: `'+(globalThis.smuggled = true)+'` } },
      required: [name],
    };
    check(schema, { [name]: 'x' });
    check(schema, {});
    expect('smuggled' in globalThis).toBe(false);
  });

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'a missing property with a default',
      { properties: { scale: { type: 'string', default: 'css' } }, required: ['scale'] },
      {},
    ],
    [
      'a missing property with a default in an object',
      { properties: { o: { type: 'object', properties: { n: { default: 1 } }, required: ['n'] } } },
      { o: {} },
    ],
    ['an unknown property', { properties: {}, additionalProperties: false }, { wait_for_previous: true }],
    [
      'an unknown property beside alternatives',
      {
        oneOf: [
          { properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
          { properties: { b: { type: 'string' } }, required: ['b'], additionalProperties: false },
        ],
      },
      { a: 'x', extra: 1 },
    ],
    ['an integer as a string', { properties: { limit: { type: 'integer' } } }, { limit: '3' }],
    ['a boolean as a string', { properties: { all: { type: 'boolean' } } }, { all: 'true' }],
    ['an object as JSON', { properties: { config: { type: 'object' } } }, { config: '{}' }],
    ['an array as JSON', { properties: { list: { type: 'array' } } }, { list: '[1]' }],
    [
      'an optional object as JSON',
      { properties: { c: { anyOf: [{ type: 'object' }, { type: 'null' }] } } },
      { c: '{"a":1}' },
    ],
  ])('are accepted with %s, because servers accept them', (_case, schema, args) => {
    expect(check({ type: 'object', ...schema }, args)).toEqual({ ok: true });
  });

  it('are not changed if a scalar is accepted as a string', () => {
    const args = { limit: '3' };
    check({ type: 'object', properties: { limit: { type: 'integer' } } }, args);
    expect(args).toEqual({ limit: '3' });
  });

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'references that branch with each level',
      { type: 'object', properties: { c: { oneOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] } } },
      JSON.parse(`${'{"c":'.repeat(24)}1${'}'.repeat(24)}`),
    ],
    [
      'unique items of many objects',
      { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } },
      { list: Array.from({ length: 20_000 }, (_, index) => ({ a: { b: index } })) },
    ],
    ...hostileOnes,
  ])('never block the process for long: %s', (_case, schema, args) => {
    const inputSchema = { type: 'object', ...schema };
    const checkInTime = (given: unknown) => validateArguments({ inputSchema }, given);
    checkInTime({});
    const start = cpuMs();
    expect(checkInTime(args)).toMatchObject({ ok: true, note: expect.stringContaining('too long') });
    // The limit is 45 ms; a busy machine detects it later.
    expect(cpuMs() - start).toBeLessThan(500);
    const again = cpuMs();
    checkInTime(args);
    expect(cpuMs() - again).toBeLessThan(20);
  });

  it('are checked again if the process hardly ran within the limit', () => {
    const usage = vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 });
    onTestFinished(() => usage.mockRestore());
    const inputSchema = { type: 'object', properties: { c: { oneOf: Array(3).fill({ $ref: '#' }) } } };
    const args = JSON.parse(`${'{"c":'.repeat(24)}1${'}'.repeat(24)}`);
    expect(validateArguments({ inputSchema }, args)).toMatchObject({ note: expect.stringContaining('too long') });
    expect(validateArguments({ inputSchema }, { c: 1 }, 1_000)).toMatchObject({ ok: false });
  });
});
