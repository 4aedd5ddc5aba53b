/** Folders of bundles are deleted after the installations that were started before. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createBundleFolders } from '../../../electron/core/registry/bundle-folders.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { testHost } from '../../fixtures/host.ts';

const [kept, unneeded] = ['1.0.0', '2.0.0'].map((version) => `${version}-${'a1'.repeat(16)}`) as [string, string];

function trial() {
  const host = testHost();
  onTestFinished(() => host.dispose());
  const parent = join(host.dataDir, 'bundles/notes');
  for (const name of [kept, unneeded]) mkdirSync(join(parent, name, 'server'), { recursive: true });
  const connection = { type: 'stdio' as const, command: 'none', args: [join(parent, kept)], env: {} };
  const configured: ServerConfig[] = [{ name: 'notes', enabled: false, connection }];
  const folders = createBundleFolders(host, () => configured);
  const installation = Promise.withResolvers<void>();
  const installed = folders.keepAll(() => installation.promise);
  return { folders, configured, installation, installed, names: () => readdirSync(parent) };
}

it('A folder stays that a server needs when the installations before the deletion have ended', async () => {
  const { folders, configured, installation, names } = trial();
  const later = configured.splice(0);
  folders.clean();
  configured.push(...later);
  installation.resolve();
  await folders.keepAll(async () => undefined);
  expect(names()).toEqual([kept]);
});

it('After closing, which waits for no installation, nothing is deleted', async () => {
  const { folders, installation, installed, names } = trial();
  folders.clean();
  await folders.close();
  installation.resolve();
  await installed;
  await folders.keepAll(async () => undefined);
  expect(names()).toEqual([kept, unneeded]);
});
