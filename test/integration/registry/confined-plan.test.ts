/**
 * An installation confines the server exactly as its plan said, and is refused if that has changed. Needs bubblewrap and socat.
 *
 * @module-tag bubblewrap
 * @module-tag socat
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RegistryPlan } from '../../../shared/model/registry.ts';
import type { CoreTrial } from '../../fixtures/core.ts';
import { notesBundle } from '../../fixtures/notes-bundle.ts';
import { choose, start, startRegistries } from './install-harness.ts';

startRegistries();

interface Source {
  plan(): Promise<RegistryPlan>;
  install(hash?: string): Promise<unknown>;
}

function entrySource({ core, host }: CoreTrial): Source {
  const choice = choose('files', { folder: host.homeDir });
  return {
    plan: async () => core.handlers['registry.plan']({ ...choice, check: true }),
    install: async (hash = '') => core.handlers['registry.install']({ ...choice, hash }),
  };
}

function bundleSource({ core, host }: CoreTrial): Source {
  const choice = { file: join(host.homeDir, 'notes.mcpb'), inputs: { folder: host.homeDir, token: 'secret' } };
  writeFileSync(choice.file, notesBundle('1.0.0', { tools: [] }));
  return {
    plan: async () => core.handlers['bundle.plan'](choice),
    install: async (hash = '') => core.handlers['bundle.install']({ ...choice, hash }),
  };
}

async function setNewServers({ core, host }: CoreTrial, newServers: 'confine' | 'off'): Promise<void> {
  const file = join(host.dataDir, 'config.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), sandbox: { newServers } }));
  await core.handlers['config.reload']();
}

describe.each([
  ['from a registry', entrySource],
  ['from a bundle', bundleSource],
])('A server %s', (_where, sourceOf) => {
  it.each([
    ['confine', 'off'],
    ['off', 'confine'],
  ] as const)(
    'is not installed with the plan of "%s" once the setting is "%s"',
    async (first, second) => {
      const trial = await start();
      const { plan, install } = sourceOf(trial);
      const sandboxes = () => trial.host.store.get('servers').map(({ sandbox }) => sandbox);
      await setNewServers(trial, first);
      const seen = await plan();
      expect(seen.confinement?.isConfined).toBe(first === 'confine');
      await setNewServers(trial, second);
      const code = 'INSTALL_REFUSED';
      await expect(install(seen.hash)).rejects.toMatchObject({ failure: { code } });
      expect(sandboxes()).toEqual([]);

      const current = await plan();
      expect(current.confinement?.isConfined).toBe(second === 'confine');
      await install(current.hash);
      expect(sandboxes()).toEqual([second === 'confine' ? 'auto' : undefined]);
    },
    60_000,
  );
});
