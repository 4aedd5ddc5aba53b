/** The arguments of a call as the history stores them. */
import { expect, test } from 'vitest';
import { recordedArguments } from '../../../electron/core/calls/steps/record.ts';
import { parseLine } from '../../../electron/core/jsonrpc/raw-json.ts';

/** The arguments as parsed from a client's message. */
function received(args: string): Record<string, unknown> {
  const line = `{"id":1,"method":"tools/call","params":{"name":"x","arguments":${args}}}`;
  return (parseLine(Buffer.from(line)) as { params: { arguments: Record<string, unknown> } }).params.arguments;
}

test('The history stores short arguments unchanged', () => {
  const args = '{"path":"/tmp/a b.txt", "count":3,"deep":[{"x":null}]}';
  expect(recordedArguments(received(args))).toBe(args);
});

test.each([
  ['{"account":12345678901234567890}', '{"account":"12345678901234567890"}'],
  ['{"list": [ -12345678901234567890 ]}', '{"list":["-12345678901234567890"]}'],
  ['{"big":1e400,"small":1.5e3}', '{"big":"1e400","small":1500}'],
])('The history stores large numbers as strings with the digits that the server received: %s', (given, kept) => {
  expect(recordedArguments(received(given))).toBe(kept);
});

test.each([
  ['a secret under its name', '{"password":"hunter22hunter"}'],
  ['a token that is known by its shape', '{"text":"see ghp_abcdefghijklmnop0123"}'],
  ['a token that is written with escapes', '{"text":"see \\u0067hp_abcdefghijklmnop0123"}'],
])('The history redacts %s', (_what, given) => {
  const kept = recordedArguments(received(given));
  expect(kept).toContain('••••••');
  expect(kept).not.toMatch(/hunter|hp_abc/);
});

test('The history truncates long arguments and marks them', () => {
  const kept = recordedArguments(received(`{"text":"${'word '.repeat(5_000)}"}`));
  expect(kept).toMatch(/^\{"text":"word .*… \(shortened\)$/s);
  expect(kept.length).toBeLessThan(2_100);
});
