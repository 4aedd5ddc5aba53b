/** `toolkeep config show | validate | sources | reload`. */
import type { Command } from 'commander';
import { settled } from '../core.ts';
import { exit } from '../exit.ts';
import { wholeNumber } from '../options.ts';
import { type Cli, printJson, reportInvalid, runWithCore } from '../run.ts';
import { count, safe } from '../terminal.ts';
import { configText, discoveredText, problemsText, sourceLines, tilde } from '../text/config.ts';

interface Options {
  json?: true;
}

export function addConfigCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const config = program.command('config').description('Show, check or reload the configuration');

  config
    .command('show')
    .description('Show the configuration in effect')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      runWithCore(cli, options, async ({ client, show, ...core }) => {
        await settled({ client, ...core }, terminal);
        show(await client.call('config.show'), configText);
        return reportInvalid(client, terminal);
      }),
    );

  config
    .command('validate')
    .description('Check the configuration file, its sources and its rules')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      runWithCore(cli, options, async ({ client }) => {
        // Validate the current file, not the version that was loaded earlier.
        await client.call('config.reload');
        const report = await client.call('config.validate');
        if (options.json) printJson(terminal, report);
        else {
          const { style } = terminal;
          const file = report.file ? ` (${safe(tilde(report.file))})` : ' (no file, built-in defaults)';
          if (report.valid) terminal.out(`${style.good('✓')} The configuration is valid${file}`);
          else terminal.out(problemsText(report.problems, style));
          const ignored = report.valid ? report.problems.map(({ message }) => message) : [];
          for (const warning of [...ignored, ...report.warnings]) terminal.out(`${style.warn('!')} ${safe(warning)}`);
        }
        return report.valid ? exit.ok : exit.configError;
      }),
    );

  config
    .command('sources')
    .description('List the sources that the configuration names')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      runWithCore(cli, options, async ({ client }) => {
        const { sources } = await client.call('config.show');
        if (options.json) printJson(terminal, { sources });
        else if (sources.length > 0)
          terminal.out([`Sources (${sources.length}):`, ...sourceLines(sources, terminal.style)].join('\n'));
        else terminal.out('Sources (0)\n\nAdd some under "sources", or import servers once with `toolkeep import`.');
        return reportInvalid(client, terminal);
      }),
    );

  config
    .command('reload')
    .description('Read the configuration again')
    .option('--discover', 'then list the tools of every server again')
    .option('--timeout <s>', 'with --discover: how long to wait for a server, in seconds', wholeNumber(86_400))
    .option('--json', 'print JSON')
    .action((options: Options & { discover?: true; timeout?: number }) =>
      runWithCore(cli, options, async ({ client, running }) => {
        const report = await client.call('config.reload');
        const { problems } = await client.call('config.validate');
        const broken = problems.filter(({ code }) => code === 'CONFIG_INVALID');
        const ofPlugins = problems.filter(({ code }) => code === 'PLUGIN_FAILED');
        const found =
          options.discover &&
          (await client.call('servers.discover', { timeoutMs: options.timeout && options.timeout * 1000 }));
        if (options.json) printJson(terminal, { ...report, ...found, problems: [...broken, ...ofPlugins] });
        else if (broken.length > 0) terminal.out(problemsText(broken, terminal.style));
        else {
          const { added, removed, changed } = report;
          const sum = `${count(added.length, 'server')} added, ${removed.length} removed, ${changed.length} changed`;
          const none = running ? '' : '; checked only, because Toolkeep is not running';
          terminal.out(`${terminal.style.good('✓')} Reloaded in ${Math.round(report.durationMs)} ms: ${sum}${none}`);
          if (ofPlugins.length > 0) terminal.out(problemsText(ofPlugins, terminal.style));
          if (found) terminal.out(discoveredText(found, terminal.style));
        }
        return broken.length > 0 ? exit.configError : exit.ok;
      }),
    );
}
