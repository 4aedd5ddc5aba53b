/** Says on the terminal how the servers are doing while they connect, and what is wrong with the config file. */
import type { EventData } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure.ts';
import { withEscapes } from '../../shared/visible-text.ts';
import type { Core } from '../core/core.ts';

/** Says at once what there is, then one line for each server that becomes ready or fails, and for a config that breaks or heals. */
export async function reportProgress(core: Core, print: (line: string) => void): Promise<void> {
  const say = (line: string) => print(withEscapes(line.replaceAll('\r', '')));
  const told = new Map<string, string>();
  const tell = async (views = core.handlers['servers.list']()) => {
    for (const { id, status, failure, toolCount } of await views) {
      const line =
        status === 'ready'
          ? `  ${id}: ready, ${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`
          : status === 'failed'
            ? `  ${id}: ${(failure?.message ?? 'failed').replaceAll('\n', '\n    ')}`
            : undefined;
      if (!line || told.get(id) === line) continue;
      told.set(id, line);
      say(line);
    }
  };
  const tellConfig = configTeller(say);
  const servers = await core.handlers['servers.list']();
  const { file, problems } = await core.handlers['config.validate']();
  // Those of a source are about another app's file.
  const ownProblems = problems.filter((one) => one.code === 'PLUGIN_FAILED' || (file && one.file === file));
  tellConfig(ownProblems, 'Until it is mended, its servers stay off and its rules hold as they last were.');
  if (servers.length > 0) say(`Connecting to ${servers.length} ${servers.length === 1 ? 'server' : 'servers'}…`);
  else if (ownProblems.length === 0)
    say('No servers yet. Open the address above to import those of your other apps, or run `gatehouse import`.');
  await tell(Promise.resolve(servers));
  core.subscribe((name, data) => {
    if (name === 'servers.changed') void tell();
    if (name === 'config.changed') tellConfig((data as EventData<'config.changed'>).problems);
  });
}

/** Tells of a mistake once, however often the file is read, and of its end. */
function configTeller(say: (line: string) => void) {
  let told = '';
  return (problems: Failure[], whatHolds = 'The last good configuration keeps running.') => {
    const messages = problems.map(({ message }) => message).join('\n');
    if (messages === told) return;
    told = messages;
    const [first] = problems;
    if (!first) return say('Config: all is well again, and in force.');
    const more = problems.length > 1 ? `, and ${problems.length - 1} more (see \`gatehouse config validate\`)` : '';
    const cure = first.code === 'CONFIG_INVALID' ? whatHolds : (first.hint ?? '');
    const mistake = first.message.replaceAll(/\s*\n\s*/g, ' ').replace(/[.\s]+$/, '');
    say(`Config: ${mistake}${more}. ${cure}`);
  };
}
