/** The order of the tool list. Unlike the column headers, it is there in a narrow list, too. */
import { ArrowDownUp, Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores.ts';
import type { ToolSort } from '../../stores/tools.ts';
import { t } from '../../text.tsx';

const labels: Readonly<Record<ToolSort, string>> = {
  server: t('Server'),
  name: t('Name'),
  calls: t('Calls'),
  failed: t('Failed calls'),
  time: t('Average time'),
  tokens: t('Tokens'),
};

export function SortMenu() {
  const { tools: store } = useStores();
  const { sort } = useStore(store.state);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="link-button">
        <ArrowDownUp className="icon" aria-hidden />
        {t('Sort by: {name}', { name: labels[sort] })}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.RadioGroup value={sort} onValueChange={(next) => store.setSort(next as ToolSort)}>
            {Object.entries(labels).map(([value, label]) => (
              <DropdownMenu.RadioItem key={value} className="menu-item" value={value}>
                <Check className={value === sort ? 'icon' : 'icon icon-unset'} aria-hidden />
                {label}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
