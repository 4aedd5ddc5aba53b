/** The views of input schemas for clients with limits: accepted by them, and never narrower than the schema. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClientLimits, limits } from '../../../electron/core/clients/client-limits.ts';
import { clientSchema } from '../../../electron/core/tools/client-schema.ts';
import type { JsonSchema } from '../../../shared/model/tool.ts';

const ajv = new Ajv2020({ strict: false, logger: false });
const all: [string, ClientLimits][] = Object.entries(limits);
/** `npm test` runs a tenth. */
const share = process.env.TOOLKEEP_TESTS === 'quick' ? 0.1 : 1;
/** The three clients that differ in what they accept. */
const different = all.filter(([name]) => ['claude', 'gemini', 'anyModel'].includes(name));

const names = fc.constantFrom('a', 'b', 'kind', '$filter', 'ein Wert');
const scalars = fc.constantFrom('x', 'y', 1, 2, true, null);
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    true,
    {},
    { type: 'string' },
    { type: 'number' },
    { type: ['string', 'null'] },
    { type: 'array' },
    { $ref: '#/$defs/one' },
    { $ref: '#/$defs/endless' },
    { type: 'array', items: { $ref: '#/$defs/two' } },
  ),
  fc.record({ enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: scalars }),
);
const { schema: anySchema } = fc.letrec((tie) => {
  const inner = fc.oneof({ maxDepth: 2, depthIdentifier: 'schema', withCrossShrink: true }, leaf, tie('object'));
  const part = fc.oneof({ maxDepth: 1, depthIdentifier: 'part' }, fc.constant({}), tie('object'));
  const list = fc.array(part, { minLength: 1, maxLength: 2 });
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
  return {
    object: fc
      .record({
        type: optional(fc.constant('object')),
        properties: optional(fc.dictionary(names, inner, { maxKeys: 3 })),
        required: fc.option(fc.uniqueArray(names, { maxLength: 1 }), { nil: undefined, freq: 3 }),
        additionalProperties: fc.option(fc.constantFrom<unknown>(false, true, { type: 'string' }), {
          nil: undefined,
          freq: 4,
        }),
        anyOf: optional(list),
        oneOf: optional(list),
        allOf: optional(list),
        not: optional(fc.constantFrom({ required: ['b'] }, { type: 'string' })),
        $ref: fc.option(fc.constantFrom('#/$defs/one', '#/$defs/two'), { nil: undefined, freq: 8 }),
      })
      .map((schema) => Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))),
    schema: fc.tuple(tie('object'), leaf).map(([object, one]) => ({
      ...(object as JsonSchema),
      $defs: {
        one,
        two: { type: 'object', properties: { b: { enum: [1, 'x'] } }, required: ['b'] },
        endless: { type: 'object', properties: { a: { $ref: '#/$defs/endless' } } },
      },
    })),
  };
});
const values = fc.dictionary(
  names,
  fc.oneof(scalars, fc.array(scalars, { maxLength: 2 }), fc.dictionary(names, scalars)),
);

function compiled(schema: unknown) {
  try {
    return ajv.compile(schema as JsonSchema);
  } catch {
    return undefined;
  } finally {
    ajv.removeSchema();
  }
}

describe('The view of a schema', () => {
  it.each(different)('accepts every value that the schema accepts: %s', (_name, client) => {
    let accepted = 0;
    fc.assert(
      fc.property(anySchema, fc.array(values, { minLength: 40, maxLength: 40 }), (schema, examples) => {
        // In a generated schema, `one` may refer to itself, which no server's schema does.
        const real = compiled(schema);
        if (!real) return;
        const { schema: view } = clientSchema(schema as JsonSchema, client);
        const shown = compiled(view);
        expect(shown, JSON.stringify(view)).toBeDefined();
        for (const value of examples.filter((example) => isAccepted(real, example))) {
          accepted += 1;
          expect(shown?.(value), JSON.stringify({ view, value })).toBe(true);
        }
      }),
      { numRuns: 250 * share, seed: 16 },
    );
    expect(accepted).toBeGreaterThan(50 * share);
  });

  it.each(all)('is a plain object that the client accepts: %s', (_name, client) => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const { schema: view } = clientSchema(schema as JsonSchema, client);
        expect(view.type).toBe('object');
        for (const key of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref']) expect(view).not.toHaveProperty(key);
        const text = JSON.stringify({ properties: view.properties });
        if (client.noReferences) expect(text).not.toContain('"$ref"');
        if (client.stringEnums) expect(text.replaceAll(/"not":.*/g, '')).not.toContain('"const"');
        if (client.parameterName)
          for (const name of Object.keys(view.properties ?? {})) expect(name).toMatch(client.parameterName);
      }),
      { numRuns: 300 * share, seed: 16 },
    );
  });

  it('is the schema itself if the client accepts it', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { enum: ['x'] } } }, required: ['a'] };
    for (const [, client] of all) expect(clientSchema(schema, client).schema).toBe(schema);
  });

  it('is wider if it leaves out allowed values, and not if it only adds the type', () => {
    const view = (level: unknown) => clientSchema({ properties: { level } }, limits.anyModel);
    for (const values of [{ enum: [1, 2, 3] }, { const: 7 }, { items: { enum: [1, 'x'] } }])
      expect(view(values).isWider, JSON.stringify(values)).toBe(true);
    expect(view({ const: 'x' })).toEqual({
      schema: { type: 'object', properties: { level: { enum: ['x'] } } },
      isWider: false,
    });
    expect(clientSchema({}, limits.claude)).toEqual({ schema: { type: 'object' }, isWider: false });
  });

  it.each(all)('has no empty list of choices, which strict APIs reject: %s', (_name, client) => {
    const schema = { type: 'object', properties: { a: { type: 'string', enum: [] } } };
    expect(clientSchema(schema, client).schema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });

  it('lists the parameters of all alternatives with their types', () => {
    const branch = (kind: string, more: JsonSchema) => ({
      type: 'object',
      properties: { kind: { const: kind }, id: { type: 'integer' }, ...more },
      required: ['kind', 'id', ...Object.keys(more)],
      additionalProperties: false,
    });
    const schema = {
      oneOf: [branch('file', { path: { type: 'string' } }), branch('url', { url: { type: 'string', format: 'uri' } })],
    };
    expect(clientSchema(schema, limits.claude)).toEqual({
      schema: {
        type: 'object',
        properties: {
          kind: { anyOf: [{ const: 'file' }, { const: 'url' }] },
          id: { type: 'integer' },
          path: { type: 'string' },
          url: { type: 'string', format: 'uri' },
        },
        required: ['kind', 'id'],
      },
      isWider: true,
    });
  });
});

/** A schema that refers to itself with the same value overflows the stack. */
function isAccepted(validate: NonNullable<ReturnType<typeof compiled>>, value: unknown): boolean {
  try {
    return validate(value);
  } catch {
    return false;
  }
}
