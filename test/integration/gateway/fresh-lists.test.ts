/** Every surface reads fresh lists, complete first lists and effective decisions. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';

test.each(['lazy', 'full'] as const)(
  'A search or list in %s mode refreshes the expired list of a server',
  async (mode) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-lists-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const lists = join(folder, 'lists');
    const args = [join(import.meta.dirname, '../../fixtures/counting.mjs'), join(folder, 'runs'), lists];
    const t = await startCore([serverConfig('counting', { command: process.execPath, args })], {
      config: { cache: { enabled: true, ttl: 1 } },
    });
    const count = () => readFileSync(lists, 'utf8').length;
    await eventually(() => t.view('counting').toolCount > 0, 'the tools');
    const client = await t.legacyClient({}, mode);
    const first = count();
    const read = () =>
      mode === 'full' ? client.listTools() : client.callTool({ name: 'search_tools', arguments: { query: 'value' } });
    await expect.poll(() => read().then(count)).toBeGreaterThan(first);
  },
);

test('The first list of a client in full mode waits for servers that have never been discovered', async () => {
  const t = await startCore([serverConfig('late', commands.misbehaving('slow-start', 'delay=700'))]);
  const client = await t.legacyClient({}, 'full');
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('late-echo');
});

test('The filter for approvals follows what the user decided, not only the annotations', async () => {
  const t = await startCore([serverConfig('github', commands.github())], {
    config: { approvals: { ask: 'dangerous' } },
  });
  await eventually(() => t.view('github').toolCount > 0, 'the tools');
  const { handlers } = t.core;
  const names = async (requiresConfirmation: boolean) =>
    (await handlers['tools.list']({ server: 'github', requiresConfirmation })).map(({ name }) => name);
  expect(await names(true)).toEqual(['delete_repo']);
  await handlers['tools.setPolicy']({ server: 'github', tool: 'delete_repo', confirm: 'never' });
  await handlers['tools.setPolicy']({ server: 'github', tool: 'list_repos', confirm: 'always' });
  expect(await names(true)).toEqual(['list_repos']);
  expect(await names(false)).toContain('delete_repo');
});

test('A question that no UI can show is reported as requested and as an error', async () => {
  const t = await startCore([serverConfig('github', commands.github())]);
  await eventually(() => t.view('github').toolCount > 0, 'the tools');
  const kinds: unknown[] = [];
  t.core.subscribe((name, data) => {
    if (name === 'questions.lifecycle') kinds.push((data as { kind: string }).kind);
  });
  const client = await t.legacyClient({}, 'full');
  const progress: unknown[] = [];
  const call = { name: 'github-delete_repo', arguments: { repo: 'a/b' } };
  await client.callTool(call, undefined, { onprogress: (one) => void progress.push(one) });
  expect(kinds).toEqual(['requested', 'error']);
  // No message says that Toolkeep waits for the user.
  expect(progress).toEqual([]);
});

test('servers.discover says of each server whether its tools were listed, how many, and how long it took', async () => {
  const t = await startCore([
    serverConfig('github', commands.github()),
    serverConfig('database', commands.misbehaving('crash-at-start')),
  ]);
  const { results } = await t.core.handlers['servers.discover']({});
  const durationMs = expect.any(Number);
  expect(results).toEqual([
    { server: 'github', success: true, toolCount: t.view('github').toolCount, durationMs },
    {
      server: 'database',
      success: false,
      toolCount: 0,
      durationMs,
      failure: expect.objectContaining({ code: 'SERVER_CRASHED' }),
    },
  ]);
  expect(results[0]?.toolCount).toBeGreaterThan(0);
});

test('servers.discover stops waiting after its own timeout, and the discovery continues', async () => {
  const t = await startCore([serverConfig('slow', commands.misbehaving('hang-at-list'))]);
  const { results } = await t.core.handlers['servers.discover']({ server: 'slow', timeoutMs: 300 });
  expect(results).toMatchObject([{ server: 'slow', success: false, failure: { code: 'SERVER_TIMEOUT' } }]);
  expect(results[0]?.durationMs).toBeLessThan(5_000);
  expect(t.view('slow').discovering).toBe(true);
});
