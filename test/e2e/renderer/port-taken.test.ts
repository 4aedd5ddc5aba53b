/** A page whose Core has ended reveals nothing to the program that took its port. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterAll(() => tests.close());

it('The page sends only a nonce to an unknown listener on its port, and trusts none of its replies', async () => {
  const { page, served } = await tests.open();
  await page.getByRole('link', { name: /^weather/ }).waitFor();
  const stored = await page.evaluate<string>(
    'JSON.stringify([location.href, { ...sessionStorage }, { ...localStorage }, document.cookie])',
  );
  expect(stored).not.toMatch(/code|key|secret|token/);
  await served.close();

  const heard: string[] = [];
  const http = createServer().listen(served.port, '127.0.0.1');
  new WebSocketServer({ server: http }).on('connection', (socket) => {
    socket.on('message', (data) => {
      heard.push(String(data));
      socket.send(JSON.stringify({ nonce: 'x'.repeat(43), proof: 'x'.repeat(43) }));
      socket.send('{"ok":true}');
      socket.send(JSON.stringify({ kind: 'event', name: 'core.changed', data: {} }));
    });
  });
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  await page.getByText('This page needs a new address').waitFor();
  for (const message of heard) expect(Object.keys(JSON.parse(message)).sort()).toEqual(['id', 'nonce', 'toolkeep']);
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});
