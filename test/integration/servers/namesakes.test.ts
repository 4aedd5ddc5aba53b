/** Decisions about a server end with it, so that another server of its name gets none, and return with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../electron/core/settings.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';

const destinations = [
  { kind: 'files', value: '/home/ann/projects' },
  { kind: 'network', value: 'api.example.com:443' },
  { kind: 'secret', value: 'NOTES_TOKEN@api.example.com:443' },
  { kind: 'email', value: 'boss@example.com' },
];

/** A Core whose user has decided about the server "one" in every way. */
async function decided() {
  const one = serverConfig('one', commands.misbehaving('normal'));
  const trial = await startCore([one, serverConfig('two', commands.github())]);
  const { handlers } = trial.core;
  await handlers['servers.restart']({ server: 'one' });
  await handlers['grants.allowActs']({ server: 'one' });
  await handlers['grants.allowDestinations']({ server: 'one', destinations });
  await handlers['tools.setPolicy']({ server: 'one', tool: 'echo', confirm: 'never', destinations: 'any' });
  await handlers['tools.setPolicy']({ server: 'one', tool: 'pid', enabled: false });
  await handlers['servers.tag']({ servers: ['one'], add: ['safe'], remove: [] });
  await handlers['rules.save']({
    rules: [
      { pattern: ['zzz'], confirm: 'always', active: true },
      { server: 'one', pattern: [], confirm: 'never', active: true },
    ],
  });
  await handlers['servers.setEnabled']({ server: 'one', enabled: false });
  await expect.poll(() => pinned(trial.host.dataDir)).toContain('one::echo');
  /** The settings that still name the server. */
  const naming = () =>
    (Object.keys(trial.host.settings) as (keyof Settings)[]).filter(
      (key) =>
        !['servers', 'removedServers', 'imports'].includes(key) &&
        JSON.stringify(trial.host.store.get(key))?.includes('"one"'),
    );
  return { ...trial, handlers, naming, other: serverConfig('one', commands.content()) };
}

const pinned = (dataDir: string): string[] => {
  try {
    return Object.keys(JSON.parse(readFileSync(join(dataDir, 'pins.json'), 'utf8')).pins);
  } catch {
    return [];
  }
};

describe('What the user decided about a server', () => {
  it('is in six settings and in the pins', async () => {
    const { naming } = await decided();
    expect(naming()).toEqual(['rules', 'overrides', 'disabledServers', 'serverTags', 'grants', 'knownDestinations']);
  });

  it('ends when it is removed, and returns when it is restored', async () => {
    const { handlers, host, naming } = await decided();
    const before = structuredClone(host.settings);
    await handlers['servers.remove']({ server: 'one' });
    expect(naming()).toEqual([]);
    await expect.poll(() => pinned(host.dataDir).filter((key) => key.startsWith('one::'))).toEqual([]);
    await handlers['servers.restore']({ server: 'one' });
    for (const key of ['rules', 'overrides', 'disabledServers', 'serverTags', 'grants', 'knownDestinations'] as const)
      expect(host.store.get(key), key).toEqual(before[key]);
    await expect.poll(() => pinned(host.dataDir)).toContain('one::echo');
  });

  it.each(['kept for a while', 'forgotten'])(
    'does not pass to another server of its name while the removed one is %s',
    async (how) => {
      const { handlers, naming, other, host } = await decided();
      await handlers['servers.remove']({ server: 'one' });
      if (how === 'forgotten') await handlers['servers.forget']({ server: 'one' });
      await handlers['servers.save']({ server: other });
      expect(naming()).toEqual([]);
      expect(JSON.stringify(host.store.get('removedServers')).includes('boss@')).toBe(how !== 'forgotten');
    },
  );

  it('moves with its name', async () => {
    const { handlers, host, naming } = await decided();
    await handlers['servers.rename']({ server: 'one', name: 'uno' });
    expect(naming()).toEqual([]);
    expect(host.store.get('knownDestinations').map(({ server }) => server)).toEqual(Array(4).fill('uno'));
    expect(host.store.get('grants')).toMatchObject([{ server: 'uno', covers: 'acts' }]);
    expect(host.store.get('overrides')).toMatchObject([{ server: 'uno' }, { server: 'uno' }]);
    await expect.poll(() => pinned(host.dataDir)).toContain('uno::echo');
    await handlers['servers.save']({ server: serverConfig('one', commands.content()) });
    expect(naming()).toEqual([]);
  });
});
