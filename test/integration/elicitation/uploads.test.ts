/** A file that a page sends as an answer: the server reads it during its call, and then it is gone. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Question } from '../../../shared/model/question.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

/** A server whose tool asks for a table of at most 2 MB, and answers with its content. */
const source = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const table_file = { type: 'string', accept: '.csv', maxBytes: 2_000_000 };
const requestedSchema = { type: 'object', properties: { table_file }, required: ['table_file'] };
const tool = { name: 'read_table', description: 'Reads a table.', inputSchema: { type: 'object' } };
const serverInfo = { name: 'tables', version: '1' };
let call;
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params, result } = JSON.parse(line);
    if (method === 'initialize')
      send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
    else if (method === 'tools/list') send({ id, result: { tools: [tool] } });
    else if (method === 'tools/call') {
      call = id;
      send({ id: 'q', method: 'elicitation/create', params: { mode: 'form', message: 'Which table?', requestedSchema } });
    } else if (id === 'q') {
      const { table_file: file } = result.content ?? {};
      const text = file === undefined ? 'none' : readFileSync(file, 'utf8').length + ' ' + file;
      send({ id: call, result: { content: [{ type: 'text', text }] } });
    }
  })
  .on('close', () => process.exit(0));
`;

let host: TestHost;
let trial: CoreTrial;
let ui: CoreClient;
beforeEach(async () => {
  host = testHost();
  onTestFinished(host.dispose);
  const script = join(host.homeDir, 'tables.mjs');
  writeFileSync(script, source);
  trial = await startCore([serverConfig('tables', { command: process.execPath, args: [script] })], { host });
  const [ours, theirs] = linkedWires();
  trial.core.attach(theirs, { answersQuestions: true });
  ui = connectCore(ours);
});

const folder = () => join(host.dataDir, 'uploads');
const kept = () => (existsSync(folder()) ? readdirSync(folder()) : []);

async function asked(): Promise<{ question: Question; result: Promise<string> }> {
  const result = trial
    .call('tables', 'read_table')
    .then(({ content }) => String((content as { text: string }[])[0]?.text));
  // Closing Core ends the call.
  result.catch(() => undefined);
  await expect.poll(() => ui.call('questions.list')).toHaveLength(1);
  const [question] = await ui.call('questions.list');
  if (!question) throw new Error('There is no question.');
  return { question, result };
}

function upload(question: Question, name: string, content: Buffer, more: { id?: string; size?: number } = {}) {
  const part = content.toString('base64');
  return ui.call('questions.upload', {
    question: question.id,
    field: 'table_file',
    name,
    size: content.length,
    part,
    ...more,
  });
}

it('The server reads the file during the call, under its own name, and it is deleted after the call', async () => {
  const { question, result } = await asked();
  const bytes = Buffer.from('x'.repeat(1_500_000));
  const first = await upload(question, '../../My table.csv', bytes.subarray(0, 700_000), { size: bytes.length });
  const { file } = await upload(question, 'ignored', bytes.subarray(700_000), { id: first.id, size: bytes.length });
  expect(dirname(dirname(file))).toBe(folder());
  expect(basename(file)).toBe('My table.csv');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  expect(await ui.call('questions.answer', { id: question.id, answer: { action: 'accept', value: file } })).toEqual({
    accepted: true,
  });
  expect(await result).toBe(`1500000 ${file}`);
  await expect.poll(kept).toEqual([]);
});

it.each(['decline', 'cancel'] as const)('A file is deleted if the user answers with %s', async (action) => {
  const { question, result } = await asked();
  await upload(question, 'a.csv', Buffer.from('a'));
  expect(kept()).toHaveLength(1);
  await ui.call('questions.answer', { id: question.id, answer: { action } });
  expect(await result).toBe('none');
  await expect.poll(kept).toEqual([]);
});

it.each([
  ['is larger than the question allows', 'a.csv', { size: 2_000_001 }, /has 2000001 bytes; the maximum is 2000000/],
  ['has another type', 'a.exe', {}, /type must be one of: csv/],
] as const)('A file that %s is refused before it is stored', async (_, name, more, message) => {
  const { question } = await asked();
  await expect(upload(question, name, Buffer.from('a'), more)).rejects.toThrow(message);
  expect(kept()).toEqual([]);
});

it('A file with more bytes than announced, for another question, or for none is refused', async () => {
  const { question } = await asked();
  const { id } = await upload(question, 'a.csv', Buffer.from('abc'));
  await expect(upload(question, 'a.csv', Buffer.from('d'), { id })).rejects.toThrow('more than the 3 bytes');
  await expect(upload({ ...question, id: 'other' }, 'a.csv', Buffer.from('a'))).rejects.toThrow('no longer open');
  await expect(upload({ ...question, id: 'other' }, 'a.csv', Buffer.from(''), { id })).rejects.toThrow('no longer has');
});

it('Files that an earlier Core left behind are deleted', async () => {
  await trial.core.close();
  mkdirSync(join(folder(), 'old'), { recursive: true });
  await startCore([], { host });
  await expect.poll(kept).toEqual([]);
});
