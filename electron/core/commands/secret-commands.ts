/** Commands for the vault. They return names, never values. */
import { fail } from '../../../shared/failure.ts';
import { minPassphraseCharacters } from '../../../shared/model/secret.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { plainSecrets } from '../secrets/plain-secrets.ts';
import { namedSecrets, secretNames } from '../secrets/resolve.ts';
import { moveToVault } from '../secrets/vault.ts';
import { changeSetting } from '../settings.ts';
import type { CommandServices } from './services.ts';

export function secretCommands(services: CommandServices) {
  const { host, events, servers, missingSecrets } = services;
  const { vault } = services.stores;
  const usersOf = (secret: string) =>
    servers.configs().filter(({ name, connection }) => secretNames(connection, name).includes(secret));

  host.sealer.passphrase?.onEntered(async () => {
    for (const { name } of servers.configs())
      if (servers.state(name).failure?.code === 'VAULT_LOCKED') servers.restart(name).catch(() => undefined);
    events.emit('core.changed', {});
  });

  return {
    'secrets.list': () => {
      const configs = servers.configs();
      const own = new Set(host.store.get('servers').map(({ name }) => name));
      const referred = configs.flatMap(({ name, connection }) => namedSecrets(connection, name));
      const names = [...new Set([...vault.names(), ...referred])].sort();
      const plain = configs.map(({ name, connection }) => ({
        server: name,
        secrets: [...new Set(plainSecrets(connection).map(({ label }) => label))],
        own: own.has(name),
      }));
      return {
        vault: vault.view(),
        secrets: names.map((name) => ({
          name,
          isSet: vault.has(name),
          ...(!vault.has(name) && missingSecrets.isEntered(name) && { isTemporary: true }),
          servers: usersOf(name).map((server) => server.name),
        })),
        plain: plain.filter(({ secrets }) => secrets.length > 0),
      };
    },
    'secrets.set': async ({ name, value }) => {
      await vault.set(name, value);
      for (const server of usersOf(name)) {
        const { status } = servers.state(server.name);
        missingSecrets.forget(server);
        if (server.enabled && status !== 'idle') servers.restart(server.name).catch(() => undefined);
      }
    },
    'secrets.usePassphrase': async ({ passphrase }) => {
      const { passphrase: own } = host.sealer;
      if (!own)
        throw fail('INPUT_INVALID', `The vault is encrypted with the ${vault.label}, so it takes no passphrase.`);
      if (own.state === 'unset' && passphrase.length < minPassphraseCharacters)
        throw fail('INPUT_INVALID', `A passphrase needs at least ${minPassphraseCharacters} characters.`);
      await own.use(passphrase);
    },
    'secrets.remove': async ({ name }) => {
      if (!vault.has(name)) {
        throw fail('INPUT_INVALID', `There is no secret "${name}" in the vault.`, {
          hint: 'See `toolkeep secrets list`.',
        });
      }
      await vault.remove(name);
    },
    'secrets.moveToVault': async ({ server: name }) => {
      const config = servers.config(name);
      const own = host.store.get('servers');
      const mine = own.find((known) => known.name === name);
      if (!mine) {
        const file = config.origins?.[0]?.file ?? services.configStore.state.file ?? 'a file of your own';
        throw fail('CONFIG_READ_ONLY', `"${name}" comes from ${file}, which Toolkeep does not change.`, {
          server: name,
          hint: 'Write ${secret:NAME} there in place of the secret, and set it with `toolkeep secrets set NAME`.',
        });
      }
      if (!vault.persistent) {
        const message = `The vault (${vault.label}) would lose the secrets of "${name}" when Toolkeep quits.`;
        throw fail('VAULT_IN_MEMORY', message, { server: name });
      }
      const { server, moved } = await moveToVault(mine, vault);
      changeSetting(host.store, 'servers', (all) => all.map((known) => (known.name === name ? server : known)));
      await services.applier.reconfigure();
      return { moved };
    },
  } satisfies Partial<CommandHandlers>;
}
