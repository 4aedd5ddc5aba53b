/** Settings for the questions of tools: disabled as a whole, and time limits for single tools. */

import { expect, test } from 'vitest';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { textOf } from '../servers/server-harness.ts';

async function start(elicitation: object, tools: object = {}) {
  const t = await startCore([serverConfig('elicit', commands.elicit())], { config: { elicitation, ...tools } });
  const [ours, theirs] = linkedWires();
  t.core.attach(theirs, { answersQuestions: true });
  await eventually(() => t.view('elicit').toolCount > 0, 'the tools');
  return { t, ui: connectCore(ours), client: await t.legacyClient() };
}

test('With elicitation disabled, every question is declined at once, and the agent is informed that no user saw it', async () => {
  const { ui, client } = await start({ enabled: false });
  const { tools } = await client.listTools();
  const name = tools.find((tool) => tool.name.endsWith('-confirm'))?.name ?? '';
  const result = await client.callTool({ name, arguments: {} });
  expect(textOf(result)).toContain('"action":"decline"');
  const texts = (result.content as { text: string }[]).map(({ text }) => text);
  expect(texts.at(-1)).toContain("the user has disabled tools' questions");
  expect(await ui.call('questions.list')).toEqual([]);
});

test('The first pattern that matches a tool limits its questions and its approvals', async () => {
  const timeouts = { 'elicit:confirm': '7s', '!*form*': '30s' };
  const rules = { toolRules: [{ pattern: 'busy', confirm: 'always' }] };
  const { ui, client } = await start({ timeout: '2m', timeouts }, rules);
  const secondsOf = async (tool: string) => {
    const controller = new AbortController();
    const called = client.callTool({ name: `elicit-${tool}`, arguments: {} }, undefined, { signal: controller.signal });
    called.catch(() => undefined);
    const find = async () => (await ui.call('questions.list')).find(({ from }) => from.tool === tool);
    await eventually(async () => (await find()) !== undefined, `a question of ${tool}`);
    const question = await find();
    controller.abort();
    await eventually(async () => (await find()) === undefined, `the end of the question of ${tool}`);
    return Math.round(((question?.expiresAt ?? 0) - (question?.createdAt ?? 0)) / 1_000);
  };
  expect(await secondsOf('confirm')).toBe(7);
  expect(await secondsOf('text')).toBe(30);
  expect(await secondsOf('form')).toBe(120);
  expect(await secondsOf('busy')).toBe(30);
});

test('An invalid pattern is a configuration error', async () => {
  const { t } = await start({ timeouts: { '/(/': '7s' } });
  const { problems } = await t.core.handlers['config.validate']();
  expect(problems).toEqual([
    expect.objectContaining({ code: 'CONFIG_INVALID', path: expect.stringContaining('timeouts') }),
  ]);
});
