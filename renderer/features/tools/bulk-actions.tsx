/** Actions for all tools that match the filter, each with Undo. */
import { Ban, CircleCheck, ListChecks, RotateCcw } from 'lucide-react';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { count } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { useStores } from '../../stores/stores.ts';

type Choice = boolean | null;

export function BulkActions({ shown }: { shown: readonly ToolSummary[] }) {
  const { link, toasts } = useStores();
  const tools = shown.map(({ server, name }) => ({ server, tool: name }));
  const label = count(tools.length, 'tool');

  async function set(enabled: Choice, done: string): Promise<void> {
    const before = await toasts.attempt(async () => {
      const overrides = await link.call('rules.overrides');
      await link.call('tools.setPolicies', { tools, enabled });
      return new Map(overrides.map(({ server, tool, enabled: was }) => [`${server}::${tool}`, was]));
    });
    if (!before) return;
    const wasSet = ({ server, tool }: (typeof tools)[number]): Choice => before.get(`${server}::${tool}`) ?? null;
    const undo = async () => {
      for (const was of [true, false, null]) {
        const its = tools.filter((tool) => wasSet(tool) === was);
        if (its.length > 0) await link.call('tools.setPolicies', { tools: its, enabled: was });
      }
    };
    const run = () => void toasts.attempt(undo, `Restored ${label}.`);
    toasts.success(`${label} ${done}.`, { action: { label: 'Undo', run } });
  }
  return (
    <Menu
      label={`All ${label}`}
      text={`All ${tools.length.toLocaleString('en')}`}
      icon={ListChecks}
      items={[
        { label: `Enable ${label}`, icon: CircleCheck, onSelect: () => void set(true, 'enabled') },
        { label: `Disable ${label}`, icon: Ban, onSelect: () => void set(false, 'disabled') },
        { label: 'Let the rules decide', icon: RotateCcw, onSelect: () => void set(null, 'follow the rules') },
      ]}
    />
  );
}
