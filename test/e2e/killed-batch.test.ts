/** Core ends during a batch: a repeat of the request reports each call truly, and nothing runs twice. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { initialize, type Message, spawnPeer, textOf } from '../integration/gateway/raw-peer.ts';
import { newProduct } from './product.ts';

/** Appends each number to a file. Kills its Core once, before or after it answers a certain call. */
const server = `
const fs = require('node:fs');
const [file, killAt, when] = process.argv.slice(1);
const tool = { name: 'add', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } };
const kill = () => {
  if (fs.existsSync(file + '.killed')) return;
  fs.writeFileSync(file + '.killed', '');
  process.kill(process.ppid, 'SIGKILL');
};
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'adder', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { n } }) => {
    fs.appendFileSync(file, n + '\\n');
    if (String(n) === killAt && when === 'before') kill();
    return { content: [{ type: 'text', text: 'added ' + n }] };
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ? answers[method](params) : {} }) + '\\n', () => {
    if (method === 'tools/call' && String(params.arguments.n) === killAt && when === 'after') kill();
  });
}).on('close', () => process.exit());`;

const count = 37;

it.each([
  [1, 'before'],
  [18, 'after'],
  [count, 'before'],
])('at call %i, %s its answer', { timeout: 60_000 }, async (killAt, when) => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  const runs = join(product.home, 'runs.txt');
  writeFileSync(runs, '');
  const args = ['-e', server, runs, String(killAt), when];
  product.file('.toolkeep/config.json', {
    batch: { clients: ['bulk'] },
    toolRules: [{ confirm: 'never', destinations: 'any' }],
    servers: [{ name: 'adder', connection: { type: 'stdio', command: process.execPath, args } }],
  });
  const bridge = product.bridge();
  const agent = spawnPeer({ ...bridge, env: { ...bridge.env, TOOLKEEP_LOG: 'error' } });
  onTestFinished(() => agent.close());
  await initialize(agent, { name: 'bulk' });
  const batch = (numbers: number[]) =>
    agent.request('tools/call', {
      name: 'execute_tools',
      arguments: { calls: numbers.map((n) => ({ server: 'adder', tool: 'add', arguments: { n } })) },
    });
  const received = () => readFileSync(runs, 'utf8').trim().split('\n').map(Number);
  const all = Array.from({ length: count }, (_, index) => index + 1);

  expect(textOf(await batch(all))).toContain('CORE_RESTARTED');
  const ran = received();
  expect(ran).toEqual(all.slice(0, killAt));

  const report = statusesOf(await batch(all));
  expect(received()).toEqual(ran);
  expect(report).toHaveLength(count);
  for (const [index, status] of report.entries()) {
    if (index < killAt - 1) expect(status).toBe('ok');
    else if (index === killAt - 1) expect(['ok', 'unknown']).toContain(status);
    // Core may have sent the next call before it was killed.
    else expect(index === killAt ? ['unknown', 'not_run'] : ['not_run']).toContain(status);
  }
  if (when === 'before') expect(report[killAt - 1]).toBe('unknown');

  const rest = all.slice(killAt);
  if (rest.length > 0) expect(new Set(statusesOf(await batch(rest)))).toEqual(new Set(['ok']));
  expect(received()).toEqual(all);
});

const statusesOf = ({ result }: Message): string[] =>
  (result as { content: { text: string }[] }).content.flatMap(({ text }) =>
    Array.from(text.matchAll(/^\d+\. (\w+) adder\/add/gm), ([, status = '']) => status),
  );
