/** A "more" menu on radix; not modal, since its scroll lock would inject a style that our policy refuses. */
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
  /** Shown on the button; without it there are three dots. */
  text?: string;
  icon?: LucideIcon;
}

export function Menu({ label, items, text, icon: Sign = Ellipsis }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className={text ? 'button button-plain' : 'icon-button'}
        aria-label={label}
        title={text ? undefined : label}
      >
        <Sign className="icon" aria-hidden />
        {text}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {items.map(({ label: text, icon: Icon, onSelect, disabled, danger }) => (
            <DropdownMenu.Item
              key={text}
              className={danger ? 'menu-item menu-danger' : 'menu-item'}
              disabled={disabled ?? false}
              onSelect={onSelect}
            >
              <Icon className="icon" aria-hidden />
              {text}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
