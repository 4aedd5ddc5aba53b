/** User settings override the config file at once; a setting that equals the file's value follows the file again. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Question } from '../../../shared/model/question.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';

const servers = [serverConfig('everything', commands.everything()), serverConfig('asker', commands.elicit())];
const monthsAgo = (count: number) => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1);
};
const config = {
  results: { maxCharacters: 2_000 },
  approvals: { timeout: '3m' },
  elicitation: { timeout: '4m' },
};

async function start() {
  const trial = await startCore(servers, { config });
  const { handlers } = trial.core;
  const client = await trial.legacyClient({}, 'lazy');
  return {
    ...trial,
    show: () => handlers['settings.show'](undefined),
    save: handlers['settings.save'],
    async echoed(length: number) {
      const call = { server: 'everything', tool: 'echo', arguments: { message: 'x'.repeat(length) } };
      const { content } = await client.callTool({ name: 'execute_tool', arguments: call });
      return (content as { text: string }[])[0]?.text ?? '';
    },
    /** In seconds. */
    async questionLasts() {
      const caller = new AbortController();
      const call = { name: 'execute_tool', arguments: { server: 'asker', tool: 'text', arguments: {} } };
      const answer = client.callTool(call, undefined, { signal: caller.signal }).catch(() => undefined);
      const pending = () => handlers['questions.list'](undefined) as Question[];
      const { createdAt, expiresAt } = await eventually(() => pending()[0], 'the question');
      caller.abort();
      await answer;
      await eventually(() => pending().length === 0, 'the question is gone');
      return Math.round((expiresAt - createdAt) / 1_000);
    },
  };
}

test('Long results are paged, returned in full, and paged again', async () => {
  const { echoed, save, show, host } = await start();
  const isCut = async (length: number) => (await echoed(length)).includes('To continue');
  expect(await isCut(3_000)).toBe(true);
  await save({ maxResultCharacters: 0 });
  expect(await isCut(3_000)).toBe(false);
  await save({ maxResultCharacters: 10_000 });
  expect(await isCut(3_000)).toBe(false);
  expect(await isCut(12_000)).toBe(true);
  expect(await show()).toMatchObject({ maxResultCharacters: 10_000 });
  await save({ maxResultCharacters: 2_000 });
  expect(host.store.get('userSettings')).toEqual({});
});

test('A question times out after the time that the user set', async () => {
  const { core, questionLasts, save } = await start();
  core.attach({ send() {}, onFrame() {}, onClose() {}, close() {} }, { answersQuestions: true });
  expect(await questionLasts()).toBe(240);
  await save({ questionTimeoutMs: 600_000 });
  expect(await questionLasts()).toBe(600);
});

test('HTTP is disabled by the user setting, or by the file if there is no user setting', async () => {
  const { core, save, show, host } = await start();
  expect(core.http.enabled).toBe(true);
  await save({ http: false });
  expect(core.http.enabled).toBe(false);
  expect(await show()).toMatchObject({ http: false, maxResultCharacters: 2_000, questionTimeoutMs: 180_000 });
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify({ http: { enabled: false } }));
  await core.handlers['config.reload'](undefined);
  await save({ http: false });
  expect(host.store.get('userSettings')).toEqual({});
  await save({ http: true });
  expect(core.http.enabled).toBe(true);
});

test('The history is kept for the time in the file, at the start and after each change, unless a user setting differs', async () => {
  const host = testHost();
  onTestFinished(() => host.dispose());
  const kept = () => readdirSync(join(host.dataDir, 'history')).sort();
  const [old, older, oldest] = [1, 4, 14].map(
    (count) => `${new Date(monthsAgo(count)).toISOString().slice(0, 7)}.jsonl`,
  );
  mkdirSync(join(host.dataDir, 'history'), { recursive: true });
  for (const name of [old, older, oldest]) writeFileSync(join(host.dataDir, 'history', String(name)), '');
  const { core } = await startCore([], { host, config: { history: { months: 6 } } });
  expect(kept()).toEqual([older, old]);
  expect(core.handlers['settings.show'](undefined)).toMatchObject({ historyMonths: 6 });

  await core.handlers['settings.save']({ historyMonths: 12 });
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify({ history: { months: 2 } }));
  await core.handlers['config.reload'](undefined);
  expect(kept()).toEqual([older, old]);
  expect((await core.handlers['config.show'](undefined)).settings.find(({ key }) => key === 'history.months')).toEqual({
    ...{ key: 'history.months', value: 12, origin: 'window' },
    otherwise: { value: 2, origin: 'file' },
  });

  await core.handlers['settings.save']({ historyMonths: 2 });
  expect(kept()).toEqual([old]);
  expect((await core.handlers['config.show'](undefined)).settings.find(({ key }) => key === 'history.months')).toEqual({
    ...{ key: 'history.months', value: 2, origin: 'file' },
  });

  // A broken file changes nothing.
  writeFileSync(join(host.dataDir, 'config.json'), '{ "history": { "months": "one" } }');
  await core.handlers['config.reload'](undefined);
  expect(core.handlers['settings.show'](undefined)).toMatchObject({ historyMonths: 2 });
  expect(kept()).toEqual([old]);
});
