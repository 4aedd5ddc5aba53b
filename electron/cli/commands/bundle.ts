/** `toolkeep bundle add`: installs or updates a server from a bundle, after showing the plan. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { fail } from '../../../shared/failure.ts';
import { type InstallOptions, installWithPlan, withInstallOptions } from '../install-with-plan.ts';
import { examples } from '../options.ts';
import { type Cli, runWithCore } from '../run.ts';

export function addBundleCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const bundle = program.command('bundle').description('Install servers from bundles (.mcpb, .dxt)');
  withInstallOptions(bundle.command('add <file>'))
    .description('Install or update a server from a bundle, after showing what the installation does')
    .option('--sha256 <hash>', 'refuse the file if its SHA-256 differs')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('bundle add ~/Downloads/notes.mcpb'))
    .action((name: string, { sha256, ...options }: InstallOptions & { sha256?: string }) =>
      runWithCore(cli, options, async (core) => {
        const file = resolve(terminal.cwd, name);
        return installWithPlan(
          terminal,
          core,
          {
            plan: (inputs) => core.client.call('bundle.plan', { file, inputs }),
            install: (inputs, hash) => core.client.call('bundle.install', { file, inputs, hash }),
          },
          options,
          ({ integrity }) => requireHash(integrity, sha256),
        );
      }),
    );
}

function requireHash(integrity: string | undefined, wanted: string | undefined): void {
  if (wanted === undefined || integrity === `sha256-${wanted.toLowerCase()}`) return;
  throw fail('INSTALL_REFUSED', `The SHA-256 of the file is ${integrity?.replace('sha256-', '')}, not ${wanted}.`, {
    hint: 'Download the bundle again, or compare the hash with the one that its publisher states.',
  });
}
