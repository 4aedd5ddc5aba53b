/** Attacks that the built product has always resisted. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { withEscapes } from '../../shared/visible-text.ts';
import { commands } from '../fixtures/commands.ts';
import { type AttackKit, attackKit } from './attack-kit.ts';
import { newProduct } from './product.ts';

const product = newProduct();
let kit: AttackKit;
let port = 0;
let token = '';

/** A string with escape sequences, a bell, a link, clipboard access, line breaks, and a direction override. */
const hostile = 'x\u001b[2J\u0007\u001b]8;;http://evil\u0007\u001b]52;c;eA==\u0007\r\u2028\u009b31m\u202ey';

beforeAll(async () => {
  product.file('hostile.json', [
    {
      name: 'get_it',
      title: hostile,
      description: `Gets. ${hostile}`,
      inputSchema: { type: 'object', properties: { [hostile]: { type: 'string', description: hostile } } },
    },
  ]);
  const misbehaving = commands.misbehaving('normal', `tools-file=${join(product.home, 'hostile.json')}`);
  product.file('.toolkeep/config.json', {
    approvals: { newTools: 'allow' },
    servers: [
      { name: 'github', connection: { type: 'stdio', ...commands.github() } },
      { name: 'hostile', description: hostile, connection: { type: 'stdio', ...misbehaving } },
    ],
  });
  const { output } = await product.serve();
  for (const server of ['github', 'hostile'])
    await vi.waitFor(() => expect(output()).toContain(`${server}: ready`), { timeout: 20_000 });
  port = Number(new URL(readCoreFile(join(product.home, '.toolkeep'))?.httpUrl ?? '').port);
  kit = await attackKit(product);
  ({ token } = await kit.ui.call('tokens.create', { name: 'agent' }));
});
afterAll(async () => {
  await kit?.close();
  await product.dispose();
});

