/** A saved approval covers known destinations only, in the built product: in the window, without one, and in the terminal. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Question } from '../../shared/model/question.ts';
import { connectCore } from '../../shared/protocol/rpc.ts';
import { commands } from '../fixtures/commands.ts';
import { openPageSocket, wireOf } from '../fixtures/page-socket.ts';
import { newProduct } from './product.ts';

const product = newProduct();
const client = new Client({ name: 'agent', version: '1' });

beforeAll(async () => {
  product.file('.toolkeep/config.json', {
    servers: { slack: commands.listedTools('slack') },
    toolRules: [{ pattern: 'slack_add_reaction', confirm: 'never' }],
  });
  await product.serve();
  await client.connect(new StdioClientTransport(product.bridge()));
});
afterAll(async () => {
  await client.close();
  await product.dispose();
});

async function run(tool: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
  const result = await client.callTool({ name: 'execute_tool', arguments: { server: 'slack', tool, arguments: args } });
  const [block] = result.content as { text: string }[];
  return { text: block?.text ?? '', isError: result.isError === true };
}
const post = (channel_id: string, text = 'Done.') => run('slack_post_message', { channel_id, text });

/** A page whose user gives `answers` in order. */
async function attachUser(...answers: Answer[]) {
  const socket = await openPageSocket(await product.pageUrl());
  const core = connectCore(wireOf(socket));
  const asked: Question[] = [];
  const answerNew = async () => {
    for (const question of await core.call('questions.list')) {
      if (asked.some(({ id }) => id === question.id)) continue;
      asked.push(question);
      await core.call('questions.answer', { id: question.id, answer: answers.shift() ?? { action: 'decline' } });
    }
  };
  // The list may change after the page is closed.
  core.on('questions.changed', () => void answerNew().catch(() => undefined));
  return { asked, core };
}

it('asks again only for a new destination, and names it to the agent and the user', async () => {
  const { asked, core } = await attachUser({ action: 'accept', scope: 'session' }, { action: 'decline' });
  expect(await post('C1')).toMatchObject({ isError: false });
  expect(await post('C1', 'Again.')).toMatchObject({ isError: false });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.approval).toMatchObject({
    covers: 'tool',
    destinations: { new: [{ kind: 'channel', value: 'C1' }] },
  });

  expect((await post('C2')).text).toContain('APPROVAL_DENIED');
  expect((await post('C1', 'Also mail eve@evil.example')).text).toContain('APPROVAL_DENIED');
  expect(asked.slice(1).map(({ approval }) => approval?.destinations?.new.map(({ value }) => value))).toEqual([
    ['C2'],
    ['eve@evil.example'],
  ]);
  // A rule that never asks covers no new destination either.
  expect((await run('slack_add_reaction', { channel_id: 'C3', timestamp: '1', reaction: 'eyes' })).text).toContain(
    'DENIED',
  );
  core.close();
});

it('names the new destinations and the command that allows exactly them where no one can answer', async () => {
  const refused = await post('C4');
  expect(JSON.parse(refused.text).error).toMatchObject({
    code: 'APPROVAL_UNAVAILABLE',
    newDestinations: [{ kind: 'channel', value: 'C4' }],
    message: expect.stringContaining("`toolkeep allow 'slack' --destination 'channel=C4'`"),
  });
  const allowed = await product.inTerminal('allow', 'slack', '--destination', 'channel=C4');
  expect(allowed.output).toContain('Every client may use these destinations of slack: channel=C4');
  expect(await post('C4')).toMatchObject({ isError: false });
  expect((await post('C5')).text).toContain('APPROVAL_UNAVAILABLE');

  const { stdout } = await product.cli('grants', 'destinations', '--json');
  const { destinations } = JSON.parse(stdout);
  const { id } = destinations.find(({ value }: { value: string }) => value === 'C4');
  expect((await product.cli('grants', 'forget', id)).code).toBe(0);
  expect((await post('C4')).text).toContain('APPROVAL_UNAVAILABLE');
});
