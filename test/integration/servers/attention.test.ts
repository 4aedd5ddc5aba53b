/** The list of what needs the user, with fixes, and the tools that no client uses. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';

const stdio = (name: string, connection: { command: string; args: string[]; env?: Record<string, string> }) => ({
  name,
  enabled: true,
  connection: { type: 'stdio' as const, env: {}, ...connection },
});

describe('The list of what needs the user', () => {
  it('has each failed server with its fix, and each secret in plain text', async () => {
    const { core } = await startCore([
      stdio('missing', { command: '/nonexistent/command', args: [] }),
      stdio('crashing', { command: process.execPath, args: ['-e', 'console.error("no config"); process.exit(3)'] }),
      stdio('locked', { command: process.execPath, args: ['${secret:license}'] }),
      stdio('fine', { ...commands.github(), env: { GITHUB_TOKEN: 'ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' } }),
    ]);
    const list = async () => core.handlers['attention.list']();
    const failed = async () =>
      (await list()).flatMap((item) => (item.kind === 'server-failed' ? `${item.server}: ${item.fix}` : []));
    await expect.poll(failed).toEqual(['missing: edit', 'crashing: retry', 'locked: secret']);
    await expect
      .poll(() => core.handlers['notifications.list']())
      .toContainEqual(expect.objectContaining({ server: 'crashing', message: 'no config' }));
    expect(await list()).toContainEqual({
      kind: 'plain-secrets',
      server: 'fine',
      secrets: [expect.stringContaining('GITHUB_TOKEN')],
      canMove: expect.any(Boolean),
    });
    await core.handlers['servers.setEnabled']({ server: 'missing', enabled: false });
    expect(await failed()).toEqual(['crashing: retry', 'locked: secret']);
  });
});

describe('Tools without calls', () => {
  it('are listed, and can be disabled and enabled again in one step', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { core, call } = await startCore([stdio('hub', commands.github()), stdio('new', commands.misbehaving())]);
    await core.handlers['servers.restart']({ server: 'hub' });
    const unused = async () => core.handlers['stats.unused'](undefined);
    const hub = await core.handlers['tools.list']({ server: 'hub' });
    const [safe = ''] = (await core.handlers['tools.list']({ server: 'hub', safetyLevel: 'safe' })).map(
      ({ name }) => name,
    );
    const use = async (count: number) => {
      for (let n = 0; n < count; n += 1) await call('hub', safe, { owner: 'a', repo: 'b' }).catch(() => undefined);
    };
    await use(49);
    vi.setSystemTime(Date.now() + 15 * 24 * 60 * 60_000);
    expect(await unused()).toEqual([]);
    await use(1);
    await call('new', 'echo', { text: 'x' });
    const rest = await unused();
    // The second server has only been used today.
    expect(rest.map(({ tool }) => tool).toSorted()).toEqual(
      hub
        .map(({ name }) => name)
        .filter((name) => name !== safe)
        .toSorted(),
    );
    await core.handlers['tools.setPolicies']({ tools: rest, enabled: false });
    expect(await unused()).toEqual([]);
    await core.handlers['tools.setPolicies']({ tools: rest, enabled: null });
    expect(await unused()).toEqual(rest);
  });
});
