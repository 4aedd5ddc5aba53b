/**
 * Thirty healthy servers and every kind of failing server in one Core, as real processes and over real sockets: each failing
 * server ends in its expected state with a clear cause, during continuous calls to the healthy ones.
 *
 * @module-tag exhaustive
 * @module-tag openssl
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sealer } from '../../../electron/core/host.ts';
import type { ServerConfig, ServerView } from '../../../shared/model/server.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { selfSigned } from '../../fixtures/certificate.ts';
import { commands, httpServerConfig, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { memorySealer, type TestHost, testHost } from '../../fixtures/host.ts';
import { type HttpFixture, startHttpFixture } from '../../fixtures/http-server.ts';
import { keepCalling } from './calling.ts';
import { failureOf, textOf } from './server-harness.ts';

let http: HttpFixture;
let secure: HttpFixture;
/** An address at which no process listens. */
let deserted: string;
beforeAll(async () => {
  http = await startHttpFixture();
  const gone = await startHttpFixture();
  deserted = gone.url('/legacy');
  await gone.close();
  secure = await startHttpFixture({ tls: selfSigned() });
});
afterAll(() => Promise.all([http.close(), secure.close()]));

const local = (name: string, behaviour: string, lifecycle: ServerConfig['lifecycle'] = {}, ...options: string[]) =>
  serverConfig(name, commands.misbehaving(behaviour, ...options), { lifecycle });
const remote = (name: string, path: string, lifecycle: ServerConfig['lifecycle'] = {}) =>
  httpServerConfig(name, http.url(path), { lifecycle });

/** The final state of a server, and the message that the user reads. */
interface Ends {
  config: ServerConfig;
  status: ServerView['status'];
  phase?: ServerView['phase'];
  code?: string;
  says?: string;
  tools?: number;
  warns?: string;
}

const brief = { startTimeoutMs: 1_500 };

/** A keyring that prompts for a password to open the entry `locked`; no user answers. */
const keyring: Sealer = {
  ...memorySealer(),
  label: 'test keyring',
  seal: async (plain) => plain,
  unseal: (sealed) => (sealed === 'locked' ? new Promise(() => undefined) : Promise.resolve(sealed)),
};

/** Hangs for one server, and fails for another. */
const stuckPlugin = `export default {
  name: 'stuck',
  timeoutMs: 500,
  transformTool(tool) {
    if (tool.server === 'crash-registration') throw new Error('broken on purpose at ' + tool.name);
    return tool;
  },
  afterDiscovery: (server) => (server === 'hang-registration' ? new Promise(() => {}) : undefined),
};
`;

