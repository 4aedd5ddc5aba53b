/** A modal dialog on the browser's own <dialog>: it traps focus and makes the rest inert without injecting any style. */
import { X } from 'lucide-react';
import { type ReactNode, type Ref, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button.tsx';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  size?: 'small' | 'medium';
}

export function Dialog({ title, onClose, children, size = 'medium' }: DialogProps) {
  return (
    <ModalBox className={`dialog dialog-${size}`} label={title} onEscape={onClose}>
      <header className="dialog-head">
        <h2>{title}</h2>
        <IconButton label="Close" icon={X} onClick={onClose} />
      </header>
      {children}
    </ModalBox>
  );
}

interface ModalBoxProps {
  className: string;
  label: string;
  onEscape(): void;
  children: ReactNode;
  ref?: Ref<HTMLDialogElement>;
}

/** Opens when mounted and gives the focus back when it goes. */
export function ModalBox({ className, label, onEscape, children }: ModalBoxProps) {
  const box = useRef<HTMLDialogElement>(null);
  const leave = useRef(onEscape);
  leave.current = onEscape;
  // Before the effects of what is inside, which may move the focus: in a closed dialog nothing can take it.
  useLayoutEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    if (!dialog?.open) {
      dialog?.showModal();
      firstOf(dialog)?.focus();
    }
    return () => {
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
      // A second Escape closes the element without asking us. One that is open again meanwhile was only mounted anew.
      onClose={(event) => event.target === event.currentTarget && !event.currentTarget.open && leave.current()}
    >
      {children}
    </dialog>
  );
}

/** Where one begins: at the safe choice, or else at what is to be filled in, rather than at the button that closes. */
function firstOf(dialog: HTMLDialogElement | null): HTMLElement | null | undefined {
  const entry = '.dialog-body :is(input:not([type="radio"]), input:checked, textarea, select)';
  return dialog?.querySelector<HTMLElement>('[data-safe]') ?? dialog?.querySelector<HTMLElement>(entry);
}

interface ConfirmProps {
  title: string;
  children: ReactNode;
  action: string;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something is lost. The safe choice has the focus. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} size="small" onClose={onClose}>
      <div className="dialog-body">{children}</div>
      <footer className="dialog-foot">
        <button type="button" className="button button-plain" data-safe onClick={onClose}>
          Cancel
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
