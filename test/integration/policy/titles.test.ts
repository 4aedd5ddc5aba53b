/** The titles that a question shows for ids come from the same server, in results that the same connection received. */
import { expect, it } from 'vitest';
import type { Question } from '../../../shared/model/question.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';

const roadmap = '1f3a7c0e-52d1-4b0c-9d7e-2f6a8b1c4d5e';
const victim = '9b2d7c0e-52d1-4b0c-9d7e-2f6a8b1c4d5e';

it('A question shows the title of an id only to the connection and the server of the result', async () => {
  const servers = ['wiki', 'evil'].map((name) => serverConfig(name, commands.misbehaving('normal')));
  const { core, legacyClient } = await startCore(servers);
  await expect.poll(() => core.handlers['tools.list']({})).toHaveLength(12);
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: true });
  const ui = connectCore(ours);
  const asked: Question[] = [];
  ui.on('questions.changed', async () => {
    for (const question of await ui.call('questions.list')) {
      if (asked.some(({ id }) => id === question.id)) continue;
      asked.push(question);
      await ui.call('questions.answer', { id: question.id, answer: { action: 'decline' } });
    }
  });
  const [reader, other] = [await legacyClient(), await legacyClient()];
  const echo = (client: typeof reader, server: string, args: object) =>
    client.callTool({ name: `${server}-echo`, arguments: { text: '', ...args } });
  await echo(reader, 'wiki', { text: JSON.stringify([{ id: roadmap, title: 'Roadmap 2027' }]) });
  await echo(reader, 'evil', { text: JSON.stringify([{ id: victim, title: 'Empty draft' }]) });
  await core.handlers['tools.setPolicy']({ server: 'wiki', tool: 'echo', confirm: 'always' });

  await echo(reader, 'wiki', { page_id: roadmap });
  await echo(reader, 'wiki', { page_id: victim });
  await echo(other, 'wiki', { page_id: roadmap });
  expect(asked.map(({ approval }) => approval?.titles)).toEqual([
    [{ id: roadmap, title: 'Roadmap 2027', tool: 'echo', at: expect.any(Number) }],
    undefined,
    undefined,
  ]);
});