/** Servers that fail from the start, or are unusual but usable. */
function troublemakers(host: TestHost): Ends[] {
  const failed = { status: 'failed' as const };
  const ready = { status: 'ready' as const };
  const unknown = serverConfig('no-command', { command: 'no-such-command-anywhere', args: [] });
  const secret = serverConfig('no-secret', { ...commands.misbehaving(), env: { KEY: '${NO_SUCH_VARIABLE}' } });
  const needs = (name: string, value: string) => serverConfig(name, { ...commands.misbehaving(), env: { KEY: value } });
  const pipe = join(host.homeDir, 'env');
  execFileSync('mkfifo', [pipe]);
  const piped = serverConfig('hang-configuration-pipe', commands.misbehaving());
  if (piped.connection.type === 'stdio') piped.connection.envFile = pipe;
  const oldSse = { type: 'sse' as const, url: http.url('/sse'), headers: {} };
  const overSse = { connection: { type: 'sse' as const, url: http.url('/hang'), headers: {} }, lifecycle: brief };
  return [
    // Each phase: configuration, transport, session, discovery, registration.
    {
      config: needs('hang-configuration-keyring', '${secret:locked}'),
      ...{ ...failed, phase: 'configuration', code: 'SECRET_TIMEOUT', says: 'test keyring timed out' },
    },
    {
      config: piped,
      ...{ ...failed, phase: 'configuration', code: 'SECRET_TIMEOUT', says: `The pipe ${pipe} timed out` },
    },
    {
      config: needs('hang-configuration-input', '${input:token}'),
      ...{ ...failed, phase: 'configuration', code: 'SECRET_MISSING', says: 'Not set: input "token"' },
    },
    { config: secret, ...failed, phase: 'configuration', code: 'SECRET_MISSING', says: 'NO_SUCH_VARIABLE' },
    { config: unknown, ...failed, phase: 'transport', code: 'SERVER_SPAWN_FAILED', says: 'was not found' },
    {
      config: httpServerConfig('hang-transport', '', overSse),
      ...{ ...failed, phase: 'transport', code: 'SERVER_TIMEOUT', says: 'Connecting to' },
    },
    {
      config: local('hang-session', 'hang-at-initialize', brief),
      ...{ ...failed, phase: 'session', code: 'SERVER_TIMEOUT', says: '(initialize)' },
    },
    {
      config: local('hang-session-stubborn', 'hang-at-initialize,banner,garbage,ignore-sigterm', brief),
      ...{ ...failed, phase: 'session', code: 'SERVER_TIMEOUT', says: '(initialize)' },
    },
    {
      config: local('hang-discovery', 'hang-at-list'),
      ...{ ...failed, phase: 'discovery', code: 'SERVER_TIMEOUT', says: 'took longer than' },
    },
    {
      config: local('crash-start', 'crash-at-start'),
      ...{ ...failed, phase: 'session', code: 'SERVER_CRASHED', says: 'broken on purpose at start' },
    },
    {
      config: local('crash-session', 'crash-at-initialize'),
      ...{ ...failed, phase: 'session', code: 'SERVER_CRASHED', says: 'broken on purpose at initialize' },
    },
    {
      config: local('crash-discovery', 'crash-at-list'),
      ...{ ...failed, code: 'SERVER_CRASHED', says: 'broken on purpose at tools/list' },
    },
    {
      config: local('crash-loop', 'crash-loop', { keepAlive: true }, 'delay=300'),
      ...{ ...failed, code: 'SERVER_CRASHED', says: 'will not be restarted automatically' },
    },
    {
      config: local('refuses', 'refuse-initialize'),
      ...{ ...failed, phase: 'session', code: 'SERVER_PROTOCOL_ERROR', says: 'not today' },
    },
    // Unusual but usable.
    { config: local('bad-pages', 'bad-pages'), ...ready, tools: 2, warns: 'page lost' },
    {
      config: local('hang-registration', 'normal'),
      ...ready,
      tools: 6,
      warns: 'afterDiscovery took longer than 500 ms',
    },
    { config: local('crash-registration', 'normal'), ...ready, tools: 6, warns: 'broken on purpose at echo' },
    { config: local('slow-start', 'slow-start', {}, 'delay=1500'), ...ready, tools: 6 },
    { config: local('chatty', 'banner,garbage'), ...ready, tools: 6 },
    { config: local('endless', 'loop-pages'), ...ready, tools: 6, warns: 'repeats the same pages' },
    { config: local('many', 'many-tools'), ...ready, tools: 5000 },
    { config: local('many-endless', 'many-tools,loop-pages'), ...ready, tools: 500, warns: 'repeats the same pages' },
    { config: local('bombs', 'schema-bomb'), ...ready, tools: 7, warns: 'deep' },
    { config: local('twins', 'duplicate-names,bad-tools'), ...ready, tools: 6, warns: 'echo' },
    { config: local('storm', 'storm'), ...ready, tools: 6 },
    { config: serverConfig('modern-only', commands.modernOnly()), ...ready, tools: 12 },
    { config: local('legacy-only', 'exit-on-unknown'), ...ready, tools: 6 },
    { config: local('probe-hangs', 'hang-on-unknown'), ...ready, tools: 6 },
    // Over HTTP.
    { config: remote('http-401', '/status/401'), ...failed, code: 'SERVER_AUTH_REQUIRED', says: '401' },
    { config: remote('http-403', '/status/403'), ...failed, code: 'SERVER_AUTH_REQUIRED', says: '403' },
    { config: remote('http-404', '/status/404'), ...failed, code: 'SERVER_HTTP_ERROR', says: 'not found' },
    { config: remote('http-429', '/status/429'), ...failed, code: 'SERVER_HTTP_ERROR', says: 'too many requests' },
    { config: remote('http-500', '/status/500'), ...failed, code: 'SERVER_HTTP_ERROR', says: 'internal error' },
    { config: remote('redirected', '/redirect-away'), ...failed, code: 'SERVER_HTTP_ERROR', says: 'redirects' },
    { config: remote('redirected-here', '/redirect-here'), ...ready, tools: 12 },
    { config: remote('hang-http', '/hang', brief), ...failed, phase: 'session', code: 'SERVER_TIMEOUT' },
    {
      config: remote('web-page', '/html'),
      ...failed,
      code: 'SERVER_PROTOCOL_ERROR',
      says: 'did not respond like an MCP server',
    },
    { config: remote('trickle', '/trickle'), ...ready, tools: 12 },
    { config: httpServerConfig('old-sse', '', { connection: oldSse }), ...ready, tools: 12 },
    {
      config: httpServerConfig('tls', secure.url('/dual')),
      ...{ ...failed, code: 'SERVER_UNREACHABLE', says: 'certificate' },
    },
    {
      config: httpServerConfig('odd-port', 'http://127.0.0.1:1/mcp'),
      ...{ ...failed, code: 'SERVER_UNREACHABLE', says: 'HTTP clients block this port' },
    },
    {
      config: httpServerConfig('nobody-there', deserted),
      ...{ ...failed, code: 'SERVER_UNREACHABLE', says: 'connection refused' },
    },
  ];
}

