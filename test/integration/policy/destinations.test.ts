/** No saved approval lets a call go to a new destination, whatever rules, plug-ins and profiles apply. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createCore } from '../../../electron/core/core.ts';
import type { GrantScope, Question } from '../../../shared/model/question.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands } from '../../fixtures/commands.ts';
import { testHost } from '../../fixtures/host.ts';
import { initialize, rawPeer } from '../gateway/raw-peer.ts';

const addressed = { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } };
/** The first is moderate, so that an approval covers all such tools of the server; the second is dangerous. */
const tools = [
  { name: 'add_guest', description: 'Adds a guest.', inputSchema: addressed },
  { name: 'delete_guest', description: 'Deletes a guest.', inputSchema: addressed },
];
const scopes: GrantScope[] = ['session', 'minutes', 'day', 'always'];
const rules = {
  'no rule': {},
  'a rule never asks': { toolRules: [{ pattern: '*', confirm: 'never' }] },
  'a rule for dangerous tools never asks': { toolRules: [{ safety: 'dangerous', confirm: 'never' }] },
  'overrides never ask': { overrides: tools.map(({ name }) => ({ server: '*', tool: name, confirm: 'never' })) },
};
const harmless = `export default {
  name: 'harmless',
  transformTool: (tool) => ({ ...tool, annotations: { ...tool.annotations, safetyLevel: 'moderate', openWorldHint: false } }),
};`;

let stop: () => Promise<unknown> = async () => undefined;
afterEach(() => stop());

/** A Core with a server for each scope, an agent, and a user who gives the longest approval that the scope allows. */
async function house(config: object, plugin: string | undefined, profile: string | undefined) {
  const host = testHost();
  const file = join(host.homeDir, 'tools.json');
  writeFileSync(file, JSON.stringify(tools));
  if (plugin !== undefined) writeFileSync(join(host.dataDir, 'plugin.mjs'), plugin);
  const { overrides = [], ...rest } = config as { overrides?: { tool: string }[] };
  writeFileSync(
    join(host.dataDir, 'config.json'),
    JSON.stringify({
      ...rest,
      ...(plugin !== undefined && { plugins: [{ path: './plugin.mjs', required: true }] }),
      profiles: { wide: {} },
      servers: scopes.map((name) => ({
        name,
        connection: { type: 'stdio', ...commands.misbehaving('normal', `tools-file=${file}`) },
      })),
      overrides: overrides.flatMap((one) => scopes.map((server) => ({ ...one, server }))),
    }),
  );
  const core = await createCore(host);
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: true });
  const ui = connectCore(ours);
  const asked: Question[] = [];
  let answer: (question: Question) => object = () => ({ action: 'decline' });
  ui.on('questions.changed', async () => {
    for (const question of await ui.call('questions.list')) {
      if (asked.some(({ id }) => id === question.id)) continue;
      asked.push(question);
      await ui.call('questions.answer', { id: question.id, answer: answer(question) as never });
    }
  });
  await expect.poll(() => ui.call('tools.list', {})).toHaveLength(scopes.length * tools.length);
  const [near, far] = duplexPair() as [Duplex, Duplex];
  core.gateway.serveStream(far, { mode: 'lazy', client: 'claude-code', ...(profile !== undefined && { profile }) });
  const agent = rawPeer(near, near);
  await initialize(agent, { name: 'Agent' });
  stop = async () => {
    agent.close();
    await core.close();
    host.dispose();
  };
  return {
    asked,
    decide(by: typeof answer) {
      answer = by;
    },
    async call(server: string, tool: string, to: string, text = 'hello') {
      const before = asked.length;
      const call = { server, tool, arguments: { to, text } };
      const { result } = await agent.request('tools/call', { name: 'execute_tool', arguments: call });
      return { questions: asked.slice(before), hasRun: (result as { isError?: boolean }).isError !== true };
    },
  };
}

const combinations = Object.entries(rules).flatMap(([rule, config]) =>
  [undefined, harmless].flatMap((plugin) =>
    [undefined, 'wide'].map((profile) => ({
      title: `${rule}, ${plugin ? 'with' : 'without'} a plug-in, ${profile ? 'with' : 'without'} a profile`,
      make: () => house(config, plugin, profile),
    })),
  ),
);

/** unit/policy/destinations has the rule itself; here is one Core, and for `test:all` one for each combination. */
const title = 'A call to a new destination ($title)';
describe.each(combinations.slice(0, 1))(title, ({ make }) => runsUnderNoApproval(make));
describe.each(combinations.slice(1))(title, { tags: ['exhaustive'] }, ({ make }) => runsUnderNoApproval(make));

function runsUnderNoApproval(make: () => ReturnType<typeof house>) {
  it('runs under no approval of any scope and cover', async () => {
    const { call, decide } = await make();
    for (const server of scopes)
      for (const { name } of tools) {
        decide(() => ({ action: 'accept', scope: server }));
        expect(await call(server, name, 'ann@acme.com'), `${server} ${name}`).toMatchObject({ hasRun: true });
        decide(() => ({ action: 'decline' }));
        if (server === 'session' || server === 'always')
          expect(await call(server, name, 'ann@acme.com', 'again')).toEqual({ questions: [], hasRun: true });
        for (const [to, text] of [
          ['eve@evil.example', 'hello'],
          ['ann@acme.com.evil.example', 'hello'],
          ['ann@acme.com', 'Copy to eve@evil.example.'],
          ['ann@acme.com, eve@evil.example', 'hello'],
        ] as const) {
          const { questions, hasRun } = await call(server, name, to, text);
          expect(hasRun, `${server} ${name} ${to} ${text}`).toBe(false);
          expect(questions, `${server} ${name} ${to} ${text}`).toHaveLength(1);
        }
      }
  });
}
