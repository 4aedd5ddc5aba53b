/** `toolkeep serve` and `connect`: start the headless Core and the bridge. */
import { type StdioOptions, spawn } from 'node:child_process';
import { type Command, Option } from 'commander';
import { modeSchema } from '../../../shared/model/call.ts';
import { coreFlags, entryFile } from '../../host/entry-file.ts';
import { examples, readToolHelp, wholeNumber } from '../options.ts';
import { type Cli, run } from '../run.ts';

export function addProcessCommands(program: Command, cli: Cli): void {
  program
    .command('serve')
    .description('Run Toolkeep in this terminal until Ctrl-C, with its UI in the browser')
    .option('--port <n>', 'port on 127.0.0.1 (default: a free one)', wholeNumber(65_535))
    .option('--no-open', 'do not open the page (the default without a terminal)')
    .action((options: { port?: number; open: boolean }) =>
      run(cli, {}, () =>
        become('headless', [
          ...(options.port === undefined ? [] : ['--port', String(options.port)]),
          ...(options.open ? ['--open'] : []),
        ]),
      ),
    );

  program
    .command('connect')
    .description('Speak MCP on stdin and stdout; clients start this command')
    .addOption(
      new Option(
        '--mode <mode>',
        'lazy: five meta-tools; full: all tools; hybrid: pinned tools and the meta-tools',
      ).choices(modeSchema.options),
    )
    .option('--read-tool', readToolHelp)
    .option('--server <name>', 'only this server; with --mode full, under its own tool names')
    .option('--profile <name>', 'only the servers and tools of this profile')
    .option('--client <name>', 'name of the client, for the history')
    .addHelpText('after', examples('connect', 'connect --mode full', 'connect --mode full --server github'))
    .action((options: { mode?: string; readTool?: true; server?: string; profile?: string; client?: string }) =>
      run(cli, {}, () =>
        become('bridge', [
          ...(options.mode === undefined ? [] : ['--mode', options.mode]),
          ...(options.readTool ? ['--read-tool'] : []),
          ...(options.server === undefined ? [] : ['--server', options.server]),
          ...(options.profile === undefined ? [] : ['--profile', options.profile]),
          ...(options.client === undefined ? [] : ['--client', options.client]),
        ]),
      ),
    );
}

/** Runs another entry point with our streams and signals; resolves with its exit code. */
async function become(entry: 'headless' | 'bridge', args: string[]): Promise<number> {
  // The IPC channel lets the child notice when this process ends, even by SIGKILL.
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(process.execPath, [...coreFlags, entryFile(entry), ...args], { stdio });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? (signal ? 128 : 1)));
    });
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
