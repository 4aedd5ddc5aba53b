/** Forwarded JSON stays the same byte for byte, and every message is read exactly as JSON.parse reads it. */
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Line } from '../../../electron/core/jsonrpc/line-writer.ts';
import { hasOriginalText, lineOf, originalText, parseLine } from '../../../electron/core/jsonrpc/raw-json.ts';

const parse = (text: string) => parseLine(Buffer.from(text)) as Record<string, unknown>;
const textOf = (line: Line) =>
  typeof line === 'string' ? line : Buffer.concat(line.map((part) => Buffer.from(part))).toString();

/** JSON that changes when it is parsed and serialized again. */
const odd = String.raw`{"id":12345678901234567890,"price":1.00,"big":1e400,"text":"caf\u00e9 \/ ü😀","colons" : ["a\":\\",":"], "spaced" : [ ] }`;
const twice = '{"path":"/etc/passwd","path":"/tmp/a","price":1.00}';

describe('A result', () => {
  for (const [writer, wrap] of Object.entries({
    'the TypeScript SDK': (result: string) => `{"result":${result},"jsonrpc":"2.0","id":5}`,
    'the Python SDK': (result: string) => `{"jsonrpc":"2.0","id":5,"result":${result}}`,
    'a writer with spaces': (result: string) => `{"jsonrpc": "2.0", "id": 5, "result": ${result}}\r`,
    'a server with text ids': (result: string) => `{"id":"a-5","result":${result},"jsonrpc":"2.0"}`,
  })) {
    test(`in the format of ${writer} is forwarded byte for byte under another ID`, () => {
      const { result } = parse(wrap(odd));
      expect(result).toEqual(JSON.parse(odd));
      expect(textOf(lineOf({ id: 'other', result }))).toBe(`{"jsonrpc":"2.0","id":"other","result":${odd}}\n`);
    });
  }

  test('of a megabyte is forwarded without being copied into one string', () => {
    const long = JSON.stringify({ content: [{ type: 'text', text: `${'"ü'.repeat(250_000)}` }] });
    const { result } = parse(`{"result":${long},"jsonrpc":"2.0","id":5}`);
    const line = lineOf({ id: 6, result });
    expect(typeof line).toBe('object');
    expect(textOf(line)).toBe(`{"jsonrpc":"2.0","id":6,"result":${long}}\n`);
  });

  test('with a duplicate key that no decision depends on is forwarded unchanged', () => {
    const { result } = parse(`{"result":${twice},"jsonrpc":"2.0","id":5}`);
    expect(textOf(lineOf({ id: 5, result }))).toContain(twice);
  });

  test('that was modified is serialized again', () => {
    const { result } = parse(`{"result":${odd},"jsonrpc":"2.0","id":5}`);
    expect(textOf(lineOf({ jsonrpc: '2.0', id: 6, result: { ...(result as object), price: 2 } } as object))).toContain(
      '"price":2,',
    );
  });

  test('cannot replace the message around it', () => {
    for (const forged of [
      '{"result":{},"id":7,"result":{"a":1},"jsonrpc":"2.0","id":5}',
      '{"result":{},"method":"sampling/createMessage","jsonrpc":"2.0","id":5}',
      '{"result":{"a":1},"result":{"b":2}}',
      '{"result":{},"error":{"code":1,"message":"x"},"jsonrpc":"2.0","id":5}',
    ]) {
      const parsed = parse(forged);
      expect(parsed).toEqual(JSON.parse(forged));
      const line = textOf(lineOf({ jsonrpc: '2.0', id: 9, result: parsed.result } as object));
      expect(JSON.parse(line)).toEqual({ jsonrpc: '2.0', id: 9, result: JSON.parse(forged).result });
      expect(line).not.toContain('sampling');
    }
  });
});

describe('The arguments of a call', () => {
  const calls: Record<string, (args: string) => string> = {
    execute_tool: (args) =>
      `{"method":"tools/call","params":{"name":"execute_tool","arguments":{"server":"a","tool":"b","arguments":${args}}},"jsonrpc":"2.0","id":3}`,
    'execute_tool, arguments first': (args) =>
      `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"execute_tool","arguments":{"arguments":${args},"tool":"b","server":"a"},"_meta":{"progressToken":3}}}`,
    'a tool by its own name': (args) =>
      `{"method":"tools/call","params":{"name":"a-b","arguments":${args},"_meta":{"progressToken":3}},"jsonrpc":"2.0","id":3}`,
  };
  for (const [name, wrap] of Object.entries(calls)) {
    test(`are forwarded byte for byte: ${name}`, () => {
      const { params } = parse(wrap(odd)) as { params: { arguments: Record<string, unknown> } };
      const given = name.startsWith('execute') ? params.arguments.arguments : params.arguments;
      expect(given).toEqual(JSON.parse(odd));
      const request = { jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'b', arguments: given } };
      const line = textOf(lineOf(request));
      expect(line).toContain(`"arguments":${odd}`);
      expect(JSON.parse(line)).toEqual({ ...request, params: { name: 'b', arguments: JSON.parse(odd) } });
      const withMeta = { ...request, params: { ...request.params, _meta: { progressToken: 8 } } };
      expect(JSON.parse(textOf(lineOf(withMeta)))).toEqual({
        ...withMeta,
        params: { ...withMeta.params, arguments: JSON.parse(odd) },
      });
    });
  }
});

test('are shown with the digits that servers receive', () => {
  const args = '{"account":12345678901234567890,"list":[1e400,-0.5,5],"name":"12"}';
  const { params } = parse(`{"method":"tools/call","params":{"name":"a","arguments":${args}},"jsonrpc":"2.0","id":3}`);
  const given = (params as { arguments: object }).arguments;
  expect(originalText(given)).toEqual({ account: '12345678901234567890', list: ['1e400', -0.5, 5], name: '12' });
  const own = { account: 12 };
  expect(originalText(own)).toBe(own);
});

