/** Values in a server's definition that `String` cannot convert. */
import { expect, it } from 'vitest';
import { parametersOf, typeText } from '../../../electron/core/gateway/meta-tools/signature.ts';
import { validateArguments, validator } from '../../../electron/core/tools/arguments.ts';
import { findPoison } from '../../../electron/core/tools/assessment/poisoning.ts';
import { clientSchema } from '../../../electron/core/tools/client-schema.ts';
import { problemsOf } from '../../../electron/core/tools/discovery/validate.ts';
import { wellFormedTool } from '../../../electron/core/tools/discovery/well-formed.ts';
import { ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { fieldsFromSchema } from '../../../shared/form.ts';

await validator.load();

const odd = { toString: 1, valueOf: 1, toJSON: 1 };
const definition = JSON.stringify({
  name: 'get_pages',
  title: 'Pages',
  description: 'Gets pages.',
  execution: { taskSupport: 'optional' },
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    required: ['text', 'count'],
    properties: {
      text: { type: 'string', format: 'uri', pattern: 'a', minLength: 1, maxLength: 9, default: 'x', title: 'Text' },
      count: { type: 'integer', minimum: 1, maximum: 3 },
      list: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
      choice: { enum: ['a', 'b'], enumNames: ['A', 'B'] },
      titled: { oneOf: [{ const: 'a', title: 'A' }] },
      any: { anyOf: [{ const: 'a', title: 'A' }, { type: ['string', 'null'] }] },
      inner: { type: 'object', properties: { deep: { type: 'string' } }, required: ['deep'] },
    },
  },
});

/** The definition once for each of its values, with the odd value in its place. */
function oddDefinitions(): [string, Record<string, unknown>][] {
  const places: string[] = [];
  JSON.parse(definition, function (this: object, key, value) {
    if (key !== '') places.push(key);
    return value;
  });
  return places.map((place, wanted) => {
    let at = -1;
    return [
      place,
      JSON.parse(definition, (key, value) => {
        if (key !== '') at += 1;
        return at === wanted && key !== '' ? odd : value;
      }),
    ];
  });
}

it.each(oddDefinitions())('A definition whose "%s" cannot be converted to text is read or refused', (_, declared) => {
  if (problemsOf(declared).length > 0) return;
  const tool = wellFormedTool(declared);
  expect(findPoison(tool)).toBeDefined();
  for (const { schema } of parametersOf(tool.inputSchema)) expect(typeof typeText(schema)).toBe('string');
  expect(fieldsFromSchema(tool.inputSchema)).toBeDefined();
  expect(clientSchema(tool.inputSchema, { noReferences: true })).toBeDefined();
  expect(validateArguments(tool, { text: odd, count: [odd], choice: 'c', inner: '{}' })).toBeDefined();
});

it('Anything thrown becomes a failure with a text', () => {
  const unreadable = {
    toString() {
      throw new Error('never');
    },
  };
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const nasty = [
    odd,
    unreadable,
    cyclic,
    Object.create(null),
    Symbol('x'),
    Object.assign(new Error(), { message: odd }),
  ];
  for (const thrown of nasty) expect(typeof toFailure(thrown).message).toBe('string');
  expect(toFailure(new ToolkeepError({ code: 'CANCELLED', message: 'x' }))).toEqual({
    code: 'CANCELLED',
    message: 'x',
  });
});
