/** Buttons. A busy button is disabled and shows a spinner. */
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  icon?: LucideIcon;
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', icon: Icon, busy = false, children, disabled, ...rest }: ButtonProps) {
  const ShownIcon = busy ? LoaderCircle : Icon;
  return (
    <button
      type="button"
      className={`button button-${look}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {ShownIcon && <ShownIcon className={busy ? 'icon spin' : 'icon'} aria-hidden />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'title'> {
  /** The accessible name and the tooltip. */
  label: string;
  icon: LucideIcon;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, icon: Icon, ...rest }: IconButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} {...rest}>
      <Icon className="icon" aria-hidden />
    </button>
  );
}
