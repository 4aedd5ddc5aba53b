/** What the history keeps of the arguments of a call. */
import { expect, test } from 'vitest';
import { auditedArguments } from '../../electron/core/execute/audited.ts';
import { parseLine } from '../../electron/core/lines/lines.ts';

/** As they come from a client. */
function received(args: string): Record<string, unknown> {
  const line = `{"id":1,"method":"tools/call","params":{"name":"x","arguments":${args}}}`;
  return (parseLine(Buffer.from(line)) as { params: { arguments: Record<string, unknown> } }).params.arguments;
}

test('short arguments are kept as they came', () => {
  const args = '{"path":"/tmp/a b.txt", "count":3,"deep":[{"x":null}]}';
  expect(auditedArguments(received(args))).toBe(args);
});

test.each([
  ['{"account":12345678901234567890}', '{"account":"12345678901234567890"}'],
  ['{"list": [ -12345678901234567890 ]}', '{"list":["-12345678901234567890"]}'],
  ['{"big":1e400,"small":1.5e3}', '{"big":"1e400","small":1500}'],
])(
  'the digits that the server got are kept as text, which whoever reads it does not round: %s (N2, N4)',
  (given, kept) => {
    expect(auditedArguments(received(given))).toBe(kept);
  },
);

test.each([
  ['a secret under its name', '{"password":"hunter22hunter"}'],
  ['a token that is known by its shape', '{"text":"see ghp_abcdefghijklmnop0123"}'],
  ['a token that is written with escapes', '{"text":"see \\u0067hp_abcdefghijklmnop0123"}'],
])('%s is masked (A13)', (_what, given) => {
  const kept = auditedArguments(received(given));
  expect(kept).toContain('••••••');
  expect(kept).not.toMatch(/hunter|hp_abc/);
});

test('long arguments are cut, and say so', () => {
  const kept = auditedArguments(received(`{"text":"${'word '.repeat(5_000)}"}`));
  expect(kept).toMatch(/^\{"text":"word .*… \(shortened\)$/s);
  expect(kept.length).toBeLessThan(2_100);
});
