/** Commands for the table of clients and servers: what each client may do on each server, as rules for the client. */
import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../../shared/failure.ts';
import type { AccessLevel } from '../../../shared/model/access.ts';
import type { OwnRule, Rule } from '../../../shared/model/rule.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { installStatus } from '../clients/install/install.ts';
import type { CommandServices } from './services.ts';

type Settable = Exclude<AccessLevel, 'usual' | 'custom'>;

/** The rule of a level. Without a server, it applies to every server. */
function ruleFor(client: string, server: string | undefined, level: Settable): OwnRule {
  const scope = { client, ...(server !== undefined && { server }), pattern: [], active: true };
  switch (level) {
    case 'off':
      return { ...scope, enabled: false };
    case 'harmless':
      return { ...scope, safety: 'dangerous', enabled: false };
    case 'free':
      return { ...scope, safety: ['safe', 'moderate'], confirm: 'never' };
  }
}

const settable: Settable[] = ['off', 'harmless', 'free'];

export function accessCommands({ host, servers, knownTools, tokens, applier, events }: CommandServices) {
  /** The level that the rules of the client give it on exactly this server, or on every server. */
  function levelOf(rules: readonly Rule[], client: string, server: string | undefined): AccessLevel {
    const its = rules.filter((rule) => rule.client === client && rule.server === server);
    if (its.length === 0) return 'usual';
    const [only] = its;
    const found = settable.find((level) => isDeepStrictEqual(only, ruleFor(client, server, level)));
    return its.length === 1 && found ? found : 'custom';
  }

  const rulesNow = (): (Rule & { active: boolean })[] =>
    knownTools.ruleViews().map(({ origin: _, matches: __, shadowedBy: ___, enabledFirst: ____, ...rule }) => rule);

  return {
    'access.show': async () => {
      const rules = rulesNow();
      const names = servers.configs().map(({ name }) => name);
      const installed = (await installStatus(host)).filter(({ state }) => state === 'installed');
      const clients = [
        ...installed.map(({ client, app, access }) => ({ id: client, name: app, profile: access?.profile })),
        ...tokens.list().map(({ name }) => ({ id: name, name })),
      ];
      return {
        servers: names,
        clients: clients.map((client) => {
          const cells = names.map((server) => levelOf(rules, client.id, server));
          return { ...client, all: levelOf(rules, client.id, undefined), cells };
        }),
      };
    },
    'access.set': async ({ client, server, level }) => {
      if (server !== undefined) servers.config(server);
      const before = levelOf(rulesNow(), client, server);
      if (before === 'custom')
        throw fail('INPUT_INVALID', `Other rules decide what ${client} may do there.`, {
          hint: 'Edit them under Rules.',
        });
      const others = host.store.get('rules').filter((rule) => rule.client !== client || rule.server !== server);
      host.store.set('rules', level === 'usual' ? others : [ruleFor(client, server, level), ...others]);
      applier.applyRules();
      events.allListsChanged();
      return { before };
    },
  } satisfies Partial<CommandHandlers>;
}
