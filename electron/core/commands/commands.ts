/** What each command of the contract does, by group. */
import type { CommandHandlers } from '../../../shared/contract.ts';
import type { OwnRule } from '../../../shared/model.ts';
import { choicesOf, choose } from '../chosen.ts';
import { configCommands } from './config-commands.ts';
import { importCommands } from './import-commands.ts';
import { installCommands } from './install-commands.ts';
import type { Parts } from './parts.ts';
import { profileCommands } from './profile-commands.ts';
import { searchCommands } from './search-commands.ts';
import { secretCommands } from './secret-commands.ts';
import { serverCommands } from './server-commands.ts';
import { serverView } from './server-view.ts';
import { toolCommands } from './tool-commands.ts';

export type { Parts };
export { serverView };

export function createCommands(parts: Parts): CommandHandlers {
  const { host, toolbox, elicitation, approvals, audit, vault } = parts;
  async function saveRules(rules: OwnRule[]): Promise<void> {
    host.store.set('rules', rules);
    await parts.reconfigure();
  }
  return {
    ...serverCommands(parts),
    ...toolCommands(parts),
    ...configCommands(parts),
    ...importCommands(parts),
    ...searchCommands(parts),
    ...installCommands(parts),
    ...secretCommands(parts),
    ...profileCommands(parts),
    'core.status': () => {
      const tools = toolbox.all();
      return {
        version: host.version,
        paused: parts.isPaused(),
        startedAt: parts.startedAt,
        dataDir: host.dataDir,
        vault: { label: vault.label, persistent: vault.persistent },
        searchModel: parts.model && {
          folder: parts.model.folder,
          dimensions: parts.model.encoder?.dimensions,
          problem: parts.model.problem,
        },
        http: parts.http(),
        clients: parts.clients(),
        parkedCalls: parts.parkedCalls(),
        servers: parts.servers.configs().length,
        tools: tools.length,
        enabledTools: tools.filter((tool) => tool.enabled).length,
        fresh: parts.servers.configs().length === 0,
      };
    },
    'core.pause': ({ paused }) => parts.setPaused(paused),
    'rules.list': () => toolbox.ruleViews(),
    'rules.save': ({ rules }) => saveRules(rules),
    'rules.preview': ({ rules }) => {
      const { rules: views, changes } = toolbox.preview(rules);
      return { rules: views, changes: changes.slice(0, 100), total: changes.length };
    },
    'clients.setRouting': ({ client, routing }) => {
      const { [client]: _before, ...others } = host.store.get('routing');
      host.store.set('routing', routing === null ? others : { ...others, [client]: routing });
      parts.emit('clients.changed', {});
    },
    'settings.show': () => ({
      whenOff: host.store.get('whenOff'),
      ...choicesOf(parts.current()),
    }),
    'settings.save': async ({ whenOff, ...change }) => {
      host.store.set('chosen', choose(parts.config.state.config, host.store.get('chosen'), change));
      if (whenOff !== undefined) host.store.set('whenOff', whenOff);
      if (change.historyMonths !== undefined) await audit.keep(parts.current().history.months);
      parts.emit('core.changed', {});
    },
    'questions.list': () => elicitation.pending(),
    'questions.answer': ({ id, answer }) => elicitation.answer(id, answer),
    'grants.list': () =>
      approvals.grants().map(({ id, client, server, tool, scope, conditions, grantedAt, expiresAt }) => ({
        ...{ id, client, server, tool, scope, conditions, grantedAt, expiresAt },
      })),
    'grants.revoke': ({ id }) => approvals.revoke(id),
    'audit.list': (filter) => audit.list(filter),
    'audit.page': ({ after, ...filter }) => audit.page(filter, after),
  };
}
