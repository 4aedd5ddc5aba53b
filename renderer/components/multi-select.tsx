/** A select for any number of values: a button with a menu of checkboxes, which stays open while the user chooses. */
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { SelectBox } from './controls.tsx';
import { VisibleText } from './untrusted-text.tsx';

interface MultiSelectProps {
  label: string;
  /** The text for no value, which means any. */
  none: string;
  /** The text for several values. */
  several(count: number): string;
  values: readonly string[];
  options: readonly string[];
  onChange(values: string[]): void;
}

export function MultiSelect({ label, none, several, values, options, onChange }: MultiSelectProps) {
  const [first, ...others] = values;
  const shown = first === undefined ? none : others.length > 0 ? several(values.length) : first;
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  const item = (text: string, checked: boolean, onToggle: () => void) => (
    <DropdownMenu.CheckboxItem
      key={text}
      className="menu-item"
      checked={checked}
      onCheckedChange={onToggle}
      onSelect={(event) => event.preventDefault()}
    >
      <Check className={checked ? 'icon' : 'icon icon-unset'} aria-hidden />
      <VisibleText text={text} />
    </DropdownMenu.CheckboxItem>
  );
  return (
    <DropdownMenu.Root modal={false}>
      <SelectBox>
        <DropdownMenu.Trigger className="select" aria-label={`${label}: ${shown}`}>
          <VisibleText text={shown} />
        </DropdownMenu.Trigger>
      </SelectBox>
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
          {item(none, first === undefined, () => onChange([]))}
          {options.map((value) => item(value, values.includes(value), () => toggle(value)))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
