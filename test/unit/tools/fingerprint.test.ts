/** The changes of a definition that count, and how they are shown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeToAccept, fingerprint } from '../../../electron/core/tools/fingerprint.ts';

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

/** The same definition with all keys in reverse order. */
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

describe('A fingerprint', () => {
  it('stays the same when keys are reordered', () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        expect(fingerprint(turned(definition) as Definition)).toBe(fingerprint(definition));
      }),
    );
  });

  it('stays the same when prose is reflowed, required names are reordered, or an icon changes', () => {
    const reflowed = {
      ...base,
      description: '  Sends the report to\n   the team. ',
      inputSchema: { ...base.inputSchema, required: ['copies', 'to'] },
      icons: [{ src: 'x' }],
    };
    expect(fingerprint(reflowed)).toBe(fingerprint(base));
  });

  it('stays the same when a date in a description or default changes', () => {
    const dated = (day: string, since: unknown) => ({
      name: 't',
      description: `Reports since ${day}.`,
      inputSchema: { type: 'object', properties: { from: { type: 'string', default: since } } },
    });
    const first = fingerprint(dated('2026-11-21', '2026-11-21T10:00:00.123Z'));
    expect(fingerprint(dated('2026-11-22', '2026-11-22T08:30:00Z'))).toBe(first);
    expect(fingerprint(dated('2026-11-22', 'always'))).not.toBe(first);
    expect(fingerprint(dated('today', 1_790_000_000_000))).toBe(fingerprint(dated('today', 1_790_000_123_456)));
    expect(changeToAccept(dated('2026-11-21', 'x'), dated('2026-11-22', 'x')).changes).toEqual([]);
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

  it('includes a property named __proto__', () => {
    const schema = (text: string) => ({ name: 't', inputSchema: JSON.parse(text) });
    const hidden = schema('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(fingerprint(hidden)).not.toBe(fingerprint(schema('{"type":"object","properties":{}}')));
    expect(changeToAccept(schema('{"type":"object","properties":{}}'), hidden).changes).toHaveLength(1);
  });
});

describe('A change to accept', () => {
  it('is empty if and only if the fingerprints are equal', () => {
    fc.assert(
      fc.property(definitions, definitions, (before, after) => {
        const equal = fingerprint(before) === fingerprint(after);
        expect(changeToAccept(before, after).changes.length === 0).toBe(equal);
        expect(changeToAccept(before, before)).toEqual({ before: {}, after: {}, changes: [] });
      }),
    );
  });

  it('lists each difference with its location', () => {
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
