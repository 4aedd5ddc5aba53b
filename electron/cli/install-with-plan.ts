/** Shows the plan of an installation, asks for missing values and for confirmation, and installs it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { fail } from '../../shared/failure.ts';
import type { RegistryPlan } from '../../shared/model/registry.ts';
import type { CommandInput } from '../../shared/protocol/contract.ts';
import { confirm } from './confirm.ts';
import { type OpenCore, settled } from './core.ts';
import { exit } from './exit.ts';
import { fieldPrompt, readLine } from './prompt.ts';
import { printJson } from './run.ts';
import { count, safe, safeLines, type Terminal } from './terminal.ts';
import { planText } from './text/registry.ts';

export interface InstallOptions {
  input?: string[];
  inputFile?: string[];
  dryRun?: true;
  yes?: true;
  json?: true;
}

/** The options of every command that installs. */
export const withInstallOptions = (command: Command): Command =>
  command
    .option('--input <name=value...>', 'values that the server needs, except secrets, which Toolkeep asks for')
    .option('--input-file <name=file...>', 'files that contain the values, for secrets in scripts')
    .option('--dry-run', 'show the plan without installing')
    .option('--yes', 'install without asking');

export type PlanInput = CommandInput<'registry.plan'>;

type Inputs = Record<string, string>;

/** Where a server comes from. */
export interface Source {
  plan(inputs: Inputs): Promise<RegistryPlan>;
  install(inputs: Inputs, hash: string): Promise<{ server: string }>;
}

export function registrySource({ client }: OpenCore, input: PlanInput): Source {
  const given = (inputs: Inputs) => ({ ...input, inputs: { ...input.inputs, ...inputs } });
  return {
    plan: (inputs) => client.call('registry.plan', { ...given(inputs), check: true }),
    install: (inputs, hash) => client.call('registry.install', { ...given(inputs), hash }),
  };
}

/** Resolves with the exit code. `verify` throws if the plan is not the one that the caller expects. */
export async function installWithPlan(
  terminal: Terminal,
  core: OpenCore,
  source: Source,
  options: InstallOptions,
  verify: (plan: RegistryPlan) => void = () => undefined,
): Promise<number> {
  const inputs = readInputs(terminal, options);
  const nextPlan = async () => {
    const next = await source.plan(inputs);
    verify(next);
    return next;
  };
  let plan = await nextPlan();
  refuseExposedSecrets(plan, options);
  if (terminal.canAsk && !options.json && !options.dryRun && !plan.refused) {
    for (const field of plan.fields.filter(({ name }) => plan.problems[name] === 'Required.')) {
      const answer = await readLine(terminal, fieldPrompt(field), { hidden: field.kind === 'secret' });
      inputs[field.name] = answer?.trim() ?? '';
    }
    plan = await nextPlan();
  }
  if (!options.json) terminal.out(planText(plan, terminal.style));
  if (!options.dryRun) requireInstallable(plan);
  const ask = (question: string) => confirm(terminal, options, question, 'Pass --yes to install it');
  const hash = options.dryRun ? undefined : plan.hash;
  const isWanted = hash && (await ask(plan.replaces ? 'Update it?' : 'Install it?'));
  const installed = isWanted ? await source.install(inputs, hash) : undefined;
  if (options.json) printJson(terminal, { plan, ...installed });
  else if (installed) await report(terminal, core, installed.server);
  else if (!options.dryRun) terminal.out('\nNothing was installed.');
  return exit.ok;
}

async function report(terminal: Terminal, core: OpenCore, server: string): Promise<void> {
  const { style, out } = terminal;
  const view = (await settled(core, terminal, server)).find(({ id }) => id === server);
  if (view?.failure)
    out(`\n${style.warn('!')} Installed ${safe(server)}, but it did not start: ${safeLines(view.failure.message, 4)}`);
  else out(`\n${style.good('✓')} Installed ${safe(server)}: ${count(view?.toolCount ?? 0, 'tool')}.`);
}

function refuseExposedSecrets(plan: RegistryPlan, { input = [] }: InstallOptions): void {
  const exposed = plan.fields.find(
    ({ name, kind }) => kind === 'secret' && input.some((pair) => pair.startsWith(`${name}=`)),
  );
  if (!exposed) return;
  throw fail('INPUT_INVALID', `${exposed.name} is a secret. Do not pass it on the command line.`, {
    hint: `Omit it, so that Toolkeep asks for it, or pass --input-file ${exposed.name}=FILE.`,
  });
}

function requireInstallable({ refused, runtime, problems }: RegistryPlan): void {
  if (refused) throw fail('INSTALL_REFUSED', refused);
  if (runtime?.isMissing) throw fail('INSTALL_REFUSED', `${runtime.command} is not installed.`, { hint: runtime.fix });
  const [problem] = Object.entries(problems);
  if (problem)
    throw fail('INPUT_INVALID', `${problem[0]}: ${problem[1]}`, { hint: 'Pass it with --input NAME=VALUE.' });
}

function readInputs({ cwd }: Terminal, { input = [], inputFile = [] }: InstallOptions): Inputs {
  const files = inputFile.map((pair): [string, string] => {
    const [name, file] = split(pair);
    return [name, readFileSync(resolve(cwd, file), 'utf8').replace(/\r?\n$/, '')];
  });
  return Object.fromEntries([...input.map(split), ...files]);
}

function split(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw fail('INPUT_INVALID', `"${pair}" must have the form NAME=VALUE.`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}
