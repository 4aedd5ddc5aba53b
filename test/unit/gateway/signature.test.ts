import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restOf, typeText } from '../../../electron/core/gateway/meta-tools/signature.ts';
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { readType } from './notation.ts';

const names = ['a', 'b', 'c'];
const small = fc.integer({ min: -3, max: 4 });
const scalar = fc.oneof(fc.constantFrom('', 'a', 'ab', 'abc', 'x|y', 'q"'), small, fc.boolean(), fc.constant(null));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names, 'other'), tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

const maybe = <T>(key: string, of: fc.Arbitrary<T>) =>
  fc.option(of, { nil: undefined }).map((one) => [key, one] as const);
const keywords = (...pairs: fc.Arbitrary<readonly [string, unknown]>[]) =>
  fc.tuple(...pairs).map((all) => Object.fromEntries(all.filter(([, one]) => one !== undefined)) as JsonSchema);
const just = <T>(key: string, one: T) => fc.constant([key, one] as const);
const size = fc.integer({ min: 0, max: 3 });

const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ any: JsonSchema }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    keywords(
      just('type', 'string'),
      maybe('minLength', size),
      maybe('maxLength', size),
      maybe('pattern', fc.constant('^[a-c]+$')),
    ),
    keywords(
      fc.constantFrom('integer', 'number').map((type) => ['type', type] as const),
      maybe('minimum', small),
      maybe('maximum', small),
    ),
    keywords(just('type', 'number'), maybe('exclusiveMinimum', small), maybe('multipleOf', fc.constant(2))),
    fc.constantFrom<JsonSchema>({ type: 'boolean' }, { type: 'null' }, {}, { type: ['string', 'null'] }),
    fc.constantFrom<JsonSchema>({ type: ['integer', 'null'], minimum: 1 }, { not: { type: 'string' } }),
    keywords(
      maybe('type', fc.constant('string')),
      fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((list) => ['enum', list] as const),
    ),
    keywords(
      maybe('type', fc.constant('integer')),
      scalar.map((one) => ['const', one] as const),
    ),
    keywords(fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((list) => ['anyOf', list] as const)),
    keywords(
      just('type', 'array'),
      maybe('items', tie('any')),
      maybe('minItems', size),
      maybe('maxItems', size),
      maybe('uniqueItems', fc.constant(true)),
    ),
    keywords(
      just('type', 'object'),
      maybe('properties', fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 3, noNullPrototype: true })),
      maybe('required', fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 })),
      maybe('additionalProperties', fc.oneof(fc.boolean(), tie('any'))),
    ),
  ),
})).any;

/** An agent fills in only the listed properties, so an object that allows others by default reads like a closed one. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, inner]) => [key, key === 'enum' || key === 'const' ? inner : closed(inner)]),
  ) as JsonSchema;
  const lists = copy.type === 'object' && Object.keys((copy.properties as object | undefined) ?? {}).length > 0;
  return lists && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy;
}

const ajv = new Ajv2020({ strict: false, allErrors: false });

describe('The short notation of a schema', () => {
  it('allows exactly the values that the schema allows', () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 20, maxLength: 40 }), (original, values) => {
        const text = typeText(original);
        const told = ajv.compile(closed(readType(text)) as JsonSchema);
        const meant = ajv.compile(closed(original) as JsonSchema);
        for (const one of values)
          if (told(one) !== meant(one))
            throw new Error(`${text} of ${JSON.stringify(original)} differs for ${JSON.stringify(one)}`);
      }),
      { numRuns: 400 },
    );
  });

  it('is short and complete for a simple schema', () => {
    expect(typeText({ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, description: 'x' })).toBe(
      '("a"|"b")[]',
    );
    expect(typeText({ type: 'integer', minimum: 1, maximum: 10, default: 3 })).toBe('integer 1..10');
    const rest = { type: 'object', properties: {}, required: [], title: 'T', oneOf: [{ required: ['a'] }] };
    expect(restOf(rest)).toEqual({ oneOf: [{ required: ['a'] }] });
  });
});
