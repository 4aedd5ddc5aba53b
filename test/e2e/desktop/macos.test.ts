/**
 * The Dock and a hidden app, on macOS or on the stand-in.
 *
 * @module-tag macos
 * @module-tag exhaustive
 */

import { expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { connectClient } from './client.ts';
import { press } from './driver.ts';
import { testApps } from './test-apps.ts';

const { closers, start } = testApps();
const env = { TOOLKEEP_STAND_IN_PLATFORM: 'darwin' };

it('A window that another one covers stays in the Dock; a closed one does not', async () => {
  const app = await start({ env });
  const { id } = await eventually(async () => (await app.desk('windows')).find(({ visible }) => visible), 'the window');
  const shows = await app.desk('dockShows');
  for (const _time of [1, 2, 3]) {
    await app.desk('coverWindow', id);
    await app.desk('uncoverWindow', id);
  }
  expect(await app.desk('dockPolicy')).toBe('regular');
  // Showing the icon again would take the focus from the user's window.
  expect(await app.desk('dockShows')).toBe(shows);
  await app.desk('closeWindow', id);
  const said = await app.dialog();
  expect(said).toMatchObject({ parent: id, options: { message: 'Toolkeep keeps running' } });
  await app.desk('answerDialog', said.id, { response: 0, checkboxChecked: false });
  // Although macOS does not hide the icon in the second after it was shown.
  await expect.poll(() => app.desk('dockPolicy')).toBe('accessory');
  expect(await app.desk('permissionRequests')).toBe(0);
});

it('A hidden app shows its questions', async () => {
  const connection = { type: 'stdio', ...commands.elicit('legacy') };
  const toolRules = [{ server: 'asker', confirm: 'never', destinations: 'any' }];
  const app = await start({
    env,
    args: ['--hidden'],
    config: { servers: [{ name: 'asker', connection }], toolRules },
  });
  await app.desk('hideApp');
  const client = await connectClient(app);
  closers.push(client.close);
  const result = client.run('asker', 'text');
  const isPrompt = ({ url, visible }: { url: string; visible: boolean }) => visible && url.includes('view=questions');
  await eventually(async () => (await app.desk('windows')).find(isPrompt), 'the question');
  await press(await app.page('view=questions'), 'Decline');
  await result;
});
