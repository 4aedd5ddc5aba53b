/** A registry, an npm registry and a Core that reads them. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import type { RegistryChoice, RegistryPlan } from '../../../shared/model/registry.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';
import { type NpmRegistry, startNpmRegistry } from '../../fixtures/npm-registry.ts';
import { type FakeRegistry, npmPackage, registryItem, startRegistry } from '../../fixtures/registry.ts';

const require = createRequire(import.meta.url);
export const { version } = require('@modelcontextprotocol/server-filesystem/package.json') as { version: string };
export const filesystem = '@modelcontextprotocol/server-filesystem';
export const folderArgument = { type: 'positional', valueHint: 'folder', format: 'filepath', isRequired: true };

export let registry: FakeRegistry;
export let npm: NpmRegistry;
/** Starts both registries for the tests of a file, and ends them. */
export function startRegistries(): void {
  beforeAll(async () => {
    [registry, npm] = await Promise.all([startRegistry(), startNpmRegistry()]);
  });
  afterAll(() => Promise.all([registry.close(), npm.close()]));
  beforeEach(() => {
    npm.extra.clear();
    npm.extra.set(filesystem, { mcpName: 'io.github.acme/files' });
    registry.items = [
      registryItem('io.github.acme/files', {
        packages: [npmPackage(filesystem, version, { packageArguments: [folderArgument] })],
      }),
      registryItem('io.github.acme/cloud', {
        remotes: [
          {
            type: 'streamable-http',
            url: 'https://cloud.example/mcp',
            headers: [{ name: 'Authorization', value: 'Bearer {token}', variables: { token: { isRequired: true } } }],
          },
        ],
      }),
    ];
  });
}

/** A Core that has read the list. */
export async function start(servers: ServerConfig[] = [], host = testHost()): Promise<CoreTrial> {
  onTestFinished(() => host.dispose());
  writeFileSync(join(host.homeDir, '.npmrc'), `registry=${npm.url}\n`);
  const trial = await startCore(servers, { host, config: { registries: [{ name: 'test', url: registry.url }] } });
  await trial.core.handlers['registry.sync']({});
  return trial;
}
export const choose = (
  name: string,
  inputs: Record<string, string> = {},
): RegistryChoice & { inputs: Record<string, string> } => ({
  registry: 'test',
  name: `io.github.acme/${name}`,
  inputs,
});
type Choice = ReturnType<typeof choose>;
export const plan = async ({ core }: CoreTrial, choice: Choice, replace?: string): Promise<RegistryPlan> =>
  core.handlers['registry.plan']({ ...choice, replace, check: true });
export const install = async ({ core }: CoreTrial, choice: Choice, hash = '', replace?: string) =>
  core.handlers['registry.install']({ ...choice, replace, hash });
export const refused = (message: string) => ({
  failure: { code: 'INSTALL_REFUSED', message: expect.stringContaining(message) },
});
