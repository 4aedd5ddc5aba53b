import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeToAccept, fingerprint } from '../../electron/core/discovery/discovery.ts';

type Definition = Record<string, unknown>;

const base = {
  name: 'send_report',
  description: 'Sends the report\nto the team.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string', description: 'Who gets it.' }, copies: { type: 'integer', default: 1 } },
    required: ['to', 'copies'],
  },
  annotations: { readOnlyHint: false },
};

/** The same definition with all keys the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

const json = fc.jsonValue({ maxDepth: 3 });
const definitions: fc.Arbitrary<Definition> = fc.record(
  {
    name: fc.constant('t'),
    description: fc.string(),
    inputSchema: fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.string(), json),
        required: fc.array(fc.string(), { maxLength: 3 }),
      },
      { requiredKeys: ['type'] },
    ),
    annotations: fc.dictionary(fc.string(), json),
  },
  { requiredKeys: ['name', 'inputSchema'] },
);

describe('a fingerprint', () => {
  it('stays the same when keys are re-ordered', () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        expect(fingerprint(turned(definition) as Definition)).toBe(fingerprint(definition));
      }),
    );
  });

  it('stays the same when prose is laid out anew, required names change places, or an icon changes', () => {
    const reflowed = {
      ...base,
      description: '  Sends the report to\n   the team. ',
      inputSchema: { ...base.inputSchema, required: ['copies', 'to'] },
      icons: [{ src: 'x' }],
    };
    expect(fingerprint(reflowed)).toBe(fingerprint(base));
  });

  it.each<[string, Definition]>([
    ['description', { ...base, description: 'Sends the report to the team and to me.' }],
    ['title', { ...base, title: 'Report' }],
    ['schema', { ...base, inputSchema: { ...base.inputSchema, required: ['to'] } }],
    ['default value', { ...base, inputSchema: { ...base.inputSchema, properties: { to: { default: 'a  b' } } } }],
    ['result schema', { ...base, outputSchema: { type: 'object' } }],
    ['annotations', { ...base, annotations: { readOnlyHint: true } }],
  ])('changes with the %s', (_what, changed) => {
    expect(fingerprint(changed)).not.toBe(fingerprint(base));
  });

  it('keeps a property called __proto__ apart from none', () => {
    const schema = (text: string) => ({ name: 't', inputSchema: JSON.parse(text) });
    const hidden = schema('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(fingerprint(hidden)).not.toBe(fingerprint(schema('{"type":"object","properties":{}}')));
    expect(changeToAccept(schema('{"type":"object","properties":{}}'), hidden).changes).toHaveLength(1);
  });
});

describe('a change to accept', () => {
  it('is empty exactly when the fingerprints are equal', () => {
    fc.assert(
      fc.property(definitions, definitions, (before, after) => {
        const equal = fingerprint(before) === fingerprint(after);
        expect(changeToAccept(before, after).changes.length === 0).toBe(equal);
        expect(changeToAccept(before, before)).toEqual({ before: {}, after: {}, changes: [] });
      }),
    );
  });

  it('reads as what was, what is, and where', () => {
    const after = {
      ...base,
      description: 'Sends the report to everyone.',
      inputSchema: { ...base.inputSchema, properties: { to: { type: 'string' }, bcc: { type: 'string' } } },
    };
    expect(changeToAccept(base, after).changes).toEqual([
      'description changed from "Sends the report to the team." to "Sends the report to everyone."',
      'inputSchema.properties.copies was removed: {"default":1,"type":"integer"}',
      'inputSchema.properties.to.description was removed: "Who gets it."',
      'inputSchema.properties.bcc was added: {"type":"string"}',
    ]);
  });
});
