/** Messages of a server with values of wrong types: they can end its own connection at most, never Core. */
import { expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';

test('A server whose messages have objects as ids, names and texts does not end Core', async () => {
  const odd = commands.misbehaving('odd-types');
  const trial = await startCore([serverConfig('odd', odd), serverConfig('plain', commands.misbehaving())]);
  const { content } = await trial.call('odd', 'echo', { text: 'heard' });
  expect(content).toContainEqual({ type: 'text', text: 'heard' });
  expect(await trial.call('plain', 'echo', { text: 'served' })).toMatchObject({ content: [{ text: 'served' }] });
  expect(trial.view('odd').status).toBe('ready');
});

test('An error whose code and message are objects is reported as an error without a reason', async () => {
  const trial = await startCore([serverConfig('odd', commands.misbehaving('odd-types'))]);
  await expect(trial.call('odd', 'fail')).rejects.toThrow('The server gave no reason.');
});
