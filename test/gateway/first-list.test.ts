/** A client waits for nobody: its handshake and its first list come before any server behind the gateway is there. */
import { expect, test } from 'vitest';
import { commands, serverConfig } from '../fixtures/commands.ts';
import { startCore } from '../fixtures/core.ts';
import { testHost } from '../fixtures/host.ts';
import { eventually } from '../upstream/helper.ts';

test.each(['legacy', 'modern'] as const)(
  'a %s client has shaken hands and read its list while every server behind is still silent (N8)',
  async (era) => {
    const silent = Array.from({ length: 5 }, (_, at) =>
      serverConfig(`silent-${at}`, commands.misbehaving('hang-at-initialize')),
    );
    const t = await startCore(silent);
    const client = era === 'legacy' ? await t.legacyClient({}, 'lazy') : await t.modernClient({}, 'lazy');
    expect((await client.listTools()).tools).toHaveLength(5);
    for (const { name } of silent) expect(['idle', 'starting']).toContain(t.view(name).status);
  },
);

test('a client that lists every tool gets them from the catalog, with no server started for it (N8, A9)', async () => {
  const host = testHost();
  const servers = [serverConfig('github', commands.github())];
  const first = await startCore(servers, { host });
  await eventually(() => first.view('github').toolCount > 0, 'the tools');
  await first.core.close();
  const t = await startCore(servers, { host });
  const client = await t.legacyClient({}, 'full');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('github-create_issue');
  expect(t.view('github')).toMatchObject({ status: 'idle', pid: undefined });
  // How long a call may take is told beside each, where no model pays for it.
  expect(tools[0]?._meta).toEqual({ 'gatehouse/timeoutMs': 60_000 });
  await t.core.close();
  host.dispose();
});