describe('A dangerous tool', () => {
  it.each([
    ['github', 'Delete_Repo'],
    ['github', ' delete_repo '],
    ['github', 'delete_repo\u200b'],
    ['github', 'ｄelete_repo'],
    ['github', 'github/delete_repo'],
    ['github', 'github::delete_repo'],
    ['GitHub', 'delete_repo'],
    ['github/', 'delete_repo'],
    ['toolkeep', 'execute_tool'],
    ['__proto__', 'delete_repo'],
    ['github', 'constructor'],
  ])('does not run under another name: %j %j', async (server, name) => {
    const agent = await kit.overBridge('Agent');
    const answer = agent.execute(server, name, { repo: 'a/b' });
    const question = await Promise.race([answer, kit.question().catch(() => undefined)]);
    if (typeof question === 'string') return expect(question).toMatch(/NOT_FOUND/);
    expect(question?.from).toMatchObject({ server: 'github', tool: 'delete_repo' });
    await kit.answer({ action: 'decline' });
    expect(await answer).toContain('APPROVAL_DENIED');
  });

  it('shows every key of its arguments, and no key changes an object of Toolkeep', async () => {
    const agent = await kit.overBridge('Agent');
    const args = JSON.parse('{"repo":"a/b","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const call = agent.execute('github', 'delete_repo', args);
    const shown = (await kit.question()).approval?.arguments ?? {};
    expect(Object.keys(shown).sort()).toEqual(['__proto__', 'constructor', 'repo']);
    await kit.answer({ action: 'decline' });
    await call;
    expect(JSON.stringify(await kit.ui.call('core.status'))).not.toContain('polluted');
  });
});

/** The status of a POST to `/mcp`, with headers as given. */
function post(headers: Record<string, string>, path = '/mcp', method = 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    request({ host: '127.0.0.1', port, path, method, headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end(method === 'POST' ? body : undefined);
  });
}
const bearer = () => ({ authorization: `Bearer ${token}` });

describe('A web page', () => {
  it.each([
    ['a name that resolves here', () => ({ host: `127.0.0.1.nip.io:${port}` })],
    ['another host', () => ({ host: 'evil.example' })],
    ['the unspecified address', () => ({ host: `0.0.0.0:${port}` })],
    ['a host without the port', () => ({ host: '127.0.0.1' })],
    ['a foreign origin', () => ({ origin: 'https://evil.example' })],
    ['no origin of its own', () => ({ origin: 'null' })],
    ['another port', () => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ['another scheme', () => ({ origin: `https://127.0.0.1:${port}` })],
    ['an extension', () => ({ origin: 'chrome-extension://abcdefgh' })],
    ['an origin with a name before the @', () => ({ origin: `http://127.0.0.1:${port}@evil.example` })],
  ])('with %s is refused, even with a token', async (_what, headers) => {
    expect(await post({ ...bearer(), ...headers() })).toBe(403);
  });

  it.each([
    ['none', {}, ''],
    ['the query', {}, '?token='],
    ['a cookie', { cookie: 'token=' }, ''],
    ['Basic', { authorization: 'Basic ' }, ''],
    ['a wrong one', { authorization: 'Bearer toolkeep_wrong' }, ''],
  ])('without a bearer token is refused: %s', async (_what, headers, query) => {
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value.endsWith('wrong') ? value : value + token,
    ]);
    expect(await post(Object.fromEntries(filled), `/mcp${query && query + token}`)).toBe(401);
  });

  it('cannot send simple requests, and its preflight requests are refused', async () => {
    expect(await post({ 'content-type': 'text/plain' })).toBe(401);
    expect(await post({ origin: 'https://evil.example' }, '/mcp', 'OPTIONS')).toBe(403);
  });

  it('from another origin cannot open a WebSocket', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/wire`, { headers: { origin: 'https://evil.example' } });
    const opened = await new Promise((resolve) =>
      socket.once('open', () => resolve(true)).once('error', () => resolve(false)),
    );
    expect(opened).toBe(false);
  });

  it('of Toolkeep has a strict policy, cannot be framed, and sets no cookies', async () => {
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers.get('set-cookie')).toBeNull();
  });
});

it('Toolkeep listens on no other address of this machine', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal }) => !internal);
  const answers = (host: string) =>
    new Promise((resolve) => {
      const socket = connect(port, host, () => resolve(true)).on('error', () => resolve(false));
      socket.once('close', () => socket.destroy());
    });
  expect(await answers('127.0.0.1')).toBe(true);
  for (const { address, scopeid } of others) if (!scopeid) expect(await answers(address), address).toBe(false);
});

it('Text from a server never reaches the terminal unescaped', async () => {
  for (const args of [
    ['list'],
    ['tools', 'hostile'],
    ['inspect', 'hostile', 'get_it'],
    ['search', 'get it'],
    ['status'],
    ['execute', 'hostile', 'get_it', '--args', JSON.stringify({ [hostile]: hostile })],
    ['history'],
  ]) {
    const { stdout, stderr } = await product.cli(...args);
    expect(withEscapes(stdout + stderr), args.join(' ')).toBe(stdout + stderr);
  }
});

describe("A user's configuration", () => {
  it.each([
    [
      'expands to billions',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghi'[i]}`).join()}]`)
        .join('\n')}\ntoolRules: *j\n`,
    ],
    ['refers to itself', 'toolRules: &a [*a]\n'],
    ['names a function', 'toolRules: !!js/function "function () { process.exit(7) }"\n'],
    ['has the wrong types', 'servers: 7\ntoolRules: {a: [b]}\n'],
    ['sets a prototype', '__proto__: {enabled: false}\n'],
  ])('that %s is reported, and runs nothing', async (_what, text) => {
    const other = newProduct();
    other.file('.toolkeep/config.yaml', text);
    const { code, stdout, stderr } = await other.cli('config', 'validate');
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('config.yaml');
    expect(stdout + stderr).not.toMatch(/INTERNAL|at .*\.js:\d/);
    await other.dispose();
  });
});
