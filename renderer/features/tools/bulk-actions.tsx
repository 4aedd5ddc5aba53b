/** Actions for all tools that match the filter. Each can be undone. */
import { Ban, CircleCheck, ListChecks, RotateCcw } from 'lucide-react';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { Menu } from '../../components/menu.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';

type Choice = boolean | null;

export function BulkActions({ shown }: { shown: readonly ToolSummary[] }) {
  const { link, toasts } = useStores();
  const tools = shown.map(({ server, name }) => ({ server, tool: name }));
  const count = tools.length;

  async function set(enabled: Choice, done: string): Promise<void> {
    const before = await toasts.attempt(async () => {
      const overrides = await link.call('rules.overrides');
      await link.call('tools.setPolicies', { tools, enabled });
      return new Map(overrides.map(({ server, tool, enabled: was }) => [toolKey(server, tool), was]));
    });
    if (!before) return;
    const wasSet = ({ server, tool }: (typeof tools)[number]): Choice => before.get(toolKey(server, tool)) ?? null;
    const undo = async () => {
      for (const was of [true, false, null]) {
        const its = tools.filter((tool) => wasSet(tool) === was);
        if (its.length > 0) await link.call('tools.setPolicies', { tools: its, enabled: was });
      }
    };
    toasts.undoable(done, undo, t('Restored {count, plural, one {# tool} other {# tools}}.', { count }));
  }
  return (
    <Menu
      label={t('Change all {count, plural, one {# tool} other {# tools}}', { count })}
      text={t('Change all {count, number}', { count })}
      icon={ListChecks}
      items={[
        {
          label: t('Enable {count, plural, one {# tool} other {# tools}}', { count }),
          icon: CircleCheck,
          onSelect: () => void set(true, t('{count, plural, one {# tool} other {# tools}} enabled.', { count })),
        },
        {
          label: t('Disable {count, plural, one {# tool} other {# tools}}', { count }),
          icon: Ban,
          onSelect: () => void set(false, t('{count, plural, one {# tool} other {# tools}} disabled.', { count })),
        },
        {
          label: t('Let the rules decide'),
          icon: RotateCcw,
          onSelect: () =>
            void set(null, t('{count, plural, one {# tool follows} other {# tools follow}} the rules.', { count })),
        },
      ]}
    />
  );
}
