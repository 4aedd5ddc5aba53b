/** A config file may use the keys and placeholders that other MCP hosts use to register servers. */
import { expect, test } from 'vitest';
import { checkDocument } from '../../../electron/core/config/check.ts';
import { resolveConnection } from '../../../electron/core/secrets/resolve.ts';

function serverOf(entry: object) {
  const { document, problems, warnings } = checkDocument({ servers: { one: entry } }, 'config.json', () => undefined);
  return { server: document?.servers[0], problems, warnings };
}

test.each([
  [
    { transport_type: 'stdio', server_path: '/srv/tool.py', args: ['--fast'], timeout: 30 },
    { type: 'stdio', command: 'python', args: ['/srv/tool.py', '--fast'] },
    { timeoutMs: 30_000 },
  ],
  [
    { transport_type: 'local', command: 'run-it', args: ['{DATA_DIR}'] },
    { type: 'stdio', args: ['${DATA_DIR}'] },
    undefined,
  ],
  [
    {
      transport_type: 'http_stream',
      http_endpoint: 'https://{API_HOST}/mcp',
      headers: { Authorization: 'Bearer {API_TOKEN}' },
      timeout: 30,
      sse_read_timeout: 300,
    },
    { type: 'http', url: 'https://${API_HOST}/mcp', headers: { Authorization: 'Bearer ${API_TOKEN}' } },
    { timeoutMs: 30_000, readTimeoutMs: 300_000 },
  ],
  [
    { transport_type: 'http_stream', http_endpoint: 'https://x.example/mcp' },
    { type: 'http', url: 'https://x.example/mcp' },
    { timeoutMs: 30_000 },
  ],
])('The connection %j is valid', (entry, connection, lifecycle) => {
  const { server, problems, warnings } = serverOf(entry);
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  expect(server?.connection).toMatchObject(connection);
  expect(server?.lifecycle).toEqual(lifecycle);
});

test.each([
  [{ command: 5 }, 'servers.one.command: must be a string, not a number (config.json)'],
  [{ url: 7 }, 'servers.one.url: must be a string, not a number (config.json)'],
  [{ env: {} }, 'servers.one.type: needs a "command" that starts the server, or its "url" (config.json)'],
])('The problem with the connection %j is reported at its key', (entry, message) => {
  expect(serverOf(entry).problems.map((problem) => problem.message)).toEqual([message]);
});

test('server_slug is the slug of a server', () => {
  const { server, problems } = serverOf({ server_slug: 'context7', url: 'https://x.example' });
  expect([server?.slug, problems]).toEqual(['context7', []]);
  expect(serverOf({ server_slug: 'con text', url: 'https://x.example' }).problems).not.toEqual([]);
});

test('A sandbox belongs to a server with a command, and a problem with it is reported at its key', () => {
  const { server, problems } = serverOf({ command: 'a', sandbox: { files: { write: ['~/notes'] } } });
  expect(problems).toEqual([]);
  expect(server?.sandbox).toEqual({ files: { read: [], write: ['~/notes'] }, network: { allow: [] } });
  const messageOf = (entry: object) => serverOf(entry).problems.map(({ message }) => message);
  expect(messageOf({ command: 'a', sandbox: 'yes' })).toEqual([
    expect.stringMatching(/^servers\.one\.sandbox: must be true, "auto", or an object such as/),
  ]);
  expect(messageOf({ url: 'https://x.example', sandbox: true })).toEqual([
    'servers.one.sandbox: needs a server with a command: Toolkeep does not start a remote server (config.json)',
  ]);
});

test('An unset placeholder {API_TOKEN} is an error that names it, and a set one is resolved', () => {
  const { server } = serverOf({ url: 'https://x.example', headers: { Authorization: 'Bearer {API_TOKEN}' } });
  if (!server) throw new Error('no server');
  const resolve = (env: Record<string, string>) => resolveConnection(server.connection, { env, homeDir: '/home/me' });
  expect(() => resolve({})).toThrowError(/Not set: API_TOKEN/);
  expect(resolve({ API_TOKEN: 't' })).toMatchObject({ headers: { Authorization: 'Bearer t' } });
});

test.each([[{ transport_type: 'stdio' }], [{ transport_type: 'http_stream', command: undefined }]])(
  'The connection %j lacks a key of its transport and is reported',
  (entry) => {
    expect(serverOf(entry).problems).not.toEqual([]);
  },
);

test.each([['{"a": 1}'], ['${API_TOKEN}'], ['{id}'], ['/users/{userId}']])(
  'The text %j is not a placeholder',
  (text) => {
    expect(serverOf({ command: 'x', args: [text] }).server?.connection).toMatchObject({ args: [text] });
  },
);
