/** A dropdown menu. Not modal: Radix's scroll lock injects a style, which the content security policy forbids. */
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  onSelect(): void;
  disabled?: boolean;
  danger?: boolean;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  /** The text of the button; by default, three dots. */
  text?: string;
  icon?: LucideIcon;
}

export function Menu({ label, items, text, icon: Icon = Ellipsis }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className={text ? 'button button-plain' : 'icon-button'}
        aria-label={label}
        title={text ? undefined : label}
      >
        <Icon className="icon" aria-hidden />
        {text}
      </DropdownMenu.Trigger>
      {/* Render inside the main landmark, so that a screen reader announces where the menu is. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {items.map(({ label: itemText, icon: ItemIcon, onSelect, disabled, danger }) => (
            <DropdownMenu.Item
              key={itemText}
              className={danger ? 'menu-item bad' : 'menu-item'}
              disabled={disabled ?? false}
              onSelect={onSelect}
            >
              <ItemIcon className="icon" aria-hidden />
              {itemText}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
