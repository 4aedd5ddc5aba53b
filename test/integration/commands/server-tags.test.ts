/** Tags of servers follow their servers. */
import { expect, it } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';

it('Tags are added and removed for several servers, in the case of their first use', async () => {
  const trial = await startCore([serverConfig('a', commands.github()), serverConfig('b', commands.github())]);
  const { handlers } = trial.core;
  await handlers['servers.tag']({ servers: ['a'], add: ['Work', 'billing'], remove: [] });
  await handlers['servers.tag']({ servers: ['a', 'b'], add: ['work', 'new'], remove: ['BILLING'] });
  expect(trial.view('a').tags).toEqual(['new', 'Work']);
  expect(trial.view('b').tags).toEqual(['new', 'Work']);
  await handlers['servers.tag']({ servers: ['b'], add: [], remove: ['Work', 'new'] });
  expect(trial.view('b').tags).toBeUndefined();
  const unknown = async () => handlers['servers.tag']({ servers: ['a', 'c'], add: ['x'], remove: [] });
  await expect(unknown()).rejects.toMatchObject({ failure: { code: 'SERVER_NOT_FOUND' } });
  expect(trial.view('a').tags).toEqual(['new', 'Work']);
});

it('Tags survive the renaming of a server, and the undo of its removal', async () => {
  const { core, view, host } = await startCore([serverConfig('a', commands.github())]);
  await core.handlers['servers.tag']({ servers: ['a'], add: ['work'], remove: [] });
  await core.handlers['servers.rename']({ server: 'a', name: 'b' });
  expect(view('b').tags).toEqual(['work']);
  await core.handlers['servers.remove']({ server: 'b' });
  expect(host.store.get('serverTags')).toEqual([]);
  await core.handlers['servers.restore']({ server: 'b' });
  expect(view('b').tags).toEqual(['work']);
});
