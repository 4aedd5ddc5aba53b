/** A registry with a few entries, planned by the product's own code. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEntry, type RegistryEntry } from '../../../electron/core/registry/entry.ts';
import { cardOf, planInstall } from '../../../electron/core/registry/plan.ts';
import { fail } from '../../../shared/failure.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { npmPackage, registryItem } from '../../fixtures/registry.ts';
import type { SampleCore } from './sample-core.ts';

type Handlers = Pick<CommandHandlers, Extract<keyof CommandHandlers, `registry.${string}` | `bundle.${string}`>>;

const source = { name: 'official', url: 'https://registry.modelcontextprotocol.io' };

const items = [
  registryItem('io.github.acme/notes', {
    title: 'Acme Notes',
    description: 'Search, read and write the notes in a folder.',
    version: '1.4.2',
    repository: { url: 'https://github.com/acme/notes', source: 'github' },
    packages: [
      npmPackage('@acme/notes-mcp', '1.4.2', {
        packageArguments: [
          {
            type: 'positional',
            valueHint: 'folder',
            description: 'The folder with your notes.',
            format: 'filepath',
            isRequired: true,
          },
          { type: 'named', name: '--read-only', description: 'Change nothing.', format: 'boolean' },
        ],
        environmentVariables: [{ name: 'NOTES_TOKEN', description: 'Your token for sync.', isSecret: true }],
      }),
      { registryType: 'oci', identifier: 'ghcr.io/acme/notes:1.4.2' },
    ],
  }),
  registryItem('com.example.tickets/mcp', {
    title: 'Tickets',
    description: 'Create, assign and close tickets of your team.',
    version: '3.0.1',
    remotes: [{ type: 'streamable-http', url: 'https://mcp.tickets.example.com/mcp' }],
  }),
  registryItem(
    'io.github.acne/notes',
    { version: '0.0.1', packages: [npmPackage('acne-notes', '0.0.1')] },
    { publishedAt: new Date().toISOString() },
  ),
  registryItem(
    'io.github.globex/weather',
    { description: 'Forecasts for any place.', packages: [{ registryType: 'cargo', identifier: 'weather' }] },
    { status: 'deprecated', statusMessage: 'Use com.globex/weather.' },
  ),
];

/** A folder with `npx` and without `docker`, independent of this machine. */
const programs = mkdtempSync(join(tmpdir(), 'toolkeep-programs-'));
for (const name of ['npx', 'npx.cmd']) writeFileSync(join(programs, name), '', { mode: 0o755 });
process.once('exit', () => rmSync(programs, { recursive: true, force: true }));

/** `isEmpty`: whether no list has been loaded yet. */
export function createSampleRegistry(emit: SampleCore['emit'], isEmpty: boolean): Handlers {
  const entries = items.flatMap((item) => parseEntry(item) ?? []);
  let isWanted = !isEmpty;
  const find = (name: string): RegistryEntry => {
    const entry = entries.find((one) => one.name === name);
    if (!entry) throw fail('REGISTRY_ENTRY_NOT_FOUND', `official has no ${name}.`);
    return entry;
  };
  const plan = (input: Parameters<Handlers['registry.plan']>[0]) =>
    planInstall(
      {
        ...{ registry: source, entry: find(input.name), option: input.option, inputs: input.inputs, servers: [] },
        ...{ hasSecret: () => false, confinement: async () => undefined, check: false, taken: new Set<string>() },
        ...(input.name.includes('acne') && { alike: 'io.github.acme/notes' }),
      },
      { homeDir: '/home/ada', platform: 'linux', env: { PATH: programs } },
    );
  return {
    'registry.list': () => [
      {
        ...source,
        entries: isWanted ? entries.length : 0,
        isWanted,
        isSyncing: false,
        ...(isWanted && { syncedAt: Date.now() - 3_600_000 }),
      },
    ],
    'registry.sync': () => {
      isWanted = true;
      emit('registry.changed', {});
    },
    'registry.search': ({ query }) => {
      const matching = entries.filter(({ name, description }) =>
        `${name} ${description}`.toLowerCase().includes(query.toLowerCase()),
      );
      return {
        cards: isWanted ? matching.map((entry) => cardOf(source, entry, [])) : [],
        total: isWanted ? entries.length : 0,
      };
    },
    'registry.show': ({ name }) => cardOf(source, find(name), []),
    'registry.plan': async (input) => (await plan(input)).plan,
    'registry.install': async ({ hash, ...input }) => {
      const planned = await plan({ ...input, check: true });
      if (planned.plan.hash !== hash) throw fail('INSTALL_REFUSED', 'The plan has changed since it was shown.');
      return { server: planned.plan.server };
    },
    'registry.revert': ({ server }) => {
      throw fail('INPUT_INVALID', `"${server}" has no earlier version to revert to.`);
    },
    'registry.installed': () => [],
    'bundle.receive': () => {
      throw fail('INPUT_INVALID', 'There are no bundles here.');
    },
    'bundle.discard': () => undefined,
    'bundle.plan': ({ file }) => {
      throw fail('INSTALL_REFUSED', 'There are no bundles here.', { file });
    },
    'bundle.install': ({ file }) => {
      throw fail('INSTALL_REFUSED', 'There are no bundles here.', { file });
    },
  };
}
