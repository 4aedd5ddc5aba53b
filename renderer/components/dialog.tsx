/** Modal dialogs based on the native <dialog>, which traps focus and makes the page inert without injecting styles. */
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { t } from '../text.tsx';
import { ActionButton } from './action-button.tsx';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { Form } from './form.tsx';

const openDialogs = createStore<readonly HTMLDialogElement[]>(() => []);

/** The dialog that makes everything else inert. */
export const useTopDialog = (): HTMLDialogElement | undefined => useStore(openDialogs, (dialogs) => dialogs.at(-1));

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  size?: 'small' | 'medium' | undefined;
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

interface ActionDialogProps extends DialogProps, Omit<ComponentProps<typeof ActionButton>, keyof DialogProps> {
  /** The label of the button. */
  action: ReactNode;
}

/** A dialog with one action, or Cancel. */
export function ActionDialog({ title, size, onClose, children, action, ...button }: ActionDialogProps) {
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <DialogBody>{children}</DialogBody>
      <Foot onCancel={onClose}>
        <ActionButton look="primary" {...button}>
          {action}
        </ActionButton>
      </Foot>
    </Dialog>
  );
}

/** A dialog whose action submits its fields. */
export function FormDialog({ title, size, onClose, children, onSubmit, action, ...button }: FormDialogProps) {
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <Form className={styles.dialogForm} autoComplete="off" onSubmit={() => button.disabled || onSubmit()}>
        <DialogBody>{children}</DialogBody>
        <Foot onCancel={onClose}>
          <Button look="primary" type="submit" {...button}>
            {action}
          </Button>
        </Foot>
      </Form>
    </Dialog>
  );
}

interface FormDialogProps extends Omit<ActionDialogProps, 'onSubmit' | 'run'> {
  /** Not called while `disabled`. */
  onSubmit(): void;
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className={`${styles.dialogBody} stack`}>{children}</div>;
}

function Foot({ onCancel, children }: { onCancel(): void; children: ReactNode }) {
  return (
    <footer className={styles.dialogFoot}>
      <Button onClick={onCancel}>{t('Cancel')}</Button>
      {children}
    </footer>
  );
}

/** A dialog that has nothing left to do. */
export function DoneDialog({ children, ...dialog }: DialogProps) {
  return (
    <Dialog {...dialog}>
      <DialogBody>{children}</DialogBody>
      <footer className={styles.dialogFoot}>
        <Button look="primary" onClick={dialog.onClose}>
          {t('Done')}
        </Button>
      </footer>
    </Dialog>
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
        <Button data-safe onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
