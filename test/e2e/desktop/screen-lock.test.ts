/**
 * Questions behind a locked screen on Linux, where Electron reports no locks. A `dbus-send` of our own answers for logind.
 *
 * @module-tag linux
 * @module-tag exhaustive
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { connectClient } from './client.ts';
import { testApps } from './test-apps.ts';

const { closers, start } = testApps();

it('A question does not expire while the screen is locked', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'toolkeep-logind-'));
  closers.push(() => rmSync(bin, { recursive: true, force: true }));
  const locked = join(bin, 'locked');
  const answer = `case "$*" in *LockedHint*) [ -e '${locked}' ] && echo 'variant boolean true';; *) exit 1;; esac`;
  writeFileSync(join(bin, 'dbus-send'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
  writeFileSync(locked, '');
  const servers = [commands.elicit('legacy'), commands.content()].map((command, index) => ({
    name: ['asker', 'content'][index],
    connection: { type: 'stdio', ...command },
  }));
  const app = await start({
    args: ['--hidden'],
    env: { PATH: `${bin}${delimiter}${process.env.PATH}` },
    config: {
      servers,
      elicitation: { timeouts: { 'asker:choose': '2s' } },
      toolRules: ['asker', 'content'].map((server) => ({ server, confirm: 'never', destinations: 'any' })),
    },
  });
  const client = await connectClient(app);
  closers.push(client.close);
  const result = client.run('asker', 'choose');
  const isPrompt = ({ url, visible }: { url: string; visible: boolean }) => visible && url.includes('view=questions');
  const prompt = async () => (await app.desk('windows')).find(isPrompt);
  await eventually(prompt, 'the question');
  expect((await client.run('content', 'slow', { ms: 4_000 })).isError).toBe(false);
  expect(await prompt()).toBeDefined();
  rmSync(locked);
  expect((await result).text).toContain('cancel');
});
