/** Toolkeep asks for missing values once, with hidden input, when a server needs them, and redacts them in its output. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import type { Sealer } from '../../../electron/core/host.ts';
import type { Answer, Question } from '../../../shared/model/question.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { memorySealer, type TestHost, testHost } from '../../fixtures/host.ts';
import { initialize, rawPeer } from '../gateway/raw-peer.ts';

const sealer: Sealer = { ...memorySealer(), persistent: true, label: 'test keychain' };
const canary = 'canary-Zq81xWm';

let host: TestHost;
let core: Core | undefined;
let client: CoreClient;

beforeEach(() => {
  host = testHost({ sealer });
});
afterEach(async () => {
  await core?.close();
  core = undefined;
  host.dispose();
});

/** `ui`: a UI that can answer questions is attached. */
async function start(servers: ServerConfig[], { ui = true } = {}): Promise<void> {
  host.store.set('servers', servers);
  core = await createCore(host);
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: ui });
  client = connectCore(ours);
  for (const { name } of servers) await expect.poll(() => statusOf(name)).toMatch(/^(failed|ready|idle)$/);
}

async function again(servers = [...host.store.get('servers')]): Promise<void> {
  await core?.close();
  await start(servers);
}

const viewOf = async (name: string) => (await client.call('servers.list')).find(({ id }) => id === name);
const statusOf = async (name: string) => (await viewOf(name))?.status;
const asking = (env: Record<string, string>, args: string[] = []): ServerConfig => {
  const { command, args: own } = commands.misbehaving('normal');
  return serverConfig('hub', { command, args: [...own, ...args], env });
};
const readEnv = (name: string) =>
  client.call('tools.execute', { server: 'hub', tool: 'env', arguments: { name } }) as Promise<{
    content: { text: string }[];
  }>;

async function nextQuestion(): Promise<Question> {
  let found: Question | undefined;
  await expect
    .poll(async () => {
      [found] = await client.call('questions.list');
      return found;
    })
    .toBeDefined();
  return found as Question;
}
async function answerNext(answer: (question: Question) => Answer): Promise<Question> {
  const question = await nextQuestion();
  expect(await client.call('questions.answer', { id: question.id, answer: answer(question) })).toEqual({
    accepted: true,
  });
  return question;
}
const giving =
  (value: string, remember: boolean) =>
  ({ fields }: Question): Answer => ({
    action: 'accept',
    value: Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'boolean' ? remember : value])),
  });

