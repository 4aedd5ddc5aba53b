/** Modal dialogs based on the native <dialog>, which traps focus and makes the page inert without injecting styles. */
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, type Ref, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { t } from '../text.tsx';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';

const openDialogs = createStore<readonly HTMLDialogElement[]>(() => []);

/** The dialog that makes everything else inert. */
export const useTopDialog = (): HTMLDialogElement | undefined => useStore(openDialogs, (dialogs) => dialogs.at(-1));

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  size?: 'small' | 'medium';
}

export function Dialog({ title, onClose, children, size = 'medium' }: DialogProps) {
  return (
    <ModalBox
      className={size === 'small' ? `${styles.dialog} ${styles.dialogSmall}` : `${styles.dialog}`}
      label={title}
      onEscape={onClose}
      focusFirstField
    >
      <header className={styles.dialogHead}>
        <h2>{title}</h2>
        <IconButton label={t('Close')} icon={X} onClick={onClose} />
      </header>
      {children}
    </ModalBox>
  );
}

interface ModalBoxProps {
  className?: string;
  label: string;
  onEscape(): void;
  /** Moves the focus to the safe choice or the first field on open. */
  focusFirstField?: boolean;
  children: ReactNode;
  ref?: Ref<HTMLDialogElement>;
}

/** Opens on mount and restores the focus on unmount. */
export function ModalBox({ className, label, onEscape, focusFirstField = false, children }: ModalBoxProps) {
  const box = useRef<HTMLDialogElement>(null);
  const leave = useRef(onEscape);
  leave.current = onEscape;
  const shouldFocus = useRef(focusFirstField);
  // Use a layout effect: effects inside the content may move the focus, which a closed dialog cannot receive.
  useLayoutEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    if (!dialog?.open) {
      dialog?.showModal();
      if (shouldFocus.current) initialFocus(dialog)?.focus();
    }
    if (dialog) openDialogs.setState((dialogs) => [...dialogs, dialog], true);
    return () => {
      openDialogs.setState((dialogs) => dialogs.filter((other) => other !== dialog), true);
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      className={className}
      aria-label={label}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave.current();
      }}
      // A second Escape closes the element without a cancel event. Ignore a dialog that was merely remounted.
      onClose={(event) => event.target === event.currentTarget && !event.currentTarget.open && leave.current()}
    >
      {children}
    </dialog>
  );
}

/** Focuses the safe choice if there is one, otherwise the first field, but never the close button. */
function initialFocus(dialog: HTMLDialogElement | null): HTMLElement | null | undefined {
  const entry = ':is(input:not([type="radio"]), input:checked, textarea, select)';
  return dialog?.querySelector<HTMLElement>('[data-safe]') ?? dialog?.querySelector<HTMLElement>(entry);
}

interface DialogFootProps extends ComponentProps<typeof Button> {
  onCancel(): void;
}

/** Cancel, and the action of the dialog: it submits the form around it, or calls `onClick`. */
export function DialogFoot({ onCancel, onClick, ...action }: DialogFootProps) {
  return (
    <footer className={styles.dialogFoot}>
      <Button onClick={onCancel}>{t('Cancel')}</Button>
      <Button look="primary" type={onClick ? 'button' : 'submit'} onClick={onClick} {...action} />
    </footer>
  );
}

/** The end of a dialog that has nothing left to do. */
export function DialogDone({ onClose }: { onClose(): void }) {
  return (
    <footer className={styles.dialogFoot}>
      <Button look="primary" onClick={onClose}>
        {t('Done')}
      </Button>
    </footer>
  );
}

interface ConfirmProps {
  title: string;
  children: ReactNode;
  action: string;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation before something is lost. Focuses Cancel. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} size="small" onClose={onClose}>
      <div className={styles.dialogBody}>{children}</div>
      <footer className={styles.dialogFoot}>
        <button type="button" className="button button-plain" data-safe onClick={onClose}>
          {t('Cancel')}
        </button>
        <button
          type="button"
          className="button button-danger"
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {action}
        </button>
      </footer>
    </Dialog>
  );
}
