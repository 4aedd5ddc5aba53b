/** `toolkeep secrets`: manages the vault by name. Values come from a hidden prompt or stdin and are never shown. */
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { fail } from '../../../shared/failure.ts';
import type { OpenCore } from '../core.ts';
import { examples, refuseUnknownCommands } from '../options.ts';
import { readLine } from '../prompt.ts';
import { type Cli, runWithCore } from '../run.ts';
import { count, printDone, safe } from '../terminal.ts';
import { secretsText } from '../text/secrets.ts';

interface Options {
  json?: true;
}

export function addSecretsCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const secrets = program
    .command('secrets')
    .description('Manage the vault; servers refer to its secrets as ${secret:NAME}')
    .addHelpText('after', examples('secrets list', 'secrets set github/GITHUB_TOKEN', 'secrets protect github'));

  const list = secrets
    .command('list', { isDefault: true })
    .description('List the secrets by name, the servers that use them, and secrets still in plain text')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      runWithCore(cli, options, async ({ client, show }) => {
        show(await client.call('secrets.list'), secretsText);
      }),
    );

  refuseUnknownCommands(list);

  secrets
    .command('set <name>')
    .description('Store a secret; the value comes from a prompt or from stdin')
    .action((name: string) =>
      runWithCore(cli, {}, async (core) => {
        await requireLasting(core);
        await core.client.call('secrets.set', { name, value: await readValue(`Value of ${safe(name)}`) });
        printDone(terminal, `Stored "${name}".`);
      }),
    );

  secrets
    .command('remove <name>')
    .description('Remove a secret')
    .action((name: string) =>
      runWithCore(cli, {}, async ({ client }) => {
        await client.call('secrets.remove', { name });
        printDone(terminal, `Removed "${name}".`);
      }),
    );

  secrets
    .command('protect [server]')
    .description('Move the plain-text secrets of one server, or of all, to the vault')
    .action((server: string | undefined) =>
      runWithCore(cli, {}, async ({ client }) => {
        const { plain } = await client.call('secrets.list');
        const servers = server === undefined ? plain.filter(({ own }) => own).map((entry) => entry.server) : [server];
        let moved = 0;
        for (const name of servers) moved += (await client.call('secrets.moveToVault', { server: name })).moved.length;
        printDone(terminal, `Moved ${count(moved, 'secret')} to the vault.`);
      }),
    );

  secrets
    .command('passphrase')
    .description(
      'Set the passphrase that encrypts the vault on a computer without a keyring, or unlock the vault with it',
    )
    .action(() =>
      runWithCore(cli, {}, async ({ client, running }) => {
        if (!running)
          throw fail('VAULT_LOCKED', 'Toolkeep is not running, so it would forget the passphrase.', {
            hint: 'Start Toolkeep first, or write the passphrase to a file and set TOOLKEEP_PASSPHRASE_FILE to its path.',
          });
        await client.call('secrets.usePassphrase', { passphrase: await readValue('Passphrase') });
        printDone(terminal, 'The vault is encrypted with the passphrase, and unlocked.');
      }),
    );

  /** Without a running Core, the secrets of an in-memory vault would be lost when this command ends. */
  async function requireLasting({ client, running }: OpenCore): Promise<void> {
    const { vault } = await client.call('core.status');
    if (!vault.persistent && !running)
      throw fail(
        'VAULT_IN_MEMORY',
        'The vault is only in memory, so the secrets would be lost when this command ends.',
      );
  }

  async function readValue(label: string): Promise<string> {
    const value = terminal.canAsk
      ? await readLine(terminal, `${label} (not shown): `, { hidden: true })
      : (await readAll(terminal.stdin)).replace(/\r?\n$/, '');
    if (!value) throw fail('INPUT_INVALID', 'The value is empty.', { hint: 'Type it, or pass it on stdin.' });
    return value;
  }
}
