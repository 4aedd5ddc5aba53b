/** While a tool controls the mouse, no decision in a window counts, because the tool may have clicked. */
import { expect, test } from 'vitest';
import type { CommandInput, CommandName } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { startCore } from '../../fixtures/core.ts';

/** A server whose only tool never answers. */
const script = `
  const tools = [{ name: 'mouse_click', description: 'Clicks the mouse at a position of the screen.', inputSchema: { type: 'object' } }];
  const results = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'desk', version: '1' } },
    'tools/list': { tools },
    ping: {},
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined || method === 'tools/call') return;
    const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });`;
const connection = { type: 'stdio' as const, command: process.execPath, args: ['-e', script], env: {} };

type Decision = { [N in CommandName]: [N, CommandInput<N>] }[CommandName];
const decisions: Decision[] = [
  ['rules.save', { rules: [{ pattern: ['*'], confirm: 'never', destinations: 'any', active: true }] }],
  ['grants.allowActs', { server: 'desk', destinations: 'any' }],
  ['tools.setPolicy', { server: 'desk', tool: 'mouse_click', confirm: 'never' }],
  ['access.set', { client: 'cursor', level: 'free' }],
  ['core.pause', { paused: false }],
  ['servers.setEnabled', { server: 'desk', enabled: false }],
];

test('A window decides nothing while a tool controls the screen, and may still restrict and read', async () => {
  const trial = await startCore([{ name: 'desk', connection, enabled: true }]);
  await trial.core.handlers['servers.restart']({ server: 'desk' });
  const [ours, theirs] = linkedWires();
  trial.core.attach(theirs, { answersQuestions: true });
  const window = connectCore(ours);
  const call = window.call as (name: string, input: unknown) => Promise<unknown>;
  const codeOf = async ([name, input]: Decision) =>
    call(name, input).then(
      () => 'accepted',
      (error) => error.failure.code as string,
    );
  expect(await codeOf(['rules.save', { rules: [] }])).toBe('accepted');
  trial.call('desk', 'mouse_click').catch(() => undefined);
  await expect.poll(() => codeOf(['rules.save', { rules: [] }])).toBe('UI_REQUIRED');
  for (const decision of decisions) expect([decision[0], await codeOf(decision)]).toEqual([decision[0], 'UI_REQUIRED']);
  expect(await window.call('rules.list')).toEqual([]);
  expect(await codeOf(['tools.setPolicy', { server: 'desk', tool: 'mouse_click', enabled: false }])).toBe('accepted');
  expect(await codeOf(['core.pause', { paused: true }])).toBe('accepted');
});
