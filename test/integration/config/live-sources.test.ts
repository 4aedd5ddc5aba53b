/** A client file that the config names as a source: its changes take effect while Toolkeep runs. */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { textOf } from '../servers/server-harness.ts';

/** Two entries with the same command line would be one server. */
const entry = (name: string) => {
  const { command, args } = commands.misbehaving('normal', `prefix=${name}`);
  return { command, args };
};

test.each(['a file of its own', 'the usual file of a client'])('A changed source is applied live: %s', async (kind) => {
  const host = testHost();
  onTestFinished(host.dispose);
  const isOwn = kind === 'a file of its own';
  const file = isOwn ? join(host.homeDir, 'team', 'servers.json') : join(host.homeDir, '.cursor', 'mcp.json');
  mkdirSync(join(file, '..'), { recursive: true });
  const write = (names: string[]) => {
    writeFileSync(
      `${file}.new`,
      JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, entry(name)])) }),
    );
    renameSync(`${file}.new`, file);
  };
  write(['first']);
  const source = isOwn ? { type: 'custom', path: file } : { type: 'cursor' };
  const t = await startCore([], { host, config: { sources: [source] } });
  const names = async () => (await t.core.handlers['servers.list']()).map(({ id }) => id).join();
  await eventually(async () => (await names()) === 'first', 'the first server');

  write(['first', 'second']);
  await eventually(async () => (await names()) === 'first,second', 'the second server', 20_000);
  await eventually(() => t.view('second').toolCount > 0, 'the tools of the second server', 20_000);
  expect(textOf(await t.call('second', 'echo', { text: 'live' }))).toBe('live');

  write(['second']);
  await eventually(async () => (await names()) === 'second', 'the removal of the first server', 20_000);
});
