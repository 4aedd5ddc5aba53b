/** `toolkeep lock`: writes the servers from registries to a lock file, compares them with it, and installs them elsewhere. */
import { lstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import { type RegistryOrigin, registryOriginSchema } from '../../../shared/model/registry.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import type { OpenCore } from '../core.ts';
import { exit } from '../exit.ts';
import { unwritable } from '../export-history.ts';
import { type InstallOptions, installWithPlan, registrySource } from '../install-with-plan.ts';
import { examples } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { count, safe, type Terminal } from '../terminal.ts';

const lockSchema = z.object({ version: z.literal(1), servers: z.record(z.string(), registryOriginSchema) });
type Servers = z.infer<typeof lockSchema>['servers'];

interface Options extends InstallOptions {
  check?: true;
  install?: true;
}

export function addLockCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  program
    .command('lock [file]')
    .description('Write the servers that were installed from registries, with their versions and hashes, to a file')
    .option('--check', 'compare the installed servers with the file')
    .addOption(
      new Option('--install', 'install the servers in the file that are missing on this computer').conflicts(['check']),
    )
    .option('--yes', 'install without asking')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('lock', 'lock --check', 'lock --install'))
    .action((name: string | undefined, options: Options) =>
      runWithCore(cli, options, async (core) => {
        const file = resolve(terminal.cwd, name ?? 'toolkeep.lock.json');
        if (options.install) return installLocked(terminal, core, readLock(file), options);
        const own = await installedServers(core.client);
        const problems = options.check ? differences(readLock(file), own) : [];
        if (!options.check) {
          requireReplaceable(file);
          await writeFileAtomic(file, `${JSON.stringify({ version: 1, servers: own }, null, 2)}\n`).catch(
            (error: unknown) => {
              throw unwritable(file, error);
            },
          );
        }
        if (options.json) printJson(terminal, options.check ? { problems } : { file, servers: own });
        else if (!options.check) terminal.out(`Wrote ${count(Object.keys(own).length, 'server')} to ${safe(file)}.`);
        else
          terminal.out(problems.length === 0 ? 'The installed servers match the file.' : problems.map(safe).join('\n'));
        return problems.length === 0 ? exit.ok : exit.failed;
      }),
    );
}

/** Installs the missing servers, then reports the remaining differences. */
async function installLocked(terminal: Terminal, core: OpenCore, locked: Servers, options: Options): Promise<number> {
  const own = Object.values(await installedServers(core.client));
  const missing = Object.values(locked).filter((origin) => !own.some((one) => isSameEntry(one, origin)));
  for (const origin of missing) {
    // Skip bundles, because Toolkeep does not know where their files are.
    if (isBundle(origin)) continue;
    await installWithPlan(
      terminal,
      core,
      registrySource(core, await choiceFor(core.client, origin)),
      options,
      ({ integrity, card, option }) =>
        requireSame(origin, integrity, card.options.find(({ id }) => id === option)?.target),
    );
  }
  const problems = lacks(locked, await installedServers(core.client));
  if (options.json) printJson(terminal, { problems });
  else terminal.out(problems.length === 0 ? 'Everything in the file is installed.' : problems.map(safe).join('\n'));
  return problems.length === 0 ? exit.ok : exit.failed;
}

const isBundle = ({ registry }: RegistryOrigin) => registry === 'file';

async function installedServers(client: CoreClient): Promise<Servers> {
  const installed = await client.call('registry.installed');
  const sorted = installed.toSorted((a, b) => (a.server < b.server ? -1 : 1));
  return Object.fromEntries(
    sorted.map(({ server, origin: { wants: _, owner: _owner, ...origin } }) => [server, origin]),
  );
}

/**
 * Refuses to overwrite anything but a lock file. The folder may come from someone else, who could have made its lock file
 * a link to one of the user's files.
 */
function requireReplaceable(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return;
  const kind = !found.isFile() ? 'regular file' : parseLock(file)?.success ? undefined : 'lock file';
  if (kind)
    throw fail('INPUT_INVALID', `${file} was not written, because it exists and is not a ${kind}.`, {
      hint: 'Remove it, or name another file.',
    });
}

function readLock(file: string): Servers {
  const parsed = parseLock(file);
  if (!parsed) throw fail('INPUT_INVALID', `${file} cannot be read.`, { hint: 'Create it with `toolkeep lock`.' });
  if (parsed.success) return parsed.data.servers;
  throw fail('INPUT_INVALID', `${file} is not a lock file. ${z.prettifyError(parsed.error)}`, {
    hint: 'Name a file that `toolkeep lock` wrote.',
  });
}

/** Undefined if the file cannot be read as JSON. */
function parseLock(file: string) {
  try {
    return lockSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Another registry may have an entry with the same name. */
const isSameEntry = (one: RegistryOrigin, other: RegistryOrigin) =>
  one.name === other.name && one.registry === other.registry;

function differences(locked: Servers, own: Servers): string[] {
  const origins = Object.values(locked);
  const more = Object.entries(own).flatMap(([server, origin]) =>
    origins.some((one) => isSameEntry(one, origin)) ? [] : [`${server}: ${origin.name} is not in the file.`],
  );
  return [...lacks(locked, own), ...more];
}

/** A sentence for each server in the file that is missing or differs here. One entry may be installed as several servers. */
function lacks(locked: Servers, own: Servers): string[] {
  return Object.entries(locked).flatMap(([server, origin]) => {
    const { name, target, integrity } = origin;
    const found = Object.values(own).filter((one) => isSameEntry(one, origin));
    const how = isBundle(origin) ? ' Install its bundle with `toolkeep bundle add FILE`.' : '';
    if (found.length === 0) return [`${server}: ${name} is not installed.${how}`];
    const same = found.filter((one) => one.target === target);
    if (same.length === 0) return [`${server}: ${found[0]?.target} is installed, not ${target}.`];
    // The file has no hash if the content could not be checked.
    if (integrity === undefined || same.some((one) => one.integrity === integrity)) return [];
    return [`${server}: the content of ${target} differs from the file.`];
  });
}

/** The locked version, from the configured registry with the same URL. Reads its list if it is not on this computer. */
async function choiceFor(client: CoreClient, { registry, name, version, option, inputs }: RegistryOrigin) {
  const source = (await client.call('registry.list')).find(({ url }) => url === registry);
  if (!source)
    throw fail('REGISTRY_ENTRY_NOT_FOUND', `The registry ${registry}, which lists ${name}, is not configured.`, {
      hint: 'Add it to `registries` in the config file.',
    });
  if (source.entries === 0) await client.call('registry.sync', { registry: source.name });
  return { registry: source.name, name, version, option, inputs };
}

function requireSame(
  { name, target, integrity }: RegistryOrigin,
  found: string | undefined,
  foundTarget?: string,
): void {
  if (target !== foundTarget)
    throw fail(
      'INSTALL_REFUSED',
      `${name} now resolves to ${foundTarget ?? 'no package'}, but the lock file has ${target}.`,
    );
  if (integrity === undefined || integrity === found) return;
  throw fail(
    'INSTALL_REFUSED',
    found === undefined
      ? `The content of ${target} could not be checked.`
      : `The content of ${target} differs from the lock file, although its version matches.`,
  );
}
