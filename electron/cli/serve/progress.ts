/** Reports in the terminal how the servers connect, and whether the config file has errors. */
import type { Failure } from '../../../shared/failure.ts';
import type { EventData } from '../../../shared/protocol/contract.ts';
import type { Core } from '../../core/core.ts';
import { safe, safeLines } from '../terminal.ts';
import { discoveryText } from '../text/servers.ts';

/**
 * Prints the current state, then a line whenever a server becomes ready or fails, or the config becomes valid or
 * invalid. `hasPage`: the address of the page is printed above.
 */
export async function reportProgress(core: Core, say: (line: string) => void, hasPage = true): Promise<void> {
  const printed = new Map<string, string>();
  const report = async (views = core.handlers['servers.list']()) => {
    for (const { id, status, failure, toolCount } of await views) {
      const line =
        status === 'ready'
          ? `  ${safe(id)}: ready, ${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`
          : status === 'failed'
            ? `  ${safe(id)}: ${safeLines(failure?.message ?? 'failed', 4)}`
            : undefined;
      if (!line || printed.get(id) === line) continue;
      printed.set(id, line);
      say(line);
    }
  };
  const reportConfig = configReporter(say);
  const servers = await core.handlers['servers.list']();
  const { discovery } = await core.handlers['core.status']();
  const { file, problems } = await core.handlers['config.validate']();
  // A problem in a source concerns another client's file, not the config.
  const ownProblems = problems.filter(
    (one) =>
      ['PLUGIN_FAILED', 'CONFIG_UNTRUSTED', 'SETTINGS_DAMAGED'].includes(one.code) || (file && one.file === file),
  );
  reportConfig(ownProblems);
  if (servers.length > 0) say(`Connecting to ${servers.length} ${servers.length === 1 ? 'server' : 'servers'}…`);
  else if (discovery === 'disabled') say(discoveryText.disabled);
  else if (ownProblems.length === 0)
    say(
      hasPage
        ? 'No servers yet. Open the address above to import the servers of your clients, or run `toolkeep import`.'
        : 'No servers yet. Run `toolkeep import` to import the servers of your clients.',
    );
  await report(Promise.resolve(servers));
  core.subscribe((name, data) => {
    if (name === 'servers.changed') void report();
    if (name === 'config.changed') reportConfig((data as EventData<'config.changed'>).problems);
  });
}

/** Prints an error once, however often the file is read, and a line when it has been fixed. */
function configReporter(say: (line: string) => void) {
  let printed = '';
  return (problems: Failure[]) => {
    const messages = problems.map(({ message }) => message).join('\n');
    if (messages === printed) return;
    printed = messages;
    const [first] = problems;
    if (!first) return say('Config: valid again and applied.');
    const more = problems.length > 1 ? `, and ${problems.length - 1} more (see \`toolkeep config validate\`)` : '';
    const error = first.message.replaceAll(/\s*\n\s*/g, ' ').replace(/[.\s]+$/, '');
    say(safe(`Config: ${error}${more}. ${first.hint ?? ''}`));
  };
}
