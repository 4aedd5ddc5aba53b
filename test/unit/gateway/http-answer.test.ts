/** Responses to calls over HTTP whose client reads slowly. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { answerOn } from '../../../electron/core/gateway/transports/http-answer.ts';

afterEach(() => void vi.useRealTimers());

it('Nothing is written after the end of a response that its client has not read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  client.pause();
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const output = answerOn(response, 'session');
  const failed = vi.fn();
  response.on('error', failed);
  vi.advanceTimersByTime(600);
  output.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(20_000_000) } });
  vi.advanceTimersByTime(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(response.writableFinished).toBe(false);
  expect(failed).not.toHaveBeenCalled();
  client.destroy();
  server.close();
});
