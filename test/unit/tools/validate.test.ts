/** The check that a declared tool is valid. */
import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../electron/core/tools/discovery/validate.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const named = (name: unknown) => problemsOf({ name, inputSchema: schema });
const withSchema = (inputSchema: unknown) => problemsOf({ name: 't', inputSchema });
const nested = (levels: number) => {
  let inner: Record<string, unknown> = { type: 'string' };
  for (let level = 0; level < levels; level += 1) inner = { type: 'object', properties: { a: inner } };
  return inner;
};

describe('A tool is accepted', () => {
  it.each(['a', 'read_file', 'admin.tools.list', 'mein Werkzeug', '获取天气', 'x'.repeat(256)])(
    'if it is named %j',
    (name) => {
      expect(named(name)).toEqual([]);
    },
  );

  it.each([
    ['without a type, as several servers do', { properties: {} }],
    ['with a "required" that is null', { type: 'object', properties: {}, required: null }],
    ['with boolean schemas', { type: 'object', properties: { any: true }, additionalProperties: false }],
    [
      'with definitions of both kinds',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/definitions/B' } },
        $defs: { A: {} },
        definitions: { B: {} },
      },
    ],
    [
      'that is recursive through a property',
      {
        type: 'object',
        properties: { child: { $ref: '#' }, list: { allOf: [{ type: 'array', items: { $ref: '#' } }] } },
      },
    ],
    [
      'with a tuple of the older kind',
      { type: 'object', properties: { pair: { type: 'array', items: [{ type: 'string' }, {}] } } },
    ],
    [
      'with properties named like keywords',
      {
        type: 'object',
        properties: { type: { type: 'string' }, required: { type: 'boolean' }, $ref: { type: 'string' } },
      },
    ],
    [
      'with an anchor',
      { type: 'object', properties: { a: { $ref: '#here' } }, $defs: { h: { $anchor: 'here', type: 'string' } } },
    ],
    ['twenty levels deep', nested(20)],
  ])('with a schema %s', (_what, inputSchema) => {
    expect(withSchema(inputSchema)).toEqual([]);
  });
});

describe('A tool is refused', () => {
  it.each([
    ['', 'its name is empty'],
    ['  ', 'its name is empty'],
    [undefined, 'its name is not a string'],
    [7, 'its name is not a string'],
    ['two\nlines', 'its name contains control or invisible characters'],
    ['zero\u200bwidth', 'its name contains control or invisible characters'],
    ['turned\u202eround', 'its name contains control or invisible characters'],
    [' padded', 'its name begins or ends with a space'],
    ['x'.repeat(257), 'its name has 257 characters; the limit is 256'],
  ])('if it is named %j', (name, problem) => {
    expect(named(name)).toEqual([problem]);
  });

  it.each([
    ['that is missing', undefined, 'it has no inputSchema'],
    ['that is a list', [], 'its inputSchema is not an object'],
    ['of a text', { type: 'string' }, 'its inputSchema has the type "string" instead of "object"'],
    [
      'whose properties are no object',
      { type: 'object', properties: 'x' },
      'inputSchema has "properties" that are not an object',
    ],
    [
      'with an unknown type',
      { type: 'object', properties: { a: { type: 'strng' } } },
      'inputSchema.properties.a has the unknown type "strng"',
    ],
    [
      'with a number for a schema',
      { type: 'object', properties: { a: 7 } },
      'inputSchema.properties.a is 7 instead of a schema',
    ],
    [
      'with required names that are none',
      { type: 'object', required: 'a' },
      'inputSchema has a "required" that is not a list of names',
    ],
    [
      'that points to another document',
      { type: 'object', properties: { a: { $ref: 'https://evil.test/x.json' } } },
      'inputSchema.properties.a points to another document (https://evil.test/x.json)',
    ],
    [
      'that points nowhere',
      { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } },
      'inputSchema.properties.a points to #/$defs/gone, which does not exist',
    ],
    ['that refers to itself', { $ref: '#' }, 'its inputSchema refers to itself endlessly'],
    [
      'that goes in a circle',
      {
        type: 'object',
        allOf: [{ $ref: '#/$defs/a' }],
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
      },
      'its inputSchema refers to itself endlessly',
    ],
    ['that is too deep', nested(2000), 'it is nested more than 64 levels deep'],
    [
      'that is too long',
      { type: 'object', description: 'x'.repeat(300 * 1024) },
      'its definition is 300 KB; the limit is 256 KB',
    ],
  ])('with a schema %s', (_what, inputSchema, problem) => {
    expect(withSchema(inputSchema)).toEqual([problem]);
  });

  it('with a schema whose references form a long chain', () => {
    const links = Array.from({ length: 4_000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]);
    const inPlace = { ...Object.fromEntries(links.toReversed()), d4000: { type: 'string' } };
    const deeper = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, index) => [
        `d${index}`,
        { properties: { a: { $ref: `#/$defs/d${Math.min(index + 1, 3_999)}` } } },
      ]),
    );
    const withDefs = ($defs: unknown) =>
      withSchema({ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs });
    expect(withDefs(inPlace)).toEqual(['its inputSchema refers to itself endlessly']);
    expect(withDefs(deeper)).toEqual([expect.stringContaining('grows beyond')]);
  });

  it('with a schema that grows exponentially when its references are resolved', () => {
    const $defs: Record<string, unknown> = { d30: { type: 'string' } };
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { allOf: [next, next] };
    }
    const bomb = { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs };
    expect(withSchema(bomb)).toEqual([expect.stringContaining('grows beyond')]);
  });

  it('if it is not an object', () => {
    expect(problemsOf(null)).toEqual(['it is not an object']);
  });
});
