/** Servers over stdio: what reaches them, what they may print, and how their end is told (rows D1, D2, E7). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { UpstreamRpcError } from '../../electron/core/upstream/upstream.ts';
import { commands } from '../fixtures/commands.ts';
import { contentTools, newContentState, results } from '../fixtures/content.ts';
import { testHost } from '../fixtures/host.ts';
import { failureOf, textOf, tryServer } from './helper.ts';

test('hands on every result as the server sent it, unknown fields included', async () => {
  const { call } = tryServer(commands.content());
  for (const [name, result] of Object.entries(results)) expect(await call(name), name).toEqual(result);
});

test('hands on the list of tools as the server sent it, unknown fields included', async () => {
  const { upstream } = tryServer(commands.content());
  expect(await upstream.request({ method: 'tools/list' })).toEqual({ tools: contentTools(newContentState()) });
});

test('talks to real servers as installed from npm (D2, D3)', async () => {
  const host = testHost();
  const everything = tryServer(commands.everything());
  const files = tryServer(commands.filesystem(host.homeDir), { host });
  expect(textOf(await everything.call('echo', { message: 'hello' }))).toBe('Echo: hello');
  expect(textOf(await files.call('list_allowed_directories'))).toContain(host.homeDir);
});

test("gives the server the login shell's environment with its own values on top (D1)", async () => {
  const host = testHost({ env: { FROM_SHELL: 'shell', BOTH: 'shell' } });
  const { call } = tryServer({ ...commands.misbehaving(), env: { BOTH: 'server' } }, { host });
  expect(textOf(await call('env', { name: 'FROM_SHELL' }))).toBe('shell');
  expect(textOf(await call('env', { name: 'BOTH' }))).toBe('server');
  expect(textOf(await call('env', { name: 'GATEHOUSE_DEPTH' }))).toBe('1');
});

test('finds the command on the PATH of the login shell', async () => {
  const command = commands.misbehaving();
  const host = testHost();
  const folder = join(host.homeDir, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'my-server'), `#!/bin/sh\nexec "${command.command}" ${command.args.join(' ')}\n`, {
    mode: 0o755,
  });
  const env = { ...host.env, PATH: `${folder}:/usr/bin:/bin` };
  const { upstream } = tryServer({ command: 'my-server', args: [] }, { host: { ...host, env } });
  expect((await upstream.start()).serverInfo?.name).toBe('misbehaving');
});

test('says which command is missing and where it was searched (D2, E7)', async () => {
  const { upstream } = tryServer({ command: 'no-such-command', args: [] });
  const failure = await failureOf(upstream.start());
  expect(failure).toMatchObject({ code: 'SERVER_SPAWN_FAILED', server: 'trial' });
  expect(failure.message).toContain('"no-such-command"');
  expect(failure.hint).toContain(`Searched: ${process.env.PATH?.split(delimiter).join(', ')}`);
});

test('a server that reads no more and then leaves is told by what it printed, not by the broken pipe (E7)', async () => {
  const script = `process.stdin.once('data', (data) => {
    const { id } = JSON.parse(String(data).split('\\n')[0]);
    const serverInfo = { name: 'leaver', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
    process.stdin.destroy();
    require('node:fs').closeSync(0);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    setTimeout(() => { console.error('no licence key'); process.exit(3); }, 400);
  });`;
  const { upstream } = tryServer({ command: process.execPath, args: ['-e', script] });
  expect(await failureOf(upstream.start())).toMatchObject({
    code: 'SERVER_CRASHED',
    message: expect.stringContaining('no licence key'),
  });
});

test('tells the last output without its colours, and masks a secret that begins behind one (E7)', async () => {
  const script =
    "console.error('\\x1b[1;31mFATAL\\x1b[0m no database\\n\\x1b[32mghp_abcdefghijklmnopqrstuvwxyz0123456789\\x1b[0m'); process.exit(2)";
  const { upstream } = tryServer({ command: process.execPath, args: ['-e', script] });
  const { message } = await failureOf(upstream.start());
  expect(message).toContain('Its last output:\nFATAL no database\n');
  expect(message).not.toMatch(/\[0m|ghp_abc/);
});

test('says which folder is missing rather than blaming the command', async () => {
  const { upstream } = tryServer(commands.misbehaving(), {
    resolve: (connection) => ({
      ...(connection as Extract<typeof connection, { type: 'stdio' }>),
      cwd: '/no/such/folder',
    }),
  });
  expect((await failureOf(upstream.start())).message).toContain('/no/such/folder');
});

test('refuses to start Gatehouse inside Gatehouse without end', async () => {
  const { upstream, states } = tryServer(commands.misbehaving(), { host: testHost({ env: { GATEHOUSE_DEPTH: '3' } }) });
  const failure = await failureOf(upstream.start());
  expect(failure.code).toBe('SERVER_SPAWN_FAILED');
  expect(failure.message).toContain('Gatehouse inside Gatehouse');
  expect(states.some((state) => state.pid !== undefined)).toBe(false);
});

test('tells which values are missing in the phase configuration, without starting anything (D1)', async () => {
  const { upstream, states } = tryServer({ ...commands.misbehaving(), env: { TOKEN: '${NOT_SET_ANYWHERE}' } });
  const failure = await failureOf(upstream.start());
  expect(failure).toMatchObject({ code: 'SECRET_MISSING', server: 'trial' });
  expect(failure.message).toContain('NOT_SET_ANYWHERE');
  expect(upstream.state).toMatchObject({ status: 'failed', phase: 'configuration' });
  expect(states.some((state) => state.pid !== undefined)).toBe(false);
});

test('works with a server that greets and logs on stdout, and says so in a warning (E7)', async () => {
  const { upstream, call } = tryServer(commands.misbehaving('banner,garbage'));
  expect(textOf(await call('echo', { text: 'hi' }))).toBe('hi');
  expect(upstream.state.warnings).toEqual([expect.stringContaining('stdout')]);
});

test('takes an answer of 10 MB in one line', async () => {
  const { call } = tryServer(commands.misbehaving('long-line'));
  expect(textOf(await call('big')).length).toBe(10 * 1024 * 1024);
});

test('stops a server whose line goes beyond the bound, and names the bound', async () => {
  const { upstream, call } = tryServer(commands.misbehaving('long-line'), { tuning: { maxLineBytes: 1024 * 1024 } });
  const failure = await failureOf(call('big'));
  expect(failure.code).toBe('SERVER_PROTOCOL_ERROR');
  expect(failure.message).toContain('1 MB');
  expect(upstream.state).toMatchObject({ status: 'failed', failure: { code: 'SERVER_PROTOCOL_ERROR' } });
});

test('takes half a line at the end of output for the crash that it is', async () => {
  const { call } = tryServer(commands.misbehaving('half-line'));
  expect(await failureOf(call('echo'))).toMatchObject({ code: 'SERVER_CRASHED' });
});

test.each([
  ['crash-at-start', 'session'],
  ['crash-at-initialize', 'session'],
] as const)('%s: tells exit code, phase and what was printed last', async (behaviour, phase) => {
  const { upstream } = tryServer(commands.misbehaving(behaviour));
  const failure = await failureOf(upstream.start());
  expect(failure.code).toBe('SERVER_CRASHED');
  expect(failure.message).toContain('exit code 3');
  expect(failure.message).toContain('Fatal: broken on purpose');
  expect(upstream.state).toMatchObject({ status: 'failed', phase, failure: { code: 'SERVER_CRASHED' } });
});

test('a crash during a call ends that call with the last output (E7)', async () => {
  const { call, upstream } = tryServer(commands.misbehaving('crash-at-call'));
  const failure = await failureOf(call('echo'));
  expect(failure.code).toBe('SERVER_CRASHED');
  expect(failure.message).toContain('broken on purpose at tools/call');
  expect(upstream.state.status).toBe('failed');
});

test('never repeats a secret that the server printed', async () => {
  const command = commands.misbehaving('leaky,crash-at-start');
  const { upstream, host } = tryServer({ ...command, env: { API_TOKEN: 'abcdef-secret-987' } });
  const failure = await failureOf(upstream.start());
  expect(failure.message).toContain('broken on purpose');
  expect(JSON.stringify([failure, host.logged, upstream.state])).not.toContain('abcdef-secret-987');
});

test("hands on a server's own JSON-RPC error with code and data", async () => {
  const { call } = tryServer(commands.misbehaving());
  const error = await call('fail').catch((reason) => reason);
  expect(error).toBeInstanceOf(UpstreamRpcError);
  expect(error).toMatchObject({ code: -32050, message: 'refused on purpose', data: { reason: 'test' } });
});

test('answers a request for roots that comes before any call', async () => {
  const { call } = tryServer(commands.misbehaving('ask-at-start'));
  expect(textOf(await call('echo', { text: 'still here' }))).toBe('still here');
});
