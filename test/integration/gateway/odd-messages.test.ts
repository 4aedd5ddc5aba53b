/** Client messages that no SDK would send. */
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { streamTransport } from '../../../electron/core/gateway/transports/stream-transport.ts';
import { startCore } from '../../fixtures/core.ts';

it.each([
  ['params of null', { method: 'subscriptions/listen', params: null }],
  ['params that are no object', { method: 'subscriptions/listen', params: 'x' }],
  ['a filter of null', { method: 'subscriptions/listen', params: { notifications: null } }],
  [
    'metadata that is no object',
    { method: 'subscriptions/listen', params: { _meta: 7, notifications: { resourceSubscriptions: ['x:1'] } } },
  ],
  ['a cancellation without params', { method: 'notifications/cancelled', params: null }],
])('A request with %s leaves Core running, and the next one is answered', async (_what, message) => {
  const { core } = await startCore([]);
  const [theirs, ours] = duplexPair();
  core.gateway.serveStream(ours, { mode: 'lazy' });
  const answers: { id?: unknown }[] = [];
  theirs.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) answers.push(JSON.parse(line));
  });
  theirs.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })}\n`);
  theirs.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
  await expect.poll(() => answers.map(({ id }) => id)).toContain(2);
  theirs.end();
});

it('The log names a response that answers no request, without its content', async () => {
  const { core, host } = await startCore([]);
  const [theirs, ours] = duplexPair();
  core.gateway.serveStream(ours, { mode: 'lazy' });
  theirs.resume();
  theirs.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'odd', version: '1' } } })}\n`,
  );
  theirs.write('{"jsonrpc":"2.0","id":99,"result":{"content":{"password":"a-password-of-the-user"}}}\n');
  const fromClient = () => host.logged.filter(({ message }) => message.startsWith('client:'));
  await expect.poll(fromClient).toHaveLength(1);
  expect(host.logged.map(({ message }) => message).join('\n')).not.toContain('a-password');
  theirs.end();
});

it('A long name and version are cut to 200 characters', async () => {
  const { core } = await startCore([]);
  const [theirs, ours] = duplexPair();
  core.gateway.serveStream(ours, { mode: 'lazy' });
  theirs.resume();
  const clientInfo = { name: 'n'.repeat(30_000), version: '1'.repeat(30_000) };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  theirs.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  theirs.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const names = async () => (await core.handlers['core.status'](undefined)).clients.map(({ name }) => name.length);
  await expect.poll(names).toEqual([200]);
  theirs.end();
});

it('A client that says more than 64 KB about itself is disconnected', async () => {
  const { core } = await startCore([]);
  const [theirs, ours] = duplexPair();
  core.gateway.serveStream(ours, { mode: 'lazy' });
  const params = { protocolVersion: '2025-11-25', capabilities: { experimental: { x: 'x'.repeat(70_000) } } };
  theirs.resume().write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(theirs, 'end');
});

it('A client that does not read is disconnected', async () => {
  const [, ours] = duplexPair();
  const transport = streamTransport(ours, () => false);
  await transport.start();
  const closed = once(ours, 'close');
  const params = { text: 'x'.repeat(60_000_000) };
  for (let count = 0; count < 6; count += 1) {
    transport.send({ jsonrpc: '2.0', method: 'notifications/message', params }).catch(() => undefined);
    await setImmediate();
  }
  await closed;
});

it('A batch of more than 100 messages is refused before any of them runs', async () => {
  const { core } = await startCore([]);
  const [theirs, ours] = duplexPair();
  core.gateway.serveStream(ours, { mode: 'lazy' });
  let received = '';
  theirs.setEncoding('utf8').on('data', (text: string) => (received += text));
  const pings = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
  theirs.write(`${pings(101)}\n`);
  await expect.poll(() => received).toContain('A batch may have at most 100 messages, not 101.');
  expect(received.trim().split('\n')).toHaveLength(1);
  theirs.end();
});

it.each<[string, Record<string, unknown>, unknown, boolean]>([
  ['params of null', { id: 7, method: 'tools/list', params: null }, 7, true],
  ['metadata of null', { id: 7, method: 'tools/list', params: { _meta: null } }, 7, true],
  ['a number with a fraction as its id', { id: 1.5, method: 'tools/list' }, 1.5, false],
  ['an id of null', { id: null, method: 'tools/list' }, null, false],
  ['an object as its id', { id: { a: 1 }, method: 'tools/list' }, null, false],
  ['a list of params', { id: 7, method: 'prompts/list', params: ['x'] }, 7, false],
  [
    'a progress token that is no token',
    { id: 7, method: 'prompts/list', params: { _meta: { progressToken: [] } } },
    7,
    false,
  ],
  ['a method that is no text', { id: 7, method: 5 }, 7, false],
  ['no version', { jsonrpc: undefined, id: 7, method: 'tools/list' }, 7, false],
])('A request with %s is answered', async (_what, message, id, isGood) => {
  const { core } = await startCore([]);
  const [theirs, ours] = duplexPair();
  core.gateway.serveStream(ours, { mode: 'lazy' });
  const answers: { id?: unknown; result?: object; error?: object }[] = [];
  theirs.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) answers.push(JSON.parse(line));
  });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'odd', version: '1' } };
  theirs.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'start', method: 'initialize', params })}\n`);
  theirs.write('{"jsonrpc":"2.0","method":"notifications/initialized","params":null}\n');
  theirs.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await expect
    .poll(() => answers.find((answer) => answer.id === id))
    .toMatchObject(isGood ? { result: {} } : { error: {} });
  theirs.end();
});
