/** Calls, waiting questions and requests to enable follow one decision, which changes with the user's settings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { expect, test } from 'vitest';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

const args = [join(import.meta.dirname, '../../fixtures/office.mjs')];
const office = {
  name: 'office',
  connection: { type: 'stdio' as const, command: process.execPath, args, env: {} },
  enabled: true,
};
const config = { approvals: { ask: 'acts', destinations: 'known' } };

async function connect({ core }: CoreTrial): Promise<(tool: string, its?: object, name?: string) => Promise<string>> {
  const [theirs, ours] = duplexPair();
  core.gateway.serveStream(ours, { mode: 'lazy', client: 'cursor' });
  const client = new Client({ name: 'cursor', version: '1' });
  await client.connect(new StdioServerTransport(theirs, theirs));
  return async (tool, its = {}, name = 'execute_tool') => {
    const call = { server: 'office', tool, arguments: its };
    return JSON.stringify(await client.callTool({ name, arguments: call }));
  };
}

/** A Core with a window, and an app whose first call waits for the user. */
async function asking() {
  const trial = await startCore([office], { config });
  const { handlers } = trial.core;
  await handlers['servers.restart']({ server: 'office' });
  const [, theirs] = linkedWires();
  trial.core.attach(theirs, { answersQuestions: true });
  const call = await connect(trial);
  const questions = async () => await handlers['questions.list']();
  const waiting = call('send_payment', { iban: 'DE89370400440532013000', amount: 1, currency: 'EUR' });
  await expect.poll(questions).toHaveLength(1);
  return { trial, handlers, questions, waiting, call };
}

test.each<[string, (trial: CoreTrial) => unknown]>([
  [
    'the tool is disabled',
    ({ core }) => core.handlers['tools.setPolicy']({ server: 'office', tool: 'send_payment', enabled: false }),
  ],
  [
    'the app loses the server',
    ({ core }) => core.handlers['access.set']({ client: 'cursor', level: 'off', server: 'office' }),
  ],
  [
    'the app loses its dangerous tools',
    ({ core }) => core.handlers['access.set']({ client: 'cursor', level: 'harmless' }),
  ],
  ['Toolkeep is paused', ({ core }) => core.handlers['core.pause']({ paused: true })],
  ['the server is disabled', ({ core }) => core.handlers['servers.setEnabled']({ server: 'office', enabled: false })],
  ['the server is removed', ({ core }) => core.handlers['servers.remove']({ server: 'office' })],
])('A waiting question ends when %s, and nothing stays allowed', async (_what, change) => {
  const { trial, handlers, questions, waiting } = await asking();
  const [question] = await questions();
  await change(trial);
  expect(await waiting).toMatch(/TOOL_DISABLED|PAUSED|SERVER_DISABLED|SERVER_NOT_FOUND/);
  expect(await questions()).toEqual([]);
  const answer = { action: 'accept' as const, scope: 'always' as const };
  await Promise.resolve(handlers['questions.answer']({ id: question?.id ?? '', answer })).catch(() => undefined);
  expect(await handlers['grants.destinations']()).toEqual([]);
  expect(await handlers['grants.list']()).toEqual([]);
});

test('An answer that comes with the change that forbids the call allows nothing', async () => {
  const { trial, handlers, questions, waiting } = await asking();
  const [question] = await questions();
  const answer = { action: 'accept' as const, scope: 'always' as const };
  const changed = trial.core.handlers['access.set']({ client: 'cursor', level: 'off', server: 'office' });
  await Promise.resolve(handlers['questions.answer']({ id: question?.id ?? '', answer })).catch(() => undefined);
  await changed;
  expect(await waiting).toContain('TOOL_DISABLED');
  expect(await handlers['grants.destinations']()).toEqual([]);
});

test('A call that is refused anyway starts no server', async () => {
  const host = testHost();
  const starts = join(host.homeDir, 'starts');
  const script = `require('node:fs').appendFileSync(${JSON.stringify(starts)}, 'x'); process.exit(1)`;
  const connection = { type: 'stdio' as const, command: process.execPath, args: ['-e', script], env: {} };
  const trial = await startCore([{ ...office, connection }], { config, host });
  await expect.poll(() => trial.view('office').status).toBe('failed');
  const before = readFileSync(starts, 'utf8');
  await trial.core.handlers['core.pause']({ paused: true });
  const call = await connect(trial);
  expect(await call('read_page')).toContain('PAUSED');
  expect(readFileSync(starts, 'utf8')).toBe(before);
  await trial.core.close();
  host.dispose();
});

test('The refusal of a tool that does not exist names no profile, and no tool that the rules for the client exclude', async () => {
  const trial = await startCore([office], { config });
  await trial.core.handlers['servers.restart']({ server: 'office' });
  await trial.core.handlers['access.set']({ client: 'cursor', level: 'harmless' });
  const call = await connect(trial);
  const answer = await call('nothing');
  expect(answer).toContain('has no tool');
  expect(answer).toContain('create_page');
  expect(answer).not.toMatch(/profile|delete_page|send_payment/);
});

test('A disabled server that was never discovered can be enabled from the call that needs it', async () => {
  const trial = await startCore([{ ...office, enabled: false }], { config });
  const [, theirs] = linkedWires();
  trial.core.attach(theirs, { answersQuestions: true });
  const call = await connect(trial);
  expect(await call('read_page')).toContain('SERVER_DISABLED');
  const [question] = await trial.core.handlers['questions.list']();
  expect(question).toMatchObject({ kind: 'enable-request', enableRequest: { reason: 'server' } });
  await trial.core.handlers['questions.answer']({ id: question?.id ?? '', answer: { action: 'accept' } });
  await expect.poll(() => call('read_page', { page: 'p' })).toContain('read_page done');
});
