/** `gatehouse lock`: writes what was installed from registries, compares it, and installs the same elsewhere. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import { type RegistryOrigin, registryOriginSchema } from '../../../shared/model/registry.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { exit } from '../exit.ts';
import { type InstallOptions, installWithPlan, registrySource } from '../install-with-plan.ts';
import { examples } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { count, safe } from '../terminal.ts';

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
    .addOption(new Option('--install', 'install what the file has and this computer lacks').conflicts(['check']))
    .option('--yes', 'install without asking')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('lock', 'lock --check', 'lock --install'))
    .action((name: string | undefined, options: Options) =>
      runWithCore(cli, options, async (core) => {
        const file = resolve(terminal.cwd, name ?? 'gatehouse.lock.json');
        const own = await installedServers(core.client);
        if (options.install) {
          const locked = readLock(file);
          const missing = Object.values(locked).filter(
            ({ name: entry }) => !Object.values(own).some((one) => one.name === entry),
          );
          for (const origin of missing)
            await installWithPlan(
              terminal,
              core,
              registrySource(core, await choiceFor(core.client, origin)),
              options,
              (plan) =>
                requireSame(origin, plan.integrity, plan.card.options.find(({ id }) => id === plan.option)?.target),
            );
          if (missing.length === 0) terminal.out('Everything in the file is installed.');
          return exit.ok;
        }
        const problems = options.check ? differences(readLock(file), own) : [];
        if (!options.check) writeFileSync(file, `${JSON.stringify({ version: 1, servers: own }, null, 2)}\n`);
        if (options.json) printJson(terminal, options.check ? { problems } : { file, servers: own });
        else if (!options.check) terminal.out(`Wrote ${count(Object.keys(own).length, 'server')} to ${safe(file)}.`);
        else terminal.out(problems.length === 0 ? 'The same is installed.' : problems.map(safe).join('\n'));
        return problems.length === 0 ? exit.ok : exit.failed;
      }),
    );
}

async function installedServers(client: CoreClient): Promise<Servers> {
  const installed = await client.call('registry.installed');
  const sorted = installed.toSorted((a, b) => (a.server < b.server ? -1 : 1));
  return Object.fromEntries(sorted.map(({ server, origin }) => [server, origin]));
}

function readLock(file: string): Servers {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw fail('INPUT_INVALID', `${file} cannot be read.`, { hint: 'Write it with `gatehouse lock`.' });
  }
  const parsed = lockSchema.safeParse(content);
  if (parsed.success) return parsed.data.servers;
  throw fail('INPUT_INVALID', `${file} is not a lock file. ${z.prettifyError(parsed.error)}`);
}

function differences(locked: Servers, own: Servers): string[] {
  const missing = Object.entries(locked).flatMap(([server, { name, target, integrity }]) => {
    const found = Object.values(own).find((one) => one.name === name);
    if (!found) return [`${server}: ${name} is not installed.`];
    if (found.target !== target) return [`${server}: ${found.target} is installed, not ${target}.`];
    return found.integrity === integrity ? [] : [`${server}: the content of ${target} is not that of the file.`];
  });
  const names = new Set(Object.values(locked).map(({ name }) => name));
  const more = Object.entries(own).flatMap(([server, { name }]) =>
    names.has(name) ? [] : [`${server}: ${name} is not in the file.`],
  );
  return [...missing, ...more];
}

/** The exact version, from the registry of the same address. Its list is read if it is not there. */
async function choiceFor(client: CoreClient, { registry, name, version, option, inputs }: RegistryOrigin) {
  const source = (await client.call('registry.list')).find(({ url }) => url === registry);
  if (!source)
    throw fail('REGISTRY_ENTRY_NOT_FOUND', `The registry ${registry} of ${name} is not configured.`, {
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
    throw fail('INSTALL_REFUSED', `${name} now has ${foundTarget ?? 'nothing'}, not ${target}.`);
  if (integrity === undefined || integrity === found) return;
  throw fail(
    'INSTALL_REFUSED',
    found === undefined
      ? `The content of ${target} could not be checked.`
      : `The content of ${target} is not that of the lock file, although its version is.`,
  );
}
