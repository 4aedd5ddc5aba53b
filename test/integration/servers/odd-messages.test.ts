/** Messages of a server with values of wrong types: they can end its own connection at most, never Core. */
import { expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { tryServer } from './server-harness.ts';

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

test('Ids and progress tokens that a server repeats as text are matched', async () => {
  const { handle } = tryServer(commands.misbehaving('text-ids'));
  const progress: unknown[] = [];
  const params = { name: 'sleep', arguments: { ms: 100 } };
  await handle.request({ method: 'tools/call', params, onProgress: (step) => void progress.push(step) });
  expect(progress.length).toBeGreaterThan(0);
});
