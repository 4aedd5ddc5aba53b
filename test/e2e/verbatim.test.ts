/** A call's arguments and its result pass through Core byte for byte; the test client reads raw bytes to verify it. */
import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { commands, serverConfig } from '../fixtures/commands.ts';
import { startCore } from '../fixtures/core.ts';
import { openSession } from '../integration/gateway/http-peer.ts';

test.each(['lazy', 'full'] as const)(
  'Numbers beyond 2⁵³ and escapes arrive exactly as they were sent, in mode %s',
  async (mode) => {
    const { core, call: callAsPerson } = await startCore([serverConfig('exact', commands.verbatim())]);
    // A client in full mode sees only discovered tools.
    await callAsPerson('exact', 'read');
    const [client, stream] = duplexPair();
    core.gateway.serveStream(stream, { mode });
    const lines = linesOf(client);
    const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    client.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: info })}\n`);
    await lines.next();
    client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');

    const args = String.raw`{"id":98765432109876543210,"exact":2.50,"name":"\u00fc","pin":98765432109876543210}`;
    const call =
      mode === 'full'
        ? `{"name":"exact-read","arguments":${args}}`
        : `{"name":"execute_tool","arguments":{"server":"exact","tool":"read","arguments":${args}}}`;
    client.write(`{"jsonrpc":"2.0","id":"call","method":"tools/call","params":${call}}\n`);
    let line = '';
    while (!line.includes('"id":"call"')) line = String((await lines.next()).value);

    expect(line).toContain(String.raw`"structuredContent":{"id":12345678901234567890,"price":1.00,"name":"caf\u00e9"}`);
    const { result } = JSON.parse(line) as { result: { content: { text: string }[] } };
    expect(result.content[0]?.text).toContain(`"arguments":${args}`);
    // The history shows what the server received, and still redacts a secret number.
    const [{ arguments: kept } = {}] = await core.handlers['history.list']({ server: 'exact' });
    expect(kept).toBe('{"id":"98765432109876543210","exact":2.5,"name":"ü","pin":"••••••"}');
    client.end();
  },
);

test('JSON arrives unchanged over HTTP, and ambiguous JSON is serialized again', async () => {
  const { call: callAsPerson, http } = await startCore([serverConfig('exact', commands.verbatim())]);
  await callAsPerson('exact', 'read');
  const { url, requestInit } = await http();
  const peer = await openSession(url, requestInit.headers.authorization?.slice('Bearer '.length) ?? '');
  const call = async (args: string) => {
    const { body } = await peer.post(
      `{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"exact-read","arguments":${args}}}`,
    );
    const { result } = JSON.parse(body) as { result: { content: { text: string }[] } };
    return { body, received: result.content[0]?.text ?? '' };
  };

  const args = String.raw`{"id":98765432109876543210,"exact":2.50,"name":"\u00fc"}`;
  const { body, received } = await call(args);
  expect(body).toContain(String.raw`"structuredContent":{"id":12345678901234567890,"price":1.00,"name":"caf\u00e9"}`);
  expect(received).toContain(`"arguments":${args}`);

  expect((await call('{"path":"/etc/passwd","path":"/tmp/a"}')).received).toContain('"arguments":{"path":"/tmp/a"}');
  // A request body may contain line breaks, but a message to a server may not. Here, two line breaks enclose a forged call.
  const hidden = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"read","arguments":{"hidden":true}}}';
  for (const end of ['\n', '\r', '\r\n']) {
    const { received: line } = await call(`{"a":[${end}${hidden}${end}]}`);
    expect(JSON.parse(line).params.arguments).toEqual({ a: [JSON.parse(hidden)] });
  }
});

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let held = '';
  for await (const chunk of stream) {
    held += chunk;
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    yield* lines;
  }
}
