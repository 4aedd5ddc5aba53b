/** `toolkeep profiles`: limits what clients see. */
import { type Command, Option } from 'commander';
import { fail } from '../../../shared/failure.ts';
import { type Mode, modeSchema } from '../../../shared/model/call.ts';
import { profileSchema } from '../../../shared/model/profile.ts';
import { type Category, categorySchema, type SafetyLevel, safetyLevelSchema } from '../../../shared/model/tool.ts';
import { settled } from '../core.ts';
import { examples, readToolHelp, refuseUnknownCommands } from '../options.ts';
import { type Cli, runWithCore } from '../run.ts';
import { printDone, safe } from '../terminal.ts';
import { profilesText } from '../text/profiles.ts';

interface SaveOptions {
  servers?: string[];
  tags?: string[];
  safety?: SafetyLevel[];
  category?: Category[];
  mode?: Mode;
  readTool?: true;
  description?: string;
}

export function addProfileCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const profiles = program
    .command('profiles')
    .description('Manage profiles: named sets of servers and tools that limit a client')
    .addHelpText(
      'after',
      examples(
        'profiles',
        'profiles save work --servers github linear',
        'profiles save careful --safety safe moderate',
        'profiles remove work',
      ),
    );

  const list = profiles
    .command('list', { isDefault: true })
    .description('List the profiles')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      runWithCore(cli, options, async (core) => {
        await settled(core, terminal);
        core.show(await core.client.call('profiles.list'), profilesText);
      }),
    );

  refuseUnknownCommands(list);

  profiles
    .command('save <name>')
    .description('Add or replace a profile')
    .option('--servers <name...>', 'only these servers (default: all)')
    .option('--tags <tag...>', 'only tools with one of these tags (default: all)')
    .addOption(
      new Option('--safety <level...>', 'only tools of these safety levels (default: all)').choices(
        safetyLevelSchema.options,
      ),
    )
    .addOption(
      new Option('--category <category...>', 'only tools of these categories (default: all)').choices(
        categorySchema.options,
      ),
    )
    .addOption(new Option('--mode <mode>', 'how its clients see tools').choices(modeSchema.options))
    .option('--read-tool', readToolHelp)
    .option('--description <text>', 'its purpose')
    .action((name: string, { servers = [], tags = [], ...more }: SaveOptions) =>
      runWithCore(cli, {}, async ({ client }) => {
        const profile = profileSchema.safeParse({ name, servers, tags, ...more });
        if (!profile.success) {
          const [issue] = profile.error.issues;
          throw fail(
            'INPUT_INVALID',
            `Cannot save the profile "${name}": ${issue?.path.join('.')}: ${issue?.message}.`,
          );
        }
        await client.call('profiles.save', { profile: profile.data });
        const saved = (await client.call('profiles.list')).find((one) => one.name === name);
        printDone(terminal, `Saved "${name}". Assign it to a client with: toolkeep connect --profile ${name}`);
        for (const server of saved?.unknown ?? [])
          terminal.err(terminal.errStyle.warn(safe(`! There is no server named "${server}" yet.`)));
      }),
    );

  profiles
    .command('remove <name>')
    .description('Remove a profile; clients that use it no longer see any tools')
    .action((name: string) =>
      runWithCore(cli, {}, async ({ client }) => {
        await client.call('profiles.remove', { name });
        printDone(terminal, `Removed "${name}".`);
      }),
    );
}
