/** Commands for rules. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'rules.list' | 'rules.save' | 'rules.preview' | 'rules.overrides'>;

const maxPreviewedChanges = 100;

export function ruleCommands({ host, knownTools, applier }: CommandServices): Handlers {
  return {
    'rules.list': () => knownTools.ruleViews(),
    'rules.overrides': () => [...host.store.get('overrides')],
    'rules.save': async ({ rules }) => {
      host.store.set('rules', rules);
      await applier.reconfigure();
    },
    'rules.preview': ({ rules }) => {
      const { rules: views, changes } = knownTools.preview(rules);
      return { rules: views, changes: changes.slice(0, maxPreviewedChanges), total: changes.length };
    },
  };
}
