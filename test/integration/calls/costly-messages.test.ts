/** Messages with too many keys, from servers and from clients: parsing one would block Core for a fraction of a second. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { limits } from '../../../shared/limits.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { longestTurn } from '../../fixtures/longest-turn.ts';
import { httpPeer } from '../gateway/http-peer.ts';

const many = 300_000;
/** Shorter than a message with so many keys. */
const shortText = 1_000_000;
const refusal = 'has more keys and values, or more levels, than Toolkeep can read without a pause';
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, at]));

/** The longest text that was parsed in one turn, in this process with Core. */
const parse = vi.spyOn(JSON, 'parse');
afterEach(() => void parse.mockClear());
afterAll(() => parse.mockRestore());
const longestParsed = () => Math.max(...parse.mock.calls.map(([text]) => String(text).length));

const plain = serverConfig('plain', commands.misbehaving('many-keys'));
const textOf = (result: unknown) => JSON.stringify(result);

describe('A result with too many keys', () => {
  it('of a server on this computer is not parsed: its call fails, and the server keeps running', async () => {
    const trial = await startCore([plain]);
    const before = await trial.call('plain', 'pid');
    await expect(trial.call('plain', 'keys', { count: many })).rejects.toThrow(refusal);
    expect(longestParsed()).toBeLessThan(shortText);
    expect(await trial.call('plain', 'pid')).toEqual(before);
  });

  it.each(['application/json', 'text/event-stream'])('of a server over HTTP as %s fails the call', async (type) => {
    const trial = await startCore([await httpServer(type)]);
    await expect(trial.call('remote', 'keys', {})).rejects.toThrow(
      type === 'application/json' ? refusal : /stream|keys/,
    );
    expect(longestParsed()).toBeLessThan(shortText);
    expect(textOf(await trial.call('remote', 'small', {}))).toContain('fine');
  });

  it('has far more than 20,000, which still reach the client', async () => {
    const trial = await startCore([plain]);
    const { structuredContent } = (await trial.call('plain', 'keys', { count: 20_000 })) as {
      structuredContent: object;
    };
    expect(structuredContent).toEqual(keys(20_000));
  });
});

describe('Arguments with too many keys', () => {
  it.each(['as an object', 'as a string'])('%s get an error, and the client stays connected', async (form) => {
    const trial = await startCore([plain]);
    const client = await trial.legacyClient({}, 'lazy');
    const given = form === 'as a string' ? JSON.stringify(keys(many)) : keys(many);
    const call = (args: unknown) =>
      client
        .callTool({ name: 'execute_tool', arguments: { server: 'plain', tool: 'echo', arguments: args } })
        .catch((error: Error) => error.message);
    parse.mockClear();
    expect(textOf(await call(given))).toContain(refusal);
    expect(longestParsed()).toBeLessThan(form === 'as a string' ? Number.POSITIVE_INFINITY : shortText);
    expect(textOf(await call({ text: 'still here' }))).toContain('still here');
  });

  it('in a string that the schema requires to be an object are left to the server, unparsed', async () => {
    const trial = await startCore([plain]);
    const client = await trial.legacyClient({}, 'lazy');
    const text = JSON.stringify(keys(many));
    const place = { server: 'plain', tool: 'echo' };
    parse.mockClear();
    const result = await client.callTool({
      name: 'execute_tool',
      arguments: { ...place, arguments: { text: 7, more: text } },
    });
    expect(textOf(result)).toContain('7');
  });

  it('over HTTP get status 413', async () => {
    const trial = await startCore([plain]);
    const { url, requestInit } = await trial.http();
    const peer = httpPeer(url, String(requestInit.headers.authorization).slice('Bearer '.length));
    const params = { name: 'plain-echo', arguments: keys(many) };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    parse.mockClear();
    expect(await peer.post(body)).toMatchObject({ status: 413, body: expect.stringContaining(refusal) });
    expect(parse.mock.calls.every(([text]) => String(text).length < shortText)).toBe(true);
  });
});

describe('A long name', () => {
  const long = 'n'.repeat(limits.client.argumentNameCharacters + 1);
  const longest = long.slice(1);
  const call = (args: object, meta?: Record<string, unknown>) => ({
    name: 'execute_tool',
    arguments: { server: 'plain', tool: 'echo', arguments: args },
    ...(meta && { _meta: meta }),
  });

  it.each<[string, object, Record<string, unknown>?]>([
    ['of an argument', { [long]: 1 }],
    ['in a list', { a: [{ b: 1 }, { [long]: 1 }] }],
    ['below 40 others', nested(40, { [long]: 1 })],
    ['in the metadata', {}, { [long]: 1 }],
  ])('%s is refused before the server gets the call', async (_, args, meta) => {
    const trial = await startCore([plain]);
    const client = await trial.legacyClient({}, 'lazy');
    const text = textOf(await client.callTool(call(args, meta)));
    expect(text).toContain('ARGUMENTS_INVALID');
    expect(text).toContain(`has ${long.length} characters, and ${longest.length} are allowed`);
    expect(text).not.toContain(longest);
    expect(textOf(await client.callTool(call({ text: 'fine', [longest]: 1 })))).toContain('fine');
  });

  it('of 200,000 characters around 2,000 values does not hold Core', async () => {
    const trial = await startCore([plain]);
    const client = await trial.legacyClient({}, 'lazy');
    await client.callTool(call({}));
    const args = { ['n'.repeat(200_000)]: Array.from({ length: 2_000 }, (_, at) => `v${at}`) };
    const { result, ms } = await longestTurn(() => client.callTool(call(args)));
    expect(textOf(result)).toContain('ARGUMENTS_INVALID');
    expect(ms).toBeLessThan(200);
  });
});

const nested = (levels: number, value: object): object => (levels === 0 ? value : { a: nested(levels - 1, value) });

/** A server that answers every request as one message of this type. */
async function httpServer(type: string): Promise<ServerConfig> {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  const large = JSON.stringify({ content: [], structuredContent: keys(many) });
  const answers: Record<string, (params: { name?: string }) => string> = {
    initialize: () =>
      JSON.stringify({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      }),
    'tools/list': () => JSON.stringify({ tools: [tool('keys'), tool('small')] }),
    'tools/call': ({ name }) => (name === 'keys' ? large : '{"content":[{"type":"text","text":"fine"}]}'),
  };
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method = '', params } = body === '' ? {} : JSON.parse(body);
    const result = answers[method]?.(params);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (id === undefined) return void response.writeHead(202).end();
    const other = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Unknown"}}`;
    const message = result ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` : other;
    response.writeHead(200, { 'content-type': type });
    response.end(type === 'application/json' ? message : `event: message\ndata: ${message}\n\n`);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return {
    ...serverConfig('remote', commands.misbehaving('normal')),
    connection: { type: 'http', url, headers: {} },
  } as ServerConfig;
}