/** Servers that fail only when called. */
const callable = () => ({
  'hang-call': local('hang-call', 'hang-at-call', { timeoutMs: 1_000 }),
  'crash-call': local('crash-call', 'crash-at-call'),
  'half-line': local('half-line', 'half-line'),
  'long-line': local('long-line', 'long-line'),
  drop: remote('drop', '/drop'),
});

function goodServers(): ServerConfig[] {
  return [
    ...Array.from({ length: 26 }, (_, index) => local(`good-${index}`, 'normal', { idleTimeoutMs: 0 })),
    serverConfig('good-modern', commands.modernOnly(), { lifecycle: { idleTimeoutMs: 0 } }),
    serverConfig('good-content', commands.content(), { lifecycle: { idleTimeoutMs: 0 } }),
    remote('good-http', '/dual'),
    remote('good-http-legacy', '/legacy'),
  ];
}

test('Thirty healthy servers stay callable while every kind of failing server ends in its expected state', async () => {
  const host = testHost({ sealer: keyring });
  writeFileSync(join(host.dataDir, 'stuck.mjs'), stuckPlugin);
  const good = goodServers();
  expect(good.length).toBe(30);
  // This server was modern before, and the probe of that era hangs.
  host.store.set('eras', { 'probe-hangs': { era: 'modern' } });
  const config = {
    lifecycle: { discoveryTimeout: '20s', callTimeout: '20s' },
    elicitation: { timeout: '2s' },
    plugins: [{ path: './stuck.mjs' }],
  };
  const t = await startCore(good, { host, config });
  const { handlers } = t.core;
  // A window is open, but the user does not look at it.
  t.core.attach(linkedWires()[1], { answersQuestions: true });
  await handlers['secrets.set']({ name: 'locked', value: 'locked' });
  await eventually(() => good.every(({ name }) => t.view(name).toolCount > 0), 'the good ones', 60_000);
  const calling = keepCalling(t, good);
  await eventually(() => calling.rounds > 0, 'a first round of calls', 60_000);

  const bad = troublemakers(host);
  for (const { config } of bad) await handlers['servers.save']({ server: config });
  for (const config of Object.values(callable())) await handlers['servers.save']({ server: config });

  for (const { config, status, phase, code, says, tools, warns } of bad) {
    const { name } = config;
    const ended = await eventually(
      () => {
        const view = t.view(name);
        if (status === 'failed') return view.status === 'failed' && view.failure?.message.includes(says ?? '') && view;
        // Servers that were started only for discovery are stopped again if there are many.
        return (view.status === 'ready' || view.status === 'idle') && view.toolCount > 0 && view;
      },
      `"${name}" is ${status}, but it is ${JSON.stringify(t.view(name).failure)}`,
      60_000,
    );
    expect(ended.failure?.code, name).toBe(code);
    if (phase) expect(ended.phase, name).toBe(phase);
    if (tools !== undefined) expect(ended.toolCount, name).toBe(tools);
    if (warns !== undefined) expect(ended.warnings.join('\n'), name).toContain(warns);
    if (code) expect(`${ended.failure?.message} ${ended.failure?.hint}`.length, name).toBeGreaterThan(30);
    if (phase === 'configuration') expect(ended.failure?.hint, name).toMatch(/restart the server/);
  }
  expect(await handlers['questions.list']()).toEqual([]);
  await Promise.all(
    Object.keys(callable()).map((name) => eventually(() => t.view(name).toolCount > 0, `${name} is listed`, 30_000)),
  );
  expect(await failureOf(t.call('hang-call', 'echo', { text: 'x' }))).toMatchObject({ code: 'SERVER_TIMEOUT' });
  expect(await failureOf(t.call('crash-call', 'echo', { text: 'x' }))).toMatchObject({
    code: 'SERVER_CRASHED',
    message: expect.stringContaining('broken on purpose at tools/call'),
  });
  expect(await failureOf(t.call('half-line', 'echo', { text: 'x' }))).toMatchObject({ code: 'SERVER_CRASHED' });
  expect(await failureOf(t.call('drop', 'text'))).toMatchObject({ code: 'SERVER_UNREACHABLE' });
  expect(textOf(await t.call('long-line', 'big')).length).toBe(10 * 1024 * 1024);
  expect(textOf(await t.call('probe-hangs', 'echo', { text: 'still here' }))).toBe('still here');
  expect(textOf(await t.call('trickle', 'text'))).toContain('plain');

  const roundsSoFar = calling.rounds;
  await eventually(() => calling.rounds > roundsSoFar, 'another round of calls', 60_000);
  await calling.stop();
  expect(calling.problems).toEqual([]);
  for (const { name } of good) expect(t.view(name).failure, name).toBeUndefined();

  await t.core.close();
  const groups = join(host.dataDir, 'run', 'groups');
  expect(existsSync(groups) ? readdirSync(groups) : []).toEqual([]);
  host.dispose();
}, 240_000);
