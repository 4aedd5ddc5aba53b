/** Commands for rules, overrides and search feedback. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

const maxPreviewedChanges = 100;

export function ruleCommands({ host, servers, knownTools, applier, stores: { feedback } }: CommandServices) {
  return {
    'rules.list': () => knownTools.ruleViews(),
    'rules.overrides': () => [...host.store.get('overrides')],
    'rules.save': async ({ rules }) => {
      host.store.set('rules', rules);
      applier.applyRules();
    },
    'rules.preview': ({ rules }) => {
      const { rules: views, changes } = knownTools.preview(rules);
      return { rules: views, changes: changes.slice(0, maxPreviewedChanges), total: changes.length };
    },
    'search.feedback.list': () => feedback.list(),
    'search.feedback.add': ({ query, server, tool }) => {
      servers.config(server);
      knownTools.find(server, tool);
      feedback.add({ query, server, tool, source: 'user' });
    },
    'search.feedback.remove': ({ id }) => ({ forgotten: feedback.remove(id) }),
  } satisfies Partial<CommandHandlers>;
}
