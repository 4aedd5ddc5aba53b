/** Servers over stdio: their environment and input, their output, and the report of their exit. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RpcError } from '../../../electron/core/jsonrpc/rpc-error.ts';
import { commands } from '../../fixtures/commands.ts';
import { contentTools, newContentState, results } from '../../fixtures/content.ts';
import { testHost } from '../../fixtures/host.ts';
import { failureOf, textOf, tryServer } from './server-harness.ts';

test('Every result is forwarded unchanged, with unknown fields', async () => {
  const { call } = tryServer(commands.content());
  for (const [name, result] of Object.entries(results)) expect(await call(name), name).toEqual(result);
});

test('The list of tools is forwarded unchanged, with unknown fields', async () => {
  const { handle } = tryServer(commands.content());
  expect(await handle.request({ method: 'tools/list' })).toEqual({ tools: contentTools(newContentState()) });
});

test('Real servers from npm work', async () => {
  const host = testHost();
  const everything = tryServer(commands.everything());
  const files = tryServer(commands.filesystem(host.homeDir), { host });
  expect(textOf(await everything.call('echo', { message: 'hello' }))).toBe('Echo: hello');
  expect(textOf(await files.call('list_allowed_directories'))).toContain(host.homeDir);
});

test('A server gets a minimal environment with its own variables on top', async () => {
  const env = { GITHUB_TOKEN: 'token', BOTH: 'shell', LC_ALL: 'C', https_proxy: 'http://proxy:1', NVM_DIR: '/nvm' };
  const host = testHost({ env: { ...env, TOOLKEEP_PASSPHRASE: 'open sesame', XDG_RUNTIME_DIR: '/run/user/1' } });
  const { call } = tryServer({ ...commands.misbehaving(), env: { BOTH: 'server' } }, { host });
  const value = async (name: string) => textOf(await call('env', { name }));
  expect(await value('BOTH')).toBe('server');
  expect(await value('TOOLKEEP_DEPTH')).toBe('1');
  for (const name of ['PATH', 'HOME', 'LC_ALL', 'https_proxy', 'NVM_DIR'])
    expect(await value(name)).toBe(host.env[name]);
  for (const name of ['GITHUB_TOKEN', 'XDG_RUNTIME_DIR', 'TOOLKEEP_PASSPHRASE'])
    expect(await value(name), name).not.toBe(host.env[name]);
});

test('A secret on the command line is reported without its value', async () => {
  const [script, ...rest] = commands.misbehaving().args;
  const secret = 'sk_live_51H8a9bC2dE3fG4hI5j';
  const server = { command: process.execPath, args: [script as string, ...rest, '--api-key', secret] };
  const { handle } = tryServer(server);
  await handle.start();
  expect(handle.state.warnings).toEqual([expect.stringContaining('command line contains a secret')]);
  expect(JSON.stringify(handle.state)).not.toContain(secret);
  const harmless = tryServer(commands.misbehaving());
  await harmless.handle.start();
  expect(harmless.handle.state.warnings).toEqual([]);
});

describe('A program that crashes', { tags: ['posix'] }, () => {
  const [script] = commands.misbehaving().args;
  const host = (terminalPath?: string) => {
    const made = testHost({ env: { PATH: '' } });
    const folderWith = (name: string, body: string) => {
      const folder = join(made.homeDir, name);
      mkdirSync(folder);
      writeFileSync(join(folder, 'node'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
      return folder;
    };
    const old = folderWith('old', '[ "$1" = --version ] && echo v1.2.3 || exit 3');
    const good = folderWith('good', `exec ${process.execPath} "$@"`);
    const env = { ...made.env, PATH: `${old}${delimiter}/bin` };
    return { made: { ...made, env, ...(terminalPath && { terminalPath: good }) }, old, good };
  };
  const server = { command: 'node', args: [script as string] };

  test('is named with its path and version', async () => {
    const { made, old } = host();
    const { handle } = tryServer(server, { host: made });
    expect(await failureOf(handle.start())).toMatchObject({
      code: 'SERVER_CRASHED',
      hint: expect.stringContaining(`It ran ${join(old, 'node')} v1.2.3.`),
    });
  });

  test('is tried as the terminal finds it', async () => {
    const { made, good } = host('terminal');
    const { call } = tryServer(server, { host: made });
    expect(textOf(await call('env', { name: 'PATH' })).split(delimiter)[0]).toBe(good);
  });
});

test("With `environment: shell`, a server gets the environment of the login shell, without the vault's passphrase", async () => {
  const host = testHost({ env: { FROM_SHELL: 'shell', BOTH: 'shell', TOOLKEEP_PASSPHRASE: 'open sesame' } });
  const connection = { environment: 'shell' as const, env: { BOTH: 'server' } };
  const { call } = tryServer({ ...commands.misbehaving(), ...connection }, { host });
  expect(textOf(await call('env', { name: 'FROM_SHELL' }))).toBe('shell');
  expect(textOf(await call('env', { name: 'BOTH' }))).toBe('server');
  expect(textOf(await call('env', { name: 'TOOLKEEP_PASSPHRASE' }))).not.toContain('sesame');
});

test('The command is found on the PATH of the login shell', async () => {
  const command = commands.misbehaving();
  const host = testHost();
  const folder = join(host.homeDir, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'my-server'), `#!/bin/sh\nexec "${command.command}" ${command.args.join(' ')}\n`, {
    mode: 0o755,
  });
  const env = { ...host.env, PATH: `${folder}:/usr/bin:/bin` };
  const { handle } = tryServer({ command: 'my-server', args: [] }, { host: { ...host, env } });
  expect((await handle.start()).serverInfo?.name).toBe('misbehaving');
});

describe('A batch file', () => {
  const { command, args } = commands.misbehaving();
  const batch = (more: string[], name = 'server.cmd') => {
    const file = join(testHost().dataDir, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\nexec "${command}" ${args.join(' ')}\n`, { mode: 0o755 });
    return tryServer({ command: file, args: more });
  };

  test.each([['a"&calc&"'], ['"', '&calc'], ['a\r\ncalc'], ['x" | calc']])(
    'is not started with the argument %j, which Windows would run in part',
    async (...unsafe) => {
      const failure = await failureOf(batch(unsafe).handle.start());
      expect(failure).toMatchObject({ code: 'SERVER_SPAWN_FAILED', hint: expect.stringContaining('server.cmd') });
    },
  );

  test.each(['server.bat.', 'server.CMD .. '])(
    'is checked under the name %j, whose end Windows ignores',
    async (name) => {
      const failure = await failureOf(batch(['a"&calc&"'], name).handle.start());
      expect(failure).toMatchObject({ code: 'SERVER_SPAWN_FAILED', message: expect.stringContaining('Windows could') });
    },
  );

  describe('that Windows finds by its extension', () => {
    const found = (ending: string, argument: string, run: (folder: string) => { command: string; path?: string }) => {
      const host = testHost({ platform: 'win32' });
      const folder = join(host.homeDir, 'tools');
      mkdirSync(folder);
      writeFileSync(join(folder, `server${ending}`), `#!/bin/sh\nexec "${command}" ${args.join(' ')}\n`, {
        mode: 0o755,
      });
      const { path, ...started } = run(folder);
      const env = { ...host.env, ...(path !== undefined && { PATH: path }), PATHEXT: '.EXE;.CMD;.BAT' };
      return tryServer({ ...started, args: [argument] }, { host: { ...host, env } });
    };

    test.each([
      ['on the PATH', '.cmd', (folder: string) => ({ command: 'server', path: `/none:"${folder}"` })],
      ['on the PATH in upper case', '.BAT', (folder: string) => ({ command: 'server', path: folder })],
      ['by its path', '.cmd', (folder: string) => ({ command: join(folder, 'server') })],
      ['by its path with the extension', '.CMD', (folder: string) => ({ command: join(folder, 'server.CMD') })],
    ])('%s is not started with a part of a command', async (_how, ending, run) => {
      const failure = await failureOf(found(ending, 'a"&calc&"', run).handle.start());
      expect(failure).toMatchObject({ code: 'SERVER_SPAWN_FAILED', message: expect.stringContaining('Windows could') });
    });

    test('is started with any other argument', async () => {
      const { handle } = found('.cmd', 'two words', (folder) => ({ command: join(folder, 'server') }));
      expect((await handle.start()).serverInfo?.name).toBe('misbehaving');
    });
  });

  test('is started with any other argument', async () => {
    const { handle } = batch(['{"a":1}', 'https://x.example/?a=1&b=2', '%PATH%', 'two words']);
    expect((await handle.start()).serverInfo?.name).toBe('misbehaving');
  });
});

test('The failure names the missing command and the searched folders', async () => {
  const { handle } = tryServer({ command: 'no-such-command', args: [] });
  const failure = await failureOf(handle.start());
  expect(failure).toMatchObject({ code: 'SERVER_SPAWN_FAILED', server: 'trial' });
  expect(failure.message).toContain('"no-such-command"');
  expect(failure.hint).toContain(`Searched: ${process.env.PATH?.split(delimiter).join(', ')}`);
});

test('The failure says where to get a missing program that many servers need', async () => {
  const { handle } = tryServer({ command: 'uvx', args: ['mcp-server-git'], env: { PATH: '/nonexistent' } });
  expect((await failureOf(handle.start())).hint).toMatch(/^Install uv from https:\/\/docs\.astral\.sh\/uv, or set/);
});

test('A server that stops reading and exits is reported with its output, not with the broken pipe', async () => {
  const script = `process.stdin.once('data', (data) => {
    const { id } = JSON.parse(String(data).split('\\n')[0]);
    const serverInfo = { name: 'leaver', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
    process.stdin.destroy();
    require('node:fs').closeSync(0);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    setTimeout(() => { console.error('no license key'); process.exit(3); }, 400);
  });`;
  const { handle } = tryServer({ command: process.execPath, args: ['-e', script] });
  expect(await failureOf(handle.start())).toMatchObject({
    code: 'SERVER_CRASHED',
    message: expect.stringContaining('no license key'),
  });
});

test('The failure has the last output without colors, and redacts a secret that starts after a color code', async () => {
  const script =
    "console.error('\\x1b[1;31mFATAL\\x1b[0m no database\\n\\x1b[32mghp_abcdefghijklmnopqrstuvwxyz0123456789\\x1b[0m'); process.exit(2)";
  const { handle } = tryServer({ command: process.execPath, args: ['-e', script] });
  const { message } = await failureOf(handle.start());
  expect(message).toContain('Its last output:\nFATAL no database\n');
  expect(message).not.toMatch(/\[0m|ghp_abc/);
});

test('The failure names the missing folder instead of the command', async () => {
  const { handle } = tryServer(commands.misbehaving(), {
    resolve: (connection) => ({
      ...(connection as Extract<typeof connection, { type: 'stdio' }>),
      cwd: '/no/such/folder',
    }),
  });
  expect((await failureOf(handle.start())).message).toContain('/no/such/folder');
});

test('Toolkeep refuses to start itself recursively', async () => {
  const { handle, states } = tryServer(commands.misbehaving(), { host: testHost({ env: { TOOLKEEP_DEPTH: '3' } }) });
  const failure = await failureOf(handle.start());
  expect(failure.code).toBe('SERVER_SPAWN_FAILED');
  expect(failure.message).toContain('Toolkeep inside Toolkeep');
  expect(states.some((state) => state.pid !== undefined)).toBe(false);
});

test('The configuration phase reports the missing values without starting a process', async () => {
  const { handle, states } = tryServer({ ...commands.misbehaving(), env: { TOKEN: '${NOT_SET_ANYWHERE}' } });
  const failure = await failureOf(handle.start());
  expect(failure).toMatchObject({ code: 'SECRET_MISSING', server: 'trial' });
  expect(failure.message).toContain('NOT_SET_ANYWHERE');
  expect(handle.state).toMatchObject({ status: 'failed', phase: 'configuration' });
  expect(states.some((state) => state.pid !== undefined)).toBe(false);
});

test('A server that logs on stdout works and gets a warning', async () => {
  const { handle, call } = tryServer(commands.misbehaving('banner,garbage'));
  expect(textOf(await call('echo', { text: 'hi' }))).toBe('hi');
  expect(handle.state.warnings).toEqual([expect.stringContaining('stdout')]);
});

test('A response of 10 MB in one line is accepted', async () => {
  const { call } = tryServer(commands.misbehaving('long-line'));
  expect(textOf(await call('big')).length).toBe(10 * 1024 * 1024);
});

test('A server whose line exceeds the limit is stopped, and the failure names the limit', async () => {
  const { handle, call } = tryServer(commands.misbehaving('long-line'), { tuning: { maxLineBytes: 1024 * 1024 } });
  const failure = await failureOf(call('big'));
  expect(failure.code).toBe('SERVER_PROTOCOL_ERROR');
  expect(failure.message).toContain('1 MB');
  expect(handle.state).toMatchObject({ status: 'failed', failure: { code: 'SERVER_PROTOCOL_ERROR' } });
});

test('An incomplete line at the end of the output is reported as a crash', async () => {
  const { call } = tryServer(commands.misbehaving('half-line'));
  expect(await failureOf(call('echo'))).toMatchObject({ code: 'SERVER_CRASHED' });
});

test.each([
  ['crash-at-start', 'session'],
  ['crash-at-initialize', 'session'],
] as const)('%s: the failure has the exit code, the phase and the last output', async (behaviour, phase) => {
  const { handle } = tryServer(commands.misbehaving(behaviour));
  const failure = await failureOf(handle.start());
  expect(failure.code).toBe('SERVER_CRASHED');
  expect(failure.message).toContain('exited with code 3');
  expect(failure.message).toContain('Fatal: broken on purpose');
  expect(handle.state).toMatchObject({ status: 'failed', phase, failure: { code: 'SERVER_CRASHED' } });
});

test('A crash during a call ends that call with the last output', async () => {
  const { call, handle } = tryServer(commands.misbehaving('crash-at-call'));
  const failure = await failureOf(call('echo'));
  expect(failure.code).toBe('SERVER_CRASHED');
  expect(failure.message).toContain('broken on purpose at tools/call');
  expect(handle.state.status).toBe('failed');
});

test('A failure never contains a secret that the server printed', async () => {
  const command = commands.misbehaving('leaky,crash-at-start');
  const { handle, host } = tryServer({ ...command, env: { API_TOKEN: 'abcdef-secret-987' } });
  const failure = await failureOf(handle.start());
  expect(failure.message).toContain('broken on purpose');
  expect(JSON.stringify([failure, host.logged, handle.state])).not.toContain('abcdef-secret-987');
});

test('The message of an error is shortened if it is far too long', async () => {
  const { call } = tryServer(commands.misbehaving('normal', 'repeat=1000000'));
  const error = await call('fail').catch((reason) => reason);
  expect(error).toMatchObject({ code: -32050, data: { reason: 'test' } });
  expect(error.message).toMatch(/^refused on purpose/);
  expect(error.message.length).toBeLessThan(100_000);
});

test("A server's JSON-RPC error is forwarded with code and data", async () => {
  const { call } = tryServer(commands.misbehaving());
  const error = await call('fail').catch((reason) => reason);
  expect(error).toBeInstanceOf(RpcError);
  expect(error).toMatchObject({ code: -32050, message: 'refused on purpose', data: { reason: 'test' } });
});

test('A request for roots is answered before any call', async () => {
  const { call } = tryServer(commands.misbehaving('ask-at-start'));
  expect(textOf(await call('echo', { text: 'still here' }))).toBe('still here');
});