describe('A server with a missing value', () => {
  test('does not ask during background discovery', async () => {
    await start([asking({ HUB_TOKEN: '${input:pat}' })]);
    expect((await viewOf('hub'))?.failure).toMatchObject({
      code: 'SECRET_MISSING',
      message: 'Not set: input "pat".',
    });
    expect(await client.call('questions.list')).toEqual([]);
  });

  test('asks with a hidden field when a call needs it, and the call continues with the answer', async () => {
    await start([asking({ HUB_TOKEN: '${input:pat}' })]);
    const call = readEnv('HUB_TOKEN');
    const question = await answerNext(giving(canary, true));
    expect(question).toMatchObject({ kind: 'form', from: { server: 'hub', tool: 'env' } });
    expect(question.fields.map(({ label, kind }) => [label, kind])).toEqual([
      ['pat', 'secret'],
      ['Remember', 'boolean'],
    ]);
    expect((await call).content[0]?.text).toBe(canary);
    expect(readFileSync(join(host.dataDir, 'vault.json'), 'utf8')).toContain('hub/input:pat');
    expect(readFileSync(join(host.dataDir, 'vault.json'), 'utf8')).not.toContain(canary);
    await again();
    expect((await readEnv('HUB_TOKEN')).content[0]?.text).toBe(canary);
  });

  test('uses a value that is not stored in this run, and asks again in the next run', async () => {
    await start([asking({ HUB_TOKEN: '${HUB_TOKEN_OF_NOBODY}', REGION: '${REGION_OF_NOBODY}' })]);
    const call = readEnv('HUB_TOKEN');
    const question = await answerNext(giving(canary, false));
    expect(question.fields.map(({ label, kind }) => [label, kind])).toEqual([
      ['HUB_TOKEN_OF_NOBODY', 'secret'],
      ['REGION_OF_NOBODY', 'text'],
      ['Remember', 'boolean'],
    ]);
    expect((await call).content[0]?.text).toBe(canary);
    await client.call('servers.stop', { server: 'hub' });
    expect((await readEnv('HUB_TOKEN')).content[0]?.text).toBe(canary);
    await again();
    const second = readEnv('HUB_TOKEN');
    await answerNext(() => ({ action: 'decline' }));
    await expect(second).rejects.toThrow('HUB_TOKEN_OF_NOBODY');
  });

  test('does not ask again after a refusal until the user restarts it', async () => {
    await start([asking({ HUB_TOKEN: '${secret:shared}' })]);
    const call = readEnv('HUB_TOKEN');
    await answerNext(() => ({ action: 'decline' }));
    await expect(call).rejects.toMatchObject({ failure: { code: 'SECRET_MISSING' } });
    await expect(readEnv('HUB_TOKEN')).rejects.toMatchObject({ failure: { code: 'SECRET_MISSING' } });
    const restart = client.call('servers.restart', { server: 'hub' });
    await answerNext(giving(canary, true));
    expect(await restart).toMatchObject({ status: 'ready' });
    expect(readFileSync(join(host.dataDir, 'vault.json'), 'utf8')).toContain('"shared"');
  });

  test('asks one question for concurrent calls', async () => {
    await start([asking({ HUB_TOKEN: '${input:pat}' })]);
    const calls = Array.from({ length: 20 }, () => readEnv('HUB_TOKEN'));
    await nextQuestion();
    expect(await client.call('questions.list')).toHaveLength(1);
    await answerNext(giving(canary, false));
    for (const { content } of await Promise.all(calls)) expect(content[0]?.text).toBe(canary);
    expect(await client.call('questions.list')).toEqual([]);
  });

  test('fails at once with the cause if no user can be asked', async () => {
    await start([asking({ HUB_TOKEN: '${input:pat}' })], { ui: false });
    await expect(readEnv('HUB_TOKEN')).rejects.toMatchObject({
      failure: { code: 'SECRET_MISSING', message: 'Not set: input "pat".' },
    });
  });

  test('does not ask while a file is missing', async () => {
    await start([asking({ HUB_TOKEN: '${input:pat}', OTHER: '${file:/no/such/file}' })]);
    await expect(readEnv('HUB_TOKEN')).rejects.toMatchObject({
      failure: { message: 'Not set: input "pat", file /no/such/file.' },
    });
  });

  test('never gets a value that was entered for another server under the same ID', async () => {
    const other = { ...asking({ HUB_TOKEN: '${input:pat}' }), name: 'other' };
    await start([asking({ HUB_TOKEN: '${input:pat}' }), other]);
    const call = readEnv('HUB_TOKEN');
    await answerNext(giving(canary, true));
    await call;
    const second = client.call('tools.execute', { server: 'other', tool: 'env', arguments: { name: 'HUB_TOKEN' } });
    const question = await answerNext(() => ({ action: 'decline' }));
    expect(question.from.server).toBe('other');
    await expect(second).rejects.toMatchObject({ failure: { code: 'SECRET_MISSING' } });
  });

  test('tells a client that times out to call again, and uses the answer for the second call', async () => {
    writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify({ approvals: { clientTimeout: '300ms' } }));
    await start([asking({ HUB_TOKEN: '${input:pat}' })]);
    await expect(readEnv('HUB_TOKEN')).rejects.toMatchObject({ failure: { code: 'APPROVAL_PENDING' } });
    await answerNext(giving(canary, false));
    expect((await readEnv('HUB_TOKEN')).content[0]?.text).toBe(canary);
  });

  test('lets a task wait for the answer for longer than its client', async () => {
    writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify({ approvals: { clientTimeout: '100ms' } }));
    await start([asking({ HUB_TOKEN: '${input:pat}' })]);
    const [near, far] = duplexPair();
    core?.gateway.serveStream(far, { mode: 'lazy' });
    const agent = rawPeer(near, near);
    await initialize(agent, { version: '2025-11-25', name: 'agent' });
    const target = { server: 'hub', tool: 'env', arguments: { name: 'HUB_TOKEN' } };
    const task = { ttl: 60_000 };
    const { result } = await agent.request('tools/call', { name: 'execute_tool', arguments: target, task });
    const taskId = (result?.task as { taskId: string } | undefined)?.taskId;
    await nextQuestion();
    // Another caller, which is not a task, starts later and times out first.
    await expect(readEnv('HUB_TOKEN')).rejects.toMatchObject({ failure: { code: 'APPROVAL_PENDING' } });
    expect((await agent.request('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    expect((await client.call('core.status')).parkedCalls).toBe(1);
    await answerNext(giving(canary, false));
    const done = await agent.request('tasks/result', { taskId });
    expect(done.result).toMatchObject({ content: [{ text: canary }] });
    expect((await client.call('core.status')).parkedCalls).toBe(0);
    agent.close();
  });
});

describe('The secrets of a connection', () => {
  const echo = (script: string, env: Record<string, string>, args: string[] = []) =>
    serverConfig('hub', { command: process.execPath, args: ['-e', script, '--', ...args], env });

  test.each([
    ['its environment', 'console.error(process.env)', {}],
    ['its arguments', 'console.error(process.argv)', {}],
    ['JSON', 'console.error(JSON.stringify(process.env))', {}],
    ['a URL', 'console.error(encodeURIComponent(process.env.DATABASE))', {}],
    ['stray lines on stdout', 'console.log("using " + process.env.HUB_TOKEN)', {}],
  ])('are redacted if a failing server prints %s', async (_what, script) => {
    await start([
      echo(
        `${script}; process.exit(3)`,
        { HUB_TOKEN: `${canary}-1`, DATABASE: `postgres://me:${canary}%3D-2@db/x`, ODD: '${input:odd}' },
        ['--api-key', `${canary}-3`, '--note', '${input:odd}'],
      ),
    ]);
    const call = client.call('servers.restart', { server: 'hub' });
    await answerNext(giving(`odd ${canary} "4"`, true));
    const view = await call;
    expect(view.failure?.code).toBe('SERVER_CRASHED');
    expect(JSON.stringify(view)).not.toContain(canary);
    expect(JSON.stringify(host.logged)).not.toContain(canary);
  });

  test('are redacted in the errors that a server returns for the handshake and a call', async () => {
    const script = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id } = JSON.parse(line);
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'bad token ' + process.env.HUB_TOKEN } }));
    })`;
    await start([echo(script, { HUB_TOKEN: canary })]);
    const view = await client.call('servers.restart', { server: 'hub' });
    expect(view.failure?.message).toMatch(/bad token ••/);
    expect(JSON.stringify(view)).not.toContain(canary);
  });
});