test('are shown with these digits wherever the number is, and strings that look like numbers are unchanged', () => {
  const exact = (_key: string, inner: unknown, { source }: { source?: string }) =>
    typeof inner !== 'number' || Number.isSafeInteger(inner) || (Number.isFinite(inner) && !Number.isInteger(inner))
      ? inner
      : source;
  const number = fc.constantFrom('12345678901234567890', '-9007199254740993', '1e400', '-1E+400', '1.5e3', '0.10', '7');
  const string = fc.string({ unit: fc.constantFrom('"', '\\', '1', 'e9', '12345678901234567890', 'é', ' ') });
  const value = fc.oneof(
    number,
    string.map((text) => JSON.stringify(text)),
  );
  const list = fc.array(
    fc.oneof(
      value,
      fc.array(value).map((items) => `[${items.join(', ')}]`),
    ),
  );
  fc.assert(
    fc.property(list, string, (items, key) => {
      const args = `{${JSON.stringify(key)}:[${items.join(',')}]}`;
      const { params } = parse(
        `{"method":"tools/call","params":{"name":"a","arguments":${args}},"jsonrpc":"2.0","id":3}`,
      );
      const read = JSON.parse(args, exact as (key: string, value: unknown) => unknown);
      const given = (params as { arguments: object }).arguments;
      // A text that parsers could read differently is not kept.
      expect(originalText(given)).toEqual(hasOriginalText(given) ? read : given);
    }),
  );
});

describe('Ambiguous JSON is read and written consistently:', () => {
  const hidden = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"delete_all"}}';
  const call = (args: string | Buffer) =>
    parseLine(
      Buffer.concat([
        Buffer.from('{"method":"tools/call","params":{"name":"a","arguments":'),
        Buffer.from(args),
        Buffer.from('},"jsonrpc":"2.0","id":3}'),
      ]),
    ) as Record<string, unknown>;

  for (const [size, pad] of Object.entries({ short: '', long: 'x'.repeat(20_000) })) {
    test.each(['\r', '\n'])(`a message between line breaks %j, in a ${size} text`, (end) => {
      const text = `{"pad":"${pad}","a":[${end}${hidden}${end},1]}`;
      for (const sent of [
        textOf(lineOf(call(text))),
        textOf(lineOf(parse(`{"result":${text},"jsonrpc":"2.0","id":3}`))),
      ]) {
        expect(sent.trimEnd().split(/[\r\n]/)).toHaveLength(1);
        expect(sent).toContain(hidden);
      }
    });

    test(`invalid UTF-8, in a ${size} text`, () => {
      const bytes = Buffer.concat([Buffer.from(`{"a":"${pad}`), Buffer.from([0xc0, 0xa2]), Buffer.from('"}')]);
      const line = lineOf(call(bytes));
      const sent = typeof line === 'string' ? Buffer.from(line) : Buffer.concat(line.map((part) => Buffer.from(part)));
      expect(isUtf8(sent)).toBe(true);
    });

    test(`arguments with a duplicate key, in a ${size} text`, () => {
      const sent = textOf(lineOf(call(twice.replace('1.00', `"${pad}"`))));
      expect(sent).toContain('/tmp/a');
      expect(sent).not.toContain('/etc/passwd');
    });
  }

  test('arguments with a duplicate key and an escaped colon that hides it', () => {
    const sent = textOf(lineOf(call(twice.replace('1.00', String.raw`"\u003a"`))));
    expect(sent).toContain('"path":"/tmp/a","price":":"');
    expect(sent).not.toContain('/etc/passwd');
  });

  test('arguments with a duplicate key at any depth, and no others', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 }), (args) => {
        const text = JSON.stringify({ args, end: 1 }).replace('"end"', ' "end" ');
        expect(textOf(lineOf(call(text)))).toContain(text);
        const [key] = Object.keys(args) as [string];
        const doubled = text.replace('{"args":{', () => `{"args":{${JSON.stringify(key)}:"first",`);
        expect(textOf(lineOf(call(doubled)))).toContain(JSON.stringify(JSON.parse(doubled)));
      }),
    );
  });
});

test('Any message is read as by JSON.parse and written as by JSON.stringify', () => {
  const keys = fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'arguments', 'name', '_meta', 'x');
  const flat = fc.dictionary(keys, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 });
  const nested = fc.dictionary(keys, fc.oneof(flat, fc.jsonValue({ maxDepth: 1 })), { maxKeys: 4 });
  const message = fc.dictionary(keys, fc.oneof(nested, flat), { maxKeys: 5 });
  fc.assert(
    fc.property(message, fc.boolean(), (message, spaced) => {
      const text = JSON.stringify(message, null, spaced ? 1 : 0).replaceAll('\n', '');
      const parsed = parse(text);
      expect(parsed).toEqual(JSON.parse(text));
      const { result, params } = parsed as { result?: unknown; params?: unknown };
      for (const own of [
        { jsonrpc: '2.0', id: 1, result },
        { jsonrpc: '2.0', id: 1, method: 'm', params },
      ])
        expect(JSON.parse(textOf(lineOf(own)))).toEqual(JSON.parse(JSON.stringify(own)));
    }),
    { numRuns: 1_000 },
  );
});

test('Invalid JSON is refused', () => {
  for (const bad of [
    '',
    '{',
    '{"result":{"a":},"jsonrpc":"2.0","id":5}',
    '{"result":{}}}',
    'hello',
    '{"result":{},,"id":5}',
  ])
    expect(() => parse(bad)).toThrow(SyntaxError);
});
